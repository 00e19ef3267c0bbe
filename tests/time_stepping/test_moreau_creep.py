"""Rolling contact (creep) by time stepping, against event-driven runs: the same forces, of first order at least."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from support.wheelsets import free_wheelset


@pytest.mark.parametrize(
    ("speed", "friction", "spun"),
    [(5.0, 0.4, 1.0), (20.0, 0.4, 1.0), (5.0, 0.1, 1.5)],
    ids=["slow, where creep is stiff", "fast", "wheels that spin, with all of their friction"],
)
def test_a_wheelset_moves_as_in_an_event_driven_run(speed: float, friction: float, spun: float):
    """Halves of the step halve the errors at least, and quarter them where the middle of the step counts.

    From 1.7 on: terms of second order may take some of the ratio 2. An event-driven run moves to its gaps at the start,
    a time-stepping one in its first step: the first output does not count.
    """
    m = free_wheelset(speed, friction, spun=spun)
    event_driven = dt.simulate(m, 0.5, outputs=0.05, solver=dt.DOPRI5(rtol=1e-11, atol=1e-14))
    assert event_driven.ok, event_driven.reason
    errors = []
    for step in (5e-4, 2.5e-4, 1.25e-4):
        time_stepping = dt.simulate(m, 0.5, outputs=0.05, solver=dt.Moreau(step=step))
        assert time_stepping.ok, time_stepping.reason
        assert not time_stepping.stats.notes
        names = ("axle.velocity", "axle.angular_velocity", "left.force", "right.force")
        errors.append([np.max(np.abs(time_stepping[each] - event_driven[each])[1:]) for each in names])
        assert np.abs(time_stepping.energy.residual).max() < 1e-6 * time_stepping.energy.total[0]
    for k in (1, 2):
        assert np.all(np.array(errors[k - 1]) / errors[k] > 1.7)
    assert max(errors[-1][2:]) < 1e-2 * np.max(np.abs(event_driven["left.force"]))


def test_steps_may_be_longer_than_creep_lasts():
    """At 0.5 m/s a creep dies out in 40 µs (2 G c² c11 / (m V) and more): steps of 2 ms are stable, and it rolls on."""
    m = free_wheelset(0.5, 0.4)
    r = dt.simulate(m, 2.0, outputs=0.1, solver=dt.Moreau(step=2e-3))
    assert r.ok, r.reason
    event_driven = dt.simulate(m, 2.0, outputs=0.1, solver=dt.Rodas())
    # the wheel steers by 1e-3 tan(cone) / (b r0): of first order, 2e-3 s at 0.5 m/s is 1 mm of a wave of 16 m
    assert r["axle.position.y"] == pytest.approx(event_driven["axle.position.y"], abs=1e-3 * 2 * np.pi * 1e-3 / 16 * 10)
    assert r["axle.velocity.x"] == pytest.approx(event_driven["axle.velocity.x"], abs=1e-5)


def test_creep_beside_resistance_against_rolling():
    """A wheelset draws a heavy ball that rolls hard, by a spring: as event-driven, with errors that halve with the
    step.
    """
    m = free_wheelset(3.0, 0.3)
    radius, mass = 0.4, 500.0
    ball = m.add_body("ball", dt.Inertia.sphere(mass, radius), position=(-2.0, 0, radius - 0.46))
    m.add_joint("free", dt.Free(), m.ground, ball, v0=[3.0, 0, 0, 0, 3.0 / radius, 0])
    track = dt.Shape.plane(position=(0, 0, -0.46))
    law = dt.RigidContact(friction=0.5, rolling_friction=0.02, torsional_friction=0.01)
    m.add_contact("track", law, m.ground, ball, shapes=(track, dt.Shape.sphere(radius)))
    m.add_force("rope", dt.SpringDamper("axle", ball, stiffness=2e4, damping=500, rest_length=1.9))
    names = ("axle.velocity", "axle.angular_velocity", "ball.velocity", "left.force", "track.moment")
    event_driven = dt.simulate(m, 0.5, outputs=0.05, solver=dt.DOPRI5(rtol=1e-10, atol=1e-12))
    assert event_driven.ok, event_driven.reason
    # the rope lifts a little
    assert event_driven["track.moment"][-1, 1] == pytest.approx(-0.02 * mass * 9.81, rel=1e-2)
    errors = []
    for step in (5e-4, 2.5e-4):
        time_stepping = dt.simulate(m, 0.5, outputs=0.05, solver=dt.Moreau(step=step))
        assert time_stepping.ok, time_stepping.reason
        assert not time_stepping.stats.notes
        errors.append([np.max(np.abs(time_stepping[each] - event_driven[each])[1:]) for each in names])
    assert np.all(np.array(errors[0]) / errors[1] > 1.7)  # as above
    assert max(errors[-1][:3]) < 1e-3
