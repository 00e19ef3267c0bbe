"""`solve_lcp`: linear complementarity problems on plain matrices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.contact import lemke as L

Reals = np.ndarray[Any, np.dtype[np.float64]]

PIVOTS_PER_ROW = 50
SMALL_ENOUGH = 1e-10  # residual of a solution, relative to q, up to which it is one
ENUMERATED = 10  # rows up to which all bases are looked at when Lemke's method ends without a solution
COVERS = 4  # covering vectors that are tried in turn, where a ray does not prove anything


@dataclass(frozen=True)
class LcpSolution:
    """What `solve_lcp` found."""

    z: Reals
    w: Reals
    """w = M z + q."""
    ok: bool
    reason: str
    """How it ended, in words."""
    pivots: int
    residual: float
    """Largest |min(z_i, w_i)|."""


def solve_lcp(M: ArrayLike, q: ArrayLike, *, least_norm: bool = True, most_pivots: int | None = None) -> LcpSolution:
    """Find z >= 0 with w = M z + q >= 0 and z . w = 0, by Lemke's method with lexicographic pivots.

    Where M is symmetric and z is not unique (redundant contacts), that of least norm is returned; with
    `least_norm=False` a vertex. If there is no solution, or none was found, `ok` is False and `reason` says which.
    """
    M, q = _checked(M, q)
    n = len(q)
    limit = most_pivots if most_pivots is not None else PIVOTS_PER_ROW * n + 2 ** min(n, 17)
    scale = float(np.max(np.abs(q), initial=0.0)) or 1.0
    status, pivots, z, reason = L.RAY, 0, np.zeros(n), ""
    random = np.random.default_rng(0)
    for attempt in range(COVERS):
        cover = np.ones(n) if attempt == 0 else np.exp(random.normal(size=n))
        status, count, z = _lemke(M, q, cover, limit)
        pivots += count
        if status == L.SOLVED and _residual(M, q, z) <= SMALL_ENOUGH * scale:
            break
        if attempt == 0 and status == L.RAY and _positive_semidefinite(M):
            break
    if status == L.SOLVED:
        if least_norm and n > 1 and float(np.abs(M - M.T).max()) <= 1e-12 * float(np.abs(M).max()):
            z = _least_norm(M, q, z, limit)
    elif status == L.RAY:
        if _positive_semidefinite(M):
            reason = "there is no solution: Lemke's method ended on a ray, and M is positive semidefinite"
        elif n <= ENUMERATED:
            found = next(all_solutions(M, q), None)
            if found is not None:
                z, status = found, L.SOLVED
            else:
                reason = f"there is no solution: none of the {2**n} bases gives one"
        else:
            reason = "none found: Lemke's method ended on a ray, which does not prove for this M that there is none"
    residual = _residual(M, q, z)
    ok = status == L.SOLVED and residual <= SMALL_ENOUGH * scale
    if ok:
        reason = "solved"
    elif status == L.SOLVED:
        reason = f"not accurate: a residual of {residual:.2g} is left; M is nearly singular, or badly scaled"
    elif status == L.TOO_MANY_PIVOTS:
        reason = f"stopped after {pivots} pivots; a larger most_pivots lets it go on"
    elif status == L.NOT_FINITE:
        reason = "q is not finite"
    return LcpSolution(z, M @ z + q, ok, reason, pivots, residual)


def all_solutions(M: Reals, q: Reals) -> Iterator[Reals]:
    """All isolated solutions, basis by basis, those with the fewest positive z first; for few rows only."""
    n, scale = len(q), float(np.max(np.abs(q), initial=0.0)) or 1.0
    seen: list[Reals] = []
    for size in range(n + 1):
        for basis in combinations(range(n), size):
            z, rows = np.zeros(n), list(basis)
            if rows:
                block = M[np.ix_(rows, rows)]
                if np.linalg.cond(block) > 1e13:
                    continue
                z[rows] = np.linalg.solve(block, -q[rows])
            if _residual(M, q, z) <= 1e-11 * scale and not any(np.allclose(z, other) for other in seen):
                seen.append(z)
                yield np.maximum(z, 0.0)


def _lemke(M: Reals, q: Reals, cover: Reals, limit: int) -> tuple[int, int, Reals]:
    n = len(q)
    nonbasic = np.zeros(n + 1, np.int64)
    z = np.zeros(n)
    status = L.lemke(
        M, q, cover, np.zeros((n, n + 1)), np.zeros(n), np.zeros(n, np.int64), nonbasic, np.zeros(2 * n + 1, np.int64),
        np.zeros((n, n)), np.zeros(n), z, limit,
    )  # fmt: skip
    return int(status), int(nonbasic[n]), z


def _checked(M: ArrayLike, q: ArrayLike) -> tuple[Reals, Reals]:
    M, q = np.ascontiguousarray(M, dtype=float), np.ascontiguousarray(q, dtype=float)
    if M.ndim != 2 or q.ndim != 1 or M.shape != (len(q), len(q)):
        raise ValueError(f"M has the shape {M.shape} and q {q.shape}; they must be (n, n) and (n,)")
    if not np.all(np.isfinite(M)) or not np.all(np.isfinite(q)):
        raise ValueError("M and q must be finite")
    return M, q


def _residual(M: Reals, q: Reals, z: Reals) -> float:
    return float(np.max(np.abs(np.minimum(z, M @ z + q)), initial=0.0))


def _positive_semidefinite(M: Reals) -> bool:
    if not len(M):
        return True
    values = np.linalg.eigvalsh(0.5 * (M + M.T))
    return bool(values[0] >= -1e-12 * abs(values[-1]))


def _least_norm(M: Reals, q: Reals, z: Reals, limit: int) -> Reals:
    """The solution of least norm: z >= 0 with the same w (M symmetric), if z is not the only one.

    A small shift of the diagonal makes the solution unique and, as it goes to zero, that of least norm (Tikhonov);
    which z are positive then is the same as for no shift, and least squares gives their values.
    """
    w = M @ z + q
    size = float(np.max(np.abs(q), initial=0.0))
    rows = np.flatnonzero(w <= 1e-9 * size)
    if len(rows) < 2:
        return z
    block = M[np.ix_(rows, rows)]  # pyright: ignore
    try:
        pivots = np.diag(np.linalg.cholesky(block))
        if pivots.min() > 1e-4 * pivots.max():
            return z  # it is the only one
    except np.linalg.LinAlgError:
        pass
    if np.linalg.matrix_rank(block, tol=1e-11 * float(np.max(np.abs(block)))) == len(rows):
        return z
    shift = 1e-7 * float(np.max(np.abs(np.diag(block))))
    status, _, shifted = _lemke(
        block + shift * np.eye(len(rows)), np.ascontiguousarray(q[rows]), np.ones(len(rows)), limit
    )
    if status != L.SOLVED:
        return z
    positive = shifted > 1e-6 * float(np.max(shifted, initial=0.0))
    found = np.zeros(len(q))
    found[rows[positive]] = np.linalg.lstsq(block[:, positive], -q[rows], rcond=1e-11)[0]
    better = _residual(M, q, found) <= max(1e-12 * size, _residual(M, q, z))
    return np.maximum(found, 0.0) if better else z
