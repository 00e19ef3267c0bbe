"""Flexible bodies in the recursions, against sums over point masses, complex steps, and each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.flexible.aba import flexible_ydot_entry
from duoti.dynamics.loops.projection import constrained_ydot_entry
from duoti.dynamics.tree.forward import inverse_dynamics
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import entry_address, run_entry
from duoti.system.flexible_arrays import elimination_pays
from support.flexible_bodies import random_flexible_tree, random_lumps, random_state
from support.motion import motion
from support.random_models import random_inertia, random_rotation, relative

ROUND_OFF = 1e-12  # sums of some hundred products of numbers of size 1 to 10
TINY = 1e-30  # complex step: exact to round-off


def arm(seed: int, root: str = "a", stiffening: bool = True, loop: bool = False, forces: bool = True, welded=False):
    """A carriage, a flexible body on it by one of its interfaces, a rigid tip on the other one; forces on both."""
    rng = np.random.default_rng(seed)
    lumps = random_lumps(rng, n=3)
    m = dt.Model("arm", gravity=5 * rng.normal(size=3))
    m.add_body("base", random_inertia(rng))
    m.add_joint("slide", dt.Prismatic("z"), m.ground, "base", at=(0, 0, 0))
    place = {"position": rng.normal(size=3), "rotation": random_rotation(rng)}
    m.add_body("flex", dt.Flexible(lumps.reduced(), stiffening=stiffening), **place)
    m.add_marker("a", "flex", interface="a")
    m.add_marker("b", "flex", interface="b")
    m.add_joint("pin", dt.Revolute("z"), "base", root)
    m.add_body("tip", random_inertia(rng), position=rng.normal(size=3))
    m.add_joint("elbow", dt.Fixed() if welded else dt.Universal("x", "y"), "b" if root == "a" else "a", "tip")
    m.add_marker("post", "ground", rng.normal(size=3))
    if forces:
        m.add_force("s1", dt.SpringDamper("b", "post", stiffness=30.0, damping=2.0, rest_length=0.4))
        m.add_force("s2", dt.SpringDamper("tip", "base", stiffness=30.0, damping=2.0, rest_length=0.4))
        m.add_force("law", dt.AppliedTorque("tip", ("2 * b.position[0]", "-tip.velocity[1]", 0.3)))
    if loop:
        m.add_constraint("rod", dt.Distance("tip", "post", 0.7))
        m.add_constraint("plane", dt.PointOnPlane("b", "post"))
    return m, lumps, rng


def test_forward_and_inverse_dynamics_and_mass_matrix_of_random_trees():
    """On 200 trees: M a + h = inverse dynamics, forward dynamics undoes it, both ways; kinetic energy is v M v / 2."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        system = dt.compile(random_flexible_tree(rng))
        assert system.tree.flexible > 0
        q, v, a = random_state(rng, system)
        M, bias = dt.mass_matrix(system, q), dt.inverse_dynamics(system, q, v, 0 * a)
        tau = dt.inverse_dynamics(system, q, v, a)
        assert relative(M @ a + bias - tau, tau) < 1e-10
        assert relative(M @ dt.accelerations(system, q, v) + bias, bias) < 1e-10
        assert same_by_elimination(system, q, v)
        assert dt.energies(system, q, v).kinetic == pytest.approx(0.5 * v @ M @ v, rel=1e-10)


def rates_by(system: dt.System, entry: Any, y: np.ndarray) -> np.ndarray:
    """dy/dt by one of the entries."""
    work = new_workspace(system, ydot=True)
    work.y[:] = y
    run_entry(entry_address(entry), work.at[0].system)
    return work.ydot.copy()


def same_by_elimination(system: dt.System, q: np.ndarray, v: np.ndarray) -> bool:
    """Accelerations by elimination of modes, body by body, and by the mass matrix."""
    one, other = (
        rates_by(system, entry, system.whole_state(q, v)) for entry in (constrained_ydot_entry, flexible_ydot_entry)
    )
    return relative(one - other, one) < 1e-10


def test_elimination_of_modes_with_forces():
    """On interfaces, on bodies beyond them, welded and not."""
    for seed in range(4):
        model, _, rng = arm(seed, "ab"[seed % 2], welded=seed > 1)
        system = dt.compile(model)
        assert same_by_elimination(system, *random_state(rng, system)[:2])


def test_elimination_pays_in_chains_and_not_in_one_body_of_many_modes():
    body = dt.Flexible(random_lumps(np.random.default_rng(1), n=30, count=40).reduced(), stiffening=False)
    m = dt.Model("one")
    m.add_body("b", body)
    m.add_marker("a", "b", interface="a")
    m.add_joint("pin", dt.Revolute("z"), m.ground, "a")
    one = dt.compile(m)
    assert not elimination_pays(one.tree, one.flex)
    m.add_marker("far", "b", interface="b")
    m.add_body("second", body)
    m.add_marker("near", "second", interface="a")
    m.add_joint("elbow", dt.Revolute("z"), "far", "near")
    two = dt.compile(m)
    assert elimination_pays(two.tree, two.flex)


def lump_motion(lumps, root):
    """Jacobian of all masses: positions in the frame of the body from its modes counted from an interface."""
    at = lumps.interfaces[root]
    arm = lumps.r - at.position
    phi = lumps.phi - at.displacement - np.cross(at.turn.T[None], arm[:, None]).transpose(0, 2, 1)

    def jacobian(system, q):
        J = dt.jacobian(system, "flex", q)
        R = motion(system, q, 0 * q, ["flex"]).rotation[0]
        eta = system.flexible["flex"]
        s = (lumps.r + phi @ q[eta.q]) @ R.T
        made = J[None, 3:] - np.cross(s[:, :, None], J[None, :3], axis=1)
        made[:, :, eta.v] += np.einsum("xy,ayj->axj", R, phi)
        return made

    return jacobian


