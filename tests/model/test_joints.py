"""Joint types. Whatever is in `JOINT_TYPES` gets the generic tests; a new type needs no change here."""

from __future__ import annotations

import re

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.tree.rnea import rnea
from duoti.dynamics.workspace import new_workspace
from duoti.model.elements import initial_values
from duoti.model.joints import JOINT_TYPES, LAW_CODE
from duoti.model.joints.base import frame_along
from support.motion import motion
from support.random_models import (
    ALL_KINDS,
    random_inertia,
    random_model,
    random_pose,
    random_rotation,
    random_state,
    relative,
    step_q,
)

kinds = pytest.mark.parametrize("kind", ALL_KINDS)
directions = pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
TINY = 1e-30  # complex step: the error is of order TINY², so the derivatives below are exact to round-off
ROUND_OFF = 1e-13  # a few dozen operations on numbers of order one, each 1e-16


def test_all_types_of_the_design_exist():
    promised = {"revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "screw", "free", "fixed"}
    assert promised | {"composite"} <= set(JOINT_TYPES)
    assert set(JOINT_TYPES) - set(LAW_CODE) == {"composite"}


# ------------------------------------------------------------------------------------- the law: pose, subspace, bias


def lone_joint(kind, rng, backwards) -> dt.System:
    """One body on a joint of this type, somewhere; backwards: the body is the user's parent."""
    m = dt.Model("lone", gravity=rng.normal(size=3))
    X = random_pose(rng)
    body = m.add_body("b", random_inertia(rng), position=X.position, rotation=X.rotation)
    parent, child = (body, m.ground) if backwards else (m.ground, body)
    m.add_joint("J", JOINT_TYPES[kind].sample(rng), parent, child, at=rng.normal(size=3))
    return dt.compile(m)


def sweep(system, q, v):
    """Workspace after a pass over the joints; complex, so that q may be."""
    w = new_workspace(system, complex, fill=np.nan)
    zero = np.zeros(system.nv, complex)
    rnea(system.tree, w, np.asarray(q, complex), np.asarray(v, complex), zero, zero.copy())
    return w


def joint_twists(system, w, v):
    """H v of every row."""
    tree = system.tree
    spans = [slice(tree.iv[b], tree.iv[b] + tree.dof[b]) for b in range(1, tree.nb)]
    return np.array([w.H[s].T @ v[s] for s in spans]).reshape(-1, 6)


@kinds
@directions
def test_motion_subspace_is_the_derivative_of_the_pose(kind, backwards):
    rng = np.random.default_rng(1)
    for _ in range(5):
        system = lone_joint(kind, rng, backwards)
        q, v, _ = random_state(rng, system)
        X = sweep(system, step_q(system, q, v, 1j * TINY), v).X_PB[1:]
        R, p = X[:, :9].reshape(-1, 3, 3), X[:, 9:]
        W = np.einsum("nji,njk->nik", R.real, R.imag / TINY)  # R^T dR/dt is the matrix of the angular velocity
        linear = np.einsum("nji,nj->ni", R.real, p.imag / TINY)
        found = np.column_stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0], linear])
        expected = joint_twists(system, sweep(system, q, v), v)
        np.testing.assert_allclose(found, expected.real, rtol=0, atol=ROUND_OFF * max(1, np.abs(expected).max()))
        np.testing.assert_allclose(W, -W.transpose(0, 2, 1), rtol=0, atol=ROUND_OFF * 10)  # R stays a rotation


@kinds
@directions
def test_bias_is_the_derivative_of_the_subspace(kind, backwards):
    rng = np.random.default_rng(2)
    for _ in range(5):
        system = lone_joint(kind, rng, backwards)
        q, v, _ = random_state(rng, system)
        along = sweep(system, step_q(system, q, v, 1j * TINY), v)
        found = joint_twists(system, along, v).imag / TINY
        has_bias = (system.tree.bias[1:] == 1)[:, None]
        expected = np.where(has_bias, sweep(system, q, v).c[1:].real, 0.0)
        np.testing.assert_allclose(found, expected, rtol=0, atol=10 * ROUND_OFF)


