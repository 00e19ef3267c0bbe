"""Event-driven runs over rims: capsules and rods on cylinders and discs (`contact.features.capsule_cylinder`)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import duoti as dt
from support.engines_compared import compare
from support.feature_rates import count_right_rates

G = 9.81
EXACT = dt.DOPRI5(rtol=1e-10, atol=1e-12)
RADIUS, HEIGHT, LENGTH = 0.3, 0.4, 0.3
POST = dt.Shape.cylinder(RADIUS, HEIGHT, position=(0, 0, -HEIGHT / 2))
PLATE = dt.Shape.disc(RADIUS)


def on_post(thick: float, at: Any, v0: Any, axis: str = "x", post: dt.Shape = POST, **law: Any) -> dt.Model:
    """A capsule, or a rod if it is not thick, on a post whose top is at z = 0."""
    m = dt.Model("post")
    m.ground.shapes.append(post)
    inertia = dt.Inertia.cylinder(1.0, radius=max(thick, 0.01), length=LENGTH, axis=axis)
    b = m.add_body("b", inertia, position=at, shapes=[dt.Shape.capsule(thick, LENGTH, axis=axis)])
    m.add_joint("free", dt.Free(), m.ground, b, v0=v0)
    m.add_contact("post", dt.RigidContact(**law), m.ground, b)
    return m


@pytest.mark.parametrize(("post", "thick"), [(POST, 0.05), (PLATE, 0.05), (POST, 0.0)], ids=["post", "disc", "rod"])
@pytest.mark.parametrize("aside", [0.0, 0.12])
def test_it_tips_when_its_weight_is_over_the_rim(post, thick, aside):
    """Along a chord that ends at c = sqrt(R² - y²): friction at its foot turns it with mu m g r, so that its centre is
    mu r before c when its rear end lifts: v t - mu g t²/2 = c - x - mu r. Located: round-off over a rate of 10 N/s.
    """
    v, mu, x = 1.2, 0.2, 0.05
    m = on_post(thick, (x, aside, thick), (v, 0, 0, 0, 0, 0), post=post, friction=mu)
    r = dt.simulate(m, 0.4, solver=EXACT)
    assert r.ok, r.reason
    chord, a = math.sqrt(RADIUS**2 - aside**2), mu * G
    tips = (v - math.sqrt(v**2 - 2.0 * a * (chord - x - mu * thick))) / a
    history = r.contact_run.engine.history
    assert min(abs(each.time - tips) for each in history) < 1e-10
    front = (v - math.sqrt(v**2 - 2.0 * a * (chord - x - LENGTH / 2))) / a  # its front passes the rim: nothing happens
    assert min(abs(each.time - front) for each in history) < 2e-9  # ends have 1e-9 of the size
    assert not r.impacts
    assert r["b.angular_velocity.y"][-1] > 1.0
    assert np.max(np.abs(r.energy.residual)) < 1e-8  # the sum of the errors of some 100 steps, in units of 1 J


def test_a_capsule_without_friction_leaves_the_rim_where_nothing_presses():
    """Sideways over the rim: v² = v0² + 2 g r (1 - cos); it leaves where cos = (v0²/gr + 2)/3, as over an edge.

    The chord below it shrinks to a point there: its middle, then the rim beside it, carry it.
    """
    radius, v0 = 0.1, 0.4
    m = on_post(radius, (0.2, 0, radius), (v0, 0, 0, 0, 0, 0), axis="y")
    r = dt.simulate(m, 0.6, solver=EXACT, outputs=1e-3)
    assert r.ok, r.reason
    leaves = r.contact_run.engine.history[-1]
    assert not np.any(leaves.kept.state)
    k = int(np.searchsorted(r.t, leaves.time))
    back = r.t[k] - leaves.time  # from there on it flies: back to the instant
    x = r["b.position.x"][k] - RADIUS - r["b.velocity.x"][k] * back
    z = r["b.position.z"][k] - (r["b.velocity.z"][k] * back + 0.5 * G * back**2)
    cosine = (v0**2 / (G * radius) + 2.0) / 3.0
    # the rim takes over 1e-6 of the radius late: 3e-7 m at 0.4 m/s, in which the fall is 1e-12 m and its speed 1e-5 m/s
    assert x == pytest.approx(radius * math.sqrt(1 - cosine**2), abs=1e-6)
    assert z == pytest.approx(radius * cosine, abs=1e-6)
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def test_a_capsule_across_a_lying_cylinder_rolls_on_it():
    """Turned by a, it touches at the angle a of the cylinder, R a from its middle, for nothing slips:

    x = (R + r) sin a - R a cos a,   z = (R + r) cos a + R a sin a - R.   Errors are those of some 100 steps.
    """
    big, thick, spin = 0.2, 0.03, 0.8
    post = dt.Shape.cylinder(big, 0.5, axis="y", position=(0, 0, -big))
    m = on_post(thick, (0, 0, thick), (spin * thick, 0, 0, 0, spin, 0), post=post, friction=2.0)
    r = dt.simulate(m, 0.15, solver=EXACT)
    assert r.ok, r.reason
    turn = np.asarray(r["b.rotation"])
    a = 2.0 * np.arctan2(turn[:, 2], turn[:, 0])
    assert np.ptp(a) > 0.05
    x = (big + thick) * np.sin(a) - big * a * np.cos(a)
    z = (big + thick) * np.cos(a) + big * a * np.sin(a) - big
    np.testing.assert_allclose(r["b.position.x"].ravel(), x, rtol=0.0, atol=1e-8)
    np.testing.assert_allclose(r["b.position.z"].ravel(), z, rtol=0.0, atol=1e-8)


def test_gap_rates_of_features_are_those_of_the_bodies():
    rng = np.random.default_rng(4)
    for post in (POST, PLATE, dt.Shape.cylinder(0.15, 0.3, axis="x")):
        m = on_post(0.05, (0, 0, 0.5), (0,) * 6, post=post)
        assert count_right_rates(m, rng, wide=0.3) > 20
    assert count_right_rates(on_post(0.0, (0, 0, 0.5), (0,) * 6), rng, wide=0.3) > 20


@pytest.mark.parametrize("seed", [300025, 300036, 300075, 300077, 300082, 300099])
def test_random_scenes_at_rims_by_both_engines(seed):
    """See `support.engines_compared`: flat on round ends, near their rims, and over them."""
    found = compare(seed)
    assert found.ok, found
