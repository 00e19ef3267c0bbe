"""Friction in every type of joint, self-locking, jams, stops and springs in contact, against closed forms.

Forces in these motions are constant or smooth, so that event-driven runs are right to rtol 1e-8 and time stepping to
the step in which a joint comes to rest.
"""

from __future__ import annotations

from math import atan, cos, hypot, pi, radians, sin, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import duoti as dt

G = 9.81
BOTH = [None, dt.Moreau(step=1e-3)]
ENGINES = pytest.mark.parametrize("solver", BOTH, ids=["event-driven", "time-stepping"])


def rubbed(inertia, joint, law, v0, position=(0, 0, 0), gravity=(0, 0, -G)):
    m = dt.Model("rubbed joint", gravity=gravity)
    b = m.add_body("b", inertia, position=position)
    m.add_joint("A", joint, m.ground, b, at=(0, 0, 0), v0=v0)
    m.add_force("rub", law)
    return m


def ran(model, duration, solver=None):
    r = dt.simulate(model, duration, solver=solver)
    assert r.ok, r.reason
    return r


@ENGINES
def test_flywheel_on_its_collar(solver):
    """A vertical axle: the axial force alone rubs, at the radius of the collar, and there need not be another one."""
    m = rubbed(
        dt.Inertia.cylinder(6.0, radius=0.2, length=0.05, axis="z"), dt.Revolute("z"),
        dt.JointFriction("A", friction=0.15, axial_radius=0.03), 8.0,
    )  # fmt: skip
    r, slows = ran(m, 4.0, solver), 0.15 * 0.03 * 6 * G / (6 * 0.2**2 / 2)
    assert r["A.angle"][-1] == pytest.approx(8.0**2 / 2 / slows, abs=1e-5)  # in the last step it goes at most a h² / 2
    assert r["rub.torque"][0] == pytest.approx(-0.15 * 0.03 * 6 * G, rel=1e-9)
    assert r["rub.mode"][-1] == 1
    m.forces["rub"].bending_arm = 0.1
    assert "bending_arm has no effect without a radius" in str(dt.check(m))
    m.forces["rub"].axial_radius = None
    assert "needs a radius or axial_radius" in str(dt.check(m))


@ENGINES
def test_wheel_beside_its_bearings(solver):
    m = rubbed(
        dt.Inertia.cylinder(4.0, radius=0.2, length=0.05, axis="y"), dt.Revolute("y"),
        dt.JointFriction("A", friction=0.1, radius=0.02, bending_arm=0.1), -20.0, position=(0, 0.3, 0),
    )  # fmt: skip
    torque = 0.1 * 0.02 * 4 * G * (1 + 0.3 / 0.1)
    r = ran(m, 2.0, solver)
    assert r["A.rate"][-1] == pytest.approx(-20 + torque / (4 * 0.2**2 / 2) * 2.0, abs=1e-9)


@ENGINES
@pytest.mark.parametrize("v0", [1.0, -1.0])
def test_slider_whose_mass_is_beside_its_axis(solver, v0):
    """On an incline; the force that slows it bends it in its guide: m a = m g_x - mu (F + 2/overlap M + T/arm)."""
    tilt, mass, mu, place = radians(35), 2.0, 0.3, np.array([0, 0.1, 0.2])
    gravity = np.array([G * sin(tilt), 0, -G * cos(tilt)])
    law = dt.JointFriction("A", friction=mu, overlap=0.5, torsion_arm=0.25)
    m = rubbed(dt.Inertia.box(mass, size=(0.2, 0.2, 0.2)), dt.Prismatic("x"), law, v0, tuple(place), tuple(gravity))

    def friction(a):
        moment = np.cross(place, mass * (np.array([a, 0, 0]) - gravity))
        return mu * (mass * G * cos(tilt) + 2 / 0.5 * hypot(moment[1], moment[2]) + abs(moment[0]) / 0.25)

    a = brentq(lambda a: mass * (a - gravity[0]) + np.sign(v0) * friction(a), -50, 50)
    r = ran(m, 0.09, solver)
    assert r["A.position"][-1] == pytest.approx(v0 * 0.09 + a * 0.09**2 / 2, abs=1e-9)
    assert r["rub.force"][-1] == pytest.approx(-np.sign(v0) * friction(a), rel=1e-7)


@ENGINES
def test_ball_joint_and_plane(solver):
    """Friction against the direction of motion, which stays: turning at 5 rad/s, sliding at sqrt(5) m/s."""
    law = dt.JointFriction("A", friction=0.2, radius=0.04)
    r = ran(rubbed(dt.Inertia.sphere(3.0, radius=0.1), dt.Spherical(), law, [3.0, 4.0, 0]), 0.2, solver)
    slows = 0.2 * 0.04 * 3 * G / (0.4 * 3 * 0.1**2)
    assert r["b.angular_velocity"][-1] == pytest.approx((5 - 0.2 * slows) * np.array([0.6, 0.8, 0]), abs=1e-6)
    law = dt.JointFriction("A", friction=0.25, radius=0.1)
    r = ran(rubbed(dt.Inertia.box(3.0, size=(0.3, 0.3, 0.1)), dt.Planar("z"), law, [1.0, 2.0, 0]), 1.5, solver)
    assert r["A.q"][-1] == pytest.approx(np.array([1, 2, 0]) * sqrt(5) / (2 * 0.25 * G), abs=3e-6)  # a h²


