"""Time stepping over edges: what tips, slides and rolls off a table moves as it does in event-driven runs, at any
step.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import duoti as dt
from support.contact_points import two

G = 9.81
R, LENGTH = 0.1, 0.2
EXACT = dt.DOPRI5(rtol=1e-9, atol=1e-11)
SHAPES = {
    "cylinder": (dt.Shape.cylinder(R, LENGTH), dt.Inertia.cylinder(1.0, radius=R, length=LENGTH), LENGTH / 2),
    "thin cylinder": (dt.Shape.cylinder(R, 0.04), dt.Inertia.cylinder(1.0, radius=R, length=0.04), 0.02),
    "disc": (dt.Shape.disc(R), dt.Inertia.cylinder(1.0, radius=R, length=0.01), 0.0),
    "box": (dt.Shape.box((0.2, 0.2, 0.1)), dt.Inertia.box(1.0, size=(0.2, 0.2, 0.1)), 0.05),
    "capsule": (
        dt.Shape.capsule(0.05, 0.3, axis="x"), dt.Inertia.cylinder(1.0, radius=0.05, length=0.3, axis="x"), 0.05,
    ),
    "rolling cylinder": (
        dt.Shape.cylinder(R, LENGTH, axis="y"), dt.Inertia.cylinder(1.0, radius=R, length=LENGTH, axis="y"), R,
    ),
}  # fmt: skip


def off_the_table(name: str, friction: float, speed: float) -> dt.Model:
    """A body that moves towards the edge at x = 0.5, 2 cm off the middle of the table."""
    shape, inertia, height = SHAPES[name]
    m = dt.Model(f"{name} off the table")
    m.ground.shapes.append(dt.Shape.box((1.0, 1.0, 0.5), position=(0, 0, -0.25)))
    b = m.add_body("b", inertia, position=(0.35, 0.02, height), shapes=[shape])
    m.add_joint("free", dt.Free(), m.ground, b, v0=(speed, 0, 0, 0, 0, 0))
    m.add_contact("table", dt.RigidContact(friction=friction), m.ground, b)
    return m


@pytest.mark.parametrize("name", list(SHAPES))
def test_what_goes_over_an_edge_as_in_event_driven_runs(name):
    """Steps of 1 ms and of 62.5 us, friction 0, 0.3 and 0.8, at 1 and 2 m/s.

    A step finds each instant at which contacts change (front over the edge, tipping, leaving) up to a step late, and
    the body is away by at most the way of one step then, v h: two of them count, since before it tips nothing changes.
    Cylinders and discs were wrong by up to 9 cm at the shorter step, and right at the longer one.
    """
    for friction in (0.0, 0.3, 0.8):
        for speed in (1.0, 2.0):
            m = off_the_table(name, friction, speed)
            times = np.arange(31) * 0.01
            r = dt.simulate(m, 0.3, solver=EXACT, outputs=times)
            assert r.ok, r.reason
            event_driven = r["b.position"][np.searchsorted(r.t, times - 1e-9)]
            for h in (1e-3, 6.25e-5):
                s = dt.simulate(m, 0.3, solver=dt.Moreau(h), outputs=times)
                assert s.ok, s.reason
                assert np.max(np.abs(s["b.position"] - event_driven)) < 2.0 * speed * h, (friction, speed, h)


def test_forces_at_an_edge_do_not_chatter():
    """A cylinder slides over an edge and tips: its normal force changes smoothly, also in steps of 20 us.

    In a step by at most dN/dt h: N is some 10 N and changes on the time of its turning, (R/g)^1/2 = 0.1 s, so by some
    2e-3 N; ten times that is allowed. A dead band of gaps let points fall by 1e-9 m in a step every now and then, which
    is a quarter of the force at this step.
    """
    h = 2e-5
    r = dt.simulate(off_the_table("cylinder", 0.3, 1.0), 0.24, solver=dt.Moreau(h), outputs="steps")
    assert r.ok, r.reason
    tips = r["b.angular_velocity.y"] > 0.05
    assert np.count_nonzero(tips) > 1000
    assert np.max(np.abs(np.diff(r["table.normal_force"][tips]))) < 10 * G * h / 0.1


@pytest.mark.parametrize("tilt", [0.0, 1e-12, 1e-10, 3e-9, 1e-8, 3e-8, 1e-7, 1e-5, 1e-3])
def test_points_of_a_cylinder_that_begins_to_tip(tilt):
    """The face lies on the edge where that crosses the rim, and nowhere else; what is beyond the edge does not touch.

    Positions have the round-off of lengths of 1 m, 2e-16 m, a few times; the chord its square root of differences.
    """
    over = 0.02  # the centre is beyond the edge
    points = two(dt.Shape.box((1, 1, 0.5)), dt.Shape.cylinder(R, LENGTH))
    c, s = math.cos(tilt), math.sin(tilt)
    centre = (0.5 + over, 0.03, 0.25 + (LENGTH / 2 - s * over) / c)
    q = np.array([0, 0, 0, 1, 0, 0, 0, *centre, math.cos(tilt / 2), 0, math.sin(tilt / 2), 0])
    gap, where, normal = points(q)
    touching = where[np.abs(gap) < 1e-15 + 1e-3 * tilt * R]
    assert np.all(gap > -1e-15)
    assert np.all(where[:, 0] < 0.5 + 1e-12)
    on_edge = touching[np.abs(touching[:, 0] - 0.5) < 1e-12]
    chord = math.sqrt(R**2 - ((over - s * LENGTH / 2) / c) ** 2)  # the distance of the edge from the axis, in the face
    np.testing.assert_allclose(np.sort(on_edge[:, 1]), [0.03 - chord, 0.03 + chord], atol=1e-12)
    if tilt > 0.0:
        assert len(touching) == 2
        np.testing.assert_allclose(normal, np.tile([s, 0, c], (len(normal), 1)), atol=1e-15)


def test_ends_of_two_cylinders_touch_where_their_rims_cross():
    """Radii 0.1 and 0.08 m, axes 0.06 m apart: rims cross at x = (d² + 0.1² - 0.08²) / 2 d, to round-off."""
    d = 0.06
    points = two(dt.Shape.cylinder(0.1, 0.2), dt.Shape.cylinder(0.08, 0.2))
    gap, where, _ = points(np.array([0, 0, 0, 1, 0, 0, 0, d, 0, 0.2, 1, 0, 0, 0]))
    assert np.all(np.abs(gap) < 1e-15)
    x = (d**2 + 0.1**2 - 0.08**2) / (2 * d)
    y = math.sqrt(0.1**2 - x**2)
    for side in (-1, 1):
        assert np.min(np.linalg.norm(where[:, :2] - [x, side * y], axis=1)) < 1e-14
    radius = np.hypot(where[:, 0], where[:, 1]), np.hypot(where[:, 0] - d, where[:, 1])
    assert np.all(radius[0] < 0.1 + 1e-9)  # part of both ends
    assert np.all(radius[1] < 0.08 + 1e-9)
