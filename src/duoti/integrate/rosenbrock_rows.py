"""Rows beside the equations of motion in the stages of `rosenbrock_exact`: contacts that are closed, closed loops.

With multipliers of their own, dlambda, equation (2) there has -F^T dlambda on its left, and the rows say

    G (s k_v - b_v) + Aq delta + Av k_v = 0,     s k_v - b_v being the change of the accelerations                 (1)

The band of the motion is factorised without them; they are eliminated by their Schur complement, which may be singular
where rows say the same (a box on four corners): the multipliers are then the smallest ones.
"""

from __future__ import annotations

from duoti.contact.border import put_closure_rows
from duoti.contact.row_solver import solve_rows
from duoti.integrate.newton import solve
from duoti.kernel import call_entry, helper, part

NOTHING = 1e-14  # of the largest diagonal entry: a row that nothing can move


@helper
def turned(row, v, j, k):
    """Component k of row v~/2, for the rotation with the rates j, j + 1, j + 2."""
    a, b = (k + 1) % 3, (k + 2) % 3
    return 0.5 * (row[j + a] * v[j + b] - row[j + b] * v[j + a])


@part
def closure_rows(tree, closures, w, tan, border):
    """K, C, M, Z, F of LINEARISE, and the rows of closed loops, in the state w.y; multipliers are evaluated."""
    call_entry(w.calls[0].rates, w.at[0].system)
    call_entry(w.calls[0].linearise, w.at[0].system)
    call_entry(w.calls[0].acceleration_rows, w.at[0].system)
    put_closure_rows(tree, closures, w, tan, border)


@part
def eliminate_rows(tree, newton, border, v, s):
    """R, Y, D and the scales of D, with the factors of the motion."""
    nv, n = tree.nv, border.counts[0].rows
    for r in range(n):
        for i in range(nv):
            border.R[r, i] = border.G[r, i] + border.Av[r, i] / s + border.Aq[r, i] / (s * s)
        for q in range(tree.quat_v.shape[0]):
            j = tree.quat_v[q]
            square = 0.25 * (v[j] ** 2 + v[j + 1] ** 2 + v[j + 2] ** 2)
            for k in range(3):
                x = square / s * border.Aq[r, j + k] + turned(border.Aq[r], v, j, k)
                border.R[r, j + k] -= x / ((s * s + square) * s)
        y = border.Y[r]
        for i in range(newton.n):
            y[i] = border.F[r, i] if i < nv else 0.0
        solve(newton, newton.A, newton.pivots, y, newton.sorted)
    largest = 0.0
    for r in range(n):
        for k in range(n):
            d = 0.0
            for i in range(nv):
                d += border.R[r, i] * border.Y[k, i]
            border.D[r, k] = d
        largest = max(largest, abs(border.D[r, r]))
    for r in range(n):
        d = abs(border.D[r, r])
        border.scale[r] = 1.0 / d**0.5 if d > NOTHING * largest else 0.0


@part
def obey_rows(tree, newton, border, b_v, beta, s):
    """Correct newton.b, the unknowns of a stage without rows, for the right-hand side b_v and beta of the stage."""
    n = border.counts[0].rows
    right, x = border.vectors[0], border.vectors[1]
    for r in range(n):
        total = 0.0
        for i in range(tree.nv):
            total += (border.G[r, i] * b_v[i] - border.Aq[r, i] * beta[i]) / (s * s) - border.R[r, i] * newton.b[i]
        right[r] = total
    solve_rows(
        border.D, border.LU, border.pivot, border.scale, n, right, x, border.vectors[2], border.vectors[3],
        border.counts,
    )  # fmt: skip
    for r in range(n):
        for i in range(newton.n):
            newton.b[i] += border.Y[r, i] * x[r]
