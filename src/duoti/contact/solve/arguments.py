"""Matrices and vectors as users give them to solvers: lists, arrays, sparse matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

Reals = np.ndarray[Any, np.dtype[np.float64]]
ASYMMETRY = 1e-6  # of the largest entry, up to which a matrix counts as symmetric: errors of redundant rows


def as_reals(given: Any, name: str) -> Reals:
    """An array of real numbers; a sparse matrix becomes a dense one."""
    if hasattr(given, "toarray"):
        given = given.toarray()
    try:
        array = np.asarray(given)
        if np.iscomplexobj(array):
            raise ValueError("complex numbers")
        return np.ascontiguousarray(array, dtype=float)
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{name} must hold real numbers, in an array, nested lists or a sparse matrix: {error}"
        ) from None


def is_symmetric(matrix: Reals) -> bool:
    """Whether a square matrix is symmetric but for round-off."""
    largest = float(np.max(np.abs(matrix), initial=0.0))
    return bool(np.max(np.abs(matrix - matrix.T), initial=0.0) <= ASYMMETRY * largest)