def test_cylindrical_joint_turns_and_slides():
    """Both motions share one friction force; their ratio changes, since they are of different inertia."""
    mass, radius, arm, mu = 3.0, 0.1, 0.05, 0.25
    law = dt.JointFriction("A", friction=mu, radius=arm)
    inertia = dt.Inertia.cylinder(mass, radius=radius, length=0.3, axis="x")
    m = rubbed(inertia, dt.Cylindrical("x"), law, [1.0, 20.0])

    def motion(t, y):
        force = -mu * mass * G * np.array([y[2], arm * y[3]]) / hypot(y[2], arm * y[3])
        return [y[2], y[3], force[0] / mass, arm * force[1] / (mass * radius**2 / 2)]

    end = solve_ivp(motion, (0, 0.8), [0, 0, 1, 20], rtol=1e-10, atol=1e-12).y[:, -1]
    assert ran(m, 0.8)["A.q"][-1] == pytest.approx(end[:2], abs=1e-7)
    assert ran(m, 0.8, dt.Moreau(step=1e-3))["A.q"][-1] == pytest.approx(end[:2], abs=2e-3)
    assert ran(m, 0.8, dt.Moreau(step=1e-4))["A.q"][-1] == pytest.approx(end[:2], abs=2e-4)


@ENGINES
@pytest.mark.parametrize(
    ("mu", "lead", "v0"), [(0.1, 0.005, 0.0), (0.1, 0.02, 0.0), (0.3, 0.02, 0.0), (0.1, 0.02, 50.0)]
)
def test_screws_hold_lower_and_raise(mu, lead, v0, solver):
    """Normal force and friction of the thread at its mean radius; held ones do not move, in either engine."""
    mass, radius, I = 5.0, 0.012, 5.0 * 0.05**2 / 2
    law = dt.JointFriction("A", friction=mu, radius=radius)
    inertia = dt.Inertia.cylinder(mass, radius=0.05, length=0.1, axis="z")
    r = ran(rubbed(inertia, dt.Screw("z", lead_per_turn=lead), law, v0), 0.5, solver)
    slope = atan(lead / (2 * pi * radius))
    if v0 == 0.0 and mu >= lead / (2 * pi * radius):
        assert r["A.angle"][-1] == 0.0
        assert r["rub.mode"][-1] == 1
        return
    side = 1.0 if v0 == 0.0 else -1.0  # friction helps to hold the load, or presses it down
    lifts, turns = cos(slope) + side * mu * sin(slope), radius * (side * mu * cos(slope) - sin(slope))
    equations = [[mass * lead / (2 * pi), -lifts], [I, -turns]]
    a, _ = np.linalg.solve(equations, [-mass * G, 0])
    assert r["A.rate"][-1] == pytest.approx(v0 + 0.5 * a, rel=1e-8)


@ENGINES
@pytest.mark.parametrize("mu", [0.3, 0.49, 0.8])
def test_drawer_pulled_at_a_distance(mu, solver):
    """F = mu (m g + 2/overlap y F): what friction bends, it rubs; it jams from overlap / (2 y) on, 1 here."""
    law = dt.JointFriction("A", friction=mu, overlap=0.3)
    m = rubbed(dt.Inertia.box(3.0, size=(0.4, 0.4, 0.1)), dt.Prismatic("x"), law, 0.0, position=(0, 0.15, 0))
    m.add_force("pull", dt.AppliedForce("b", (40, 0, 0)))
    friction = mu * 3 * G / (1 - mu * 2 * 0.15 / 0.3)
    assert ran(m, 0.5, solver)["A.velocity"][-1] == pytest.approx(max(40 - friction, 0) / 3 * 0.5, abs=1e-8)
    assert dt.contact_problem(m, [0.0], [0.1]).critical_joint_friction["A"] == pytest.approx(1.0, rel=1e-9)


