"""Cut joints that keep their coordinates: absolute coordinates, forced cuts and driven loops against joint coordinates.

The reference has the joint in its tree, with coordinates of its own; the other way splits a body and sews it together
again. Both runs have errors of about 1e-10 of the motion: what the integrator was asked for, times a growth of some
tens over these durations; forces are larger than the motion by the accelerations.
"""

from importlib import import_module

import numpy as np
import pytest

import duoti as dt
from support.random_models import random_inertia, random_pose

FINE = {"rtol": 1e-10, "atol": 1e-12}
MOTION = 1e-8


def run(model, duration=1.0, **options):
    r = dt.simulate(model, duration, **{"solver": dt.DOP853(**FINE), "outputs": duration / 40, **options})
    assert r.ok, r.reason
    return r


def assert_same(one, other, names, tolerance=MOTION):
    for name in names:
        size = max(1.0, float(np.max(np.abs(one[name]))))
        assert np.max(np.abs(one[name] - other[name])) < tolerance * size, name


def everything(m):
    """Coordinates and velocities of all joints, reactions, places of bodies."""
    names = [f"{j}.{what}" for j in m.joints for what in ("q", "v", "a", "reaction_force", "reaction_torque")]
    return names + [f"{b}.{what}" for b in m.bodies for what in ("position", "velocity")]


def random_tree(seed, bodies=4):
    """A tree of random joints with springs, motors, torques, a gear, a motion, rotors and composite joints."""
    rng = np.random.default_rng(seed)
    m = dt.Model("tree")
    places = ["ground"]
    kinds = [
        lambda: dt.Revolute(rng.normal(size=3)),
        lambda: dt.Prismatic(rng.normal(size=3)),
        lambda: dt.Universal((1, 0, 0), (0, 1, 0)),
        lambda: dt.Composite(dt.Revolute(rng.normal(size=3)), dt.Prismatic(rng.normal(size=3))),
        lambda: dt.Screw(rng.normal(size=3), lead_per_turn=0.3),
    ]
    for i in range(bodies):
        name = f"b{i}"
        m.add_body(name, random_inertia(rng), position=rng.normal(size=3), rotation=random_pose(rng).rotation)
        joint = kinds[int(rng.integers(len(kinds)))]()
        m.add_joint(
            f"J{i}", joint, places[int(rng.integers(len(places)))], name, at=rng.normal(size=3),
            q0=0.3 * rng.normal(size=joint.nq), v0=rng.normal(size=joint.nv),
            rotor_inertia=0.1 * rng.uniform(size=joint.nv),
        )  # fmt: skip
        places.append(name)
        for k in range(joint.nv):
            m.add_force(f"spring {i} {k}", dt.JointSpring(f"J{i}", stiffness=20.0, damping=0.5, coordinate=k))
    for i in (0, bodies - 1):
        reads = "J1.v[0]" if m.joints["J1"].nv > 1 else "J1.v"
        m.add_force(f"torque {i}", dt.JointTorque(f"J{i}", f"sin(3*t) - 0.1*{reads}", coordinate=0))
    return m


@pytest.mark.parametrize("seed", range(6))
def test_random_trees_in_absolute_coordinates(seed):
    m = random_tree(seed)
    relative, absolute = run(m, 0.5), run(m, 0.5, coordinates="absolute")
    assert absolute.system.topology.cut_joints == tuple(m.joints)
    assert all(layout.shadow_weld >= 0 for layout in absolute.system.joints.values())
    assert_same(relative, absolute, everything(m), 1e-7)