def columns(system, q):
    """Columns of all rates about the world's origin, in world axes, and the row of each rate."""
    tree, w = system.tree, sweep(system, q, np.zeros(system.nv))
    R, p, S, rows = [np.eye(3)], [np.zeros(3)], [], []
    for b in range(1, tree.nb):
        P = tree.parent[b]
        R.append(R[P] @ w.X_PB[b, :9].reshape(3, 3))
        p.append(p[P] + R[P] @ w.X_PB[b, 9:])
        for i in range(tree.iv[b], tree.iv[b] + tree.dof[b]):
            angular = R[b] @ w.H[i, :3]
            S.append(np.concatenate([angular, R[b] @ w.H[i, 3:] + np.cross(p[b], angular)]))
            rows.append(b)
    return np.array(S), rows


@kinds
@directions
def test_which_rates_carry_which(kind, backwards):
    """dS_i/dq_j = S_j x S_i if rate j carries rate i, otherwise zero."""
    rng = np.random.default_rng(6)
    for _ in range(5):
        system = lone_joint(kind, rng, backwards)
        tree = system.tree
        q, _, _ = random_state(rng, system)
        S, rows = columns(system, q)
        for j, unit in enumerate(np.eye(system.nv)):
            found = columns(system, step_q(system, q, unit, 1j * TINY))[0].imag / TINY
            for i in range(system.nv):
                carried = tree.moves[j, i - tree.iv[rows[i]]] if rows[i] == rows[j] else rows[i] > rows[j]
                (w, v), (x, y) = (S[j].real[:3], S[j].real[3:]), (S[i].real[:3], S[i].real[3:])
                moved = np.concatenate([np.cross(w, x), np.cross(w, y) + np.cross(v, x)])
                np.testing.assert_allclose(found[i], carried * moved, rtol=0, atol=10 * ROUND_OFF)


