"""Round-off of a linear system: of the entries of its matrices, and of its eigenvalues.

An entry may be the small difference of large terms: of a wheel that rests on the ground the moment of the contact force
about the axle is N times 1e-17 m, and so is its derivative. The entry alone does not tell. So the matrices are made
again in states that differ by round-off; what changes is round-off.

A change of A by E moves an eigenvalue by |y|^H |E| |x|, left and right eigenvectors with y^H x = 1 (Wilkinson 1965).
Of a double eigenvalue that E has split, y and x are nearly across each other, and that estimate is of the order of the
split itself, sqrt(E).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.derivatives import displace
from duoti.analyses.modes import length_of
from duoti.analyses.round_off import scales
from duoti.analyses.variation import Equations, coordinate_sizes
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.analyses.linear_system import LinearSystem

EPSILON = float(np.finfo(float).eps)
NEAR = 4.0 * EPSILON  # displacements between states that are the same but for round-off [rad, parts of the size]
SAMPLES = 3
JUMP = 1e-8  # a larger change, as part of the largest entry, is no round-off: a contact opens there
MARGIN = 10.0  # of estimates of round-off: of that of LAPACK by the norm of the matrix ...
SPREAD = 10.0  # ... and of that of entries by a few samples


def round_off(linear: LinearSystem) -> tuple[Reals, Reals]:
    """Of the entries of A and of the stiffness."""
    from duoti.analyses.linear_system import without_algebraic
    from duoti.analyses.linearise import rates_matrix

    system, random = linear.system, np.random.default_rng(0)
    noise, stiffness_noise = np.zeros_like(linear.A), np.zeros_like(linear.stiffness)
    equations, (rates, positions) = Equations.of(system), linear.charts
    holonomic = system.closures.velocity_row == 0
    length = length_of(system, linear.q) + float(np.max(np.abs(linear.q), initial=0.0))
    first = len(linear.coordinates) + len(linear.rates)
    is_state = np.array(system.loads.laws.state_mass[: system.nz], dtype=bool)
    algebraic = [first + k for k in range(system.nz) if not is_state[k]]
    kept = [*range(first), *(first + k for k in range(system.nz) if is_state[k])]
    N_h, ny = positions.N, len(linear.coordinates)
    units = np.concatenate([scales(N_h.T @ linear.variation.M @ N_h), scales(linear.mass), np.ones(len(kept) - first)])
    y, u, x = slice(0, ny), slice(ny, first), slice(first, len(kept))
    blocks = [(rows, columns) for rows in (y, u, x) for columns in (y, u, x)]
    for _ in range(SAMPLES):
        step = NEAR * coordinate_sizes(system, length) * random.choice((-1.0, 1.0), system.nv)
        z = linear.z * (1.0 + NEAR * random.choice((-1.0, 1.0), system.nz))
        equations.put(displace(system, linear.q, step), linear.v, z, linear.t)
        equations.solve_algebraic()
        here = equations.vary()
        there = rates.moved(here.G), positions.moved(here.G[holonomic])
        big, _, _, stiffness, _ = rates_matrix(system, linear.v, here, *there, linear.frame.generator)
        A = without_algebraic(big, big, algebraic)[np.ix_(kept, kept)]
        change = np.abs(A - linear.A)
        for rows, columns in blocks:
            s, t = units[rows], units[columns]
            noise[rows, columns] = np.maximum(
                noise[rows, columns], _round_off_only(change[rows, columns], linear.A[rows, columns], s, t)
            )
        of_stiffness = _round_off_only(np.abs(stiffness - linear.stiffness), linear.stiffness, 1.0 / units[u], units[y])
        stiffness_noise = np.maximum(stiffness_noise, of_stiffness)
    return SPREAD * noise, SPREAD * stiffness_noise


def _round_off_only(change: Reals, whole: Reals, s: Reals, t: Reals) -> Reals:
    """Changes that are small beside the whole matrix, in coordinates of unit mass."""
    size = np.abs(whole) * t / s[:, None]
    return np.where(change * t / s[:, None] <= JUMP * np.max(size, initial=0.0), change, 0.0)


def eigenvalue_errors(A: Reals, units: Reals, noise: Reals, right: Any, left: Any) -> Reals:
    """How much round-off may change each eigenvalue: that of the entries, and that of LAPACK, eps |A| in `units`."""
    if not len(A):
        return np.zeros(0)
    x, y = np.abs(right / units[:, None]), np.abs(left * units[:, None])
    size = float(np.linalg.norm(A * units / units[:, None]))
    by_entries = np.einsum("ij,ij->j", y, (noise * units / units[:, None]) @ x)
    by_solver = MARGIN * EPSILON * size * np.linalg.norm(x, axis=0) * np.linalg.norm(y, axis=0)
    across = np.abs(np.einsum("ij,ij->j", left.conj(), right))
    return (by_entries + by_solver) / np.maximum(across, 1e-300)
