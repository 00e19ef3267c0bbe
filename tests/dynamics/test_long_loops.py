"""Loops of many links: the size of their equations, not their number, decides how well they are solved."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import duoti as dt

G, MASS, LENGTH = 9.81, 0.1, 0.05


def chain_at_rest(links: int, slack: float = 0.6) -> tuple[dt.Model, float]:
    """Rods between two hinges at the same height, drawn where they hang at rest; and the horizontal force H [N].

    By statics tan a_i = (weight left to carry beside rod i) / H, with H from the span.
    """
    span = slack * links * LENGTH
    carried = MASS * G * (links / 2 - 0.5 - np.arange(links))

    def excess(H: float) -> float:
        return float(np.sum(LENGTH / np.hypot(1, carried / H))) - span

    H = float(brentq(excess, 1e-6, 1e5, xtol=1e-15, rtol=1e-15))  # pyright: ignore[reportArgumentType]
    m = dt.Model("hanging chain")
    at, last = np.zeros(3), m.ground
    for i, angle in enumerate(np.arctan2(carried, H)):
        way = LENGTH * np.array([np.cos(angle), 0, -np.sin(angle)])
        turn = dt.Rotation.between((1, 0, 0), way)
        body = m.add_body(f"l{i}", dt.Inertia.rod(MASS, length=LENGTH, axis="x"), position=at + way / 2, rotation=turn)
        m.add_joint(f"J{i}", dt.Revolute("y"), last, body, at=at)
        at, last = at + way, body
    m.add_joint("end", dt.Revolute("y"), m.ground, last, at=at)
    return m, H


def dense_accelerations(system: dt.System, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """M a = f + G^T lambda, G a = gamma by least squares; gamma by a difference along the motion."""
    M, J = dt.mass_matrix(system, q), dt.analyses.constraint_jacobian(system, q).matrix
    h = 1e-5
    ahead, behind = (dt.analyses.constraint_jacobian(system, q + s * h * v).matrix for s in (1, -1))
    gamma = -(ahead - behind) @ v / (2 * h)
    free = np.linalg.inv(np.linalg.cholesky(M))  # L^-1, M = L L^T
    f = -bias(system, q, v)
    white = J @ free.T
    x = free @ f
    x += np.linalg.lstsq(white, gamma - white @ x, rcond=1e-9)[0]
    return free.T @ x


def bias(system: dt.System, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Generalised forces by gravity and velocities of a planar chain of rods, by hand: h of M a + h = 0."""
    n = system.nv
    angle = np.cumsum(q) + offsets(system)
    rate = np.cumsum(v)
    along = np.column_stack([np.cos(angle), -np.sin(angle)])  # (x, z)
    across = np.column_stack([-np.sin(angle), -np.cos(angle)])
    h = np.zeros(n)
    bent = -(rate**2)[:, None] * LENGTH * along  # acceleration of each rod's far end against its near end
    for i in range(n):
        middle = bent[:i].sum(axis=0) + bent[i] / 2 + np.array([0.0, G])
        for k in range(i + 1):
            arm = LENGTH * across[k:i].sum(axis=0) + LENGTH / 2 * across[i]
            h[k] += MASS * arm @ middle
    return h


def offsets(system: dt.System) -> np.ndarray:
    """Angles of the rods at q = 0."""
    bodies = system.model.bodies
    ways = [bodies[f"l{i}"].rotation.matrix[:, 0] for i in range(system.nv)]
    return np.array([np.arctan2(-w[2], w[0]) for w in ways])


@pytest.mark.parametrize("links", [10, 20, 50, 100])
def test_a_long_chain_at_rest_stays_there(links: int):
    """Round-off of gravity's torques, which M^-1 amplifies: eps cond(M) g / l is the bound."""
    m, _ = chain_at_rest(links)
    system = dt.compile(m)
    q, v = system.state()
    M = dt.mass_matrix(system, q)
    a = dt.accelerations(system, q, v)
    assert np.max(np.abs(a)) < 2.2e-16 * np.linalg.cond(M) * G / LENGTH
    assert np.max(np.abs(dt.analyses.constraint_jacobian(system, q).matrix @ a)) < 1e-11


@pytest.mark.parametrize("links", [10, 20, 50, 100])
def test_a_long_chain_in_motion_against_dense_algebra(links: int):
    m, _ = chain_at_rest(links, 0.8)
    system = dt.compile(m)
    q, _ = system.state()
    motion = dt.analyses.constraint_jacobian(system, q).free
    v = motion @ np.cos(np.arange(motion.shape[1]))
    a, wanted = dt.accelerations(system, q, v), dense_accelerations(system, q, v)
    round_off = 2.2e-16 * np.linalg.cond(dt.mass_matrix(system, q))
    assert np.max(np.abs(a - wanted)) < (round_off + 1e-9) * np.max(np.abs(wanted))  # 1e-9: differences


def test_reactions_of_a_long_chain():
    m, H = chain_at_rest(50)
    r = dt.simulate(m, 0.02)
    assert r.ok, r.reason
    assert np.max(np.abs(r["l25.velocity"])) < 1e-9
    pull = r["J0.reaction_force"]
    assert pull[:, 0] == pytest.approx(-H, rel=1e-9)
    assert pull[:, 2] == pytest.approx(25 * MASS * G, rel=1e-9)


def toggle(rise: float) -> dt.Model:
    """Two rods of 1 m and 1 kg between fixed hinges, almost in line: they cannot move."""
    m = dt.Model("toggle")
    up, down = (np.array([np.cos(rise), 0, s * np.sin(rise)]) for s in (1, -1))
    rod = dt.Inertia.rod(1.0, length=1.0, axis="x")
    a = m.add_body("a", rod, position=up / 2, rotation=dt.Rotation.between((1, 0, 0), up))
    b = m.add_body("b", rod, position=up + down / 2, rotation=dt.Rotation.between((1, 0, 0), down))
    m.add_joint("A", dt.Revolute("y"), m.ground, a, at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), a, b, at=up)
    m.add_joint("C", dt.Revolute("y"), m.ground, b, at=up + down)
    return m


@pytest.mark.parametrize("rise", [1e-2, 1e-3, 1e-4])
def test_links_that_are_almost_in_line(rise: float):
    """D is as small as rise²: what the default method cannot solve, it says."""
    m = toggle(rise)
    system = dt.compile(m)
    q, v = system.state()
    assert np.max(np.abs(dt.accelerations(system, q, v))) < 1e-15 / rise**2 * G
    H = G / 2 / np.tan(rise)  # half the weight of a rod at each of its ends, moments about A
    good = dt.simulate(m, 0.05, constraints=dt.NullSpace())
    assert good.ok, good.reason
    assert good["A.reaction_force"][-1, 0] == pytest.approx(H, rel=1e-8)
    if rise == 1e-2:
        r = dt.simulate(m, 0.05)
        assert r.ok, r.reason
        assert r["A.reaction_force"][-1, 0] == pytest.approx(H, rel=1e-8)
    else:
        with pytest.warns(dt.errors.SimulationWarning, match=r"nearly dependent.*NullSpace"):
            r = dt.simulate(m, 0.05)
        assert not r.ok
        assert r.reason_code == "closures-unsolved"
