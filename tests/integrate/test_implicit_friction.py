"""Constant implicit steps with regularised friction: it turns over slip speeds that a step may jump over.

The reference is the closed form of a wheel that slides until it rolls.
"""

from __future__ import annotations

import itertools

import pytest

import duoti as dt

GRAVITY, MASS, RADIUS = 9.81, 300.0, 0.4


def wheel(shape: dt.Shape, stiffness: float, friction: float, damping: float, v: float) -> dt.Model:
    """A wheel that does not turn, and slides over a plane on which it rests."""
    m = dt.Model("wheel")
    depth = MASS * GRAVITY / stiffness / (1 if shape.kind == "sphere" else 2)  # a cylinder stands on two points
    w = m.add_body(
        "wheel", dt.Inertia.cylinder(MASS, radius=RADIUS, length=0.2, axis="y"), position=(0, 0, RADIUS - depth)
    )
    m.add_joint("free", dt.Free(), m.ground, w, v0=[v, 0, 0, 0, 0, 0])
    law = dt.CompliantContact(stiffness=stiffness, damping=damping, friction=friction)
    m.add_contact("road", law, m.ground, w, shapes=(dt.Shape.plane(), shape))
    return m


def rolls(v: float, friction: float, t: float) -> tuple[float, float]:
    """Position and velocity after t, of a solid cylinder: it slides for v / (3 mu g) and keeps two thirds of v."""
    slides = v / (3 * friction * GRAVITY)
    assert slides < t
    return v * slides - friction * GRAVITY * slides**2 / 2 + 2 / 3 * v * (t - slides), 2 / 3 * v


SHAPES = {"sphere": dt.Shape.sphere(RADIUS), "cylinder": dt.Shape.cylinder(RADIUS, 0.2, axis="y")}


@pytest.mark.parametrize("solver", [dt.GeneralisedAlpha, dt.HHT], ids=["alpha", "hht"])
@pytest.mark.parametrize("stiffness", [2e5, 2e7])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_wheel_begins_to_roll(shape, stiffness, solver):
    v, friction, h = 5.0, 0.7, 1e-3
    r = dt.simulate(wheel(SHAPES[shape], stiffness, friction, 1e4, v), 1.0, solver=solver(step=h))
    assert r.ok, r.reason
    x, rolling = rolls(v, friction, 1.0)
    depth = MASS * GRAVITY / stiffness
    # the lever of friction is the radius less the penetration; steps end the sliding up to one of them late, and the
    # regularised law rubs less than friction below some slip_speed (1e-3 m/s), over which it creeps at the end
    allowed = v * depth / RADIUS + friction * GRAVITY * h + 2e-3
    assert r["wheel.velocity"][-1, 0] == pytest.approx(rolling, abs=allowed)
    assert r["wheel.position"][-1, 0] == pytest.approx(x, abs=allowed)


@pytest.mark.full
@pytest.mark.parametrize("h", [1e-3, 5e-3])
@pytest.mark.parametrize("shape", SHAPES)
def test_wheels_of_many_kinds(shape, h):
    """As an adaptive solver; 210 of 288 such runs ended with an iteration that did not converge, before corrections
    were damped."""
    for stiffness, friction, damping, v in itertools.product((2e5, 2e6, 2e7), (0.3, 1.0), (0.0, 1e4), (0.5, 5.0)):
        m = wheel(SHAPES[shape], stiffness, friction, damping, v)
        exact, r = dt.simulate(m, 1.0), dt.simulate(m, 1.0, solver=dt.GeneralisedAlpha(step=h))
        assert r.ok, r.reason
        error = abs(r["wheel.position"][-1, 0] - exact["wheel.position"][-1, 0])
        assert error < friction * GRAVITY * h  # the sliding ends up to a step late, over one second
