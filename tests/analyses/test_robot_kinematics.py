"""Jacobians of points and their rates, Coriolis matrix, centroidal momentum, operational-space inertia.

Against difference quotients and identities here; against Pinocchio and MuJoCo in `tests/oracle/test_robot_kit.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.examples import four_bar, slider_crank
from support.random_models import random_model, random_state

SAME = 1e-11  # round-off of sums over trees with lengths and rates of a few units
STEP = 1e-5  # central differences: error STEP^2 times a third derivative, and round-off 1e-16 / STEP
DIFFERENCE = 2e-7


def tree(seed: int, n: int = 7):
    rng = np.random.default_rng(seed)
    system = dt.compile(random_model(rng, n).model)
    q, v, a = random_state(rng, system)
    return system, q, v, a


def difference(system, q, v, function):
    before, after = (dt.analyses.displace(system, q, s * STEP * v) for s in (-1.0, 1.0))
    return (function(after) - function(before)) / (2.0 * STEP)


def close(x, y, limit):
    scale = 1.0 + np.max(np.abs(y), initial=0.0)
    return np.shape(x) == np.shape(y) and np.max(np.abs(np.subtract(x, y)), initial=0.0) <= limit * scale


@pytest.mark.parametrize("seed", range(8))
def test_the_coriolis_matrix(seed):
    system, q, v, _ = tree(seed)
    e = dt.Evaluator(system)
    C = e.coriolis_matrix(q, v)
    assert close(C @ v + e.gravity_forces(q), e.bias_forces(q, v), SAME)
    assert close(C + C.T, difference(system, q, v, lambda x: dt.mass_matrix(system, x)), DIFFERENCE)
    assert close(dt.analyses.coriolis_matrix(system, q, v), C, 0.0)


@pytest.mark.parametrize("seed", range(8))
def test_jacobians_of_points_and_their_rates(seed):
    system, q, v, a = tree(seed)
    e = dt.Evaluator(system)
    body, point = list(system.model.bodies)[-1], np.array([0.3, -0.2, 0.5])
    for axes in ("world", "local"):
        J = e.jacobian(body, q, point=point, axes=axes, copy=True)
        J_dot = e.jacobian_rate(body, q, v, point=point, axes=axes)
        changed = difference(system, q, v, lambda x, axes=axes: dt.jacobian(system, body, x, point, axes))
        assert close(J_dot, changed, DIFFERENCE)
        frame = e.frame(body, q, v)
        R = np.eye(3) if axes == "world" else frame.rotation.T
        velocity = frame.velocity + np.cross(frame.angular_velocity, frame.rotation @ point)
        assert close(J @ v, [*(R @ frame.angular_velocity), *(R @ velocity)], SAME)
    exact = dt.analyses.marker_derivatives(system, body, q, v, a)
    assert close(e.jacobian(body, q) @ a + e.jacobian_rate(body, q, v) @ v, exact.acceleration, SAME)
    assert close(e.jacobian(body, q, point=(0, 0, 0)), e.jacobian(body, q), SAME)


@pytest.mark.parametrize("seed", range(8))
def test_centroidal_momentum(seed):
    system, q, v, _ = tree(seed)
    found = dt.analyses.centroidal_momentum(system, q, v)
    momentum = dt.momentum(system, q, v)
    assert close(found.matrix @ v, [*momentum.angular, *momentum.linear], SAME)
    assert close(found.mass_centre, momentum.mass_centre, SAME)
    assert close(found.mass, dt.mass_centre(system)[0], SAME)
    changed = difference(system, q, v, lambda x: dt.analyses.centroidal_momentum(system, x).matrix @ v)
    assert close(found.bias, changed, DIFFERENCE)
    moved = difference(system, q, v, lambda x: dt.analyses.centroidal_momentum(system, x).mass_centre)
    assert close(found.mass_centre_jacobian @ v, moved, DIFFERENCE)
    assert np.all(dt.analyses.centroidal_momentum(system, q).bias == 0.0)


def test_many_states_at_once_and_copies():
    system, q, v, _ = tree(3)
    Q, V = np.array([q, q]), np.array([v, 2.0 * v])
    e = dt.Evaluator(system)
    body = list(system.model.bodies)[-1]
    assert close(e.coriolis_matrix(Q, V)[1], 2.0 * e.coriolis_matrix(q, v), SAME)  # linear in the rates
    assert close(e.jacobian_rate(body, Q, V)[1], 2.0 * e.jacobian_rate(body, q, v), SAME)
    assert close(e.jacobian(body, Q, axes="local")[1], e.jacobian(body, q, axes="local"), SAME)
    both = e.centroidal_momentum(Q, V)
    assert close(both.bias[1], 4.0 * e.centroidal_momentum(q, v).bias, SAME)
    assert both.mass_centre_jacobian.shape == (2, 3, system.nv)
    assert close(e.gravity_forces(Q)[1], e.gravity_forces(q), SAME)
    many = dt.analyses.operational_space_inertia(system, body, Q, (3,))
    assert close(many[1], e.operational_space_inertia(body, q, (3,)), SAME)
    assert e.coriolis_matrix(q, v) is e.coriolis_matrix(q, v)
    assert e.coriolis_matrix(q, v, copy=True) is not e.coriolis_matrix(q, v)
    with pytest.raises(ValueError, match="finite"):
        e.coriolis_matrix(q, np.full(system.nv, np.nan))
    with pytest.raises(ValueError, match='give "world", or "local"'):
        e.jacobian(body, q, axes="body")


def test_a_frame_has_a_quaternion():
    system, q, v, _ = tree(5)
    body = list(system.model.bodies)[-1]
    frame = dt.analyses.frame(system, body, q, v)
    assert close(dt.Rotation(frame.quaternion).matrix, frame.rotation, SAME)
    assert close(frame.velocity, (dt.jacobian(system, body, q) @ v)[3:], SAME)


def test_the_operational_space_inertia_of_a_rod():
    """A rod about its end: against the tip across the rod a third of its mass."""
    m = dt.Model("rod")
    m.add_body("rod", dt.Inertia.rod(3.0, length=2.0, axis="x"), position=(1, 0, 0))
    m.add_joint("A", dt.Revolute("z"), m.ground, "rod", at=(0, 0, 0))
    m.add_marker("tip", "rod", position=(1, 0, 0))
    assert dt.analyses.operational_space_inertia(m, "tip", [0.0], (4,)) == pytest.approx(1.0, rel=1e-14)
    assert dt.analyses.operational_space_inertia(m, "tip", [0.7], (4,), axes="local") == pytest.approx(1.0, rel=1e-14)
    with pytest.raises(ValueError, match=r'"tip" can move in 1 of 3 directions'):
        dt.analyses.operational_space_inertia(m, "tip", [0.0], (3, 4, 5))


@pytest.mark.parametrize(("example", "body", "joint"), [(slider_crank, "piston", "main"), (four_bar, "coupler", None)])
def test_closed_loops_in_independent_coordinates(example, body, joint):
    """J times the free directions; the inertia at a marker is that which an equal force in every direction feels."""
    system = dt.compile(example.build())
    q, _ = system.state({} if joint is None else {joint: 0.5})
    free = dt.analyses.constraint_jacobian(system, q).free
    J, M = dt.jacobian(system, body, q), dt.mass_matrix(system, q)
    row = int(np.argmax(np.abs(J @ free)[:, 0]) % 6)
    inertia = dt.analyses.operational_space_inertia(system, body, q, (row,))
    j = (J @ free)[row]
    assert inertia == pytest.approx(1.0 / (j @ np.linalg.solve(free.T @ M @ free, j)), rel=1e-11)
    # and that of a run: accelerations by a unit force, less those without it
    G = dt.analyses.constraint_jacobian(system, q).matrix
    n, r = system.nv, len(G)
    kkt = np.block([[M, G.T], [G, np.zeros((r, r))]])
    a = np.linalg.lstsq(kkt, np.r_[J[row], np.zeros(r)], rcond=None)[0][:n]
    assert 1.0 / (J[row] @ a) == pytest.approx(float(inertia[0, 0]), rel=1e-9)


def test_flexible_bodies_are_refused_by_name():
    from duoti.examples import diving_board

    system = dt.compile(diving_board.build())
    if not system.tree.flexible:
        pytest.skip("the board is no flexible body")
    e = dt.Evaluator(system)
    q, v = system.state()
    name = next(iter(system.flexible))
    for call in (
        lambda: e.coriolis_matrix(q, v),
        lambda: e.centroidal_momentum(q),
        lambda: e.jacobian_rate(name, q, v),
    ):
        with pytest.raises(NotImplementedError, match=name):
            call()
