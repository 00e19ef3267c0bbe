"""Mixed linear complementarity problems, dense and sparse, by Lemke's method and interior points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog, nnls
from scipy.sparse import csc_array, diags_array

import duoti as dt


def obeys(s, M, q, free, tolerance):
    w = M @ s.z + q
    scale = np.max(np.abs(q))
    assert s.ok, s.reason
    assert np.max(np.abs(w - s.w)) <= 1e-12 * scale
    assert np.max(np.abs(np.where(free, w, np.minimum(s.z, w)))) <= tolerance * scale
    assert s.residual <= tolerance * scale
    assert s.method in ("lemke", "interior")


@pytest.mark.parametrize("method", ["auto", "lemke", "interior"])
def test_random_mixed_problems(method: Any) -> None:
    """Positive definite matrices that are not symmetric: exactly one solution, which both methods find."""
    random = np.random.default_rng(4)
    for n in (2, 5, 12, 40):
        for _ in range(10):
            B, S = random.normal(size=(2, n, n))
            M, q = B @ B.T + 0.1 * np.eye(n) + S - S.T, random.normal(size=n)
            free = random.random(n) < 0.4
            s = dt.solve_lcp(M, q, free=free, method=method)
            obeys(s, M, q, free, 1e-10)
            assert np.allclose(s.z, dt.solve_lcp(M, q, free=np.flatnonzero(free)).z, atol=1e-8)


def test_a_quadratic_programme_with_equations() -> None:
    """min 1/2 |A x - b|² with x >= 0 (SciPy's nnls), and with sum x = 1: the multiplier is a free variable."""
    random = np.random.default_rng(1)
    A, b = random.normal(size=(30, 8)), random.normal(size=30)
    plain = dt.solve_lcp(A.T @ A, -A.T @ b)
    assert np.allclose(plain.z, nnls(A, b)[0], atol=1e-10)
    M = np.block([[A.T @ A, -np.ones((8, 1))], [np.ones((1, 8)), np.zeros((1, 1))]])
    s = dt.solve_lcp(M, np.append(-A.T @ b, -1.0), free=[8])
    assert s.z[:8].sum() == pytest.approx(1.0, abs=1e-12)
    gradient = A.T @ (A @ s.z[:8] - b) - s.z[8]
    assert np.min(gradient) > -1e-10
    assert abs(gradient @ s.z[:8]) < 1e-10


def test_a_linear_programme() -> None:
    """min c x, A x = b, x >= 0 against SciPy: M is skew, only semidefinite."""
    random = np.random.default_rng(2)
    A = random.normal(size=(4, 10))
    b, c = A @ random.random(10), random.random(10)
    M = np.block([[np.zeros((10, 10)), -A.T], [A, np.zeros((4, 4))]])
    wanted = linprog(c, A_eq=A, b_eq=b).fun
    s = dt.solve_lcp(M, np.concatenate([c, -b]), free=np.arange(10, 14))
    assert s.ok, s.reason
    assert c @ s.z[:10] == pytest.approx(wanted, rel=1e-9)


def test_an_obstacle_problem_on_a_sparse_matrix() -> None:
    """A string of 4 000 points over a parabola: touches where the parabola is higher than tangents from the ends."""
    n = 4000
    x = np.linspace(0.0, 1.0, n + 2)[1:-1]
    K: Any = csc_array(diags_array([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1]))  # pyright: ignore
    obstacle = 0.05 - (x - 0.5) ** 2
    s = dt.solve_lcp(K, K @ obstacle)  # z = height above the obstacle, w = force on it
    assert s.ok, s.reason
    assert s.method == "interior"
    assert 0 < s.iterations < 60
    height = s.z + obstacle
    # the tangent from (0, 0) touches the parabola at x0: 0.05 - (x0 - 1/2)² = -2 (x0 - 1/2) x0, x0² = 1/4 - 0.05
    x0 = np.sqrt(0.25 - 0.05)
    exact = np.where(x < x0, -2 * (x0 - 0.5) * x, np.where(x > 1 - x0, -2 * (x0 - 0.5) * (1 - x), obstacle))
    assert np.max(np.abs(height - exact)) < 1.0 / n**2  # half the spacing squared, times the curvature 2


def test_what_cannot_be_solved_is_said() -> None:
    """Free rows that contradict each other, a problem without a solution, and wrong arguments."""
    s = dt.solve_lcp([[1.0, 0.0], [0.0, 0.0]], [-1.0, 1.0], free=[1])
    assert not s.ok
    assert s.residual >= 0.5
    assert not dt.solve_lcp([[0.0]], [-1.0], method="interior").ok
    with pytest.raises(ValueError, match="free must hold indices"):
        dt.solve_lcp(np.eye(2), [1.0, 1.0], free=[2])
    with pytest.raises(ValueError, match="method is"):
        dt.solve_lcp(np.eye(2), [1.0, 1.0], method="simplex")  # pyright: ignore


def test_redundant_free_rows() -> None:
    """A load on two equal supports: the sum of their forces is found, and nothing is said to be unsolved."""
    M = np.array([[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]])
    s = dt.solve_lcp(M, [-1.0, -1.0, -2.0], free=[0, 1])
    assert s.ok, s.reason
    reduced = (2.0 - 0.5) / (1.0 - 0.25)
    assert s.z[2] == pytest.approx(reduced, rel=1e-12)
    assert s.z[0] + s.z[1] == pytest.approx(1.0 - 0.5 * reduced, abs=1e-12)