def geared_arm():
    """Turns many times; a gear between two joints, a prescribed joint, a rotor, an event on an angle."""
    m = dt.Model("arm")
    for i, (name, mass) in enumerate((("upper", 2.0), ("lower", 1.0), ("tool", 0.5))):
        m.add_body(name, dt.Inertia.box(mass, (0.1, 0.12, 0.5)), position=(0, 0.1 * i, -0.25 - 0.5 * i))
    m.add_body("wheel", dt.Inertia.cylinder(0.3, radius=0.1, length=0.02, axis="y"), position=(0, -0.1, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "upper", at=(0, 0, 0), v0=10.0, rotor_inertia=0.05)
    m.add_joint("B", dt.Revolute("y"), "upper", "lower", at=(0, 0.1, -0.5))
    m.add_joint("C", dt.Revolute("z"), "lower", "tool", at=(0, 0.2, -1.0))
    m.add_joint("W", dt.Revolute("y"), m.ground, "wheel", at=(0, -0.1, 0))
    m.add_constraint("gear", dt.Gear("A", "W", -3.0))
    m.add_constraint("motion", dt.JointMotion("C", "0.5*sin(4*t)"))
    m.add_force("motor", dt.JointMotor("B", stall_torque=1.0, no_load_speed=20.0))
    m.add_event("two turns", dt.Event("A.angle - 4*pi"))
    return m


SOLVERS = [dt.DOP853(**FINE), dt.Radau(rtol=1e-9, atol=1e-10), dt.GeneralisedAlpha(step=2e-4)]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: type(solver).__name__)
def test_gear_motion_motor_rotor_and_many_turns(solver):
    m = geared_arm()
    relative, absolute = run(m, 1.5), run(m, 1.5, coordinates="absolute", solver=solver)
    assert relative["A.angle"][-1] > 4 * np.pi
    # the method's own error: order two, h = 2e-4 at rates of 30 rad/s: (30 h)^2 / 12 per turn of 2 pi
    tolerance = {"DOP853": 1e-7, "Radau": 1e-6, "GeneralisedAlpha": 2e-4}[type(solver).__name__]
    assert_same(relative, absolute, everything(m) if tolerance < 1e-5 else ["A.angle", "B.angle", "W.angle"], tolerance)
    assert_same_numbers(relative.multipliers("motion"), absolute.multipliers("motion"), 100 * tolerance)
    (one,), (two,) = relative.events, absolute.events
    assert abs(one.t - two.t) < tolerance


def assert_same_numbers(one, other, tolerance):
    assert np.max(np.abs(one - other)) < tolerance * max(1.0, float(np.max(np.abs(one))))


def driven_four_bar():
    """Every joint has a spring or motor, so that any cut is one of a driven joint."""
    m = dt.Model("four-bar")
    tip, elbow, base = (0.0, 0.0, 0.4), (1.0, 0.0, 0.8), (1.2, 0.0, 0.0)
    for name, start, end in (("crank", (0, 0, 0), tip), ("coupler", tip, elbow), ("rocker", base, elbow)):
        start, end = np.array(start, float), np.array(end, float)
        length = np.linalg.norm(end - start)
        m.add_body(name, dt.Inertia.cylinder(length, 0.05, length, axis=end - start), position=(start + end) / 2)
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0), v0=3.0)
    m.add_joint("B", dt.Revolute("y"), "crank", "coupler", at=tip)
    m.add_joint("C", dt.Revolute("y"), "coupler", "rocker", at=elbow)
    m.add_joint("D", dt.Revolute("y"), m.ground, "rocker", at=base)
    for i, name in enumerate("ABCD"):
        m.add_force(f"spring {name}", dt.JointSpring(name, stiffness=2.0 + i, damping=0.1))
    return m


@pytest.mark.parametrize("cut", ["A", "B", "C", "D", "absolute"])
def test_loops_through_driven_joints(cut):
    m = driven_four_bar()
    pair = driven_four_bar()  # the same without coordinates of D: its spring as torques, from an angle that is no law's
    del pair.forces["spring D"]
    angle = "(A.angle + B.angle + C.angle)"  # D turns the rocker as A, B and C together do
    rate = "(A.rate + B.rate + C.rate)"
    pair.add_force("spring D", dt.AppliedTorque("rocker", (0, f"-5.0*{angle} - 0.1*{rate}", 0)))
    other = run(dt.compile(pair, force_cut=["D"]), 1.0)
    assert other.system.joints["D"].closure >= 0
    r = run(m, coordinates="absolute") if cut == "absolute" else run(dt.compile(m, force_cut=[cut]))
    assert r.system.joints["D" if cut == "absolute" else cut].shadow_weld >= 0
    assert_same(other, r, [f"{name}.{what}" for name in "ABCD" for what in ("angle", "rate")])
    for name in "ABCD":  # across the plane the reactions are not unique
        assert_same_numbers(other[f"{name}.reaction_force"][:, [0, 2]], r[f"{name}.reaction_force"][:, [0, 2]], 1e-7)
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def test_composite_joint_is_cut():
    """A loop closed by a composite joint that is a universal one in other words."""
    results = []
    for joint in (dt.Universal("x", "y"), dt.Composite(dt.Revolute("x"), dt.Revolute("y"))):
        m = dt.Model("loop")
        m.add_body("a", dt.Inertia.box(1.0, (1.0, 0.1, 0.1)), position=(0.5, 0, 0))
        m.add_body("b", dt.Inertia.box(1.0, (0.1, 0.1, 1.0)), position=(1.0, 0, 0.5))
        m.add_joint("A", dt.Universal("y", "z"), m.ground, "a", at=(0, 0, 0))
        m.add_joint("B", dt.Spherical(), "a", "b", at=(1, 0, 0))
        m.add_joint("C", joint, m.ground, "b", at=(1.2, 0.1, 1.0))
        results.append(run(dt.compile(m, force_cut=["C"])))
    assert [r.system.joints["C"].cut for r in results] == [True, True]
    assert_same(*results, ["C.q", "C.v", "a.position", "b.position", "C.reaction_force", "B.reaction_force"], 1e-7)