@kinds
@directions
def test_velocities_and_accelerations_are_derivatives_of_the_motion(kind, backwards):
    """The whole way to the user's bodies, by central differences of the world pose along the exact motion."""
    rng = np.random.default_rng(3)
    system = lone_joint(kind, rng, backwards)
    q, v, _ = random_state(rng, system)
    now = motion(system, q, v)
    h = 1e-3
    if system.nv == 0:
        assert np.all(now.velocity == 0)
        return
    solver = dt.RK4(step=h / 20)
    r = dt.simulate(system, 8 * h, outputs=h * np.arange(9), solver=solver, at=(q, v))
    mid = motion(system, r.q[4], r.v[4])
    weights = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280]) / h  # error of order h⁸
    # differences of positions of size 3 over h = 1e-3 leave 1e-16 * 3 / h = 1e-12 of a velocity
    np.testing.assert_allclose(weights @ r["b.position"], mid.velocity[0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(weights @ r["b.velocity"], mid.acceleration[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(weights @ r["b.angular_velocity"], mid.angular_acceleration[0], rtol=0, atol=1e-9)


# -------------------------------------------------------------------------------------------------------- composition


def sandwiched(joint, seed=4):
    """ground - hinge - A - joint - B - hinge - C, so that the joint is driven and loaded in all directions."""
    rng = np.random.default_rng(seed)
    m = dt.Model("sandwich", gravity=(1.0, -2.0, -9.0))
    poses = [random_pose(rng) for _ in range(3)]
    for name, X in zip("ABC", poses, strict=True):
        m.add_body(name, random_inertia(rng), position=X.position, rotation=X.rotation)
    m.add_joint("first", dt.Revolute(rng.normal(size=3)), "ground", "A", at=rng.normal(size=3))
    m.add_joint("J", joint, "A", "B", at=rng.normal(size=3))
    m.add_joint("last", dt.Revolute(rng.normal(size=3)), "B", "C", at=rng.normal(size=3))
    return dt.compile(m)


AXIS, ACROSS = np.array([0.36, 0.48, 0.8]), np.array([0.8, -0.6, 0.0])
SAME = {
    "cylindrical": (dt.Cylindrical(AXIS), dt.Composite(dt.Prismatic(AXIS), dt.Revolute(AXIS))),
    "cylindrical, other order": (
        dt.Composite(dt.Revolute(AXIS), dt.Prismatic(AXIS)),
        dt.Composite(dt.Prismatic(AXIS), dt.Revolute(AXIS)),
    ),
    "universal": (dt.Universal(AXIS, ACROSS), dt.Composite(dt.Revolute(AXIS), dt.Revolute(ACROSS))),
    "planar": (
        dt.Planar(AXIS, first_axis=ACROSS + 0.3 * AXIS),
        dt.Composite(dt.Prismatic(ACROSS), dt.Prismatic(np.cross(AXIS, ACROSS)), dt.Revolute(AXIS)),
    ),
    "translation": (
        dt.Translation(),
        dt.Composite(dt.Prismatic("x"), dt.Prismatic("y"), dt.Prismatic("z")),
    ),
    "planar y": (dt.Planar("y"), dt.Composite(dt.Prismatic("z"), dt.Prismatic("x"), dt.Revolute("y"))),
    "planar x": (dt.Planar("x"), dt.Composite(dt.Prismatic("y"), dt.Prismatic("z"), dt.Revolute("x"))),
    "screw without lead": (dt.Screw(AXIS, lead_per_turn=0.0), dt.Revolute(AXIS)),
    "opposite axis": (dt.Revolute("-y"), dt.Revolute((0, -1, 0))),
    "free": (dt.Free(), dt.Composite(dt.Prismatic("x"), dt.Prismatic("y"), dt.Prismatic("z"), dt.Spherical())),
    "nested": (
        dt.Composite(dt.Composite(dt.Revolute("x"), dt.Prismatic("z")), dt.Fixed(), dt.Revolute("y")),
        dt.Composite(dt.Revolute("x"), dt.Prismatic("z"), dt.Revolute("y")),
    ),
}


@pytest.mark.parametrize("what", SAME)
def test_same_joint_made_of_simpler_ones(what):
    one, other = (sandwiched(joint) for joint in SAME[what])
    assert (one.nq, one.nv) == (other.nq, other.nv)
    rng = np.random.default_rng(5)
    q, v, _ = random_state(rng, one)
    if what == "cylindrical, other order":  # the coordinates change places
        swap = [0, 2, 1, 3]
        a, b = motion(one, q[swap], v[swap]), motion(other, q, v)
        b = b._replace(a=b.a[swap])
    else:
        a, b = motion(one, q, v), motion(other, q, v)
    for found, expected in zip(a, b, strict=True):
        assert relative(found - expected, expected) < 1e-11  # both lose the condition number of M, about 1e3


def test_screw_is_a_coupled_cylindrical_joint():
    lead = 0.3
    screw, free = sandwiched(dt.Screw(AXIS, lead_per_turn=lead)), sandwiched(dt.Cylindrical(AXIS))
    advance = lead / (2 * np.pi)
    T = np.array([[1.0, 0, 0], [0, advance, 0], [0, 1, 0], [0, 0, 1]])  # first, (position, angle), last
    rng = np.random.default_rng(6)
    q, v = rng.normal(size=3), rng.normal(size=3)
    a = dt.accelerations(screw, q, v)
    np.testing.assert_allclose(dt.mass_matrix(screw, q), T.T @ dt.mass_matrix(free, T @ q) @ T, rtol=1e-12, atol=1e-12)
    # with the coupling kept, the forces left over do no work on the motion that it allows
    left_over = T.T @ dt.inverse_dynamics(free, T @ q, T @ v, T @ a)
    assert np.abs(left_over).max() < 1e-12 * np.abs(dt.inverse_dynamics(free, T @ q, T @ v, T @ a)).max() * 100
    assert motion(screw, q, v).acceleration == pytest.approx(sum_of(free, T @ q, T @ v, T @ a), rel=1e-10, abs=1e-10)


def sum_of(system, q, v, a):
    """World accelerations of the bodies for accelerations that are not those of the forces: add J da."""
    seen = motion(system, q, v)
    change = a - seen.a
    return np.array(
        [x + dt.jacobian(system, name, q)[3:] @ change for name, x in zip("ABC", seen.acceleration, strict=True)]
    )


def test_spherical_joint_moves_like_a_gimbal():
    """Three hinges in a row reach the same motion away from their singular position, in other coordinates."""
    ball, gimbal = sandwiched(dt.Spherical()), sandwiched(dt.Composite(*(dt.Revolute(x) for x in "zyx")))
    rng = np.random.default_rng(7)
    angles, rates = rng.uniform(-1, 1, size=3), rng.normal(size=3)
    first, last = rng.normal(size=(2, 2))
    turn = dt.Rotation.from_euler("ZYX", angles)
    # angular velocity in child axes: each rate about its axis, carried by the later turns
    Ry, Rx = dt.Rotation.about("y", angles[1]).matrix, dt.Rotation.about("x", angles[2]).matrix
    omega = Rx.T @ (Ry.T @ [0, 0, rates[0]] + [0, rates[1], 0]) + [rates[2], 0, 0]
    a = motion(ball, [first[0], *turn.quaternion, last[0]], [first[1], *omega, last[1]])
    b = motion(gimbal, [first[0], *angles, last[0]], [first[1], *rates, last[1]])
    for found, expected in list(zip(a, b, strict=True))[:-1]:
        assert relative(found - expected, expected) < 1e-11  # conditioned like the gimbal, away from |y| = pi/2


def test_fixed_joint_makes_one_body_of_two():
    rng = np.random.default_rng(8)
    I_a, I_b, X_a, X_b = random_inertia(rng), random_inertia(rng), random_pose(rng), random_pose(rng)
    systems = []
    for welded in (True, False):
        m = dt.Model("weld")
        whole = I_a if welded else I_a + I_b.moved(X_a.inverse() @ X_b)
        m.add_body("A", whole, position=X_a.position, rotation=X_a.rotation)
        m.add_joint("J", dt.Spherical(), m.ground, "A", at=(0.1, 0.2, 0.3))
        if welded:
            m.add_body("B", I_b, position=X_b.position, rotation=X_b.rotation)
            m.add_joint("W", dt.Fixed(), "B", "A", at=(1, 2, 3))  # tree and user disagree on the direction
        systems.append(dt.compile(m))
    q, v, _ = random_state(rng, systems[0])
    expected = dt.accelerations(systems[1], q, v)
    np.testing.assert_allclose(
        dt.accelerations(systems[0], q, v), expected, rtol=0, atol=1e-12 * np.abs(expected).max()
    )


# ---------------------------------------------------------------------------------------------------------- direction


@kinds
def test_the_way_of_the_tree_does_not_matter(kind):
    """Two bodies in space with a joint between them: whichever floats on ground, the motion is the same."""
    rng = np.random.default_rng(9)
    joint = JOINT_TYPES[kind].sample(rng)
    poses, at, inertias = [random_pose(rng) for _ in range(2)], rng.normal(size=3), [random_inertia(rng) for _ in "AB"]
    systems = {}
    for base in "AB":
        m = dt.Model(f"floating on {base}", gravity=(0.3, -0.2, -9.81))
        for name, X, I in zip("AB", poses, inertias, strict=True):
            m.add_body(name, I, position=X.position, rotation=X.rotation)
        m.add_joint("float", dt.Free(), m.ground, base)
        m.add_joint("J", joint, "A", "B", at=at)
        m.add_marker("on A", "A", position=(0.1, 0.2, 0.3))
        m.add_force("pull", dt.SpringDamper("on A", "B", stiffness=20.0, damping=0.3, rest_length=0.2))
        if joint.nv:
            m.add_force("drag", dt.JointDamping("J", 0.7))
            m.add_force("push", dt.JointTorque("J", "1.5 + v", coordinate=joint.nv - 1))
        systems[base] = dt.compile(m)
    one, other = systems["A"], systems["B"]
    assert not one.joints["J"].reversed
    assert other.joints["J"].reversed
    q, v, _ = random_state(rng, one)
    a = motion(one, q, v)
    turned = dt.Rotation.from_matrix(a.rotation[1]) @ poses[1].rotation.inverse()
    q2, v2 = other.state(
        {"float": [*(a.position[1] - poses[1].position), turned], "J": q[one.joints["J"].q]},
        {"float": [*a.velocity[1], *(turned.inverse() @ a.angular_velocity[1])], "J": v[one.joints["J"].v]},
    )
    b = motion(other, q2, v2)
    for found, expected in list(zip(b, a, strict=True))[:-1]:
        assert relative(found - expected, expected) < 1e-11
    expected = a.a[one.joints["J"].v]
    assert relative(b.a[other.joints["J"].v] - expected, a.a) < 1e-11
    assert dt.energies(other, q2, v2) == pytest.approx(dt.energies(one, q, v), rel=1e-12, abs=1e-12)
    for system, state in ((one, (q, v)), (other, (q2, v2))):  # the reaction too, whichever way the tree goes
        r = dt.simulate(system, 1e-3, outputs=[0.0], at=state, solver=dt.RK4(step=1e-3))
        for at_which in ("child", "parent"):
            force, torque = r.reaction("J", at=at_which)
            systems[at_which, system.model.name] = np.concatenate([force[0], torque[0]])
    scale = 1.0 + np.abs(a.acceleration).max()
    for at_which in ("child", "parent"):
        one_way, other_way = (systems[at_which, f"floating on {base}"] for base in "AB")
        np.testing.assert_allclose(other_way, one_way, rtol=0, atol=1e-11 * scale)
    if kind == "free":
        assert np.abs(systems["child", "floating on B"]).max() < 1e-11 * scale  # nothing constrains


def test_zero_coordinates_are_the_reference_configuration():
    """Also for bodies that only joints with markers place, on either side and in any order."""
    for seed in range(20):
        meant = random_model(np.random.default_rng(seed), 25)
        system = dt.compile(meant.model)
        seen = motion(system, *system.initial_state())
        for name, R, p in zip(system.model.bodies, seen.rotation, seen.position, strict=True):
            np.testing.assert_allclose(p, meant.bodies[name].position, atol=1e-12)  # a chain of 25 poses of size 5
            np.testing.assert_allclose(R, meant.bodies[name].rotation.matrix, atol=1e-13)


def test_bodies_that_nothing_places_are_at_the_origin_and_carry_others():
    m = dt.Model("robot")
    I = dt.Inertia.sphere(1.0, radius=0.1)
    base, link, tool = m.add_body("base", I), m.add_body("link", I), m.add_body("tool", I)
    m.add_joint("weld", dt.Fixed(), m.ground, base)
    m.add_joint("shoulder", dt.Revolute("z"), m.add_marker("top", base, position=(0, 0, 0.5)), link)
    wrist = m.add_marker("wrist", link, position=(0.4, 0, 0), rotation=dt.Rotation.about("x", np.pi / 2))
    m.add_joint("hand", dt.Revolute("z"), wrist, m.add_marker("grip", tool, position=(0, 0.1, 0)))
    system = dt.compile(m)
    seen = motion(system, *system.initial_state())
    np.testing.assert_allclose(seen.position, [[0, 0, 0], [0, 0, 0.5], [0.4, 0, 0.4]], atol=1e-15)


def test_a_marker_on_one_side_places_the_body_on_the_other():
    m = dt.Model("hook")
    m.add_body("a", dt.Inertia.sphere(1.0, radius=0.1), position=(1, 2, 3))
    m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("A", dt.Fixed(), m.ground, "a")
    m.add_marker("hook", "a", position=(0, 0, 1))
    m.add_joint("B", dt.Revolute("x"), "b", "hook")  # the marker is on the user's child
    system = dt.compile(m)
    np.testing.assert_allclose(motion(system, *system.initial_state()).position[1], [1, 2, 4], atol=1e-15)


# ------------------------------------------------------------------------------------------------ what users may give


@kinds
def test_coordinates_are_counted_and_named(kind):
    joint = JOINT_TYPES[kind].sample(np.random.default_rng(0))
    assert joint.nq == len(joint.zero) == sum(c.nq for c in joint.coordinates)
    assert joint.nv == sum(c.nv for c in joint.coordinates)
    assert 0 <= joint.nv <= 6
    assert joint.faults() == []
    assert joint == JOINT_TYPES[kind].sample(np.random.default_rng(0))
    assert type(joint).__name__ in repr(joint)
    assert JOINT_TYPES[kind].__doc__


@kinds
def test_initial_values_arrive_in_the_users_order(kind):
    rng = np.random.default_rng(10)
    joint = JOINT_TYPES[kind].sample(rng)
    q0, v0 = joint.zero, rng.normal(size=joint.nv)
    start = 0
    for c in joint.coordinates:
        q0[start : start + c.nq] = random_rotation(rng).quaternion if c.quaternion else rng.normal(size=c.size)
        start += c.nq
    for backwards in (False, True):
        m = dt.Model()
        m.add_body("b", random_inertia(rng))
        ends = ("b", "ground") if backwards else ("ground", "b")
        m.add_joint("J", joint, *ends, q0=q0, v0=list(v0))
        system = dt.compile(m)
        q, v = system.initial_state()
        np.testing.assert_allclose(q[system.joints["J"].q], q0, atol=1e-15)
        np.testing.assert_array_equal(v[system.joints["J"].v], v0)


HALF = dt.Rotation.about("z", np.pi / 2)
W = np.sqrt(0.5)


@pytest.mark.parametrize(
    ("joint", "given", "rates", "expected"),
    [
        (dt.Revolute("z"), 0.5, False, [0.5]),
        (dt.Revolute("z"), [0.5], False, [0.5]),
        (dt.Revolute("z"), {"angle": 0.5}, False, [0.5]),
        (dt.Revolute("z"), {"rate": 2}, True, [2]),
        (dt.Cylindrical("z"), {"angle": 0.5}, False, [0, 0.5]),
        (dt.Cylindrical("z"), (1, 2), True, [1, 2]),
        (dt.Universal("x", "y"), {"angle": [1, 2]}, False, [1, 2]),
        (dt.Spherical(), HALF, False, [W, 0, 0, W]),
        (dt.Spherical(), {"rotation": HALF}, False, [W, 0, 0, W]),
        (dt.Spherical(), {"angular_velocity": (1, 2, 3)}, True, [1, 2, 3]),
        (dt.Free(), dt.spatial.Pose(HALF, (1, 2, 3)), False, [1, 2, 3, W, 0, 0, W]),
        (dt.Free(), [1, 2, 3, HALF], False, [1, 2, 3, W, 0, 0, W]),
        (dt.Free(), [(1, 2, 3), HALF], False, [1, 2, 3, W, 0, 0, W]),
        (dt.Free(), {"position": (1, 2, 3)}, False, [1, 2, 3, 1, 0, 0, 0]),
        (dt.Free(), {"rotation": HALF}, False, [0, 0, 0, W, 0, 0, W]),
        (dt.Free(), {"velocity": np.ones(3)}, True, [1, 1, 1, 0, 0, 0]),
        (dt.Fixed(), [], False, []),
        (dt.Spherical(), [1 + 1e-8, 0, 0, 0], False, [1, 0, 0, 0]),
    ],
)
def test_forms_of_initial_values(joint, given, rates, expected):
    np.testing.assert_allclose(initial_values(joint, given, rates), expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("joint", "given", "rates", "text"),
    [
        (dt.Revolute("z"), [1, 2], False, "a revolute joint takes 1 number: angle (1); 2 given"),
        (dt.Free(), [1, 2, 3], False, "a free joint takes 7 numbers: position (3), rotation (4); 3 given"),
        (dt.Fixed(), 1.0, False, "a fixed joint takes 0 numbers: none; 1 given"),
        (dt.Revolute("z"), {"position": 1}, False, "'position' is no coordinate of a revolute joint; it has angle"),
        (dt.Universal("x", "y"), {"angle": 1}, False, "'angle' takes 2 numbers, 1 were given"),
        (dt.Revolute("z"), np.nan, False, "not all numbers are finite: [nan]"),
        (dt.Revolute("z"), "fast", True, "'fast' is not a number or a list of numbers"),
        (dt.Spherical(), [2, 0, 0, 0], False, "has length 2, not 1"),
        (
            dt.Composite(dt.Revolute("x"), dt.Revolute("y")),
            {"angle": 1},
            False,
            "'angle' is not unique in a composite joint; give the numbers as a list",
        ),
    ],
)
def test_wrong_initial_values_are_explained(joint, given, rates, text):
    with pytest.raises(ValueError, match=re.escape(text)):
        initial_values(joint, given, rates)


def test_the_users_own_numbers_are_left_alone():
    given = np.array([1 + 1e-8, 0, 0, 0])
    initial_values(dt.Spherical(), given, rates=False)
    assert given[0] == 1 + 1e-8


@pytest.mark.parametrize(
    ("joint", "text"),
    [
        (dt.Revolute((0, 0, 0)), "axis"),
        (dt.Prismatic("w"), "axis"),
        (dt.Revolute((0, np.nan, 1)), "axis"),
        (dt.Revolute((0, 1)), "axis"),
        (dt.Planar((0, 0, 0)), "normal"),
        (dt.Planar("z", first_axis="z"), "first_axis is parallel to the normal"),
        (dt.Planar("z", first_axis=(0, 0, 0)), "first_axis"),
        (dt.Universal("x", (1, 1, 0)), "its axes make an angle of 45 degrees instead of 90"),
        (dt.Universal("x", "w"), "axis2"),
        (dt.Screw("z", lead_per_turn=np.inf), "lead_per_turn is inf"),
        (dt.Composite(), "it has no parts"),
        (dt.Composite(dt.Revolute("z"), "y"), "parts that are no joints: 'y'"),
        (dt.Composite(dt.Revolute("z"), dt.Revolute((0, 0, 0))), "part 2 (revolute): axis"),
    ],
    ids=repr,
)
def test_faulty_definitions_are_explained_and_refused(joint, text):
    assert any(text in fault.text for fault in joint.faults())
    m = dt.Model()
    m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("J", joint, m.ground, "b")
    with pytest.raises(dt.ModelError) as caught:
        dt.compile(m)
    assert 'joint "J"' in str(caught.value)


def test_axes_that_are_not_unit_vectors_are_remarked_on():
    assert dt.Revolute("z").remarks() == dt.Revolute((0, 0.6, 0.8)).remarks() == []
    remark = dt.Revolute((0, 0, 2)).remarks()
    assert remark == [("axis (0, 0, 2) has length 2; its direction (0, 0, 1) is used", "axis")]
    assert "axis2 (0, 3, 0) has length 3" in dt.Universal("x", (0, 3, 0)).remarks()[0].text
    assert "normal (0, 3, 0) has length 3" in dt.Planar((0, 3, 0)).remarks()[0].text
    assert "first_axis (0, 3, 0) has length 3" in dt.Planar("x", first_axis=(0, 3, 0)).remarks()[0].text
    parts = dt.Composite(dt.Fixed(), dt.Prismatic((2, 0, 0))).remarks()
    assert parts[0].text.startswith("part 2 (prismatic): axis (2, 0")


@pytest.mark.parametrize("axis", ["x", "y", "z", "-x", "-y", "-z", AXIS, -AXIS, (0, 0, -1), (1e-9, 0, 1)])
def test_frame_along_an_axis_is_a_rotation_with_that_z(axis):
    from duoti.spatial import axis_vector

    np.testing.assert_allclose(frame_along(axis).matrix[:, 2], axis_vector(axis), atol=1e-15)


@pytest.mark.parametrize("kind", [dt.Free, dt.Spherical])
@pytest.mark.parametrize("markers", ["none", "parent", "child", "both"])
def test_axes_of_the_angular_velocity_of_a_turned_body(kind, markers):
    """Along M: parallel to the world, or to the parent's marker, in the reference configuration; or the child's marker.

    On a parent that turns, of bodies added with rotations; as docs/guide/model/modelling.md says. All to the
    round-off of frames.
    """
    rng = np.random.default_rng(4)

    def turned() -> dt.Rotation:
        q = rng.normal(size=4)
        return dt.Rotation.from_quaternion(q / np.linalg.norm(q))

    m = dt.Model("m", gravity=(0, 0, 0))
    R_P0, R_B0, R_PA, R_BB = (turned() for _ in range(4))
    inertia = dt.Inertia(1.0, matrix=np.diag([0.2, 0.3, 0.4]))
    m.add_body("p", inertia, position=(0, 0, 1), rotation=R_P0)
    m.add_joint("hinge", dt.Revolute((1, 2, 3)), m.ground, "p", v0=2.0)
    on_parent = m.add_marker("a", "p", rotation=R_PA) if markers in ("parent", "both") else "p"
    place = {} if markers == "both" else {"position": (0, 0, 1), "rotation": R_B0}
    m.add_body("b", inertia, **place)
    on_child = m.add_marker("b0", "b", rotation=R_BB) if markers in ("child", "both") else "b"
    omega = (0.4, -3.0, 1.7)
    at = {"at": (0, 0, 1)} if markers == "none" else {}
    m.add_joint("J", kind(), on_parent, on_child, v0={"angular_velocity": omega}, **at)
    r = dt.simulate(m, 1.0, outputs=0.5)
    R_WB, R_WP = (
        np.array([dt.Rotation.from_quaternion(q).matrix for q in r[f"{body}.rotation"]]) for body in ("b", "p")
    )
    R_BM = {
        "none": R_B0.matrix.T,  # parallel to the world in the reference configuration
        "parent": R_B0.matrix.T @ R_P0.matrix @ R_PA.matrix,
        "child": R_BB.matrix,
        "both": R_BB.matrix,
    }[markers]
    relative = r["b.angular_velocity"] - r["p.angular_velocity"]
    in_M = np.einsum("nji,nj->ni", R_WB @ R_BM, relative)
    np.testing.assert_allclose(r["joint:J.v"][:, -3:], in_M, rtol=0, atol=1e-12)
    np.testing.assert_allclose(in_M[0], omega, rtol=0, atol=1e-12)
    own = np.einsum("nji,nj->ni", R_WB, r["b.angular_velocity"])
    np.testing.assert_allclose(r["b.local_angular_velocity"], own, rtol=0, atol=1e-12)
    in_body = np.einsum("nji,nj->ni", R_WB, relative)
    assert np.abs(in_body - in_M).max() > 0.1  # these are not the body's own axes
    R_PF = {"none": R_P0.matrix.T, "parent": R_PA.matrix, "both": R_PA.matrix}.get(markers)
    if R_PF is not None:
        R_FM = [dt.Rotation.from_quaternion(q[-4:]).matrix for q in r["joint:J.q"]]
        np.testing.assert_allclose(R_WP @ R_PF @ R_FM, R_WB @ R_BM, rtol=0, atol=1e-12)
