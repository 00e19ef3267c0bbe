"""`solve_ncp` with resistance against turning and rolling, in space and in the plane; the global form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array, diags_array

import duoti as dt

G = 9.81


def ball(mass: float, radius: float, height: float) -> tuple[np.ndarray, np.ndarray]:
    """M and H of a ball on a plane: velocities (v, omega); rows n, t1, t2, about n, about t1, about t2."""
    inertia = 0.4 * mass * radius**2
    M = np.diag([mass] * 3 + [inertia] * 3)
    H = np.zeros((6, 6))
    H[0, 2] = H[1, 0] = H[2, 1] = H[3, 5] = H[4, 3] = H[5, 4] = 1.0
    H[1, 4], H[2, 3] = -height, height  # the point below the centre: v + omega x (0, 0, -height)
    return M, H


@pytest.mark.parametrize("arm", [0.0, 1e-3, 5e-3])
def test_a_ball_that_rolls_is_slowed_down(arm: float) -> None:
    """Impulses of a step h by hand: friction keeps it rolling, its deceleration is 5/7 g arm / r."""
    mass, r, h, v = 2.0, 0.1, 1e-2, 1.0
    M, H = ball(mass, r, r)
    before = np.array([v, 0, 0, 0, v / r, 0])
    f = M @ before + h * np.array([0, 0, -mass * G, 0, 0, 0])
    s = dt.contact.solve_global_ncp(M, H, f, [0.5], torsional=[0.01], rolling=[arm])
    assert s.ok, s.reason
    # m dv = T, 2/5 m r² d(omega) = -r T - arm m g h, dv = r d(omega)
    slowing = 5 / 7 * G * arm / r * h
    assert s.v[0] == pytest.approx(v - slowing, rel=1e-12)
    assert s.v[4] == pytest.approx(s.v[0] / r, rel=1e-10)
    assert s.p[0] == pytest.approx(mass * G * h, rel=1e-12)
    assert s.p[5] == pytest.approx(-arm * mass * G * h, rel=1e-9, abs=1e-14)
    assert s.state == ("stick",)
    assert s.residual <= 1e-10
    assert s.iterations > 0
    assert s.method == "discs"


def test_a_ball_that_spins_comes_to_rest() -> None:
    """Torsional friction of an arm takes g h arm / (2/5 r²) of the spin in a step, or all that there is."""
    mass, r, h, arm = 1.0, 0.1, 1e-2, 2e-3
    M, H = ball(mass, r, r)
    for spin in (100.0, 0.1):
        f = M @ np.array([0, 0, 0, 0, 0, spin]) + h * np.array([0, 0, -mass * G, 0, 0, 0])
        s = dt.contact.solve_global_ncp(M, H[:4], f, [0.5], torsional=[arm])
        assert s.ok, s.reason
        assert s.v[5] == pytest.approx(max(spin - G * h * arm / (0.4 * r**2), 0.0), abs=1e-12)


def test_a_wheel_in_the_plane() -> None:
    """Two rows and one of rolling: a wheel on a slope stands if the slope is less than arm / r, and rolls if not."""
    mass, r, h, arm = 1.0, 0.2, 1e-2, 0.02
    M, H = np.diag([mass, mass, 0.5 * mass * r**2]), np.array([[0.0, 1, 0], [1, 0, r], [0, 0, 1]])
    W = H @ np.linalg.inv(M) @ H.T
    for slope, moves in ((0.9 * arm / r, False), (1.1 * arm / r, True)):
        angle = np.arctan(slope)
        free = h * G * np.array([np.sin(angle), -np.cos(angle), 0.0])
        s = dt.contact.solve_ncp(W, H @ free, [0.5], dimension=2, rolling=[arm])
        assert s.ok, s.reason
        v = free + np.linalg.inv(M) @ H.T @ s.p
        exact = h * G * (np.sin(angle) - arm / r * np.cos(angle)) / 1.5 if moves else 0.0
        assert v[0] == pytest.approx(exact, abs=1e-13)
        assert s.state == ("stick",)


def test_random_problems_with_resistance() -> None:
    """The law itself, from p and u: maximum dissipation in each disc, Signorini's condition in each normal row."""
    random = np.random.default_rng(3)
    for _ in range(20):
        n = 4
        B = random.normal(size=(6 * n, 6 * n + 3))
        W, q = B @ B.T / 6 + np.eye(6 * n), random.normal(size=6 * n)
        mu, turn, roll = random.uniform(0.05, 0.5, (3, n))
        s = dt.contact.solve_ncp(W, q, mu, torsional=turn, rolling=roll)
        assert s.ok, s.reason
        assert np.allclose(s.u, W @ s.p + q, atol=1e-12)
        for c in range(n):
            p, u = s.p[6 * c : 6 * c + 6], s.u[6 * c : 6 * c + 6]
            assert min(p[0], u[0]) > -1e-10
            assert abs(p[0] * u[0]) < 1e-9
            for rows, bound in (([1, 2], mu[c]), ([3], turn[c]), ([4, 5], roll[c])):
                slip, force = np.linalg.norm(u[rows]), np.linalg.norm(p[rows])
                assert force <= bound * p[0] + 1e-10
                assert bound * p[0] * slip + p[rows] @ u[rows] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("sparse", [False, True])
