"""Time stepping where a prescribed motion leaves impulses of contact nothing to change."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

BALL = (dt.Shape.plane(), dt.Shape.sphere(0.1))


def ball(position: float, **joint: float) -> dt.Model:
    m = dt.Model("ball")
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, position))
    m.add_joint("z", dt.Prismatic("z"), m.ground, "ball", **joint)
    m.add_contact("floor", dt.RigidContact(), m.ground, "ball", shapes=BALL)
    return m


@pytest.mark.parametrize("solver", [None, dt.Moreau(step=1e-3), dt.DOPRI5()], ids=str)
@pytest.mark.parametrize(
    "drive", [dt.JointMotion("z", "-0.5*t"), dt.JointMotion("z", velocity="-0.5")], ids=["motion", "speed"]
)
def test_a_ball_that_is_driven_into_the_floor(drive, solver):
    """It touches at 0.2 s and is prescribed to go on: there is no motion, whoever is asked."""
    m = ball(0.2, v0=-0.5)
    m.add_constraint("drive", drive)
    with pytest.warns(dt.errors.SimulationWarning):
        r = dt.simulate(m, 0.5, solver=solver)
    assert not r.ok
    assert r.reason_code == "contact-unsolved"
    assert '"floor"' in r.reason


def test_a_ball_that_is_driven_to_the_floor_and_away():
    """It comes within a micrometre at 0.2 s: nothing is wrong with that."""
    m = ball(0.100001 + 0.02)
    m.add_constraint("drive", dt.JointMotion("z", "-0.02*sin(pi*t/0.4)"))
    r = dt.simulate(m, 0.4, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert np.min(r["floor.gap"]) == pytest.approx(1e-6, abs=1e-12)


def test_constraints_beside_contacts_that_yield():
    """A ball bounces beside a driven body; overlaps of a step or two are those of the method."""
    m = ball(1.0)
    m.contacts["floor"].law.restitution = 0.7
    m.add_body("wheel", dt.Inertia.sphere(1.0, radius=0.1), position=(1, 0, 1))
    m.add_joint("axle", dt.Revolute("y"), m.ground, "wheel", at=(1, 0, 1))
    m.add_constraint("drive", dt.JointMotion("axle", "3*t"))
    r = dt.simulate(m, 2.0, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason


def test_a_contact_whose_sides_are_welded_has_no_gap():
    m = dt.Model("welded")
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.05))
    m.add_joint("weld", dt.Fixed(), m.ground, "ball")
    m.add_body("other", dt.Inertia.point(1.0), position=(1, 0, 1))
    m.add_joint("z", dt.Prismatic("z"), m.ground, "other")
    m.add_contact("floor", dt.RigidContact(), m.ground, "ball", shapes=BALL)
    r = dt.simulate(m, 0.1)
    with pytest.raises(dt.errors.ChannelError, match="floor"):
        _ = r["floor.gap"]