@pytest.mark.parametrize("root", ["a", "b"])
def test_against_newtons_law_for_every_mass(root):
    """M = sum of m J^T J, and M a + h = sum of m J^T (J a + dJ/dt v - g), for a body without second order.

    dJ/dt v by central differences of J v with a step of 1e-5: good to 1e-9 relative.
    """
    model, lumps, rng = arm(1, root, stiffening=False, forces=False)
    del model.joints["elbow"], model.bodies["tip"]
    system = dt.compile(model)
    q, v, a = random_state(rng, system)
    jacobian, base = lump_motion(lumps, root), model.bodies["base"].inertia

    def sums(q, v, a):
        h = 1e-5
        J, J_base = jacobian(system, q), dt.jacobian(system, "base", q)
        rates = (jacobian(system, q + h * v) @ v - jacobian(system, q - h * v) @ v) / (2 * h)
        g = np.asarray(model.gravity)
        M = np.einsum("a,axi,axj->ij", lumps.mass, J, J) + base.mass * J_base[3:].T @ J_base[3:]
        tau = np.einsum("a,axi,ax->i", lumps.mass, J, J @ a + rates - g)
        tau += base.mass * J_base[3:].T @ (J_base[3:] @ a - g)
        eta = system.flexible["flex"]
        tau[eta.v] += lumps.stiffness @ q[eta.q] + lumps.damping @ v[eta.v]
        return M, tau

    M, tau = sums(q, v, a)
    assert relative(dt.mass_matrix(system, q) - M, M) < ROUND_OFF
    assert relative(dt.inverse_dynamics(system, q, v, a) - tau, tau) < 1e-8


@pytest.mark.parametrize("seed", range(3))
def test_derivatives_against_complex_steps(seed):
    """K, C and M with forces on interfaces, of both orders of displacements, wherever the joint is."""
    model, _, rng = arm(seed, "ab"[seed % 2], stiffening=seed != 2)
    system = dt.compile(model)
    x = random_state(rng, system)
    got, work = dt.analyses.inverse_dynamics_derivatives(system, *x), new_workspace(system, complex)
    for n, name in enumerate(("dq", "dv", "da")):
        expected = np.zeros((system.nv, system.nv))
        for j in range(system.nv):
            y = [each.astype(complex) for each in x]
            y[n][j] += 1j * TINY
            tau = np.zeros(system.nv, complex)
            inverse_dynamics(system.tree, system.loads, work, 0.0, *y, tau)
            expected[:, j] = tau.imag / TINY
        assert relative(getattr(got, name) - expected, expected) < 1e-10, name


def test_marker_derivatives_by_differences():
    """Of a marker beyond an interface; central differences with a step of 1e-6 are good to 1e-9."""
    model, _, rng = arm(4)
    system = dt.compile(model)
    q, v, a = random_state(rng, system)
    got, h = dt.analyses.marker_derivatives(system, "tip", q, v, a), 1e-6
    for j, unit in enumerate(np.eye(system.nv)):
        before, after = (dt.analyses.marker_derivatives(system, "tip", q + x * unit, v, a) for x in (-h, h))
        for name, value in (("velocity_dq", "velocity"), ("acceleration_dq", "acceleration")):
            slope = (getattr(after, value) - getattr(before, value)) / (2 * h)
            np.testing.assert_allclose(getattr(got, name)[:, j], slope, atol=1e-7, err_msg=name)


def test_energy_and_momentum_along_the_motion():
    """dE/dt = -dissipation; the momentum of a free body does not change; by differences with a step of 1e-5."""
    model, lumps, rng = arm(5, forces=False)
    system = dt.compile(model)
    q, v, _ = random_state(rng, system)
    a, h, eta = dt.accelerations(system, q, v), 1e-5, system.flexible["flex"]

    def energy(x):
        e = dt.energies(system, q + x * v + 0.5 * x * x * a, v + x * a)
        return e.kinetic + e.gravity + e.elastic

    assert (energy(h) - energy(-h)) / (2 * h) == pytest.approx(-v[eta.v] @ lumps.damping @ v[eta.v], rel=1e-6)


def test_a_free_spinner_keeps_energy_and_momentum():
    """A free flexible body in space, with second order: only its solver's tolerance may show."""
    rng = np.random.default_rng(6)
    lumps = random_lumps(rng, n=4)
    lumps.damping[:] = 0.0
    m = dt.Model("spinner", gravity=(0, 0, 0))
    m.add_body("flex", dt.Flexible(lumps.reduced()), q0=[0.02, 0, 0.01, 0])
    m.add_joint("free", dt.Free(), m.ground, "flex", v0=[0.1, 0.2, 0.3, 0.5, 0.4, -0.3])
    r = dt.simulate(m, 4.0, outputs=0.5, solver=dt.DOP853(), rtol=1e-11, atol=1e-12)
    assert r.ok, r.reason
    total = r.energy.total
    assert np.ptp(total) < 1e-9 * np.abs(total).max()
    n = r.system.nq
    L = [np.concatenate(dt.momentum(r.system, y[:n], y[n : n + r.system.nv])[:2]) for y in r.states]
    np.testing.assert_allclose(L, np.broadcast_to(L[0], np.shape(L)), rtol=0, atol=1e-8)
    assert np.ptp(r["flex.modes"], axis=0).min() > 1e-3
