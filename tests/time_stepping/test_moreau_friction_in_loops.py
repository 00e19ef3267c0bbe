"""Friction from loads in joints of closed loops by time stepping, against event-driven runs."""

import time

import numpy as np
import pytest

import duoti as dt

POINTS = np.array([(0, 0, 0), (0, 0, 0.5), (1, 0, 0.8), (1.2, 0, 0)])


def four_bar(friction: float, rigid: bool = False, at: float = 0.2) -> dt.Model:
    """Three bodies of 1 kg; pins of 50 mm with friction at both ends. rigid: all four joints are hinges."""
    m = dt.Model("four-bar")
    for name, a, b in zip(("crank", "coupler", "rocker"), POINTS[:-1], POINTS[1:], strict=True):
        m.add_body(name, dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(a + b) / 2)
    hinge = dt.Revolute("y")
    m.add_joint("A", hinge, m.ground, "crank", at=POINTS[0], q0=at)
    m.add_joint("B", hinge if rigid else dt.Spherical(), "crank", "coupler", at=POINTS[1])
    m.add_joint("C", hinge if rigid else dt.Universal("x", "y"), "coupler", "rocker", at=POINTS[2])
    m.add_joint("D", hinge, m.ground, "rocker", at=POINTS[3])
    for joint in "AD":
        m.add_force(f"friction {joint}", dt.JointFriction(joint, friction=friction, radius=0.05))
    return m


@pytest.mark.parametrize("rigid", [False, True], ids=["space", "plane"])
def test_the_motion_is_that_of_an_event_driven_run(rigid: bool) -> None:
    times = np.linspace(0, 2.0, 21)
    event_driven = dt.simulate(four_bar(0.2, rigid), 2.0, outputs=times, solver=dt.DOPRI5(rtol=1e-9))
    assert event_driven.ok
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        time_stepping = dt.simulate(four_bar(0.2, rigid), 2.0, outputs=times, solver=dt.Moreau(step))
        assert time_stepping.ok
        errors.append(np.max(np.abs(time_stepping["A.angle"] - event_driven["A.angle"])))
    # of first order in the step: each half of it has half of the error, with terms of second order beside it
    assert errors[1] == pytest.approx(errors[0] / 2, rel=0.1)
    assert errors[2] == pytest.approx(errors[1] / 2, rel=0.1)
    assert errors[2] < 5e-4 * np.max(np.abs(event_driven["A.rate"]))  # no more than a step late


def test_what_friction_holds_does_not_move() -> None:
    """Loads of the pins at rest hold the linkage, and together bear the torque of the weights."""
    r = dt.simulate(four_bar(0.8), 0.2, outputs=0.05, solver=dt.Moreau(1e-3))
    assert r.ok
    assert np.all(r["A.angle"] == r["A.angle"][0])
    assert np.all(r["D.angle"] == r["D.angle"][0])
    assert np.all(r["friction A.mode"] == 1.0)


def test_with_a_rigid_contact() -> None:
    """The crank falls on a plane, and rebounds: loads are those of joints, loop and contact together."""

    def falling() -> dt.Model:
        m = four_bar(0.15)
        m.add_marker("floor", m.ground, position=(0, 0, -0.07))
        shapes = (dt.Shape.plane(), dt.Shape.sphere(0.1))
        m.add_contact("c", dt.RigidContact(friction=0.3, restitution=0.2), "floor", "crank", shapes=shapes)
        return m

    event_driven = dt.simulate(falling(), 0.95, outputs=0.05, solver=dt.DOPRI5(rtol=1e-9))
    (first, *_) = event_driven.impacts
    for step in (1e-3, 5e-4):
        r = dt.simulate(falling(), 0.95, outputs=0.05, solver=dt.Moreau(step))
        assert r.ok
        # the impact comes at most a step late, with what weights of 3 kg make of its impulse in that time
        assert abs(r.impacts[0].time - first.time) < step
        assert r.impacts[0].impulse == pytest.approx(first.impulse, abs=3 * 9.81 * 2 * step)
        assert np.max(np.abs(r["A.angle"] - event_driven["A.angle"])) < step * np.max(np.abs(event_driven["A.rate"]))


def test_at_rest_on_a_contact_nothing_is_left_to_solve() -> None:
    """The contact bears what pins would: velocities there are round-off, of which no digit can be asked for.

    Sweeps that went on all the same took 45 ms a step; a step takes 0.1 ms. The bound is between, far from both.
    """
    m = four_bar(0.15)
    m.add_marker("floor", m.ground, position=(0, 0, -0.07))
    shapes = (dt.Shape.plane(), dt.Shape.sphere(0.1))
    m.add_contact("c", dt.RigidContact(friction=0.3), "floor", "crank", shapes=shapes)
    system = dt.compile(m)
    dt.simulate(system, 0.01, solver=dt.Moreau(1e-3))  # kernels
    begin = time.process_time()
    r = dt.simulate(system, 1.2, outputs=0.1, solver=dt.Moreau(1e-3))
    took = time.process_time() - begin
    assert r.ok
    assert np.all(r["A.angle"][-2:] == r["A.angle"][-1])
    assert np.all(r["friction A.mode"][-2:] == 1.0)
    assert took < 1200 * 2e-3
