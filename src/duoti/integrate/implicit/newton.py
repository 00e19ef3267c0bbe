"""The linear system of a Newton step, the same for all implicit methods.

Unknowns: corrections of the displacement x, of the multipliers lambda, of the multipliers eta that keep velocities on
their constraint too (Gear, Gupta & Leimkuhler 1985; absent in the index-3 form), and of the first-order states z. With

    dv = c (dx + G^T eta),   d(dv/dt) = b (dx + G^T eta),   d(dz/dt) = e dz

where b, c, e belong to method and step, and with the multipliers in units of b, each block of rows divided by what
makes it of order one:

    [ M + c/b C + K/b     -G^T    (M + c/b C) G^T    Z/b     ]   dynamics
    [ G                     0      0                  0       ]   closed positions                          (1)
    [ G + Gq/c              0      G G^T              0       ]   closed velocities
    [ -(Fq + c Fv)/e        0     -c/e Fv G^T        1 - Fz/e ]   states

In the row of an algebraic state, 0 = f, the one is missing, and nothing is divided by e.
A row that restricts velocities only (rolling) stands with its velocity in the second block, and its eta is zero. The
diagonal of the second and third block gets a small part of its own Schur complement, so that redundant rows do not make
the matrix singular. As the derivatives are those of another instant, redundant equations contradict each other a bit;
what this makes of their multipliers is limited by that part. In the second block a much smaller part belongs to the
equation too, g + soft lambda = 0, so that what redundant multipliers do against each other vanishes from step to step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.elements.matrices import state_columns
from duoti.integrate.implicit.band_solver import band_storage, clear_band, factorise_band, solve_band
from duoti.integrate.implicit.newton_structure import Structure, structure_of
from duoti.kernel import helper, part
from duoti.system.system import System

REGULARISATION = 1e-6  # of the Schur complement's diagonal: costs this much of the contraction of the Newton iteration
SOFT = 1e-10  # the same in the equations themselves: costs this much of the motion in a step
EMPTY_ROW_FRACTION = 1e-4  # of the largest entry on this diagonal: what an empty row counts as
ROUND_OFF = 1e-16


class Newton(NamedTuple):
    """Structure and memory of the linear system."""

    n: int
    below: int  # band
    above: int
    stabilised: int  # 1: with eta
    nonholonomic: Any  # [rows] 1: restricts velocities only
    mass: Any  # [nz] 1, or 0 for an algebraic state
    soft: Any  # [rows] position per multiplier, see `regularise`
    near: Any  # [rows] diagonal of the second block
    square: Any  # [rows] diagonal of the third block
    permutation: Any  # [n] where each unknown, and the equation of the same number, stands in the band's order
    offset: int  # entry (i, j) of the matrix, in the band's order, stands in A[offset + stride * i + j]
    stride: int
    start: Any  # [nv + 1] where the list of rates coupled to rate i begins
    column: Any  # these lists; symmetric: with j among those of i, i is among those of j
    mirror: Any  # for each entry (i, j) of the lists, where (j, i) stands in them
    spot: Any  # for each entry of the lists, where it stands in A
    M: Any  # M, C and K of `Tangent` in the order of the lists
    C: Any
    K: Any
    A: Any  # matrix (1), then its factors
    pivots: Any  # [n]
    b: Any  # [n] right-hand side, then solution, in the order of the unknowns
    sorted: Any  # [n] the same in the band's order
    A2: Any  # the same for complex numbers (Radau); empty if not needed
    pivots2: Any
    b2: Any
    sorted2: Any


def new_newton(system: System, stabilised: bool, is_complex: bool) -> Newton:
    """Memory for a system."""
    return _new(system, structure_of(system, stabilised), system.closures.rows, stabilised, is_complex)


def new_motion_newton(system: System, structure: Structure) -> Newton:
    """Memory for the blocks of motion and states alone (`assemble_motion`)."""
    return _new(system, structure, 0, stabilised=False, is_complex=False)


def _new(system: System, known: Structure, rows: int, stabilised: bool, is_complex: bool) -> Newton:
    closures, nv = system.closures, system.nv
    n = nv + (2 if stabilised else 1) * rows + system.nz
    offset, stride, size = band_storage(n, known.below, known.above)
    row = np.repeat(np.arange(nv), np.diff(known.start))
    entries, m = len(known.column), n if is_complex else 0
    return Newton(
        n=n, stabilised=int(stabilised and rows > 0), nonholonomic=closures.nonholonomic.copy(),
        mass=np.array(system.loads.laws.state_mass, np.int64),
        **{name: value for name, value in known._asdict().items() if name in Newton._fields},
        soft=np.zeros(rows), near=np.zeros(rows), square=np.zeros(rows),
        offset=offset, stride=stride, spot=offset + stride * known.permutation[row] + known.permutation[known.column],
        M=np.zeros(entries), C=np.zeros(entries), K=np.zeros(entries),
        A=np.zeros(size), pivots=np.zeros(n, np.int64), b=np.zeros(n), sorted=np.zeros(n),
        A2=np.zeros(size if is_complex else 0, complex), pivots2=np.zeros(m, np.int64), b2=np.zeros(m, complex),
        sorted2=np.zeros(m, complex),
    )  # fmt: skip


def example_newton() -> Newton:
    """One of no use but for its types."""
    numbers = {"n", "below", "above", "stabilised", "offset", "stride"}
    integers = {"nonholonomic", "mass", "permutation", "start", "column", "mirror", "spot", "pivots", "pivots2"}

    def made(name: str) -> Any:
        if name in numbers:
            return 0
        return np.zeros(1, np.int64 if name in integers else complex if name in {"A2", "b2", "sorted2"} else float)

    return Newton(**{name: made(name) for name in Newton._fields})


@helper
def at(newton, i, j):
    """Where the entry (i, j), in the band's order, stands in the flat matrix."""
    return newton.offset + newton.stride * i + j