def test_global_form_of_a_chain(sparse: bool) -> None:
    """A tower of blocks and a rod that holds the highest to the ground: M v = f + H^T p, and the same as by W."""
    n = 12
    masses = np.linspace(1.0, 3.0, n)
    M = np.diag(np.repeat(masses, 3))
    H = np.zeros((3 * n + 1, 3 * n))
    for i in range(n):
        H[3 * i, 3 * i + 2] = H[3 * i + 1, 3 * i] = H[3 * i + 2, 3 * i + 1] = 1.0
        if i:
            H[3 * i, 3 * i - 1] = H[3 * i + 1, 3 * i - 3] = H[3 * i + 2, 3 * i - 2] = -1.0
    H[-1, 3 * n - 3] = 1.0  # the highest block does not move along x
    f = np.zeros(3 * n)
    f[2::3], f[0::3] = -masses * G * 1e-2, 0.03
    given: Any = (diags_array(np.diag(M)), csr_array(H)) if sparse else (M, H)
    s = dt.contact.solve_global_ncp(given[0], given[1], f, [0.3] * n)
    assert s.ok, s.reason
    assert np.allclose(M @ s.v, f + H.T @ s.p, atol=1e-12)
    assert np.allclose(H @ s.v, s.u, atol=1e-12)
    assert abs(s.v[3 * n - 3]) < 1e-11
    W = H @ np.linalg.inv(M) @ H.T
    assert np.allclose(dt.contact.solve_ncp(W, H @ np.linalg.inv(M) @ f, [0.3] * n).u, s.u, atol=1e-9)


def test_what_is_refused() -> None:
    """By name, with what was given."""
    W, q = np.eye(6), -np.ones(6)
    with pytest.raises(ValueError, match="rolling must hold an arm"):
        dt.contact.solve_ncp(W, q, [0.5], rolling=[-1.0])
    with pytest.raises(ValueError, match="go with model"):
        dt.contact.solve_ncp(W, q, [0.5], rolling=[0.1], method="admm")
    with pytest.raises(ValueError, match="in the plane no turning"):
        dt.contact.solve_ncp(W, q, [0.5], dimension=2, torsional=[0.1])
    with pytest.raises(ValueError, match="not positive definite"):
        dt.contact.solve_global_ncp(-np.eye(2), np.eye(2), [1.0, 1.0], [0.5], dimension=2)
    wrong: Any = csc_array(np.eye(2))
    with pytest.raises(ValueError, match="must have a column"):
        dt.contact.solve_global_ncp(wrong, np.eye(3), [1.0, 1.0], [0.5])
