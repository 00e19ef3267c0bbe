"""`solve_lcp`: linear complementarity problems on plain matrices."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from duoti.contact.solve import lemke as L
from duoti.contact.solve.arguments import as_reals
from duoti.contact.solve.lemke import SOLVED
from duoti.kernel import entry_caller, pack
from duoti.strict import explained

Reals = np.ndarray[Any, np.dtype[np.float64]]

PIVOTS_PER_ROW = 50
SMALL_ENOUGH = 1e-10  # residual of a solution, relative to q, up to which it is one
ENUMERATED = 10  # rows up to which all bases are looked at when Lemke's method ends without a solution
COVERS = 4  # covering vectors that are tried in turn, where a ray does not prove anything


class LcpSolution(NamedTuple):
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


_MAKE = tuple.__new__  # a named tuple in half the time, which counts in small problems


@explained
def solve_lcp(M: ArrayLike, q: ArrayLike, *, least_norm: bool = True, most_pivots: int | None = None) -> LcpSolution:
    r"""Solve a linear complementarity problem by Lemke's method with lexicographic pivots.

    $$w = M z + q, \qquad 0 \le z \perp w \ge 0$$

    M need not be symmetric. For some matrices that are not copositive the method may miss a solution; of up to 10 rows
    all bases are then tried.

    Parameters
    ----------
    M:
        Matrix; a sparse one is made dense.
    q:
        Right-hand side.
    least_norm:
        Where M is symmetric and z is not unique: return that of least norm; otherwise a vertex.
    most_pivots:
        Largest number of pivots.

    References
    ----------
    R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, Academic Press 1992.
    """
    packed = _packed(M, q)
    numbers = packed.solve(most_pivots, least_norm)
    limit, _, status, pivots, unique, residual, scale = numbers
    if status == SOLVED and residual <= SMALL_ENOUGH * (scale or 1.0) and (unique != 0 or not least_norm):
        found = _MAKE(LcpSolution, (packed.z.copy(), packed.w.copy(), True, "solved", pivots, residual))
    else:
        own = packed.M.copy(), packed.q.copy(), packed.z.copy()
        found = _with_care(*own, least_norm, limit, _Numbers(*numbers))
    packed.pool.append(packed)
    return found


class _Numbers(NamedTuple):
    most_pivots: int
    check_unique: int
    status: int
    pivots: int
    unique: int
    residual: float
    scale: float


_READ = struct.Struct("=5q2d").unpack_from  # LcpNumbers


class _Packed:
    """A workspace for problems of n rows, and how its kernel is called."""

    def __init__(self, n: int):
        self.work = work = L.new_lcp_work(n)
        self.block = np.zeros(64)
        pack(self.block, (work,), L.LCP_CONTEXT)
        self.call = entry_caller(L.lcp_entry, self.block.ctypes.data)
        self.settings: tuple[int | None, bool] = 0, False
        self.M, self.q, self.z, self.w = work.M, work.q, work.z, work.w
        self.numbers = memoryview(work.numbers.view(np.uint8))
        self.pool = _POOL.setdefault(n, []) if n <= MOST_KEPT else []
        """Where it belongs while it is not in use."""

    def solve(self, limit: int | None, check_unique: bool) -> tuple[int, int, int, int, int, float, float]:
        """Solve what stands in the workspace; `_Numbers` as a plain tuple."""
        if self.settings != (limit, check_unique):
            n, self.settings = len(self.q), (limit, check_unique)
            most = PIVOTS_PER_ROW * n + 2 ** min(n, 17) if limit is None else limit
            self.work.numbers[0] = (most, check_unique, 0, 0, 0, 0.0, 0.0)
        self.call()
        return _READ(self.numbers)


_POOL: dict[int, list[_Packed]] = {}  # not in use now, by their sizes
MOST_KEPT = 200  # rows of workspaces that are kept


def _packed(M: ArrayLike, q: ArrayLike) -> _Packed:
    """A workspace with M and q in it."""
    if type(M) is not np.ndarray or type(q) is not np.ndarray or M.dtype != float or q.dtype != float:
        M, q = as_reals(M, "M"), as_reals(q, "q")
    n = len(q) if q.ndim == 1 else -1
    if M.shape != (n, n):
        raise ValueError(f"M has the shape {M.shape} and q {q.shape}; they must be (n, n) and (n,)")
    pool = _POOL.get(n)
    packed = pool.pop() if pool else _Packed(n)
    packed.M[...] = M  # half the time of [:]
    packed.q[...] = q
    return packed


def _with_care(M: Reals, q: Reals, z: Reals, least_norm: bool, limit: int, first: _Numbers) -> LcpSolution:
    """Where the first try found nothing, or solutions may be several."""
    n, status, pivots, reason = len(q), first.status, first.pivots, ""
    if status == L.NOT_FINITE:
        raise ValueError("M and q must be finite")
    scale = first.scale or 1.0
    random = np.random.default_rng(0)
    for _ in range(COVERS - 1):
        if status == SOLVED and _residual(M, q, z) <= SMALL_ENOUGH * scale:
            break
        if status == L.RAY and _positive_semidefinite(M):
            break
        status, count, z = _lemke(M, q, np.exp(random.normal(size=n)), limit)
        pivots += count
    if status == SOLVED:
        if least_norm and n > 1 and first.unique >= 0:
            z = _least_norm(M, q, z, limit)
    elif status == L.RAY:
        if _positive_semidefinite(M):
            reason = "there is no solution: Lemke's method ended on a ray, and M is positive semidefinite"
        elif n <= ENUMERATED:
            found = next(all_solutions(M, q), None)
            if found is not None:
                z, status = found, SOLVED
            else:
                reason = f"there is no solution: none of the {2**n} bases gives one"
        else:
            reason = "none found: Lemke's method ended on a ray, which does not prove for this M that there is none"
    residual = _residual(M, q, z)
    ok = status == SOLVED and residual <= SMALL_ENOUGH * scale
    if ok:
        reason = "solved"
    elif status == SOLVED:
        reason = f"not accurate: a residual of {residual:.2g} is left; M is nearly singular, or badly scaled"
    elif status == L.TOO_MANY_PIVOTS:
        reason = f"stopped after {pivots} pivots; a larger most_pivots lets it go on"
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
    packed = _packed(M, q)
    packed.work.cover[:] = cover
    _, _, status, pivots, _, _, _ = packed.solve(limit, False)
    packed.work.cover[:] = 1.0
    z = packed.work.z.copy()
    packed.pool.append(packed)
    return status, pivots, z


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
    if status != SOLVED:
        return z
    positive = shifted > 1e-6 * float(np.max(shifted, initial=0.0))
    found = np.zeros(len(q))
    found[rows[positive]] = np.linalg.lstsq(block[:, positive], -q[rows], rcond=1e-11)[0]
    better = _residual(M, q, found) <= max(1e-12 * size, _residual(M, q, z))
    return np.maximum(found, 0.0) if better else z
