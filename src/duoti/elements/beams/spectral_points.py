"""Beam elements of higher order: strains of a Gauss point, and their first and second derivatives.

The variables of a Gauss point are y = (r', Q, Q'), eleven numbers (see `elements.beams.spectral_nodes`). With section
forces n, m in world axes and phi = n . Gamma + m . kappa, the strains' derivatives are

    d(n . Gamma + m . kappa) = gamma . dy,   s gamma = (vec(Q n Q*),  -2 r' Q n - 2 Q' m - 2 phi Q,  2 Q m)    (2)
    d gamma / dy = X/s - 2/s (gamma Q^T + Q gamma^T) - 2 phi/s 1_QQ                                           (3)

where X is the derivative of the bilinear terms of (2) by a small e: -2 e Q n from r' to Q, -2 r' e n from Q to Q,
2 e m from Q to Q', and their transposes.
"""

from duoti.elements.beams.spectral_nodes import put3_at, put4_at
from duoti.kernel import helper
from duoti.spatial.algebra import add, dot, mulT, scale, sub
from duoti.spatial.quaternion_algebra import (
    add4,
    conjugate,
    dot4,
    quaternion_product,
    scale4,
    times_vector,
    vector_part,
    vector_times,
)

Y, JACOBIAN = 11, 66  # numbers of y; of the strains' derivatives by them
UNITS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


# ----------------------------------------------------------------------------------------------------- a Gauss point


@helper
def strains(R_F, Q, P, r, per):
    """Gamma and kappa in world axes and in those of the section; per = 1/s."""
    g = scale(per, vector_part(quaternion_product(conjugate(Q), vector_times(1.0, r, Q))))
    k = scale(2.0 * per, vector_part(quaternion_product(conjugate(Q), P)))
    return g, k, mulT(R_F, g), mulT(R_F, k)


@helper
def strain_rates(R_F, Q, P, r, per, g, k, dQ, dP, dr):
    """Rates of the strains, in the axes of the section."""
    back = conjugate(Q)
    grow = 2.0 * per * dot4(Q, dQ)
    shift = add4(vector_times(1.0, dr, Q), vector_times(2.0, r, dQ))
    dg = sub(scale(per, vector_part(quaternion_product(back, shift))), scale(grow, g))
    turn = add4(quaternion_product(conjugate(dQ), P), quaternion_product(back, dP))
    dk = sub(scale(2.0 * per, vector_part(turn)), scale(grow, k))
    return mulT(R_F, dg), mulT(R_F, dk)


@helper
def by_variables(Q, P, r, per, n, m, phi):
    """(2)"""
    Qn = times_vector(per, Q, n)
    by_r = vector_part(quaternion_product(Qn, conjugate(Q)))
    by_Q = add4(vector_times(-2.0, r, Qn), times_vector(-2.0 * per, P, m))
    return by_r, add4(by_Q, scale4(-2.0 * per * phi, Q)), times_vector(2.0 * per, Q, m)


@helper
def _row(c, at, g, k):
    return c[at] * g[0] + c[at + 1] * g[1] + c[at + 2] * g[2] + c[at + 3] * k[0] + c[at + 4] * k[1] + c[at + 5] * k[2]


@helper
def section_times(c, at, g, k):
    """A 6x6 matrix of the numbers times strains."""
    return (
        (_row(c, at, g, k), _row(c, at + 6, g, k), _row(c, at + 12, g, k)),
        (_row(c, at + 18, g, k), _row(c, at + 24, g, k), _row(c, at + 30, g, k)),
    )


# ------------------------------------------------------------------------------------------------------- derivatives


@helper
def _put_row(x, at, by_r, by_Q, by_P):
    put3_at(x, at, by_r)
    put4_at(x, at + 3, by_Q)
    put4_at(x, at + 7, by_P)


@helper
def _put_rotated(x, at, R, k, a, b, c):
    """Row k of R^T times the rows a, b, c of eleven numbers."""
    u, v, w = R[k], R[3 + k], R[6 + k]
    put3_at(x, at, add(add(scale(u, a[0]), scale(v, b[0])), scale(w, c[0])))
    put4_at(x, at + 3, add4(add4(scale4(u, a[1]), scale4(v, b[1])), scale4(w, c[1])))
    put4_at(x, at + 7, add4(add4(scale4(u, a[2]), scale4(v, b[2])), scale4(w, c[2])))


@helper
def put_jacobian(x, J, R_F, Q, P, r, per, g, k):
    """The strains' derivatives by y, rows in the axes of the section."""
    none = (0.0, 0.0, 0.0)
    a, b, c = (by_variables(Q, P, r, per, UNITS[0], none, g[0]), by_variables(Q, P, r, per, UNITS[1], none, g[1]),
               by_variables(Q, P, r, per, UNITS[2], none, g[2]))  # fmt: skip
    for i in range(3):
        _put_rotated(x, J + Y * i, R_F, i, a, b, c)
    a, b, c = (by_variables(Q, P, r, per, none, UNITS[0], k[0]), by_variables(Q, P, r, per, none, UNITS[1], k[1]),
               by_variables(Q, P, r, per, none, UNITS[2], k[2]))  # fmt: skip
    for i in range(3):
        _put_rotated(x, J + Y * (3 + i), R_F, i, a, b, c)


