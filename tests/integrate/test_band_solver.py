"""Gaussian elimination in a band, against NumPy: matrices without any symmetry, with zeros on the diagonal."""

import numpy as np
import pytest

from duoti.integrate.implicit.band_solver import band_storage, factorise_band, solve_band
from duoti.kernel import kernel


@kernel
def _solve(A, pivots, n, offset, stride, below, above, b):
    status = factorise_band(A, pivots, n, offset, stride, below, above)
    if status < 0:
        solve_band(A, pivots, n, offset, stride, below, above, b)
    return status


def solved(matrix, right, below, above):
    """x of matrix x = right, by the kernels."""
    n = len(matrix)
    offset, stride, entries = band_storage(n, below, above)
    A, b = np.zeros(entries), np.array(right, dtype=float)
    for i, j in np.argwhere(matrix):
        A[offset + stride * i + j] = matrix[i, j]
    assert _solve(A, np.zeros(n, np.int64), n, offset, stride, below, above, b) == -1
    return b


@pytest.mark.parametrize("own", [0.0, 1e-18])
def test_a_cycle_has_no_diagonal(own):
    """Each unknown stands in another's equation: x = (3, 1, 2), whatever tiny number is on the diagonal."""
    matrix = np.roll(np.eye(3), 1, axis=1) + own * np.eye(3)
    assert solved(matrix, [1.0, 2.0, 3.0], 2, 2) == pytest.approx([3.0, 1.0, 2.0], rel=1e-15)


def random_band(rng, n, below, above):
    """Without symmetry, half of the diagonal tiny or zero, rows of all sizes; one that is far from singular."""
    while True:
        matrix = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.8)
        matrix[np.diag_indices(n)] *= rng.choice([0.0, 1e-9, 1.0, 1.0], n)
        matrix = np.triu(np.tril(matrix, above), -below)
        if np.linalg.cond(matrix) < 1e5:
            return matrix * 10.0 ** rng.uniform(-3, 3, n)[:, None]


@pytest.mark.parametrize("seed", range(30))
def test_random_bands(seed):
    """Round-off 1e-16, times a condition of 1e5, times a growth of a hundred at worst."""
    rng = np.random.default_rng(seed)
    n, below, above = 20, int(rng.integers(1, 6)), int(rng.integers(1, 6))
    matrix, x = random_band(rng, n, below, above), rng.normal(size=n)
    assert solved(matrix, matrix @ x, below, above) == pytest.approx(x, abs=1e-9)
