"""Squares of frequencies, K x = w² M x, also where the lowest ones are far below the round-off of the highest.

A solver for all of them leaves an error of 1e-16 of the largest square in each. In a beam that is stiff in shear and
has little rotary inertia the lowest bending is below that. Its stiffness is there nevertheless: the large entries of K
belong to motions in which it has no part. So the soft modes are found again, by inverse iteration in their common space
(Bathe 1971), and the round-off of each is that of its own energy, eps |x|^T |K| |x|, with that of entries that are
differences of larger terms (`uncertainty`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
SOFT = 1e-8  # part of the largest square: below it, errors of 1e-16 of that are more than 1e-8 of a square
ITERATIONS = 3
ROUND_OFF = 10.0 * np.finfo(float).eps  # entries of K are sums of a few terms


def squares_and_shapes(K: Reals, M: Reals, noise: Callable[[], Reals]) -> tuple[Reals, Reals]:
    """Squares of frequencies, ascending, and shapes with x^T M x = 1; squares within their round-off are zero.

    noise: round-off of the entries of K where these are small differences of large terms.
    """
    from scipy.linalg import eigh

    K = 0.5 * (K + K.T)
    solved: Any = eigh(K, M)
    squares, X = solved
    largest = float(np.max(np.abs(squares), initial=0.0))
    soft = np.flatnonzero(np.abs(squares) <= SOFT * largest)
    if len(soft):
        squares[soft], X[:, soft] = _again(K, M, X[:, soft], SOFT * largest, noise())
    order = np.argsort(squares)
    return squares[order], X[:, order]


def _again(K: Reals, M: Reals, X: Reals, shift: float, noise: Reals) -> tuple[Reals, Reals]:
    """The same of the soft modes, whose common space X is known but for round-off."""
    from scipy.linalg import eigh, lu_factor, lu_solve

    if shift == 0.0:
        return np.zeros(X.shape[1]), X
    factor = lu_factor(K + shift * M)
    for _ in range(ITERATIONS):
        X = lu_solve(factor, M @ X)
        X = X / np.sqrt(np.einsum("ij,ij->j", X, M @ X))
    solved: Any = eigh(X.T @ (K @ X), X.T @ (M @ X))
    squares, turn = solved
    X = X @ turn
    error = np.einsum("ij,ij->j", np.abs(X), (ROUND_OFF * np.abs(K) + noise) @ np.abs(X))
    error = error + ROUND_OFF**2 / SOFT * shift  # that of X, in which the stiffest motions have a part of round-off
    return np.where(np.abs(squares) <= error, 0.0, squares), X
