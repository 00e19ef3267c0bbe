"""`solve_lcp`: linear complementarity problems on plain matrices."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from duoti.contact.solve import lemke as L
from duoti.contact.solve.arguments import as_reals
from duoti.contact.solve.lemke import SOLVED
from duoti.kernel import entry_caller, pack
from duoti.strict import explained

Reals = np.ndarray[Any, np.dtype[np.float64]]

PIVOTS_PER_ROW = 50
MOST_DENSE = 300  # rows of a sparse matrix for Lemke's method, which makes it dense
EXACT = 1e-13  # residual, relative to q, that the interior-point method goes on to
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
    """Largest |min(z_i, w_i)|, and |w_i| of free variables."""
    iterations: int = 0
    """Of the interior-point method."""
    method: str = "lemke"
    """What solved it, or came nearest: "lemke" or "interior"."""


_MAKE = tuple.__new__  # a named tuple in half the time, which counts in small problems


@explained
def solve_lcp(
    M: ArrayLike,
    q: ArrayLike,
    *,
    free: ArrayLike | None = None,
    method: Literal["auto", "lemke", "interior"] = "auto",
    least_norm: bool = True,
    most_pivots: int | None = None,
) -> LcpSolution:
    r"""Solve a linear complementarity problem, or a mixed one with free variables.

    $$w = M z + q, \qquad 0 \le z_i \perp w_i \ge 0, \qquad w_j = 0 \ \text{ for free } z_j$$

    Lemke's method with lexicographic pivots needs no symmetry. For some matrices that are not copositive it may miss a
    solution; of up to 10 rows all bases are then tried.

    Parameters
    ----------
    M:
        Matrix, dense or sparse.
    q:
        Right-hand side.
    free:
        Indices of the free variables, or True for each of them: a mixed problem.
    method:
        "lemke"; "interior" for an interior-point method, for positive semidefinite M, which keeps a sparse M sparse;
        "auto" takes Lemke's method first, of sparse matrices of more than 300 rows the other one, and ends with what
        is left.
    least_norm:
        Where M is symmetric and z is not unique: return that of least norm; otherwise a vertex. Not with free
        variables, and by Lemke's method alone.
    most_pivots:
        Largest number of pivots; "auto" ends with them then.

    References
    ----------
    R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, Academic Press 1992.
    """
    if method == "auto" and free is None and not hasattr(M, "toarray"):
        packed = _packed(M, q)
        numbers = packed.solve(most_pivots, least_norm)
        limit, _, status, pivots, unique, residual, scale = numbers
        if status == SOLVED and residual <= SMALL_ENOUGH * (scale or 1.0) and (unique != 0 or not least_norm):
            found = _MAKE(LcpSolution, (packed.z.copy(), packed.w.copy(), True, "solved", pivots, residual, 0, "lemke"))
            packed.pool.append(packed)
            return found
        own = packed.M.copy(), packed.q.copy(), packed.z.copy()
        packed.pool.append(packed)
        found = _with_care(*own, least_norm, limit, _Numbers(*numbers))
        ended = most_pivots is None and (status == L.TOO_MANY_PIVOTS or status == SOLVED)
        if found.ok or not ended or not _positive_semidefinite(own[0]):
            return found
        return min(found, _by_interior(own[0], own[1], np.zeros(len(own[1]), bool)), key=lambda each: each.residual)
    return _solve_mixed(M, q, free, method, least_norm, most_pivots)


def _solve_mixed(
    M: ArrayLike, q: ArrayLike, given: ArrayLike | None, method: str, least_norm: bool, most_pivots: int | None
) -> LcpSolution:
    """Problems with free variables, of sparse matrices, or by a method that is named."""
    if method not in ("auto", "lemke", "interior"):
        raise ValueError(f'method is {method!r}; it must be "auto", "lemke" or "interior"')
    matrix: Any = M.tocsc() if hasattr(M, "tocsc") else as_reals(M, "M")  # pyright: ignore
    q = as_reals(q, "q")
    n = len(q) if q.ndim == 1 else -1
    if matrix.shape != (n, n):
        raise ValueError(f"M has the shape {matrix.shape} and q {q.shape}; they must be (n, n) and (n,)")
    if not (np.isfinite(q).all() and np.isfinite(matrix.data if hasattr(matrix, "tocsc") else matrix).all()):
        raise ValueError("M and q must be finite")
    free, sparse = _free_rows(given, n), hasattr(matrix, "tocsc")
    if method == "interior":
        return _by_interior(matrix, q, free)
    found: LcpSolution | None = None
    if method == "auto" and sparse and n > MOST_DENSE:
        found = _by_interior(matrix, q, free)
        if found.ok:
            return found
    dense = as_reals(matrix, "M")
    by_lemke = _eliminated(dense, q, free, least_norm, most_pivots)
    found = by_lemke if found is None else min(found, by_lemke, key=lambda each: each.residual)
    again = method == "auto" and not found.ok and most_pivots is None and not (sparse and n > MOST_DENSE)
    if again and _positive_semidefinite(dense):
        found = min(found, _by_interior(dense, q, free), key=lambda each: each.residual)
    return found


def _free_rows(given: ArrayLike | None, n: int) -> Any:
    """A mask of the free variables."""
    free = np.zeros(n, bool)
    if given is None:
        return free
    marked = np.asarray(given)
    if marked.dtype == bool and marked.shape == (n,):
        return marked.copy()
    if marked.size == 0:
        return free
    if marked.dtype.kind not in "iu" or marked.ndim != 1 or np.any((marked < 0) | (marked >= n)):
        raise ValueError(f"free must hold indices from 0 to {n - 1}, or True or False for each of the {n} variables")
    free[marked] = True
    return free


def _by_interior(M: Any, q: Reals, free: Any) -> LcpSolution:
    from duoti.contact.solve.interior_lcp import interior_lcp

    scale = float(np.max(np.abs(q), initial=0.0)) or 1.0
    z, residual, iterations, why = interior_lcp(M, q, free, EXACT * scale)
    ok = residual <= SMALL_ENOUGH * scale
    reason = "solved" if ok else (
        f"the interior-point method left a residual of {residual:.2g}, since {why}; it needs a positive semidefinite M "
        "and a problem that has a solution"
    )  # fmt: skip
    return LcpSolution(z, M @ z + q, ok, reason, 0, residual, iterations, "interior")


def _eliminated(M: Reals, q: Reals, free: Any, least_norm: bool, most_pivots: int | None) -> LcpSolution:
    """By Lemke's method, with the free variables eliminated: the Schur complement of their rows."""
    if not free.any():
        packed = _packed(M, q)
        numbers = packed.solve(most_pivots, least_norm)
        z = packed.z.copy()
        packed.pool.append(packed)
        return _with_care(M, q, z, least_norm, numbers[0], _Numbers(*numbers))
    f: Any = np.flatnonzero(free)
    l: Any = np.flatnonzero(~free)
    block, across = M[np.ix_(f, f)], np.column_stack([M[np.ix_(f, l)], q[f]])
    # rows may be redundant: least squares
    solved = np.linalg.lstsq(block, across, rcond=1e-13)[0]
    reduced = M[np.ix_(l, l)] - M[np.ix_(l, f)] @ solved[:, :-1]
    inner = _eliminated(
        np.ascontiguousarray(reduced), q[l] - M[np.ix_(l, f)] @ solved[:, -1], np.zeros(len(l), bool), False,
        most_pivots,
    )  # fmt: skip
    z = np.zeros(len(q))
    z[l] = inner.z
    z[f] = -solved[:, -1] - solved[:, :-1] @ inner.z
    w = M @ z + q
    residual = float(np.max(np.abs(np.where(free, w, np.minimum(z, w)))))
    ok = inner.ok and residual <= SMALL_ENOUGH * (float(np.max(np.abs(q))) or 1.0)
    reason = inner.reason if ok or not inner.ok else (
        f"a residual of {residual:.2g} is left: the equations of the free variables are singular"
    )  # fmt: skip
    return LcpSolution(z, w, ok, reason, inner.pivots, residual, 0, "lemke")


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
