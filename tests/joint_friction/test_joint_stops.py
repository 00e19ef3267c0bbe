"""Limits of joints act as stops: closed forms of impacts, rest at a stop and release."""

from __future__ import annotations

import math

import numpy as np
import pytest

import duoti as dt

G = 9.81


def falling(limits=((0.0, 10.0),), q0=1.0, stop=None, force=None):
    m = dt.Model("falling", gravity=(0, 0, -G))
    body = m.add_body("body", dt.Inertia.point(2.0))
    m.add_joint("Z", dt.Prismatic("z"), m.ground, body, q0=q0, limits=list(limits))
    if stop is not None:
        m.add_force("stop", dt.JointStop("Z", **stop))
    if force is not None:
        m.add_force("lift", dt.JointTorque("Z", force))
    return m


@pytest.mark.parametrize("solver", [None, dt.Radau(), dt.GeneralisedAlpha(step=1e-3)])
def test_a_plastic_stop(solver):
    r = dt.simulate(falling(), 1.0, outputs=0.05, solver=solver)
    hit = math.sqrt(2.0 / G)
    assert r.ok
    assert [e.t for e in r.events] == pytest.approx([hit], abs=1e-8 if solver is None else 1e-6)
    assert r["Z.position"] == pytest.approx(np.where(r.t < hit, 1.0 - 0.5 * G * r.t**2, 0.0), abs=1e-6)
    after = r.t > hit + 1e-3
    assert np.all(r["Z.velocity"][after] == 0.0)
    assert np.ptp(r["Z.position"][after]) == 0.0
    assert r["Z.stop.force"][after] == pytest.approx(2.0 * G, rel=1e-9)
    assert r.energy.dissipated[-1] == pytest.approx(2.0 * G * 1.0, rel=1e-6)
    assert np.abs(r.energy.residual).max() < 1e-5
    assert r.stats.notes == ()


def test_bounces_with_restitution_end_in_rest():
    e = 0.5
    r = dt.simulate(falling(stop={"restitution": e}), 2.5, outputs=0.01)
    hit = math.sqrt(2.0 / G)
    times = hit * (1.0 + 2.0 * np.array([sum(e**k for k in range(1, n + 1)) for n in range(12)]))
    assert [event.t for event in r.events[:12]] == pytest.approx(times, abs=1e-7)
    end = hit * (1.0 + 2.0 * e / (1.0 - e))
    assert np.all(np.abs(r["Z.position"][r.t > end + 1e-3]) < 1e-9)
    peak = r["Z.position"][(r.t > hit) & (r.t < times[1])].max()
    assert peak == pytest.approx(e**2, abs=1e-4)  # outputs every 10 ms miss the peak by up to g/2 (5 ms)^2
    assert np.abs(r.energy.residual).max() < 1e-5


def test_release():
    # lifted with 20 t [N] from rest at the stop: leaves when 20 t = m g
    r = dt.simulate(falling(q0=0.0, force="20*t"), 1.5, outputs=0.1)
    leave = 2.0 * G / 20.0
    assert [e.t for e in r.events] == pytest.approx([leave], abs=1e-9)
    s = np.maximum(r.t - leave, 0.0)
    assert r["Z.position"] == pytest.approx(10.0 * s**3 / 6.0, abs=1e-7)


def test_a_pendulum_hits_its_stop():
    m = dt.Model("swing", gravity=(0, 0, -G))
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=1.0, limits=[(0.2, 3.0)])
    m.add_force("buffer", dt.JointStop("A", restitution=0.6))
    r = dt.simulate(m, 1.0, outputs=0.01)
    k = 3.0 * G  # rate² = 3 g (cos q - cos q0) from rest
    hit = r.events[0].t
    before, after = r["A.rate"][r.t < hit][-1], r["A.rate"][r.t > hit][0]
    speed = math.sqrt(k * (math.cos(0.2) - math.cos(1.0)))
    # between an output and the impact there are at most 10 ms of an acceleration of at most 1.5 g sin(0.3)
    assert -before == pytest.approx(speed, abs=0.05)
    assert after == pytest.approx(0.6 * speed, abs=0.05)
    assert r.energy.dissipated[-1] == pytest.approx(0.5 * (1 - 0.36) * speed**2 / 3.0, rel=1e-6)
    assert r["A.angle"].min() > 0.2 - 1e-9


