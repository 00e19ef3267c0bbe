"""Event-driven runs of cylinders and discs on each other (`contact.features.two_cylinders`)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import duoti as dt
from support.engines_compared import compare
from support.feature_rates import count_right_rates

EXACT = dt.DOPRI5(rtol=1e-10, atol=1e-12)
RADIUS, G = 0.3, 9.81
POST = dt.Shape.cylinder(RADIUS, 0.4, position=(0, 0, -0.2))
PLATE = dt.Shape.disc(RADIUS)


def can(post: dt.Shape, shape: dt.Shape, at: Any, v0: Any = (0,) * 6, **law: Any) -> dt.Model:
    """A body on a post whose top is at z = 0."""
    m = dt.Model("can")
    m.ground.shapes.append(post)
    b = m.add_body("b", dt.Inertia.box(1.0, size=(0.1, 0.12, 0.1)), position=at, shapes=[shape])
    m.add_joint("free", dt.Free(), m.ground, b, v0=v0)
    m.add_contact("post", dt.RigidContact(**law), m.ground, b)
    return m


@pytest.mark.parametrize(("post", "high"), [(POST, 0.2), (PLATE, 0.2), (POST, 0.0)], ids=["can", "on disc", "disc"])
def test_it_tips_when_its_weight_is_over_the_rim(post, high):
    """Friction at its foot turns it with mu m g h/2: its centre is mu h/2 before the rim, v t - mu g t²/2 = way."""
    v, mu, x = 1.5, 0.3, 0.1
    shape = dt.Shape.cylinder(0.15, high) if high else dt.Shape.disc(0.15)
    r = dt.simulate(can(post, shape, (x, 0, high / 2), (v, 0, 0, 0, 0, 0), friction=mu), 0.3, solver=EXACT)
    assert r.ok, r.reason
    a, way = mu * G, RADIUS - x - mu * high / 2
    tips = (v - math.sqrt(v**2 - 2.0 * a * way)) / a
    history = r.contact_run.engine.history
    assert min(abs(each.time - tips) for each in history) < 1e-8
    assert np.all(np.abs(r["b.angular_velocity.y"][r.t < tips - 1e-4]) < 1e-9)
    assert r["b.angular_velocity.y"][-1] > 0.5
    assert not r.impacts
    assert np.max(np.abs(r.energy.residual)) < 1e-8  # the sum of the errors of some 100 steps, in units of 1 J


def test_a_can_that_stands_on_a_lying_cylinder_rolls_on_it():
    """Turned by a, it touches along the line at the angle a of the cylinder, R a from its middle, for nothing slips:

    x = (R + h/2) sin a - R a cos a,   z = (R + h/2) cos a + R a sin a - R.   Errors are those of some 100 steps.
    """
    big, high, spin = 0.2, 0.1, 0.5
    post = dt.Shape.cylinder(big, 0.5, axis="y", position=(0, 0, -big))
    for aside in (0.0, 0.21):  # all on the cylinder, or over its end
        v0 = (spin * high / 2, 0, 0, 0, spin, 0)
        m = can(post, dt.Shape.cylinder(0.08, high), (0, aside, high / 2), v0, friction=2.0)
        r = dt.simulate(m, 0.2, solver=EXACT)
        assert r.ok, r.reason
        turn = np.asarray(r["b.rotation"])
        a, far = 2.0 * np.arctan2(turn[:, 2], turn[:, 0]), big + high / 2
        assert np.ptp(a) > 0.02
        x, z = far * np.sin(a) - big * a * np.cos(a), far * np.cos(a) + big * a * np.sin(a) - big
        np.testing.assert_allclose(r["b.position.x"].ravel(), x, rtol=0.0, atol=1e-9)
        np.testing.assert_allclose(r["b.position.z"].ravel(), z, rtol=0.0, atol=1e-9)


def test_gap_rates_of_features_are_those_of_the_bodies():
    rng = np.random.default_rng(5)
    for post in (POST, PLATE, dt.Shape.cylinder(0.15, 0.3, axis="x")):
        m = can(post, dt.Shape.cylinder(0.1, 0.2), (0, 0, 0.5))
        assert count_right_rates(m, rng, wide=0.3) > 20
    assert count_right_rates(can(POST, dt.Shape.disc(0.12), (0, 0, 0.5)), rng, wide=0.3) > 20


@pytest.mark.parametrize("seed", [400000, 400003, 400014, 400025, 400026, 400031])
def test_random_scenes_by_both_engines(seed):
    """See `support.engines_compared`. (Flat on each other, the points that stand for their faces are not the same.)"""
    found = compare(seed)
    assert found.ok, found
