"""Mixed linear complementarity problems by an interior-point method, on dense or sparse matrices.

    w = M z + q,     z_i w_i = m, z_i > 0, w_i > 0  for m to zero,     w_i = 0 where z_i is free               (1)

Newton's method on (1) with a predictor and a corrector (Mehrotra 1992): one factor of M + diag(w / z) a step, which is
sparse if M is. It is for positive semidefinite M, symmetric or not. At the end the rows with z > w are solved as
equations, which makes a solution exact that is not degenerate.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.linalg import lu_factor, lu_solve
from scipy.sparse import csc_array, diags_array, issparse
from scipy.sparse.linalg import splu

MOST = 100  # iterations
TO_THE_EDGE = 0.995  # part of the way to a bound that a step goes at most
SHIFT = 1e-12  # part of the largest entry, on the diagonal of free rows: these may be redundant
POLISHED = 1e-6  # residual, of q, from which the equations of the rows that bear are tried


def _factor(A: Any) -> Any:
    """A function that solves with A."""
    if issparse(A):
        return splu(csc_array(A)).solve
    factors = lu_factor(A, check_finite=False)
    return lambda b: lu_solve(factors, b, check_finite=False)


def residual_of(z: Any, w: Any, free: Any) -> float:
    """The largest |min(z_i, w_i)|, |w_i| of free rows."""
    return float(np.max(np.abs(np.where(free, w, np.minimum(z, w))), initial=0.0))


def interior_lcp(M: Any, q: Any, free: Any, wanted: float) -> tuple[Any, float, int, str]:
    """z, residual, iterations and why it ended."""
    n, bound = len(q), ~free
    size = float(np.max(np.abs(q), initial=0.0)) or 1.0
    unit = float(np.max(np.abs(M.diagonal()), initial=0.0)) or 1.0
    z, w = np.where(free, 0.0, size / unit), np.where(free, 0.0, size)
    shift = np.where(free, SHIFT * unit, 0.0)
    best, least, k, why = np.zeros(n), residual_of(np.zeros(n), q, free), 0, "its iterations are used up"
    count = max(1, int(np.count_nonzero(bound)))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a singular matrix shows in numbers that are not finite
        while least > wanted and k < MOST:
            k += 1
            error, m = w - M @ z - q, float(np.sum(z[bound] * w[bound])) / count
            ratio = np.where(bound, w / np.where(bound, z, 1.0), 0.0) + shift
            try:
                solve = _factor(M + diags_array(ratio) if issparse(M) else M + np.diag(ratio))
            except RuntimeError:
                why = "its linear equations are singular"
                break

            dz, dw = _direction(solve, bound, z, w, error, -z * w)
            a = min(1.0, _room(bound, z, w, dz, dw))
            left = (float(np.sum((z + a * dz)[bound] * (w + a * dw)[bound])) / count / (m or 1.0)) ** 3
            dz, dw = _direction(solve, bound, z, w, error, min(max(left, 1e-8), 1.0) * m - z * w - dz * dw)
            a = min(1.0, TO_THE_EDGE * _room(bound, z, w, dz, dw))
            if not (np.all(np.isfinite(dz)) and a > 0.0):
                why = "its linear equations have no finite solution"
                break
            z, w = z + a * dz, w + a * dw
            best, least = _better(M, q, free, np.where(bound, np.maximum(z, 0.0), z), best, least)
            if least <= POLISHED * size or k == MOST:
                best, least = _better(M, q, free, _equations(M, q, free, z, w), best, least)
    return best, least, k, "solved" if least <= wanted else why


def _direction(solve: Any, bound: Any, z: Any, w: Any, error: Any, target: Any) -> tuple[Any, Any]:
    """dz and dw with w dz + z dw = target and dw = M dz - error."""
    inside = np.where(bound, z, 1.0)
    dz = solve(np.where(bound, target / inside, 0.0) + error)
    return dz, np.where(bound, (target - w * dz) / inside, 0.0)


def _room(bound: Any, z: Any, w: Any, dz: Any, dw: Any) -> float:
    """How far one may go until a variable is zero."""
    ways = np.concatenate([-z[bound] / dz[bound], -w[bound] / dw[bound]])
    return float(np.min(ways, where=ways > 0.0, initial=1e300))


def _better(M: Any, q: Any, free: Any, z: Any, best: Any, least: float) -> tuple[Any, float]:
    """The better of two points, and its residual."""
    if not np.all(np.isfinite(z)):
        return best, least
    here = residual_of(z, M @ z + q, free)
    return (z, here) if here < least else (best, least)


def _equations(M: Any, q: Any, free: Any, z: Any, w: Any) -> Any:
    """z with w = 0 in the rows that bear, and zeros in the others."""
    rows = np.flatnonzero(free | (z > w))
    found = np.zeros(len(q))
    if not len(rows):
        return found
    if issparse(M):
        block = csc_array(M)[rows][:, rows]
        try:
            solve = splu(block).solve
        except RuntimeError:
            return z
        found[rows] = solve(-q[rows])
        found[rows] += solve(-q[rows] - block @ found[rows])
    else:
        found[rows] = np.linalg.lstsq(M[rows][:, rows], -q[rows], rcond=1e-13)[0]
    return np.where(free, found, np.maximum(found, 0.0))
