"""Rotor inertia in a joint: against rotors as bodies of their own, geared to the joint; its energy; what is refused."""

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.tree.aba import aba
from duoti.dynamics.workspace import new_workspace
from support.random_models import random_model, random_state

ROTOR = 0.037  # kg m², of the same order as the arm's own inertia


def arm(rotor=None):
    m = dt.Model("arm")
    upper = m.add_body("upper", dt.Inertia.rod(1.0, length=0.4, axis="x"), position=(0.2, 0, 0))
    lower = m.add_body("lower", dt.Inertia.box(0.5, size=(0.3, 0.1, 0.05)), position=(0.55, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0), q0=0.3, v0=1.0, rotor_inertia=rotor)
    m.add_joint("B", dt.Revolute((0, 1, 1)), upper, lower, at=(0.4, 0, 0), q0=-0.5, v0=2.0)
    return m


def with_rotor_body():
    """The same, the rotor a wheel on ground without weight that turns with joint A."""
    m = arm()
    wheel = m.add_body("wheel", dt.Inertia(0.0, matrix=np.diag([0.0, 0.0, 0.0]) + ROTOR * np.diag([0.5, 1.0, 0.5])))
    m.add_joint("W", dt.Revolute("y"), m.ground, wheel, at=(0, 0, 0), q0=0.3, v0=1.0)
    m.add_constraint("gear", dt.Gear("A", "W", 1.0))
    return m


def test_accelerations_are_those_of_a_geared_wheel():
    one, two = dt.compile(arm(ROTOR)), dt.compile(with_rotor_body())
    rng = np.random.default_rng(1)
    for _ in range(5):
        q, v = rng.normal(size=2), rng.normal(size=2)
        wheel = two.state({"A": q[0], "B": q[1], "W": q[0]}, {"A": v[0], "B": v[1], "W": v[0]})
        place = [int(two.joints[name].v[0]) for name in "AB"]
        # the wheel's constraint is solved to round-off of a 3 x 3 system
        assert np.allclose(dt.accelerations(one, q, v), dt.accelerations(two, *wheel)[place], rtol=1e-11, atol=1e-11)


def test_forward_inverse_and_mass_matrix_agree_and_energy_is_kept():
    system = dt.compile(arm(ROTOR))
    q, v = np.array([0.4, -1.1]), np.array([0.7, 2.0])
    a = dt.accelerations(system, q, v)
    M, bare = dt.mass_matrix(system, q), dt.mass_matrix(dt.compile(arm()), q)
    assert np.allclose(M - bare, np.diag([ROTOR, 0.0]), atol=1e-15)
    assert np.allclose(dt.inverse_dynamics(system, q, v, a), 0.0, atol=1e-13)
    assert dt.energies(system, q, v).kinetic == pytest.approx(0.5 * v @ M @ v, rel=1e-13)
    for solver in (dt.DOPRI5(rtol=1e-9, atol=1e-9), dt.Radau(rtol=1e-9, atol=1e-9)):
        r = dt.simulate(arm(ROTOR), duration=1.0, solver=solver)
        assert r.ok
        assert np.abs(r.energy.residual).max() < 1e-6  # a hundred times the tolerance of the solvers, 5 J in motion


def test_derivatives_know_the_rotor():
    system = dt.compile(arm(ROTOR))
    q, v, step = np.array([0.4, -1.1]), np.array([0.7, 2.0]), 1e-6
    d = dt.analyses.forward_dynamics_derivatives(system, q, v)
    shift = lambda i: step * np.eye(2)[i]  # noqa: E731
    by_q = [(dt.accelerations(system, q + shift(i), v) - dt.accelerations(system, q - shift(i), v)) for i in range(2)]
    assert np.allclose(d.dq, np.column_stack(by_q) / (2 * step), rtol=1e-7, atol=1e-7)  # central differences


def test_a_loop_keeps_a_joint_with_a_rotor_in_the_tree():
    m = dt.Model("four-bar")
    points = {"A": (0, 0, 0), "B": (0, 0, 1), "C": (2, 0, 1.5), "D": (2, 0, 0)}
    centres = {"crank": (0, 0, 0.5), "rod": (1, 0, 1.25), "rocker": (2, 0, 0.75)}
    moving = [m.add_body(name, dt.Inertia.sphere(1.0, 0.1), position=p) for name, p in centres.items()]
    bodies = [m.ground, *moving, m.ground]
    for (name, point), parent, child in zip(points.items(), bodies, bodies[1:], strict=False):
        m.add_joint(name, dt.Revolute("y"), parent, child, at=point, rotor_inertia=ROTOR if name == "C" else None)
    assert "C" not in dt.compile(m).topology.cut_joints


def test_rotors_in_joints_of_all_types():
    """Mass matrix, inverse and forward dynamics and derivatives say the same of random trees in either direction."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        model = random_model(rng, int(rng.integers(1, 12))).model
        bare = dt.compile(model)
        for joint in model.joints.values():
            joint.rotor_inertia = rng.uniform(0.1, 2.0, joint.nv).tolist() or None
        system = dt.compile(model)
        q, v, a = random_state(rng, system)
        rotors = np.zeros(system.nv)
        for name, place in system.joints.items():
            rotors[place.v] = model.joints[name].rotor_inertias
        M = dt.mass_matrix(system, q)
        assert np.allclose(M - dt.mass_matrix(bare, q), np.diag(rotors), atol=1e-12 * np.abs(M).max(initial=1.0))
        tau = dt.inverse_dynamics(system, q, v, a)
        assert np.allclose(
            tau - dt.inverse_dynamics(bare, q, v, a), rotors * a, atol=1e-10 * np.abs(tau).max(initial=1.0)
        )
        work, back = new_workspace(system), np.zeros(system.nv)
        aba(system.tree, work, q, v, tau + dt.analyses.generalised_forces(system, q, v), back)
        assert np.allclose(back, a, rtol=1e-8, atol=1e-8)  # the mass matrices have condition numbers up to 1e6
        assert np.allclose(
            dt.analyses.inverse_dynamics_derivatives(system, q, v, a).da, M, atol=1e-10 * np.abs(M).max(initial=1.0)
        )


@pytest.mark.parametrize("wrong", [-1.0, "a", float("nan"), (1.0, 2.0)])
def test_wrong_numbers_are_named(wrong):
    report = dt.check(arm(wrong))
    assert [f.code for f in report.errors] == ["rotor-inertia"]
    assert 'joint "A"' in str(report)