@helper
def _changed_row(Q, P, r, per, dQ, dP, dr, n, m, phi):
    """How (2) changes when y moves with its rates: (3) times these."""
    by_r, by_Q, by_P = by_variables(Q, P, r, per, n, m, phi)
    faster = dot(by_r, dr) + dot4(by_Q, dQ) + dot4(by_P, dP)
    grow = -2.0 * per * dot4(Q, dQ)
    shift = vector_part(quaternion_product(times_vector(2.0 * per, dQ, n), conjugate(Q)))
    mixed = add4(vector_times(1.0, dr, times_vector(1.0, Q, n)), vector_times(1.0, r, times_vector(1.0, dQ, n)))
    turn = scale4(-2.0 * per, add4(mixed, times_vector(1.0, dP, m)))
    turn = add4(turn, add4(scale4(grow, by_Q), add4(scale4(-2.0 * per * faster, Q), scale4(-2.0 * per * phi, dQ))))
    return add(shift, scale(grow, by_r)), turn, add4(times_vector(2.0 * per, dQ, m), scale4(grow, by_P))


@helper
def put_changed_jacobian(x, E, R_F, Q, P, r, per, g, k, dQ, dP, dr):
    """Derivatives of the strains' rates by y."""
    none = (0.0, 0.0, 0.0)
    a, b, c = (_changed_row(Q, P, r, per, dQ, dP, dr, UNITS[0], none, g[0]),
               _changed_row(Q, P, r, per, dQ, dP, dr, UNITS[1], none, g[1]),
               _changed_row(Q, P, r, per, dQ, dP, dr, UNITS[2], none, g[2]))  # fmt: skip
    for i in range(3):
        _put_rotated(x, E + Y * i, R_F, i, a, b, c)
    a, b, c = (_changed_row(Q, P, r, per, dQ, dP, dr, none, UNITS[0], k[0]),
               _changed_row(Q, P, r, per, dQ, dP, dr, none, UNITS[1], k[1]),
               _changed_row(Q, P, r, per, dQ, dP, dr, none, UNITS[2], k[2]))  # fmt: skip
    for i in range(3):
        _put_rotated(x, E + Y * (3 + i), R_F, i, a, b, c)


@helper
def put_product(c, x, C, J, X, fresh):
    """X = C J, or X += C J, of a 6x6 matrix of the numbers."""
    for i in range(6):
        for b in range(Y):
            total = 0.0 * x[J] if fresh == 1 else x[X + Y * i + b]
            for k in range(6):
                total += c[C + 6 * i + k] * x[J + Y * k + b]
            x[X + Y * i + b] = total


@helper
def put_square(x, J, X, H):
    """H = J^T X."""
    for a in range(Y):
        for b in range(Y):
            x[H + Y * a + b] = (
                x[J + a] * x[X + b] + x[J + Y + a] * x[X + Y + b] + x[J + 2 * Y + a] * x[X + 2 * Y + b]
                + x[J + 3 * Y + a] * x[X + 3 * Y + b] + x[J + 4 * Y + a] * x[X + 4 * Y + b]
                + x[J + 5 * Y + a] * x[X + 5 * Y + b]
            )  # fmt: skip


@helper
def _add_both(x, H, row, first, v):
    """Add four numbers to a row of H, and to its column."""
    for c in range(4):
        x[H + Y * row + first + c] += v[c]
        x[H + Y * (first + c) + row] += v[c]


@helper
def add_curvature(x, H, Q, r, per, n, m, phi, by_r, by_Q, by_P):
    """H += (3)."""
    Qn, less = times_vector(-2.0 * per, Q, n), scale4(-2.0 * per, Q)
    for i in range(3):
        e = (1.0 * (i == 0), 1.0 * (i == 1), 1.0 * (i == 2))
        _add_both(x, H, i, 3, add4(vector_times(1.0, e, Qn), scale4(by_r[i], less)))
    for i in range(4):
        e = (1.0 * (i == 0), 1.0 * (i == 1), 1.0 * (i == 2), 1.0 * (i == 3))
        turned = vector_times(-2.0 * per, r, times_vector(1.0, e, n))
        row = add4(turned, add4(scale4(by_Q[i], less), scale4(less[i], by_Q)))
        row = add4(row, scale4(-2.0 * per * phi, e))
        for k in range(4):
            x[H + Y * (3 + i) + 3 + k] += row[k]
        _add_both(x, H, 3 + i, 7, add4(times_vector(2.0 * per, e, m), scale4(less[i], by_P)))
