"""How the rates of local coordinates depend on these, in the linear systems of Radau IIA.

At x = 0 the rates of a rotation's local coordinates are dx/dt = v + x × v/2 + ... (`chart.chart_rate`), so that

    dv = (s + E) dx + G^T mu + r_x,    E = v~/2 for each rotation, 0 for plain coordinates                       (1)

Without E, the Newton iteration of a body that turns by the angle a in a step contracts by about a/7 only.
"""

from __future__ import annotations

from duoti.integrate.newton import at
from duoti.kernel import helper, part


@helper
def turned(v, x, j, k):
    """Component k of E x, for the rotation with the rates j, j + 1, j + 2."""
    a, b = (k + 1) % 3, (k + 2) % 3
    return 0.5 * (v[j + a] * x[j + b] - v[j + b] * x[j + a])


@helper
def _turned_row(row, v, j, k):
    """Component k of row E."""
    a, b = (k + 1) % 3, (k + 2) % 3
    return 0.5 * (row[j + a] * v[j + b] - row[j + b] * v[j + a])


@part
def add_chart(tree, closures, w, tan, newton, A, v, s):
    """Add to the matrix of `newton` what dv = s dx + E dx makes of it; v: where the derivatives were taken."""
    nv, rows, permutation = tree.nv, closures.rows, newton.permutation
    first = newton.n - tree.nz
    for q in range(tree.quat_v.shape[0]):
        j = tree.quat_v[q]
        for k in range(3):
            p = permutation[j + k]
            for m in range(newton.start[j], newton.start[j + 1]):
                i = newton.column[m]
                A[at(newton, permutation[i], p)] += (
                    _turned_row(tan.M[i], v, j, k) + _turned_row(tan.C[i], v, j, k) / s
                ) / s
            for i in range(tree.nz):
                A[at(newton, permutation[first + i], p)] -= _turned_row(tan.Fv[i], v, j, k) / s
        for l in range(3):
            for m in range(closures.column[j + l], closures.column[j + l + 1]):
                r = closures.column_rows[m]
                row = nv + r if newton.velocity_row[r] == 1 else nv + rows + r
                g = 0.5 * w.G[closures.column_at[m]] / s
                # row E: g e_l v~ has the components e_l × v
                A[at(newton, permutation[row], permutation[j + (l + 1) % 3])] -= g * v[j + (l + 2) % 3]
                A[at(newton, permutation[row], permutation[j + (l + 2) % 3])] += g * v[j + (l + 1) % 3]