def test_a_compliant_stop_is_a_spring():
    r = dt.simulate(falling(q0=0.0, stop={"stiffness": 2e4}), 1.0, outputs=1e-3, rtol=1e-10, atol=1e-12)
    # falls from the limit into the spring: oscillates about m g / k with its own amplitude
    x = 2.0 * G / 2e4
    assert r["Z.position"].min() == pytest.approx(-2.0 * x, rel=1e-3)
    assert np.abs(r.energy.residual).max() < 1e-6
    soft = dt.simulate(falling(stop={"stiffness": 2e4, "damping": 0.2}), 3.0, outputs=0.1)
    # restitution of Hunt and Crossley's spring for slow impacts: e = 1 - (2/3) damping v; here 1 - 0.59, roughly
    peak = soft["Z.position"][(soft.t > 0.5) & (soft.t < 1.0)].max()
    assert 0.3**2 < peak < 0.65**2


def test_a_joint_that_starts_beyond_its_limit_is_stopped_once_it_is_back():
    m = falling(limits=((0.0, 0.5),), q0=1.0)
    (finding,) = dt.check(m).warnings
    assert finding.code == "limits"
    assert "outside its limits" in finding.what
    with pytest.warns(dt.errors.SimulationWarning, match="outside their limits"):
        r = dt.simulate(m, 1.0, outputs=0.05)
    assert r["Z.position"][0] == 1.0
    assert np.all(r["Z.position"][-3:] == 0.0)


def parallelogram(limited):
    """It falls until one of its cranks comes to its stop at 1.2 rad."""
    m = dt.Model("parallelogram", gravity=(0, 0, -G))
    for name, x in (("left", 0.0), ("right", 1.0)):
        m.add_body(name, dt.Inertia.rod(1.0, length=0.5, axis="z"), position=(x, 0, 0.25))
    m.add_body("top", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0.5))
    stop = {limited: {"limits": [(-1.0, 1.2)]}}
    m.add_joint("A", dt.Revolute("y"), m.ground, "left", at=(0, 0, 0), q0=0.1, **stop.get("A", {}))
    m.add_joint("B", dt.Revolute("y"), "left", "top", at=(0, 0, 0.5))
    m.add_joint("C", dt.Revolute("y"), "top", "right", at=(1, 0, 0.5))
    m.add_joint("D", dt.Revolute("y"), m.ground, "right", at=(1, 0, 0), **stop.get("D", {}))
    return m


def test_a_loop_with_a_stop():
    r = dt.simulate(parallelogram("D"), 2.0, outputs=0.02)
    assert r.ok
    assert r["A.angle"][-1] == pytest.approx(1.2, abs=1e-7)
    assert r["D.angle"][-1] == pytest.approx(1.2, abs=1e-7)
    drop = G * (2 * 1.0 * 0.25 + 2.0 * 0.5) * (math.cos(0.1) - math.cos(1.2))
    assert r.energy.dissipated[-1] == pytest.approx(drop, rel=1e-6)  # all of the energy of the fall
    # the stop bears what gravity does in the one freedom
    assert r["D.stop.torque"][-1] == pytest.approx(-G * 1.5 * math.sin(1.2), rel=1e-6)


def test_faults_of_stops():
    m = falling()
    m.add_joint("free", dt.Prismatic("x"), m.ground, m.add_body("other", dt.Inertia.point(1.0)))
    m.add_force("d", dt.JointStop("free"))
    m.add_force("a", dt.JointStop("Z", restitution=1.5))
    m.add_force("b", dt.JointStop("free", stiffness=10.0, restitution=0.5))
    m.add_force("c", dt.JointStop("Z", damping=3.0))
    text = str(dt.check(m))
    assert "restitution is 1.5" in text
    assert "a spring has no restitution" in text
    assert "rigid stop has no damping" in text
    assert 'joint "free" has no limits' in text


