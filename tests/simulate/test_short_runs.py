"""Runs of a few steps of `dt.Moreau`: too little has happened to speak of a lost balance of energy."""

from __future__ import annotations

import warnings

import pytest

import duoti as dt


@pytest.mark.parametrize("steps", [1, 2, 3, 5])
@pytest.mark.parametrize("height", [0.1, 1.0])
def test_a_few_steps_are_ok(steps: int, height: float) -> None:
    """A ball that falls, or lies on the floor; 101 outputs, most of them within a step."""
    m = dt.Model("ball")
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, height))
    m.add_joint("free", dt.Free(), m.ground, ball)
    m.add_contact("floor", dt.RigidContact(friction=0.3), m.ground, ball,
                  shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        r = dt.simulate(m, steps * 1e-3, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert abs(r.energy.residual[-1]) < 1e-15 * 9.81 * height * 10