@part
def gather(tree, tan, newton):
    """Take M, C and K from a linearisation."""
    for i in range(tree.nv):
        for k in range(newton.start[i], newton.start[i + 1]):
            j = newton.column[k]
            newton.M[k], newton.C[k], newton.K[k] = tan.M[i, j], tan.C[i, j], tan.K[i, j]


@part
def regularise(tree, closures, w, tan, newton, k_b):
    """newton.soft: compliance of a closed position to its multiplier, and the diagonals of (1).

    soft is a small part of what the multiplier moves in a step, or, if that is more, what makes the largest multiplier
    in w move a position by its round-off. Empty rows (out of the plane of a plane loop) count as LEAST of a full one.
    """
    largest, square, mass, force = 0.0, 1.0, 1e-300, 0.0
    for i in range(tree.nv):
        mass = max(mass, tan.M[i, i])
    for r in range(closures.rows):
        newton.soft[r], newton.square[r] = 0.0, 0.0
        for k in range(closures.support[r], closures.support[r + 1]):
            g, i = w.G[k], closures.support_dofs[k]
            newton.soft[r] += g * g / max(tan.M[i, i], 1e-300)
            newton.square[r] += g * g
        largest, square = max(largest, newton.soft[r]), max(square, newton.square[r])
        force = max(force, abs(w.multipliers[r]))
    largest = max(largest, 1.0 / mass)
    for r in range(closures.rows):
        schur = newton.soft[r] + EMPTY_ROW_FRACTION * largest
        newton.soft[r] = k_b * SOFT * schur
        if force > 0.0:
            newton.soft[r] = max(newton.soft[r], ROUND_OFF / force)
        newton.near[r] = REGULARISATION * schur + newton.soft[r] / k_b
        newton.square[r] = REGULARISATION * (newton.square[r] + EMPTY_ROW_FRACTION * square)


@part
def assemble_motion(tree, tan, newton, A, c_b, k_b, c, e):
    """The blocks of motion and states of (1), and zeros elsewhere; see `assemble`. Needs tan and gather."""
    permutation, first = newton.permutation, newton.n - tree.nz
    clear_band(A, newton.n, newton.offset, newton.stride, newton.below, newton.above)
    for k in range(newton.spot.shape[0]):
        A[newton.spot[k]] = newton.M[k] + c_b * newton.C[k] + k_b * newton.K[k]
    for s in range(tree.nz):
        p, scale = permutation[first + s], e if newton.mass[s] == 1 else 1.0 + 0.0 * e
        for i in range(tree.nv):
            if tan.Z[i, s] != 0.0:
                A[at(newton, permutation[i], p)] = k_b * tan.Z[i, s]
            x = tan.Fq[s, i] + c * tan.Fv[s, i]
            if x != 0.0:
                A[at(newton, p, permutation[i])] = -x / scale
        low, high = state_columns(tan.Fz, tree.nz, s)
        for u in range(low, high):
            if tan.Fz[s, u] != 0.0:
                A[at(newton, p, permutation[first + u])] = -tan.Fz[s, u] / scale
        A[at(newton, p, p)] += newton.mass[s]