# ------------------------------------------------------------------------------------------------------ time stepping


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_stops_in_time_stepping(restitution):
    h = 1e-4
    r = dt.simulate(falling(stop={"restitution": restitution}), 2.5, outputs=0.05, solver=dt.Moreau(h))
    exact = dt.simulate(falling(stop={"restitution": restitution}), 2.5, outputs=0.05)
    # an impact is late by up to a step: then the speed of 4.4 m/s is wrong for that long, and again at each bounce
    assert np.abs(r["Z.position"] - exact["Z.position"][np.searchsorted(exact.t, r.t - 1e-9)]).max() < 10 * h
    assert np.all(r["Z.position"][-3:] == 0.0)
    assert np.all(r["Z.velocity"][-3:] == 0.0)
    assert r["Z.stop"][-1] == -1.0
    assert r["stop.force"][-1] == pytest.approx(2.0 * G, rel=1e-9)
    assert abs(r.energy.residual[-1]) < 20 * h  # of 19.6 J


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.Moreau(1e-3)])
def test_stops_of_joints_beside_contacts(solver):
    """A leg with limits under a body on a slide: at the limit it carries, and the foot stands on the ground."""
    m = dt.Model("leg", gravity=(0, 0, -G))
    m.add_body("body", dt.Inertia.box(5.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.5))
    m.add_body("foot", dt.Inertia.sphere(1.0, radius=0.05), position=(0, 0, 0.06))
    m.add_joint("slide", dt.Prismatic("z"), m.ground, "body")
    m.add_joint("leg", dt.Prismatic("z"), "body", "foot", limits=[(-0.1, 0.1)])
    m.add_contact("sole", dt.RigidContact(friction=0.5), m.ground, "foot",
                  shapes=(dt.Shape.plane(), dt.Shape.sphere(0.05)))  # fmt: skip
    r = dt.simulate(m, 1.0, outputs=0.1, solver=solver)
    # the foot falls 1 cm, the body by the 10 cm more that the leg can give way
    assert r["leg.position"][-1] == pytest.approx(0.1, abs=1e-9)
    assert r["foot.position.z"][-1] == pytest.approx(0.05, abs=1e-6)
    assert np.abs(r["slide.velocity"][-3:]).max() < 1e-8  # contacts and joints are solved in turn, to 1e-10 of g h
    assert r["sole.normal_force"][-1] == pytest.approx(6.0 * G, rel=1e-6)


def test_a_loop_with_a_stop_in_time_stepping():
    r = dt.simulate(parallelogram("A"), 1.5, outputs=0.1, solver=dt.Moreau(1e-3))
    assert r.ok
    assert r["D.angle"][-1] == pytest.approx(1.2, abs=1e-6)
    assert np.abs(r["A.rate"][-3:]).max() < 1e-9


@pytest.mark.parametrize("with_contact", [False, True])
def test_impacts_at_stops_are_recorded(with_contact: bool) -> None:
    """A rod falls onto its stop: angular impulse (1 + e) I w about the axis, and the energy that is lost.

    From rest in the horizontal to 0.5 rad: I w^2 / 2 = m g (l/2) sin 0.5. A ball far away does not matter.
    """
    m, e, length = dt.Model("rod"), 0.6, 1.0
    rod = m.add_body("rod", dt.Inertia.box(2.0, size=(length, 0.02, 0.02)), position=(length / 2, 0, 0))
    m.add_joint("hinge", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), limits=(-1.0, 0.5))
    m.add_force("stop", dt.JointStop("hinge", restitution=e))
    if with_contact:
        ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(5.0, 0, 0.1))
        m.add_joint("free", dt.Free(), m.ground, ball)
        m.add_contact("floor", dt.RigidContact(), m.ground, ball, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    r = dt.simulate(m, 0.6, outputs=0.01, solver="dopri5", rtol=1e-11, atol=1e-13)
    assert r.ok, r.reason
    first, inertia = r.impacts[0], 2.0 * (length**2 + 0.02**2) / 12.0 + 2.0 * (length / 2) ** 2
    speed = float(np.sqrt(2.0 * 2.0 * 9.81 * 0.5 * length * np.sin(0.5) / inertia))
    assert first.contact == "hinge.stop"
    assert first.impulse == pytest.approx([0.0, -(1.0 + e) * inertia * speed, 0.0], rel=1e-8, abs=1e-12)
    assert first.point == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)
    assert first.normal_speed == pytest.approx((-speed, e * speed), rel=1e-8)
    assert first.energy_lost == pytest.approx(0.5 * inertia * speed**2 * (1.0 - e**2), rel=1e-8)
    lost = r.energy.dissipated[-1] - r.energy.dissipated[0]
    assert sum(each.energy_lost for each in r.impacts if each.contact == "hinge.stop") == pytest.approx(lost, rel=1e-9)


def test_impacts_at_stops_are_in_files(tmp_path) -> None:
    """Limits of a slider: an impulse m u along the axis in the world."""
    m = dt.Model("slider")
    b = m.add_body("b", dt.Inertia.sphere(2.0, radius=0.1))
    m.add_joint("guide", dt.Prismatic("z"), m.ground, b, limits=(-0.5, 1.0))
    r = dt.simulate(m, 0.5, outputs=0.1, solver="dopri5", out=tmp_path / "run.h5")
    (impact,) = dt.open_result(tmp_path / "run.h5").impacts
    assert [each.contact for each in r.impacts] == [impact.contact] == ["guide.stop"]
    assert impact.impulse == pytest.approx([0.0, 0.0, 2.0 * np.sqrt(2.0 * 9.81 * 0.5)], rel=1e-7)
