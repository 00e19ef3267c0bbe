"""Forces that are implicit in time stepping: springs and dampers far stiffer than the step."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

G = 9.81


def oscillator(stiffness: float, damping: float = 0.0) -> dt.Model:
    m = dt.Model("oscillator", gravity=(0, 0, 0))
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("x", dt.Prismatic("x"), m.ground, b, q0=0.01)
    m.add_force("spring", dt.JointSpring("x", stiffness=stiffness, damping=damping))
    return m


def test_the_midpoint_rule_on_a_stiff_spring() -> None:
    """omega h = 50: the rule's own solution is q_0 cos(n theta), theta = 2 atan(omega h / 2), for ever."""
    h, omega = 1e-3, 5e4
    r = dt.simulate(oscillator(omega**2), 0.5, outputs=h, solver=dt.Moreau(h, implicit=True))
    assert r.ok, r.reason
    n = np.arange(len(r.t))
    # 500 steps, each with round-off times the condition of the step, (omega h)^2
    np.testing.assert_allclose(r["x.position"], 0.01 * np.cos(2 * n * np.arctan(omega * h / 2)), atol=1e-9 * 0.01)
    assert np.ptp(r.energy.total) < 1e-9 * r.energy.total[0]


def test_order_two_against_the_closed_form() -> None:
    """A damped oscillator: the error falls by four as the step is halved."""
    k, c = 400.0, 4.0
    m, rate = oscillator(k, c), np.sqrt(k - c**2 / 4)
    wanted = 0.01 * np.exp(-c / 2) * (np.cos(rate) + c / (2 * rate) * np.sin(rate))
    errors = [
        abs(dt.simulate(m, 1.0, outputs=[1.0], solver=dt.Moreau(h, implicit=True))["x.position"][-1].item() - wanted)
        for h in (2e-3, 1e-3)
    ]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.02)
    assert errors[1] < 1e-6


def pressed(stiffness: float, damping: float) -> dt.Model:
    """Two boxes on each other, a stiff spring and damper from the upper one to a hook that pulls it down by 0.1 mm."""
    m, shape = dt.Model("pressed"), dt.Shape.box((0.2, 0.2, 0.2))
    below = m.ground
    for i in range(2):
        b = m.add_body(f"b{i}", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1 + 0.2 * i))
        m.add_joint(f"f{i}", dt.Free(), m.ground, b)
        shapes = (dt.Shape.plane() if i == 0 else shape, shape)
        m.add_contact(f"c{i}", dt.RigidContact(friction=0.5), below, b, shapes=shapes)
        below = b
    hook = m.add_marker("hook", m.ground, (0, 0, -0.5))
    m.add_force("rope", dt.SpringDamper(hook, "b1", stiffness=stiffness, damping=damping, rest_length=0.8 - 1e-4))
    return m


def test_stiff_springs_between_bodies_in_contact() -> None:
    """k h² / m = 100: forces are those of statics at once, and nothing moves; explicit forces would blow up."""
    k = 1e8
    r = dt.simulate(pressed(k, 1e4), 0.05, outputs=1e-3, solver=dt.Moreau(1e-3, implicit=True))
    assert r.ok, r.reason
    pull = k * 1e-4
    assert r["c1.normal_force"][-1] == pytest.approx(G + pull, rel=1e-6)
    assert r["c0.normal_force"][-1] == pytest.approx(2 * G + pull, rel=1e-6)
    assert np.max(np.abs(r["b1.position"] - r["b1.position"][0])) < 1e-9
    assert np.max(np.abs(r.energy.residual)) < 1e-9 * pull


def test_a_pendulum_on_a_stiff_rope_against_radau() -> None:
    """A ball on a spring of 1e7 N/m with damping: the fast vibration dies, what is left is the pendulum, to order 2."""
    m = dt.Model("rope")
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.05), position=(1.0, 0, 0))
    m.add_joint("f", dt.Free(), m.ground, b)
    m.add_force("rope", dt.SpringDamper(m.ground, b, stiffness=1e7, damping=1e4, rest_length=1.0))
    exact = dt.simulate(m, 0.5, outputs=[0.5], solver=dt.Radau(rtol=1e-10))["b.position"][-1]
    errors = [
        np.linalg.norm(dt.simulate(m, 0.5, outputs=[0.5], solver=dt.Moreau(h, implicit=True))["b.position"][-1] - exact)
        for h in (2e-3, 1e-3, 5e-4)
    ]
    assert errors[1] < (1e-3 * np.sqrt(2 * G)) ** 2  # twice what a step along the tangent leaves the circle by
    assert errors[0] / errors[1] > 3.2  # four, or more while the vibration of 0.3 ms is not resolved at all
    assert errors[1] / errors[2] > 3.2


def test_what_implicit_forces_do_not_treat_is_said() -> None:
    closed = oscillator(1.0)
    closed.add_constraint("hold", dt.JointMotion("x", "0.01"))
    with pytest.raises(ValueError, match="closed loops and constraints"):
        dt.simulate(closed, 0.1, solver=dt.Moreau(1e-3, implicit=True))
    with pytest.raises(ValueError, match="must be True or False"):
        dt.simulate(oscillator(1.0), 0.1, solver=dt.Moreau(1e-3, implicit=3))  # pyright: ignore[reportArgumentType]
