"""`solve_global_ncp`: contacts with Coulomb friction, from mass matrix and Jacobian."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.contact.solve.arguments import as_reals
from duoti.contact.solve.ncp import TOLERANCE, NcpSolution, solve_ncp
from duoti.strict import explained

Reals = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class GlobalNcpSolution(NcpSolution):
    """What `solve_global_ncp` found: as `NcpSolution`, and the generalised velocities."""

    v: Reals
    """Generalised velocities: M v = f + H.T p."""


@explained
def solve_global_ncp(
    M: ArrayLike,
    H: ArrayLike,
    f: ArrayLike,
    friction: ArrayLike,
    *,
    b: ArrayLike | None = None,
    dimension: int = 3,
    torsional: ArrayLike | None = None,
    rolling: ArrayLike | None = None,
    method: str = "auto",
    tolerance: float = TOLERANCE,
) -> GlobalNcpSolution:
    r"""Solve for generalised velocities and impulses of contacts with Coulomb friction.

    $$M v = f + H^T p, \qquad u = H v + b$$

    with the laws of `solve_ncp` between p and u. The Delassus matrix $W = H M^{-1} H^T$ is made from one factor of M.

    Parameters
    ----------
    M:
        Mass matrix, symmetric and positive definite; a sparse one is factorised as such.
    H:
        Jacobian of the rows, dense or sparse.
    f:
        Momenta without impulses: $M v_0 + h F$ in a time step.
    friction:
        Coefficient of each contact.
    b:
        What is added to the velocities of the rows, such as a gap over the step.
    dimension, torsional, rolling, method, tolerance:
        As of `solve_ncp`.
    """
    f = as_reals(f, "f")
    solve = _solver(M, len(f) if f.ndim == 1 else -1)
    jacobian: Any = H.tocsr() if hasattr(H, "tocsr") else as_reals(H, "H")  # pyright: ignore
    if jacobian.ndim != 2 or jacobian.shape[1] != len(f):
        raise ValueError(f"H has the shape {jacobian.shape}; it must have a column for each of the {len(f)} velocities")
    added = np.zeros(jacobian.shape[0]) if b is None else as_reals(b, "b")
    if added.shape != (jacobian.shape[0],):
        raise ValueError(f"b has the shape {added.shape}; it must be ({jacobian.shape[0]},)")
    right = jacobian.T.toarray() if hasattr(jacobian, "toarray") else jacobian.T
    W, free = jacobian @ solve(np.ascontiguousarray(right)), solve(f)
    found = solve_ncp(
        0.5 * (W + W.T), jacobian @ free + added, friction, dimension=dimension, torsional=torsional, rolling=rolling,
        method=method, tolerance=tolerance,
    )  # fmt: skip
    v = free + solve(np.asarray(jacobian.T @ found.p))
    return GlobalNcpSolution(
        found.p, found.u, found.ok, found.reason, found.residual, found.iterations, found.method, found.state, v
    )


def _solver(M: Any, n: int) -> Any:
    """A function that solves with the mass matrix."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve
    from scipy.sparse.linalg import splu

    matrix: Any = M.tocsc() if hasattr(M, "tocsc") else as_reals(M, "M")
    if matrix.shape != (n, n):
        raise ValueError(f"M has the shape {matrix.shape}; for so many numbers in f it must be ({n}, {n})")
    try:
        if hasattr(matrix, "tocsc"):
            return splu(matrix).solve
        factor = cho_factor(matrix)
    except (LinAlgError, RuntimeError) as error:
        raise ValueError(f"M is not positive definite: {error}") from None
    return lambda right: cho_solve(factor, right)
