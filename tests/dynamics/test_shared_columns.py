"""Columns apart from rates: rows that have columns of one rate, against dense formulations with all rates apart."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.tree.forward import force_state
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import run_entry
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.system.compile.tree_bodies import TreeBodies
from duoti.system.constraint_arrays import dense_jacobian
from support.motion import motion
from support.of_the_tree import inverse_dynamics
from support.random_models import random_inertia, random_rotation, relative
from support.shared_rates import Shared, compile_shared

TINY = 1e-30  # complex step: exact to round-off
ROUND_OFF = 1e-12  # sums of some hundred products of numbers of size 1 to 10


def spread(rng: np.random.Generator, still: bool = True, loop: bool = False, forces: bool = True) -> Shared:
    """A carriage; on it a frame with two coordinates that move three interfaces in different ways; bodies on these.

    still: the frame itself does not move with its coordinates (that of a flexible body); otherwise it does, and the
    interfaces move on it by the same rates once more. Two interfaces are siblings, the third hangs further out.
    """
    m = dt.Model("spread", gravity=rng.normal(size=3) * 5)

    def body(name, joint, inboard, **options):
        place = rng.normal(size=3)
        m.add_body(name, random_inertia(rng), position=place, rotation=random_rotation(rng))
        m.add_joint(f"to {name}", joint, inboard, name, at=place + 0.3 * rng.normal(size=3), **options)

    body("carriage", dt.Prismatic(rng.normal(size=3)), "ground", rotor_inertia=0.3)
    body("frame", dt.Universal("x", "y") if not still else dt.Cylindrical(rng.normal(size=3)), "carriage")
    body("i1", dt.Universal("z", "x"), "frame")
    body("i2", dt.Cylindrical(rng.normal(size=3)), "frame")
    body("arm1", dt.Revolute(rng.normal(size=3)), "i1", rotor_inertia=0.2)
    body("i3", dt.Universal("y", "z"), "arm1")
    body("arm2", dt.Planar(rng.normal(size=3)), "i2")
    body("arm3", dt.Revolute(rng.normal(size=3)), "i3")
    body("last", dt.Prismatic(rng.normal(size=3)), "arm2")
    for name in m.bodies:
        m.add_marker(f"{name}.com", name, m.bodies[name].inertia.com)
    if forces:
        m.add_marker("post", "ground", rng.normal(size=3))
        m.add_force("s1", dt.SpringDamper("arm3.com", "arm2.com", stiffness=30.0, damping=2.0, rest_length=0.4))
        m.add_force("s2", dt.SpringDamper("i3.com", "post", stiffness=20.0, damping=1.0, rest_length=0.4))
        m.add_force("push", dt.AppliedForce("arm3.com", rng.normal(size=3)))
        m.add_force("law", dt.AppliedTorque("arm1", ("2 * i2.position[0]", "-arm3.velocity[1]", 0.3)))
    if loop:
        m.add_constraint("rod", dt.Distance("arm3", "last", 0.7))
        m.add_constraint("to ground", dt.PointOnPlane("arm1", "post"))
    shares = {"to i1": "to frame", "to i2": "to frame", "to i3": "to frame"}
    return compile_shared(m, shares, ["to frame"] if still else [])


def random_q_v_a(rng, system):
    return rng.normal(size=system.nq), rng.normal(size=system.nv), rng.normal(size=system.nv)


still_or_moving = pytest.mark.parametrize("still", [True, False])


@still_or_moving
@pytest.mark.parametrize("seed", range(3))
def test_recursions_against_all_rates_apart(seed, still):
    """Mass matrix, inverse and forward dynamics, with wrenches of force elements; P from the construction."""
    rng = np.random.default_rng(seed)
    s = spread(rng, still)
    assert (s.system.tree.shared, s.apart.tree.shared) == (1, 0)
    assert s.system.tree.nc == s.apart.nv == s.system.nv + 6
    q, v, a = random_q_v_a(rng, s.system)
    q0, v0 = s.state(q, v)
    M = dt.mass_matrix(s.system, q)
    assert relative(M - s.P.T @ dt.mass_matrix(s.apart, q0) @ s.P, M) < ROUND_OFF
    tau = dt.inverse_dynamics(s.system, q, v, a)
    assert relative(tau - s.P.T @ dt.inverse_dynamics(s.apart, q0, v0, s.P @ a), tau) < ROUND_OFF
    bias = dt.inverse_dynamics(s.system, q, v, 0 * a)
    assert relative(M @ a + bias - tau, tau) < ROUND_OFF
    # forward dynamics solves with M, whose condition is below 1e4 here
    assert relative(dt.accelerations(s.system, q, v) + np.linalg.solve(M, bias), a) < 1e4 * ROUND_OFF
    e, e0 = dt.energies(s.system, q, v), dt.energies(s.apart, q0, v0)
    assert np.allclose(e, e0, rtol=ROUND_OFF)
    assert e.kinetic == pytest.approx(0.5 * v @ M @ v, rel=ROUND_OFF)


@still_or_moving
def test_mass_matrix_is_the_sum_over_the_bodies(still):
    """M = sum of J^T I J with numpy, and J the complex-step derivative of the positions themselves."""
    rng = np.random.default_rng(5)
    s = spread(rng, still)
    system, (q, v, _) = s.system, random_q_v_a(rng, s.system)
    expected = np.diag(system.tree.rotor)
    seen = motion(system, q, v)
    for n, (name, body) in enumerate(system.model.bodies.items()):
        J = dt.jacobian(system, f"{name}.com", q)
        R, I = seen.rotation[n], body.inertia
        expected = expected + J[3:].T @ (I.mass * J[3:]) + J[:3].T @ R @ I.matrix @ R.T @ J[:3]
        m = system.marker_index(f"{name}.com")
        b = system.loads.markers.body[m]
        for i, unit in enumerate(np.eye(system.nv)):
            w = new_workspace(system, complex, fill=np.nan)
            force_state(system.tree, system.loads, w, 0.0, q + 1j * TINY * unit, v.astype(complex))
            p = w.X_WB[b, 9:] + w.X_WB[b, :9].reshape(3, 3) @ system.loads.markers.X_BM[m, 9:]
            np.testing.assert_allclose(J[3:, i], p.imag / TINY, rtol=0, atol=1e-13 * 10)
    assert relative(dt.mass_matrix(system, q) - expected, expected) < ROUND_OFF


@still_or_moving
def test_newton_and_euler_by_virtual_power(still):
    """Sum over the bodies of J^T (what it lacks to Newton and Euler) is zero for the accelerations found."""
    rng = np.random.default_rng(6)
    s = spread(rng, still, forces=False)
    system, (q, v, _) = s.system, random_q_v_a(rng, s.system)
    names = [f"{name}.com" for name in system.model.bodies]
    seen = motion(system, q, v, names)
    total, size = system.tree.rotor * seen.a, 0.0
    for n, (name, body) in enumerate(system.model.bodies.items()):
        J, I = dt.jacobian(system, f"{name}.com", q), body.inertia
        R, omega = seen.rotation[n], seen.angular_velocity[n]
        spin = R @ I.matrix @ R.T
        force = I.mass * (seen.acceleration[n] - np.asarray(system.model.gravity))
        torque = spin @ seen.angular_acceleration[n] + np.cross(omega, spin @ omega)
        total = total + J[3:].T @ force + J[:3].T @ torque
        size = max(size, np.abs(force).max(), np.abs(torque).max())
    assert np.max(np.abs(total)) < 1e-11 * size  # the accelerations carry the condition of M, see above


@still_or_moving
def test_velocities_and_accelerations_are_derivatives(still):
    """Central differences of positions and velocities along q(t) = q + v t + a t^2 / 2; error h^2 times third rates."""
    rng = np.random.default_rng(7)
    s = spread(rng, still, forces=False)
    system, (q, v, _) = s.system, random_q_v_a(rng, s.system)
    now, h = motion(system, q, v), 1e-4
    before, after = (motion(system, q + x * v + 0.5 * x * x * now.a, v + x * now.a) for x in (-h, h))
    scale = max(1.0, np.abs(now.acceleration).max())
    np.testing.assert_allclose((after.position - before.position) / (2 * h), now.velocity, atol=1e-6 * scale)
    np.testing.assert_allclose((after.velocity - before.velocity) / (2 * h), now.acceleration, atol=1e-5 * scale)


@still_or_moving
@pytest.mark.parametrize("seed", range(2))
def test_derivatives_against_all_rates_apart(seed, still):
    """K = P^T K_apart P and so on, with tangents of force elements and laws; those of markers likewise."""
    rng = np.random.default_rng(seed)
    s = spread(rng, still)
    q, v, a = random_q_v_a(rng, s.system)
    q0, v0 = s.state(q, v)
    got = dt.analyses.inverse_dynamics_derivatives(s.system, q, v, a)
    apart = dt.analyses.inverse_dynamics_derivatives(s.apart, q0, v0, s.P @ a)
    for name in ("dq", "dv"):
        expected = s.P.T @ getattr(apart, name) @ s.P
        assert relative(getattr(got, name) - expected, expected) < ROUND_OFF
    M = dt.mass_matrix(s.system, q)
    assert relative(got.da - M, M) < ROUND_OFF
    got, apart = (
        dt.analyses.marker_derivatives(*x) for x in ((s.system, "arm3", q, v, a), (s.apart, "arm3", q0, v0, s.P @ a))
    )
    for name in ("jacobian", "velocity_dq", "acceleration_dq", "acceleration_dv"):
        expected = getattr(apart, name) @ s.P
        assert relative(getattr(got, name) - expected, expected) < ROUND_OFF


@still_or_moving
def test_closures_against_all_rates_apart(still):
    """G = G_apart P, and the accelerations and multipliers of the dense saddle-point equations."""
    rng = np.random.default_rng(8)
    s = spread(rng, still, loop=True)
    system, closures = s.system, s.system.closures
    q, v, _ = random_q_v_a(rng, system)
    q0, v0 = s.state(q, v)
    work, apart = (new_workspace(x, ydot=True) for x in (system, s.apart))
    for w, x, q_x, v_x in ((work, system, q, v), (apart, s.apart, q0, v0)):
        w.y[: x.nq], w.y[x.nq : x.nq + x.nv] = q_x, v_x
        run_entry(int(w.calls[0].ydot), int(w.at[0].system))
    G = dense_jacobian(closures, system.nv, work.G)
    expected = dense_jacobian(s.apart.closures, s.apart.nv, apart.G) @ s.P
    assert relative(G - expected, expected) < ROUND_OFF
    assert relative(work.gamma - apart.gamma, apart.gamma) < ROUND_OFF
    M, bias = dt.mass_matrix(system, q), inverse_dynamics(system, q, v, np.zeros(system.nv))
    n, r = system.nv, closures.rows
    dense = np.linalg.solve(np.block([[M, -G.T], [G, np.zeros((r, r))]]), np.concatenate([-bias, work.gamma]))
    a = work.ydot[system.nq : system.nq + n]
    # condition of the saddle-point matrix (below 1e5) times round-off; the proximal iteration adds nothing
    assert relative(a - dense[:n], dense) < 1e-10
    assert relative(work.multipliers - dense[n:], dense) < 1e-10


def gear_pair(shared: bool) -> dt.System:
    """Two arms on a carriage that turn by one angle against each other: one rate, or a gear between two."""
    m = dt.Model("gear pair")
    m.add_body("carriage", dt.Inertia.box(2, size=(1, 1, 1)))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, "carriage", at=(0, 0, 0), v0=0.4)
    owner = m.add_body("drive", dt.Inertia.box(1, size=(0.3, 0.1, 0.1)), position=(0.2, 0, 0))
    m.add_joint("A", dt.Revolute("y"), "carriage", owner, at=(0, 0, 0), q0=0.3, v0=1.0)
    m.add_body("left", dt.Inertia.box(0.5, size=(0.1, 0.1, 0.8)), position=(0.4, 0, -0.4))
    m.add_joint("B", dt.Revolute((0, -1, 0)), "drive", "left", at=(0.4, 0, 0), q0=0.3, v0=1.0)
    m.add_body("end", dt.Inertia.box(0.2, size=(0.2, 0.1, 0.1)), position=(0.4, 0, -0.9))
    m.add_joint("C", dt.Revolute("y"), "left", "end", at=(0.4, 0, -0.8))
    if shared:
        return compile_shared(m, {"B": "A"}).system
    m.add_constraint("gear", dt.Gear("A", "B", 1.0))
    return dt.compile(m)


def test_a_gear_pair_is_that_of_the_constraint():
    """The same motion as with two rates and a gear constraint between them, over a whole simulation."""
    one, two = gear_pair(True), gear_pair(False)
    assert two.nv == one.nv + 1
    times = [0.0, 0.01, 0.02]
    results = [dt.simulate(x, 0.02, outputs=times, rtol=1e-10, atol=1e-10) for x in (one, two)]
    frames = [observe(r.system, r.t, r.states, FRAMES, [r.system.marker_index("end")]).frames for r in results]
    np.testing.assert_allclose(frames[0], frames[1], rtol=0, atol=1e-9)  # ten times the tolerance of either
    for name in ("slide", "C"):
        np.testing.assert_allclose(results[0].reaction(name)[0], results[1].reaction(name)[0], rtol=0, atol=1e-7)


def test_rates_of_a_row_that_is_not_inboard_are_refused():
    rows, box = TreeBodies(), dt.Inertia.box(1, size=(1, 1, 1)).spatial()
    first = rows.add(0, dt.Revolute("z"), False, False, dt.spatial.Pose.identity(), box, (0.0,))
    rows.add(0, dt.Revolute("z"), False, False, dt.spatial.Pose.identity(), box, (0.0,))
    with pytest.raises(ValueError, match="inboard"):
        rows.add(2, dt.Revolute("z"), False, False, dt.spatial.Pose.identity(), box, dofs_of=first)
    with pytest.raises(ValueError, match="as many"):
        rows.add(1, dt.Universal("z", "x"), False, False, dt.spatial.Pose.identity(), box, dofs_of=first)
    assert rows.add(1, dt.Prismatic("z"), False, False, dt.spatial.Pose.identity(), box, dofs_of=first) == 3
    assert rows.tree(np.zeros(3), 0, 0).rate.tolist() == [0, 1, 0]
