"""Joints that friction holds while contacts stick: rest, and the forces of statics."""

from __future__ import annotations

import math

import numpy as np
import pytest

import duoti as dt

G = 9.81
PLANE = dt.Shape.plane()
HELD = 1.7625 * G  # N m in the knee of `leg`: see `test_the_knee_of_a_standing_leg`


def leg(constant: float) -> dt.Model:
    """Trunk on a vertical rail, a hip without friction, a knee that friction holds, a toe on the floor."""
    m = dt.Model("leg")
    trunk = m.add_body("trunk", dt.Inertia.box(10.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.7))
    thigh = m.add_body("thigh", dt.Inertia.box(2.0, size=(0.1, 0.1, 0.3)), position=(0.075, 0, 0.45))
    shank = m.add_body("shank", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.3)), position=(0.075, 0, 0.15))
    m.add_joint("rail", dt.Prismatic("z"), m.ground, trunk)
    m.add_joint("hip", dt.Revolute("y"), trunk, thigh, at=(0, 0, 0.6))
    m.add_joint("knee", dt.Revolute("y"), thigh, shank, at=(0.15, 0, 0.3))
    m.add_force("brake", dt.JointFriction("knee", constant=constant))
    toe = m.add_marker("toe", shank, position=(-0.075, 0, -0.15))
    law = dt.RigidContact(friction=1.0)
    m.add_contact("floor", law, m.ground, toe, shapes=(PLANE, dt.Shape.point()))
    return m


def test_the_knee_of_a_standing_leg():
    """Moments about the hip: the floor pushes with 0.375 g along x and bears 13 g; about the knee they leave 1.7625 g.

    Tolerance 1e-8 of the velocities g h of a step: 1e-10 m/s, 1e-9 m in ten seconds, and as much of the forces.
    """
    r = dt.simulate(leg(100.0), 10.0, outputs=1.0, solver=dt.Moreau(1e-3))
    assert r.ok
    assert r.stats.notes == ()
    assert np.max(np.abs(r.q)) < 1e-9
    assert np.max(np.abs(r.v)) < 2e-10  # what is left of two steps
    assert np.all(r["knee.rate"] == 0.0)
    assert r["brake.torque"][-1] == pytest.approx(-HELD, rel=1e-8)
    assert r["floor.force"][-1] == pytest.approx((0.375 * G, 0, 13.0 * G), abs=13.0 * G * 1e-8)
    assert abs(r.energy.residual[-1]) < 13.0 * G * 1e-9  # the weight along what it may have moved


@pytest.mark.parametrize("part", [0.99, 1.01])
def test_the_knee_gives_way_where_statics_says(part):
    r = dt.simulate(leg(part * HELD), 0.2, outputs=0.05, solver=dt.Moreau(1e-3))
    assert r.ok
    event_driven = dt.simulate(leg(part * HELD), 0.2, outputs=0.05, solver=dt.DOPRI5(rtol=1e-9, atol=1e-11))
    moved = abs(event_driven["knee.angle"][-1] - event_driven["knee.angle"][0])
    if part > 1.0:
        assert np.max(np.abs(r.q)) < 1e-10
    else:
        assert moved > 1e-3
        # of the order of the step: a part 1e-3 / 0.2 of the way
        assert r["knee.angle"][-1] - r["knee.angle"][0] == pytest.approx(
            event_driven["knee.angle"][-1] - event_driven["knee.angle"][0], rel=1e-2
        )