@part
def assemble(tree, closures, w, tan, newton, A, c_b, k_b, q_c, c, e):
    """The matrix (1) with c_b = c / b, k_b = 1 / b, q_c = 1 / c. Needs tan, gather, w.G and `regularise`."""
    nv, rows, nz = tree.nv, closures.rows, tree.nz
    permutation = newton.permutation
    assemble_motion(tree, tan, newton, A, c_b, k_b, c, e)
    for r in range(rows):
        p, velocity = permutation[nv + r], newton.nonholonomic[r]
        for k in range(closures.support[r], closures.support[r + 1]):
            i = closures.support_dofs[k]
            g = w.G[k]
            A[at(newton, permutation[i], p)] = -g
            A[at(newton, p, permutation[i])] = g + q_c * tan.Gq[r, i] if velocity == 1 else g + 0.0 * q_c
        A[at(newton, p, p)] = newton.near[r] + 0.0 * k_b
        if newton.stabilised == 1:
            _stabilise(tree, closures, w, tan, newton, A, c_b, q_c, r)
    if newton.stabilised == 0:
        return
    for s in range(nz):
        p, scale = permutation[newton.n - nz + s], e if newton.mass[s] == 1 else 1.0 + 0.0 * e
        for r in range(rows):
            x = 0.0
            for k in range(closures.support[r], closures.support[r + 1]):
                i = closures.support_dofs[k]
                x += tan.Fv[s, i] * w.G[k]
            if x != 0.0 and newton.nonholonomic[r] == 0:
                A[at(newton, p, permutation[nv + rows + r])] = -c * x / scale


@helper
def _stabilise(tree, closures, w, tan, newton, A, c_b, q_c, r):
    """Row and column of eta of row r."""
    nv, rows, permutation = tree.nv, closures.rows, newton.permutation
    p = permutation[nv + rows + r]
    if newton.nonholonomic[r] == 1:
        A[at(newton, p, p)] = 1.0
        return
    A[at(newton, p, p)] = newton.square[r]
    for k in range(closures.support[r], closures.support[r + 1]):
        i = closures.support_dofs[k]
        g = w.G[k]
        A[at(newton, p, permutation[i])] = g + q_c * tan.Gq[r, i]
        for m in range(newton.start[i], newton.start[i + 1]):
            j = newton.column[m]
            A[at(newton, permutation[j], p)] += (newton.M[newton.mirror[m]] + c_b * newton.C[newton.mirror[m]]) * g
        for m in range(closures.column[i], closures.column[i + 1]):
            s = closures.column_rows[m]
            product = w.G[closures.column_at[m]] * g
            if newton.nonholonomic[s] == 1:
                A[at(newton, permutation[nv + s], p)] += product
            else:
                A[at(newton, permutation[nv + rows + s], p)] += product


@part
def factorise(newton, A, pivots):
    """Factors of the assembled matrix; returns -1, or the number of an unknown that nothing determines."""
    bad = factorise_band(A, pivots, newton.n, newton.offset, newton.stride, newton.below, newton.above)
    if bad < 0:
        return -1
    for i in range(newton.n):
        if newton.permutation[i] == bad:
            return i
    return 0


@part
def solve(newton, A, pivots, b, scratch):
    """b := A^-1 b in the order of the unknowns."""
    for i in range(newton.n):
        scratch[newton.permutation[i]] = b[i]
    solve_band(A, pivots, newton.n, newton.offset, newton.stride, newton.below, newton.above, scratch)
    for i in range(newton.n):
        b[i] = scratch[newton.permutation[i]]


@part
def worst_equation(newton):
    """Number of the equation with the largest correction left, or the first that is not finite."""
    worst, where = -1.0, 0
    for i in range(newton.n):
        if not abs(newton.b[i]) < 1e300:
            return i
        if abs(newton.b[i]) > worst:
            worst, where = abs(newton.b[i]), i
    return where
