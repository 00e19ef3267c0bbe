"""Complementarity solvers on plain matrices: substitution of what they return, feasibility by linear programming."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

import duoti as dt


def obeys_coulomb(s, friction, dimension, tolerance):
    """The law written out, without projections: cone, no pull, no penetration, friction against the slip."""
    for c, mu in enumerate(friction):
        rows = slice(dimension * c, dimension * (c + 1))
        (pn, *pt), (un, *ut) = s.p[rows], s.u[rows]
        slip, size = np.linalg.norm(ut), 1.0 + np.abs(s.p).max()
        assert un > -tolerance
        assert pn >= 0.0
        assert abs(pn * un) < tolerance * size
        assert np.linalg.norm(pt) <= mu * pn + tolerance * size
        assert np.dot(pt, ut) == pytest.approx(-mu * pn * slip, abs=10 * tolerance * size)


def random_lcp(random):
    n = int(random.integers(1, 16))
    G = random.normal(size=(n, int(random.integers(1, 20))))
    kind = random.integers(4)
    skew = np.triu(random.normal(size=(n, n)), 1)
    M = G @ G.T + (skew - skew.T if kind == 1 else 0.0)
    q = G @ random.normal(size=G.shape[1]) if kind == 2 else random.normal(size=n)
    return M, q


def check_lcps(count, seed):
    random = np.random.default_rng(seed)
    refused = 0
    for _ in range(count):
        M, q = random_lcp(random)
        s = dt.solve_lcp(M, q)
        if s.ok:
            w = M @ s.z + q
            scale = 1e-10 * max(1.0, np.abs(q).max())
            assert s.z.min() >= 0.0
            assert w.min() > -scale
            assert np.abs(np.minimum(s.z, w)).max() <= scale
        else:  # M is positive semidefinite: unsolvable means that even w >= 0 alone has no solution
            refused += 1
            if s.reason.startswith("not accurate"):
                assert np.abs(s.z).max() > 1e4  # round-off of M z
                continue
            assert s.reason.startswith("there is no solution"), s.reason
            found = linprog(np.zeros(len(q)), A_ub=-M, b_ub=q, bounds=(0, None))
            assert found.status == 2, s.reason
    assert 0 < refused < 0.3 * count


def check_cones(count, seed):
    random = np.random.default_rng(seed)
    solved = 0
    for k in range(count):
        contacts, nv, bilateral = int(random.integers(1, 7)), int(random.integers(3, 16)), int(random.integers(0, 3))
        dimension = 2 + k % 2
        G = random.normal(size=(dimension * contacts + bilateral, nv + bilateral))
        W, q = G @ G.T, G @ random.normal(size=nv + bilateral)
        friction = random.uniform(0.0, 1.2, contacts)
        s = dt.solve_ncp(W, q, friction, dimension=dimension)
        if s.ok:
            solved += 1
            obeys_coulomb(s, friction, dimension, 1e-9 * max(1.0, np.abs(q).max()))
            assert np.abs(s.u[dimension * contacts :]).max(initial=0.0) < 1e-10 * max(1.0, np.abs(q).max())
        else:
            assert "residual" in s.reason
    assert solved >= 0.99 * count


def test_random_linear_problems():
    check_lcps(150, 0)


def test_random_cone_problems():
    check_cones(60, 1)


@pytest.mark.long
def test_ten_thousand_problems():
    check_lcps(10_000, 2)
    check_cones(10_000, 3)


def sphere_on_plane(mass=2.0, radius=0.1):
    """Delassus matrix of a sphere that touches a plane: tangential rows are lighter by the rotation."""
    return np.diag([1.0, 3.5, 3.5]) / mass


def test_cone_and_pyramid_of_the_same_problem():
    """A sphere that slides at 30 degrees to the directions of a square pyramid: friction is mu p_n against the slip."""
    W, mu = sphere_on_plane(), 0.3
    slip = 5.0 * np.array([np.cos(np.pi / 6), np.sin(np.pi / 6)])
    q = np.array([-1.0, *slip])
    exact = dt.solve_ncp(W, q, mu)
    assert exact.state == ("slide",)
    assert exact.p[0] == pytest.approx(2.0, rel=1e-12)
    assert exact.p[1:] == pytest.approx(-mu * 2.0 * slip / 5.0, rel=1e-10)
    error = {}
    for directions in (4, 8, 32):
        s = dt.solve_ncp(W, q, mu, model="pyramid", directions=directions)
        assert s.ok
        assert s.method == "lemke"
        error[directions] = np.linalg.norm(s.p - exact.p) / np.linalg.norm(exact.p)
    assert error[32] < error[8] < error[4]
    assert error[32] < 0.3 * np.pi / 32  # the nearest corner is at most pi / directions away
    planar = [dt.solve_ncp(W[:2, :2], q[:2], mu, dimension=2, model=model) for model in ("cone", "pyramid")]
    assert planar[0].p == pytest.approx(planar[1].p, abs=1e-10)


@pytest.mark.parametrize("method", ["gauss-seidel", "admm"])
def test_methods_agree_on_a_stack(method):
    """Ten blocks under a heavy one: the forces are the weights above. Gauss-Seidel says that it did not get there."""
    n, g, h = 10, 9.81, 1e-3
    masses = np.array([1.0] * (n - 1) + [100.0])
    G = np.eye(n) - np.eye(n, k=-1)  # contact i: block i on block i - 1
    W, q = G @ np.diag(1.0 / masses) @ G.T, G @ np.full(n, -g * h)
    s = dt.solve_ncp(W, q, np.zeros(n), dimension=1, method=method)
    weights = h * g * np.cumsum(masses[::-1])[::-1]
    assert s.ok, s.reason
    assert s.p == pytest.approx(weights, rel=1e-7)  # 1e-11 in u, times the condition of W (some 1e4)


def test_redundant_contacts_share_by_least_norm():
    feet = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], dtype=float)
    W = 1.0 / 8.0 + feet @ feet.T / 3.0
    s = dt.solve_lcp(W, np.full(4, -9.81))
    assert s.z == pytest.approx(np.full(4, 8 * 9.81 / 4), rel=1e-12)
    one_sided = dt.solve_lcp(W, -9.81 - feet[:, 0] * 5.0)  # two feet may lift
    assert one_sided.ok
    vertex = dt.solve_lcp(W, np.full(4, -9.81), least_norm=False)
    assert vertex.z.sum() == pytest.approx(8 * 9.81, rel=1e-12)
    assert np.linalg.norm(s.z) < np.linalg.norm(vertex.z)


def test_what_cannot_be_solved_is_said():
    s = dt.solve_lcp([[-1.0]], [-1.0])
    assert not s.ok
    assert "no solution" in s.reason
    assert dt.solve_lcp([[1.0]], [-1.0], most_pivots=0).reason.startswith("stopped after 0 pivots")
    with pytest.raises(ValueError, match="shape"):
        dt.solve_lcp(np.eye(2), [1.0])
    with pytest.raises(ValueError, match="finite"):
        dt.solve_lcp([[np.nan]], [1.0])
    for wrong in ({"method": "lemke"}, {"model": "circle"}, {"model": "pyramid", "directions": 5}, {"dimension": 4}):
        with pytest.raises(ValueError, match=r"method|model|directions|rows"):
            dt.solve_ncp(np.eye(3), np.zeros(3), 0.1, **wrong)
    with pytest.raises(ValueError, match="negative"):
        dt.solve_ncp(np.eye(3), np.zeros(3), -0.1)