def test_bounces_at_a_stop_with_friction_end():
    """A rod falls on its stop. Loads and friction are such that bounces once went on for ever, at 8e-6 rad/s."""
    length, mass, e = 0.6, 3.0, 0.64
    m = dt.Model("rod on a stop")
    b = m.add_body("rod", dt.Inertia.rod(mass, length=length, axis="x"), position=(length / 2, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, b, at=(0, 0, 0), limits=[(-0.5, 0.4)])
    m.add_force("rub", dt.JointFriction("A", constant=0.2))
    m.add_force("stop", dt.JointStop("A", restitution=e))
    r = ran(m, 1.5)

    def fall(t, y):
        torque = mass * G * length / 2 * cos(y[0]) - 0.2 * np.sign(y[1])
        return [y[1], torque / (mass * length**2 / 3)]

    def at_stop(t, y):
        return y[0] - 0.4

    def turns(t, y):
        return y[1]

    at_stop.terminal, at_stop.direction, turns.terminal, turns.direction = True, 1, True, 1
    t, y, times = 0.0, [0.0, 1e-12], []
    while len(times) < 5 and t < 1.5:
        way = solve_ivp(fall, (t, 1.5), y, events=[at_stop, turns], rtol=1e-11, atol=1e-13, max_step=0.01)
        t, y = float(way.t[-1]), way.y[:, -1].copy()
        if len(way.t_events[0]):
            times.append(t)
            y = np.array([0.4, -e * y[1]])
        else:
            y[1] = 1e-12  # so that the same event is not found again
    found = [event.t for event in r.events]
    assert len(times) == 5
    assert all(min(abs(np.array(found) - time)) < 1e-7 for time in times)
    assert r["A.angle"][-1] == pytest.approx(0.4, abs=1e-12)
    assert r["A.stop"][-1] == 1
    assert r["A.rate"][-1] == 0.0
    rest = ran(m, 1.5, dt.Moreau(step=1e-4))
    assert rest["A.angle"][-1] == pytest.approx(0.4, abs=1e-12)


# ------------------------------------------------------------------------------------------------- springs in contact


def test_hertz_between_two_balls():
    """Goldsmith: d = (5 m v² / 4 k)^(2/5), F = k d^(3/2), contact for 2.9432751835 d / v, m the reduced mass."""
    m1, m2, k, v, radius = 0.4, 1.1, 3e7, 1.7, 0.05
    reduced = m1 * m2 / (m1 + m2)
    d = (1.25 * reduced * v**2 / k) ** 0.4
    lasts = 2.94327518347747 * d / v
    m = dt.Model("two balls", gravity=(0, 0, 0))
    for name, mass, x in (("a", m1, 0.0), ("b", m2, 2 * radius + 1e-4 * v)):
        b = m.add_body(name, dt.Inertia.sphere(mass, radius=radius), position=(x, 0, 0))
        m.add_joint(f"free {name}", dt.Free(), m.ground, b, v0=[v if name == "a" else 0, 0, 0, 0, 0, 0])
    m.add_contact("c", dt.CompliantContact(stiffness=k, exponent=1.5), "a", "b")  # shapes are those of the inertias
    r = dt.simulate(m, lasts + 3e-4, outputs=lasts / 4000)
    force = r["c.normal_force"].ravel()
    touches = r.t[force > 0]
    assert force.max() == pytest.approx(k * d**1.5, rel=1e-5)  # (pi / 4000)² / 8 of the peak between outputs
    assert -r["c.gap"].min() == pytest.approx(d, rel=1e-5)
    assert touches[-1] - touches[0] == pytest.approx(lasts, rel=1e-3)  # two outputs
    assert r["c.force"][int(np.argmax(force))][0] > 0, "of a on b"
    after = (m1 - m2) / (m1 + m2) * v, 2 * m1 / (m1 + m2) * v
    assert (r["a.velocity.x"][-1].item(), r["b.velocity.x"][-1].item()) == pytest.approx(after, abs=1e-5)


@pytest.mark.parametrize("tension", ["allowed", "none"])
def test_spring_and_dashpot(tension):
    """k d + c dd/dt until the gap opens, or until the force would pull: both by the solution of the linear equation."""
    mass, k, c, gap = 0.8, 3e5, 90.0, 0.07
    speed = sqrt(2 * G * gap)
    decay, depth = c / (2 * mass), mass * G / k
    omega = sqrt(k / mass - decay**2)

    def state(t):  # x = depth below the plane, from x = 0, dx = speed
        A, B = -depth, (speed - decay * depth) / omega
        x = depth + np.exp(-decay * t) * (A * cos(omega * t) + B * sin(omega * t))
        dx = np.exp(-decay * t) * ((omega * B - decay * A) * cos(omega * t) - (omega * A + decay * B) * sin(omega * t))
        return x, dx

    def ends(t):
        x, dx = state(t)
        return x if tension == "allowed" else k * x + c * dx

    parted = brentq(ends, 0.6 * pi / omega, 1.2 * pi / omega, xtol=1e-16)
    x, dx = state(parted)
    flight = 0.05  # after parting: free flight
    m = dt.Model("spring and dashpot")
    b = m.add_body("b", dt.Inertia.sphere(mass, radius=0.03), position=(0, 0, 0.03 + gap))
    m.add_joint("z", dt.Prismatic("z"), m.ground, b)
    law = dt.CompliantContact(stiffness=k, damping=c, damping_law="linear", tension=tension)
    m.add_contact("c", law, b, m.ground, shapes=(dt.Shape.sphere(0.03), dt.Shape.plane()))
    r = ran(m, speed / G + parted + flight)
    # laws that set in suddenly are met by rejected steps, to about ten times the tolerance
    assert r["z.velocity"][-1] == pytest.approx(-dx - G * flight, abs=1e-5)
    assert r["c.gap"][-1] == pytest.approx(-x - dx * flight - G * flight**2 / 2, abs=1e-6)
    assert r["c.force"][:, 2].min() < -500, "of the ball on the floor"
    assert (r["c.force"][:, 2].max() > 1.0) == (tension == "allowed")
