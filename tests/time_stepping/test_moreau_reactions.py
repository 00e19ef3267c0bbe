"""Reactions and accelerations of runs by time stepping: means over the step, impacts included."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

G = 9.81
PLANE = dt.Shape.plane()


def four_bar():
    """The foot of a four-bar, welded to the coupler, pushes a block against a spring; "C" is cut."""
    m = dt.Model("four bar")
    crank = m.add_body("crank", dt.Inertia.rod(1.0, length=0.4, axis="z"), position=(0, 0, 0.2))
    coupler = m.add_body("coupler", dt.Inertia.rod(2.0, length=0.8, axis="x"), position=(0.4, 0, 0.4))
    rocker = m.add_body("rocker", dt.Inertia.box(1.5, size=(0.05, 0.05, 0.6)), position=(0.8, 0, 0.1))
    foot = m.add_body("foot", dt.Inertia.box(0.5, size=(0.1, 0.1, 0.1)), position=(0.5, 0, 0.5))
    block = m.add_body("block", dt.Inertia.box(1.0, size=(0.1, 0.2, 0.4)), position=(0.61, 0, 0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0), v0=2.0)
    m.add_joint("B", dt.Revolute("y"), crank, coupler, at=(0, 0, 0.4))
    m.add_joint("C", dt.Spherical(), coupler, rocker, at=(0.8, 0, 0.4))
    m.add_joint("D", dt.Universal("y", "x"), rocker, m.ground, at=(0.8, 0, -0.2))
    m.add_joint("W", dt.Fixed(), coupler, foot, at=(0.5, 0, 0.45))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, block)
    m.add_force("spring", dt.JointSpring("rail", stiffness=100.0, damping=2.0))
    m.add_constraint("drive", dt.JointMotion("A", "2*t + 3*t^2"))
    shapes = (dt.Shape.sphere(0.05), dt.Shape.box((0.1, 0.2, 0.4)))
    m.add_contact("touch", dt.RigidContact(friction=0.2), foot, block, shapes=shapes)
    return m


CHANNELS = [f"{joint}.reaction_{what}" for joint in ("A", "B", "C", "D", "W", "rail") for what in ("force", "torque")]
CHANNELS += ["drive.torque", "drive.power", "coupler.acceleration", "foot.angular_acceleration", "B.a", "rail.a"]


def test_all_channels_come_to_those_of_an_event_driven_run():
    """Of first order in the step: half the step, half the distance from it, in trees, at cuts, welds and drives."""
    m = four_bar()
    event_driven = dt.simulate(m, 0.15, solver=dt.DOPRI5(), outputs=0.01)
    runs = [dt.simulate(m, 0.15, solver=dt.Moreau(step=h), outputs=0.01) for h in (1e-3, 5e-4)]
    for name in CHANNELS:
        size = np.max(
            np.abs(event_driven[name][3:])
        )  # after the impact, which has its instant in one and its step in the other
        coarse, fine = (np.max(np.abs(r[name] - event_driven[name])[3:]) for r in runs)
        assert coarse < 1e-2 * max(size, 1.0), name
        if coarse > 1e-9 * max(size, 1.0):  # some are zero
            assert fine == pytest.approx(0.5 * coarse, rel=0.15), name
    for r in runs:
        assert np.max(np.abs(r.time_stepping.left_over)) < 1e-11 * np.max(np.abs(r["A.reaction_force"]))  # round-off


def leg(bend):
    """A trunk on a vertical rail stands on a leg of two bars, with a torque in its knee that keeps it from folding."""
    m = dt.Model("leg")
    d, z = 0.15, 0.3  # knee in front of hip and foot; half the height
    trunk = m.add_body("trunk", dt.Inertia.box(10.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 2 * z + 0.1))
    thigh = m.add_body("thigh", dt.Inertia.box(2.0, size=(0.1, 0.1, 0.3)), position=(d / 2, 0, 1.5 * z))
    shank = m.add_body("shank", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.3)), position=(d / 2, 0, 0.5 * z))
    m.add_joint("rail", dt.Prismatic("z"), m.ground, trunk)
    m.add_joint("hip", dt.Revolute("y"), trunk, thigh, at=(0, 0, 2 * z))
    m.add_joint("knee", dt.Revolute("y"), thigh, shank, at=(d, 0, z))
    m.add_force("muscle", dt.JointTorque("knee", bend(d, z)[1]))
    toe = m.add_marker("toe", shank, position=(-d / 2, 0, -0.5 * z))
    m.add_contact("floor", dt.RigidContact(friction=1.0), m.ground, toe, shapes=(PLANE, dt.Shape.point()))
    return m, bend(d, z)[0]


def test_a_leg_that_stands_is_in_the_balance_of_statics():
    """Weights of 10, 2 and 1 kg: moments about the knee of what is below it and of what is above it tell the friction
    F of the floor and the torque of the knee on the shank (about y)."""

    def bend(d, z):
        below = np.array([z, 1.0]), (13 - 1 / 2) * G * -d  # F z + torque = -(N d - W d/2)
        above = np.array([-z, 1.0]), (10 + 2 / 2) * G * -d
        return np.linalg.solve(np.array([below[0], above[0]]), [below[1], above[1]])

    m, friction = leg(bend)
    r = dt.simulate(m, 0.05, solver=dt.Moreau(step=1e-3))
    assert r.ok
    weight = 13 * G
    assert r["floor.force"][1:] == pytest.approx(np.tile((-friction, 0, weight), (len(r) - 1, 1)), abs=1e-6 * weight)
    for k in (0, 1, -1):  # at the start, forces of joints are those of the first step
        assert r["knee.reaction_force"][k] == pytest.approx((friction, 0, G - weight), abs=1e-6 * weight)
        assert r["hip.reaction_force"][k] == pytest.approx((friction, 0, -10 * G), abs=1e-6 * weight)
        assert r["rail.reaction_force"][k] == pytest.approx((friction, 0, 0), abs=1e-6 * weight)
    assert np.max(np.abs(r["trunk.acceleration"])) < 1e-6  # the balance is unstable: e-fold in about 0.1 s, from 1e-8


def rod_at_a_wall(distance):
    """A rod that swings through the vertical, where its tip meets a wall; without gravity."""
    m = dt.Model("rod", gravity=(0, 0, 0))
    rod = m.add_body("rod", dt.Inertia.rod(1.5, length=0.8, axis="z"), position=(0, 0, -0.4))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.1, v0=-2.0)
    tip = m.add_marker("tip", rod, position=(0, 0, 0.4 - distance))
    wall = m.add_marker("wall", m.ground, rotation=dt.Rotation.about("y", -np.pi / 2))
    m.add_contact("wall", dt.RigidContact(), wall, tip, shapes=(PLANE, dt.Shape.point()))
    return m


@pytest.mark.parametrize("distance", [0.8, 0.8 * 2 / 3])
def test_an_impact_is_impulse_over_step(distance):
    """A rod of mass m that stops at a wall: I w / d at the wall, m w l / 2 in all; none at the pivot for d = 2/3 l."""
    h, mass, length, speed = 1e-4, 1.5, 0.8, 2.0
    r = dt.simulate(rod_at_a_wall(distance), 0.1, solver=dt.Moreau(step=h), outputs="steps")
    at_wall = mass * length**2 / 3 * speed / distance
    k = int(np.argmax(r["wall.normal_force"]))
    # the step has it at up to h w from the vertical: 1/2 (h w)² in the arm
    assert h * r["wall.normal_force"][k] == pytest.approx(at_wall, rel=(h * speed) ** 2)
    pivot = abs(at_wall - mass * speed * length / 2)
    # beside the impulse there is the centrifugal force, h m w² l/2 along the rod, which is at h w from the vertical
    assert abs(h * r["A.reaction_force.x"][k]) == pytest.approx(pivot, abs=h * speed * mass * speed * length)
    assert h * r["A.a"][k] == pytest.approx(speed, rel=1e-9)
    assert h * r["rod.angular_acceleration.y"][k] == pytest.approx(speed, rel=1e-9)


def standing(solver):
    """A column of three boxes, the two lower ones welded, on a floor."""
    m = dt.Model("column")
    size = (0.2, 0.2, 0.2)
    for k in range(3):
        m.add_body(f"b{k}", dt.Inertia.box(1.0 + k, size=size), position=(0.05 * k, 0, 0.1 + 0.2 * k))
    m.add_joint("free", dt.Free(), m.ground, "b0")
    m.add_joint("weld", dt.Fixed(), "b0", "b1", at=(0, 0, 0.2))
    m.add_joint("hinge", dt.Revolute("y"), "b1", "b2", at=(0.1, 0, 0.4))
    m.add_contact("floor", dt.RigidContact(friction=0.5), m.ground, "b0", shapes=(PLANE, dt.Shape.box(size)))
    return dt.simulate(m, 0.02, solver=solver)


@pytest.mark.parametrize("solver", [dt.Moreau(step=1e-3), dt.DOPRI5()], ids=["time-stepping", "event-driven"])
def test_a_weld_above_a_contact_bears_what_is_above_it(solver):
    """The contact is below the weld: b1 (2 kg) and b2 (3 kg) hang on it, at 0.05 and 0.1 m from the axis of b0."""
    r = standing(solver)
    assert r.ok
    assert r["weld.reaction_force"][-1] == pytest.approx((0, 0, 5 * G), abs=1e-8)
    assert r["weld.reaction_torque"][-1] == pytest.approx((0, -(2 * 0.05 + 3 * 0.1) * G, 0), abs=1e-8)
    assert r["hinge.reaction_force"][-1] == pytest.approx((0, 0, 3 * G), abs=1e-8)
    assert r["free.reaction_force"][-1] == pytest.approx((0, 0, 0), abs=1e-8)


def test_a_weld_below_a_body_that_touches_knows_the_contact():
    """The same upside down, event-driven and time-stepping: what touches is welded to what hangs."""
    m = dt.Model("shelf")
    arm = m.add_body("arm", dt.Inertia.box(1.0, size=(0.4, 0.1, 0.02)), position=(0.2, 0, 0.5))
    pad = m.add_body("pad", dt.Inertia.box(0.5, size=(0.1, 0.1, 0.02)), position=(0.4, 0, 0.48))
    m.add_joint("A", dt.Revolute("y"), m.ground, arm, at=(0, 0, 0.5))
    m.add_joint("weld", dt.Fixed(), arm, pad, at=(0.4, 0, 0.49))
    prop = m.add_marker("prop", m.ground, (0, 0, 0.47))
    tip = m.add_marker("tip", pad, position=(0, 0, -0.01))
    m.add_contact("prop", dt.RigidContact(), prop, tip, shapes=(PLANE, dt.Shape.point()))
    bears = (1.0 * 0.2 + 0.5 * 0.4) / 0.4 * G
    for solver in (dt.Moreau(step=1e-3), dt.DOPRI5()):
        r = dt.simulate(m, 0.02, solver=solver)
        assert r["prop.normal_force"][-1] == pytest.approx(bears, rel=1e-9)
        assert r["weld.reaction_force.z"][-1] == pytest.approx(0.5 * G - bears, rel=1e-9)
        assert r["A.reaction_force.z"][-1] == pytest.approx(1.5 * G - bears, rel=1e-9)


def test_free_bodies_have_accelerations_and_no_reactions():
    m = dt.Model("sliding")
    box = m.add_body("box", dt.Inertia.box(2.0, size=(0.2, 0.2, 0.1)), position=(0, 0, 0.05))
    m.add_joint("free", dt.Free(), m.ground, box, v0=[1.0, 0, 0, 0, 0, 0])
    m.add_contact("floor", dt.RigidContact(friction=0.3), m.ground, box, shapes=(PLANE, dt.Shape.box((0.2, 0.2, 0.1))))
    r = dt.simulate(m, 0.1, solver=dt.Moreau(step=1e-3))
    assert r["box.acceleration"] == pytest.approx(np.tile((-0.3 * G, 0, 0), (len(r), 1)), abs=1e-8)
    assert not np.any(r["free.reaction_force"])
    assert len(r.record_layout.columns_of("middle")) == 0  # free bodies by the thousand are not kept twice


def test_files_hold_what_the_run_knows(tmp_path):
    m = four_bar()
    run = dt.simulate(m, 0.02, solver=dt.Moreau(step=1e-3))
    run.save(tmp_path / "saved.h5")
    dt.simulate(m, 0.02, solver=dt.Moreau(step=1e-3), out=tmp_path / "written.h5")
    for name in ("saved.h5", "written.h5"):
        opened = dt.open_result(tmp_path / name)
        for channel in CHANNELS:
            assert np.array_equal(opened[channel], run[channel]), channel
        units = dict(zip(opened.record_layout.columns, opened.record_layout.units, strict=True))
        assert units["body:foot.push[3]"] == "N"
        assert "m/s²" in units.values()


def rubbing_arm():
    """Two links, the second on a hinge with friction from its load; its tip falls on a floor and slides."""
    m = dt.Model("arm")
    a = m.add_body("a", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0.5))
    b = m.add_body("b", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(1.5, 0, 0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, a, at=(0, 0, 0.5))
    m.add_joint("B", dt.Revolute("y"), a, b, at=(1, 0, 0.5))
    m.add_force("rub", dt.JointFriction("B", friction=0.2, radius=0.05))
    tip = m.add_marker("tip", b, position=(0.5, 0, 0))
    m.add_contact("floor", dt.RigidContact(friction=0.2), m.ground, tip, shapes=(PLANE, dt.Shape.point()))
    return m


def test_friction_of_joints_is_known_beside_contacts():
    m = rubbing_arm()
    event_driven = dt.simulate(m, 0.4, solver=dt.DOPRI5(), outputs=0.01)
    runs = [dt.simulate(m, 0.4, solver=dt.Moreau(step=h), outputs=0.01) for h in (1e-3, 5e-4)]
    slides = (event_driven["floor.state"] == 2) & (event_driven.t > event_driven.impacts[-1].time + 0.01)
    assert np.count_nonzero(slides) > 5
    for at in (event_driven.t < 0.25, slides):
        for name in ("rub.torque", "rub.load", "rub.bound", "rub.power_dissipated", "B.reaction_force"):
            size = np.max(np.abs(event_driven[name][at]))
            coarse, fine = (np.max(np.abs(r[name] - event_driven[name])[at]) for r in runs)
            assert coarse < 0.03 * size, name
            assert fine < 0.65 * coarse, name  # of first order; a half, but for where events lie within steps
    for r in runs:
        assert np.max(np.abs(r.time_stepping.left_over)) < 1e-9 * np.max(np.abs(r["A.reaction_force"]))


def test_a_stop_bears_what_lies_on_it():
    """A shelf on a hinge rests at its limit; a ball lies on it at 0.6 m from the hinge."""
    m = dt.Model("shelf")
    shelf = m.add_body("shelf", dt.Inertia.box(2.0, size=(1.0, 0.2, 0.02)), position=(0.5, 0, -0.01))
    ball = m.add_body("ball", dt.Inertia.sphere(3.0, radius=0.1), position=(0.6, 0, 0.1))
    m.add_joint("A", dt.Revolute("y"), m.ground, shelf, at=(0, 0, -0.01), limits=[(-1.0, 0.0)])
    m.add_joint("free", dt.Free(), m.ground, ball)
    shapes = (dt.Shape.box((1.0, 0.2, 0.02)), dt.Shape.sphere(0.1))
    m.add_contact("touch", dt.RigidContact(friction=0.5), shelf, ball, shapes=shapes)
    for solver in (dt.Moreau(step=1e-3), dt.DOPRI5()):
        r = dt.simulate(m, 0.05, solver=solver)
        assert r["A.stop.torque"][-1] == pytest.approx(-(2.0 * 0.5 + 3.0 * 0.6) * G, rel=1e-9)
        assert r["A.reaction_force"][-1] == pytest.approx((0, 0, 5.0 * G), abs=1e-8)


def balls_and_springs(law):
    m = dt.Model("balls")
    m.ground.shapes.append(PLANE)
    for k in range(2):
        inertia = dt.Inertia.sphere(1.0, radius=0.1)
        m.add_body(f"b{k}", inertia, position=(0.4 * k, 0, 0.1), shapes=[dt.Shape.sphere(0.1)])
        m.add_joint(f"f{k}", dt.Composite.of_axes("xyz", "xyz"), m.ground, f"b{k}", v0=[0.5, 0, -0.1 * k, 0, 3.0, 1.0])
    m.add_force("spring", dt.SpringDamper("b0", "b1", stiffness=300.0, damping=1.0, rest_length=0.35))
    for k in range(2):
        m.add_contact(f"touch{k}", law, m.ground, f"b{k}")
    return m


@pytest.mark.parametrize("implicit", [False, True])
def test_the_balance_of_a_step_is_whole(implicit):
    """What contacts with resistance and forces by elements do is all that moves the bodies: nothing is left over.

    Implicit forces are taken at the mean of the step by their derivatives: there, second order of the step is left.
    """
    law = dt.RigidContact(friction=0.4, rolling_friction=0.0 if implicit else 0.01)
    r = dt.simulate(balls_and_springs(law), 0.05, solver=dt.Moreau(step=1e-3, implicit=implicit))
    size = np.max(np.abs(r["touch0.force"]))
    assert np.max(np.abs(r.time_stepping.left_over)) < (1e-4 if implicit else 1e-11) * size


def test_old_files_say_what_they_lack(tmp_path):
    """A record of contacts alone, as earlier versions wrote it."""
    from duoti.integrate.record import record_of_contacts

    r = dt.simulate(rubbing_arm(), 0.01, solver=dt.Moreau(step=1e-3))
    layout = record_of_contacts(r.system)
    old = type(r)(
        r.system, r.t, r.states, True, "end", r.stats, record=r.record[:, : layout.size], record_layout=layout
    )
    with pytest.raises(Exception, match="are not in this file"):
        old["A.reaction_force"]
    with pytest.raises(Exception, match="did not record"):
        old["rub.torque"]
