"""The public functions of derivatives, against differences of the public functions that they are derivatives of.

Differences of order eight with a step of 2e-3: their own error is of order 1e-20, and round-off of 1e-15 in functions
with values of order 10 becomes 1e-12 of a derivative, more where forward dynamics divide by small masses. The exact
comparisons, by complex steps, are in tests/oracle.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.loops.constraints import closure_state
from duoti.dynamics.workspace import new_workspace
from duoti.system.constraint_arrays import dense_jacobian
from support.random_constraints import CONSTRAINT_SAMPLES, add_random_constraints
from support.random_forces import add_random_forces
from support.random_models import random_model, random_state, relative

WEIGHTS = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
STEP = 2e-3
TOLERANCE = 1e-8
T = 0.3


def difference(function):
    """Derivative of a function of one number at zero."""
    return sum(w * function(k * STEP) for w, k in zip(WEIGHTS, range(-4, 5), strict=True) if w) / STEP


def differences(system, function, q, v):
    """Derivatives of function(q, v) by displacements and by rates."""
    units = np.eye(system.nv)
    by_q = [difference(lambda x, u=u: function(dt.analyses.displace(system, q, x * u), v)) for u in units]
    by_v = [difference(lambda x, u=u: function(q, v + x * u)) for u in units]
    return np.array(by_q).T, np.array(by_v).T


def four_bar() -> dt.Model:
    m = dt.Model("four-bar")
    m.add_body("crank", dt.Inertia.box(1.0, size=(0.1, 0.1, 1.0)), position=(0, 0, 0.5))
    m.add_body("coupler", dt.Inertia.box(1.0, size=(2.0, 0.1, 0.1)), position=(1, 0, 1.25))
    m.add_body("rocker", dt.Inertia.box(1.0, size=(0.1, 0.1, 1.5)), position=(2, 0, 0.75))
    for name, parent, child, at in (
        ("A", "ground", "crank", (0, 0, 0)),
        ("B", "crank", "coupler", (0, 0, 1)),
        ("C", "coupler", "rocker", (2, 0, 1.5)),
        ("D", "ground", "rocker", (2, 0, 0)),
    ):
        m.add_joint(name, dt.Revolute("y"), parent, child, at=at)
    m.add_force("spring", dt.SpringDamper("crank", "rocker", stiffness=50.0, damping=2.0, rest_length=1.0))
    return m


# ------------------------------------------------------------------------------------------------------- displacements


def test_a_displacement_moves_bodies_like_the_velocity_would():
    rng = np.random.default_rng(1)
    for seed in range(10):
        system = dt.compile(random_model(np.random.default_rng(seed), 4).model)
        q, v, a = random_state(rng, system)
        for body in system.model.bodies:
            here = dt.analyses.marker_derivatives(system, body, q, v, a)
            moved = difference(
                lambda x, body=body, system=system, q=q, v=v, a=a: (
                    dt.analyses.marker_derivatives(system, body, dt.analyses.displace(system, q, x * v), v, a).position
                )
            )
            assert np.allclose(moved, here.velocity[3:], rtol=0, atol=1e-10 * max(1.0, np.abs(here.velocity).max()))


def test_a_large_displacement_of_a_quaternion_is_a_rotation_about_body_axes():
    m = dt.Model("ball")
    body = m.add_body("b", dt.Inertia(1.0, (0, 0, 0), np.eye(3)))
    m.add_joint("A", dt.Spherical(), m.ground, body)
    system = dt.compile(m)
    start, vector = dt.Rotation.from_quaternion([0.8, 0.0, 0.6, 0.0]), np.array([1.0, -2.0, 0.5])
    found = dt.analyses.displace(system, start.quaternion, vector)
    expected = start @ dt.Rotation.from_vector(vector)
    assert np.allclose(dt.Rotation.from_quaternion(found).matrix, expected.matrix, rtol=0, atol=1e-14)
    assert np.allclose(dt.analyses.displace(system, start.quaternion, np.zeros(3)), start.quaternion, rtol=0, atol=0)


# ------------------------------------------------------------------------------------------------------------ dynamics


@pytest.mark.parametrize("seed", range(6))
def test_dynamics_with_force_elements(seed):
    rng = np.random.default_rng([seed, 1])
    meant = random_model(rng, 4)
    add_random_forces(rng, meant)
    system = dt.compile(meant.model)
    q, v, a = random_state(rng, system)
    inverse = dt.analyses.inverse_dynamics_derivatives(system, q, v, a, T)
    by_q, by_v = differences(system, lambda q, v: dt.inverse_dynamics(system, q, v, a, T), q, v)
    assert relative(inverse.dq - by_q, by_q) < TOLERANCE
    assert relative(inverse.dv - by_v, by_v) < TOLERANCE
    assert relative(inverse.da - dt.mass_matrix(system, q), inverse.da) < 1e-13

    forward = dt.analyses.forward_dynamics_derivatives(system, q, v, T)
    by_q, by_v = differences(system, lambda q, v: dt.accelerations(system, q, v, T), q, v)
    assert np.array_equal(forward.a, dt.accelerations(system, q, v, T))
    assert relative(forward.dq - by_q, by_q) < TOLERANCE
    assert relative(forward.dv - by_v, by_v) < TOLERANCE
    assert relative(forward.dtau @ inverse.da - np.eye(system.nv), np.ones(1)) < 1e-9  # condition numbers up to 1e6


def closure_rows(system, q, v):
    """G by the kernel that assembly uses."""
    work = new_workspace(system)
    closure_state(work, T, q, v)
    return dense_jacobian(system.closures, system.nv, work.G)


@pytest.mark.parametrize("kind", CONSTRAINT_SAMPLES)
def test_forward_dynamics_with_every_constraint(kind):
    """In states in which the rows are independent, the accelerations are smooth functions, closed or not."""
    compared = 0
    for seed in range(8):
        rng = np.random.default_rng([seed, 2])
        meant = random_model(rng, 4, kinds=("revolute", "spherical", "universal", "prismatic", "free"))
        add_random_constraints(rng, meant, kinds=(kind,))
        if not meant.model.constraints or compared == 2:
            continue
        system = dt.compile(meant.model)
        q, v, _ = random_state(rng, system)
        if np.linalg.cond(closure_rows(system, q, v)) > 30:
            continue
        forward = dt.analyses.forward_dynamics_derivatives(system, q, v, T, must_close=False)
        by_q, by_v = differences(system, lambda q, v, s=system: dt.accelerations(s, q, v, T, must_close=False), q, v)
        assert relative(forward.dq - by_q, by_q) < TOLERANCE
        assert relative(forward.dv - by_v, by_v) < TOLERANCE
        compared += 1
    assert compared >= 1


def test_forward_dynamics_with_redundant_equations():
    """A planar loop in space: three of the equations of its cut joint say nothing new, in any planar position."""
    system = dt.compile(four_bar())
    q, v = system.state({}, rates={"A": 1.5})
    G = closure_rows(system, q, v)
    v = v - np.linalg.pinv(G, rcond=1e-8) @ (G @ v)
    assert np.linalg.matrix_rank(G, tol=1e-8) == 2 < len(G)
    forward = dt.analyses.forward_dynamics_derivatives(system, q, v)
    by_q, by_v = differences(system, lambda q, v: dt.accelerations(system, q, v, must_close=False), q, v)
    assert relative(forward.dq - by_q, by_q) < TOLERANCE
    assert relative(forward.dv - by_v, by_v) < TOLERANCE
    assert relative(G @ forward.dtau, forward.dtau) < 1e-12  # whatever the force, the loop stays closed
    assert np.allclose(forward.dtau, forward.dtau.T, rtol=0, atol=1e-12)
    assert np.linalg.matrix_rank(forward.dtau, tol=1e-8) == 1


# ------------------------------------------------------------------------------------------------------------- markers


def test_markers_in_names_of_the_user():
    system = dt.compile(four_bar(), force_cut=["D"])
    rng = np.random.default_rng(5)
    q, v, a = random_state(rng, system)
    here = dt.analyses.marker_derivatives(system, "coupler", q, v, a)
    assert np.allclose(here.jacobian, dt.jacobian(system, "coupler", q), rtol=0, atol=1e-14)
    assert np.allclose(here.velocity, here.jacobian @ v, rtol=0, atol=1e-14)
    assert np.allclose(here.acceleration, here.jacobian @ a + here.velocity_dq @ v, rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    "call",
    [
        lambda s, q, v: dt.analyses.displace(s, q, v[1:]),
        lambda s, q, v: dt.analyses.inverse_dynamics_derivatives(s, q, v, v[1:]),
        lambda s, q, v: dt.analyses.forward_dynamics_derivatives(s, q, v[1:]),
        lambda s, q, v: dt.analyses.marker_derivatives(s, "crank", q, v, v[1:]),
    ],
)
def test_wrong_sizes_are_named(call):
    system = dt.compile(four_bar())
    with pytest.raises(ValueError, match="needs 3 numbers"):
        call(system, *system.state())


def test_states_count():
    """A motor's torque by its current, and the current's own value: closed form."""
    m = dt.Model("motor", gravity=(0, 0, 0))
    wheel = m.add_body("wheel", dt.Inertia(1.0, matrix=np.diag([1.0, 2.0, 1.0])))
    m.add_joint("A", dt.Revolute("y"), m.ground, wheel, at=(0, 0, 0))
    m.add_state("i", "-3*i - 0.5*A.rate", initial=1.0)
    m.add_force("torque", dt.JointTorque("A", "0.4*i^2"))
    system = dt.compile(m)
    inverse = dt.analyses.inverse_dynamics_derivatives(system, [0.0], [0.0], [0.0], z=[5.0])
    forward = dt.analyses.forward_dynamics_derivatives(system, [0.0], [0.0], z=[5.0])
    assert inverse.dz == pytest.approx(np.array([[-0.8 * 5.0]]), rel=1e-12)
    assert forward.dz == pytest.approx(np.array([[0.8 * 5.0 / 2.0]]), rel=1e-12)
    assert dt.analyses.forward_dynamics_derivatives(system, [0.0], [0.0]).dz == pytest.approx(
        np.array([[0.4]]), rel=1e-12
    )