def test_weld_beside_a_split_body():
    """The flange has no mass: the half on the cut joint takes it from what the flange is welded to."""

    def flanged(weld):
        m = driven_four_bar()
        if weld:
            m.add_body("flange", dt.Inertia.point(0.0), position=(1.2, 0, 0))
            m.add_joint("W", dt.Fixed(), "rocker", "flange", at=(1.2, 0, 0.0))
            m.joints["D"].child_reference = "flange"
        return m

    plain = run(dt.compile(flanged(False), force_cut=["D"]))
    r = run(dt.compile(flanged(True), force_cut=["D"]))
    assert_same(plain, r, ["A.angle", "D.angle", "D.reaction_force"])
    # all that the flange passes on is the reaction of D: from the rocker to it, the opposite
    assert_same_numbers(r["W.reaction_force"], -r["D.reaction_force"], 1e-7)


def test_two_massless_bodies_at_a_cut():
    m = driven_four_bar()
    for name in ("coupler", "rocker"):
        m.bodies[name].inertia = dt.Inertia.point(0.0)
    with pytest.raises(dt.ModelError) as caught:
        dt.compile(m, force_cut=["C"])
    (finding,) = caught.value.report.errors
    assert (finding.code, finding.names) == ("massless-cut", ("C",))
    assert finding.what == 'joint "C" is cut between "coupler" and "rocker", neither of which has a mass'


def test_result_file_with_a_shadow_body(tmp_path):
    r = run(driven_four_bar(), 0.2, coordinates="absolute", out=tmp_path / "run.h5")
    again = dt.open_result(tmp_path / "run.h5")
    assert_same(r, again, ["D.angle", "D.reaction_force"], 1e-15)
    longer = dt.resume(tmp_path / "run.h5", duration=0.4)
    whole = run(driven_four_bar(), 0.4, coordinates="absolute")
    assert np.max(np.abs(longer["D.angle"][-1] - whole["D.angle"][-1])) < MOTION


@pytest.mark.parametrize(
    "name", ["driver_in_cab", "hoist", "motor_robot", "robot_arm", "satellite", "slider_crank", "stewart"]
)
def test_examples_in_absolute_coordinates(name):
    """Bodies and reactions of bundled examples."""
    m = import_module(f"duoti.examples.{name}").build()
    relative, absolute = run(m, 0.2, outputs=0.05), run(m, 0.2, outputs=0.05, coordinates="absolute")
    assert_same(relative, absolute, [f"{b}.{what}" for b in m.bodies for what in ("position", "angular_velocity")])
    assert_same(relative, absolute, [f"{j}.reaction_force" for j in m.joints], 1e-6)


def test_thin_rods_are_refused_in_absolute_coordinates():
    """By itself a body without a moment about an axis could turn about it at any rate."""
    m = import_module("duoti.examples.double_pendulum").build()
    with pytest.raises(
        dt.ModelError, match=r'"upper": nothing resists turning about its axis(.|\n)*coordinates="relative"'
    ):
        dt.simulate(m, 0.1, coordinates="absolute")
