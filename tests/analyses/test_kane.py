"""`kane`: partial velocities against the Jacobian and differences, sums over bodies against the recursions."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

import duoti as dt
from duoti.examples import all_examples
from support.random_forces import add_random_forces
from support.random_models import random_model, random_state, relative, step_q

mpl.use("Agg")
ROUND_OFF = 1e-12  # of the largest entry: a few dozen bodies, paths of a few joints


def random_system(seed, forces=True):
    rng = np.random.default_rng(seed)
    meant = random_model(rng, 7)
    if forces:
        add_random_forces(rng, meant)
    system = dt.compile(meant.model)
    return rng, system, random_state(rng, system)


@pytest.mark.parametrize("seed", range(8))
def test_sums_agree_with_the_recursions(seed):
    """Mass matrix with composite bodies, inertia forces with Newton-Euler, active forces with the force elements."""
    _, system, (q, v, a) = random_system(seed)
    k = dt.kane(system, q, v)
    M = dt.mass_matrix(system, q)
    assert relative(k.mass_matrix - M, M) < ROUND_OFF
    tau = dt.inverse_dynamics(system, q, v, a)  # M a + h - elements, h with gravity
    assert relative(k.inertia_forces(a) + k.active_forces + tau, tau) < 1e-10  # large forces of random springs cancel
    each = sum(k.element_forces.values(), k.gravity_forces)
    assert relative(each - k.active_forces, k.active_forces) < ROUND_OFF
    assert relative(k.accelerations - dt.accelerations(system, q, v), k.accelerations) < 1e-8  # condition of M
    assert k.reduced_speeds == k.speeds
    assert np.array_equal(k.complement, np.eye(system.nv))


@pytest.mark.parametrize("seed", range(4))
def test_gibbs_function(seed):
    """dS/da = -F* by complex steps."""
    _, system, (q, v, a) = random_system(seed, forces=False)
    k = dt.kane(system, q, v)
    slope = np.array([k.gibbs(a + 1e-30j * e).imag / 1e-30 for e in np.eye(system.nv)])
    assert relative(slope + k.inertia_forces(a), slope) < ROUND_OFF


def test_partial_velocities_and_their_derivatives():
    """V v is the velocity of the mass centre, dV/dt the derivative along the motion: differences err by h^2."""
    _, system, (q, v, _) = random_system(3, forces=False)
    k = dt.kane(system, q, v)
    errors = []
    for h in (1e-3, 5e-4):
        sides = [dt.kane(system, _unit(system, step_q(system, q, v, s * h)), v) for s in (1, -1)]
        worst = 0.0
        for name in k.bodies:
            b, (ahead, behind) = k.body(name), (side.body(name) for side in sides)
            for what, rate in (("V", "V_rate"), ("W", "W_rate")):
                worst = max(worst, np.max(np.abs((ahead[what] - behind[what]) / (2 * h) - b[rate])))
            worst = max(worst, np.max(np.abs((ahead["centre"] - behind["centre"]) / (2 * h) - b["velocity"])))
        errors.append(worst)
    assert 0.24 < errors[1] / errors[0] < 0.26
    for name in k.bodies:
        b, inertia = k.body(name), system.model.bodies[name].inertia
        J = dt.jacobian(system, name, q)
        assert np.allclose(b["W"], J[:3], atol=1e-13)
        assert b["mass"] == inertia.mass
        assert np.allclose(np.linalg.eigvalsh(b["I"]), np.linalg.eigvalsh(inertia.matrix), rtol=1e-12)


def _unit(system, q):
    for k in system.tree.quat_q:
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "governor", "stewart", "suspension", "rolling_coin"])
def test_reduced_equations_of_closed_loops(name):
    """They give the accelerations of the constrained equations, with redundant and prescribed rows, too."""
    system = dt.compile(all_examples()[name].build())
    q, v = system.state()
    k = dt.kane(system, q, v)
    assert np.max(np.abs(k.jacobian.matrix @ k.complement), initial=0.0) < 1e-12
    a = dt.accelerations(system, q, v)
    assert relative(k.accelerations - a, a) < 1e-8
    assert len(k.reduced_speeds) == k.reduced_mass_matrix.shape[0] == len(k.reduced_forces)


def test_split_bodies():
    """A motor at a cut joint splits a body; the sums are those of the recursions, the motion that of the mechanism."""
    m = dt.Model("slider-crank")
    for name, mass, length, x in (("crank", 1.0, 0.3, 0.15), ("rod", 2.0, 0.8, 0.7), ("slider", 0.5, 0.1, 1.1)):
        m.add_body(name, dt.Inertia.box(mass, size=(length, 0.05, 0.05)), position=(x, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0), q0=0.4, v0=4.0)
    m.add_joint("B", dt.Revolute("y"), "crank", "rod", at=(0.3, 0, 0))
    m.add_joint("C", dt.Revolute("y"), "rod", "slider", at=(1.1, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, "slider", at=(1.1, 0, 0))
    m.add_force("motor", dt.JointTorque("D", 3.0))
    split = dt.compile(m, force_cut=["D"])
    assert split.joints["D"].shadow_weld >= 0
    q, v = split.state()
    k = dt.kane(split, q, v)
    M = dt.mass_matrix(split, q)
    assert relative(k.mass_matrix - M, M) < ROUND_OFF
    a = dt.accelerations(split, q, v)
    assert relative(k.accelerations - a, a) < 1e-8
    assert k.body("slider")["mass"] == 0.5


def test_two_links_by_hand():
    """A double pendulum of rods in a plane: partial velocities, inertia and lower bodies written down."""
    m = dt.Model("two links")
    for i in range(2):
        m.add_body(f"link{i}", dt.Inertia.rod(1.0 + i, length=1.0, axis="x"), position=(i + 0.5, 0, 0))
        m.add_joint(f"J{i}", dt.Revolute("-y"), m.ground if not i else "link0", f"link{i}", at=(i, 0, 0))
    system = dt.compile(m)
    q, v = np.array([0.3, 0.5]), np.array([2.0, -1.0])
    k = dt.kane(system, q, v)
    up = np.array([0, 0, 1.0])
    first, both = np.array([np.cos(0.3), 0, np.sin(0.3)]), np.array([np.cos(0.8), 0, np.sin(0.8)])
    across = lambda e: np.array([-e[2], 0, e[0]])  # noqa: E731
    assert np.allclose(k.body("link0")["V"].T, [0.5 * across(first), (0, 0, 0)])
    assert np.allclose(k.body("link1")["V"].T, [across(first) + 0.5 * across(both), 0.5 * across(both)])
    assert np.allclose(k.body("link1")["W"].T, [(0, -1, 0), (0, -1, 0)])
    weights = [0.5 * across(first) + 2.0 * (across(first) + 0.5 * across(both)), across(both)]
    assert np.allclose(k.gravity_forces, [-9.81 * up @ each for each in weights])
    assert k.lower_bodies.tolist() == [[1, 2], [0, 1], [0, 0]]
    assert "lower bodies: 1" in str(k)
    k.plot()


def test_refusals():
    """What is no model, and bodies that there are not."""
    m = all_examples()["pendulum"].build()
    with pytest.raises(TypeError, match="compile"):
        dt.kane("pendulum", [0.0], [0.0])
    system = dt.compile(m)
    with pytest.raises(dt.errors.ChannelError):
        dt.kane(system, *system.state()).body("nobody")