def test_a_braked_wheel_stands_on_a_slope():
    """The brake bears the moment of both weights about the point of contact: M g sin(slope) R."""
    slope, radius = 0.05, 0.46
    m = dt.Model("wheel", gravity=(-G * math.sin(slope), 0, -G * math.cos(slope)))
    frame = m.add_body("frame", dt.Inertia.box(4000.0, size=(2, 1, 1)), position=(0, 0, radius))
    wheel = m.add_body("wheel", dt.Inertia(1200.0, matrix=np.diag([700.0, 90.0, 700.0])), position=(0, 0, radius))
    m.add_joint("guide", dt.Composite.of_axes("xz"), m.ground, frame)
    m.add_joint("axle", dt.Revolute("y"), frame, wheel)
    m.add_force("brake", dt.JointFriction("axle", constant=5000.0))
    m.add_contact("road", dt.RigidContact(friction=0.3), m.ground, wheel, shapes=(PLANE, dt.Shape.sphere(radius)))
    r = dt.simulate(m, 10.0, outputs=1.0, solver=dt.Moreau(1e-3))
    assert r.ok
    assert r.stats.notes == ()
    assert np.all(r["axle.rate"] == 0.0)
    assert np.max(np.abs(r.q - r.q[0])) < 1e-9  # as for the leg
    assert abs(r["brake.torque"][-1]) == pytest.approx(5200.0 * G * math.sin(slope) * radius, rel=1e-8)


def random_leg(seed: int) -> dt.Model:
    """Two or three links between a trunk on a rail and the floor, with friction in most joints, from loads in some."""
    rng = np.random.default_rng(seed)
    m, links = dt.Model(f"leg {seed}"), int(rng.integers(2, 4))
    points = [np.zeros(3)]
    for _ in range(links):
        angle, length = rng.uniform(-0.8, 0.8), rng.uniform(0.2, 0.5)
        points.insert(0, points[0] + length * np.array([np.sin(angle), 0, np.cos(angle)]))
    inboard = m.add_body("trunk", dt.Inertia.box(rng.uniform(3, 20), size=(0.2, 0.2, 0.2)), position=points[0])
    m.add_joint("rail", dt.Prismatic("z"), m.ground, inboard)
    length = 0.0
    for i in range(links):
        d = points[i] - points[i + 1]
        length = float(np.linalg.norm(d))
        turned = dt.Rotation.from_vector((0, float(np.arctan2(d[0], d[2])), 0))
        inertia = dt.Inertia.box(rng.uniform(0.3, 3), size=(0.05, 0.05, length))
        body = m.add_body(f"l{i}", inertia, position=(points[i] + points[i + 1]) / 2, rotation=turned)
        m.add_joint(f"j{i}", dt.Revolute("y"), inboard, body, at=points[i])
        constant, loads = float(10 ** rng.uniform(0.0, 2.5)), rng.random() < 0.3
        from_loads = {"friction": 0.3, "radius": float(rng.uniform(0.01, 0.1))} if loads else {}
        m.add_force(f"f{i}", dt.JointFriction(f"j{i}", constant=constant, **from_loads))
        inboard = body
    toe = m.add_marker("toe", inboard, (0, 0, -length / 2))
    law = dt.RigidContact(friction=float(rng.uniform(0.2, 1.2)))
    m.add_contact("floor", law, m.ground, toe, shapes=(PLANE, dt.Shape.point()))
    return m


@pytest.mark.parametrize("seed", range(12))
def test_legs_stand_or_fall_as_in_event_driven_runs(seed):
    """What stands does not move; what falls comes closer to the event-driven motion with the step, of first order."""
    system = dt.compile(random_leg(seed))
    event_driven = dt.simulate(system, 0.2, outputs=[0.2], solver=dt.DOPRI5(rtol=1e-9, atol=1e-11))
    assert event_driven.ok
    stands = np.max(np.abs(event_driven.v[-1])) < 1e-9
    away: list[float] = []
    for h in (1e-3, 1e-4):
        r = dt.simulate(system, 0.2, outputs=[0.2], solver=dt.Moreau(h))
        assert r.ok, r.reason
        assert r.stats.notes == ()
        away.append(float(np.max(np.abs(r.q[-1] - event_driven.q[-1]))))
    if stands:
        assert max(away) < 1e-9
    else:
        assert away[1] < max(0.2 * away[0], 1e-6)
