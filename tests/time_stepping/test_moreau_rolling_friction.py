"""Resistance of rigid contacts against rolling and against turning about the normal, by time stepping."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

G = 9.81


def ball(law: dt.RigidContact, v0, gravity=(0, 0, -G), radius: float = 0.2) -> dt.Model:
    m = dt.Model("ball", gravity=gravity)
    b = m.add_body("ball", dt.Inertia.sphere(3.0, radius=radius), position=(0, 0, radius))
    m.add_joint("free", dt.Free(), m.ground, b, v0=v0)
    m.add_contact("floor", law, m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.sphere(radius)))
    return m


def test_a_ball_rolls_to_rest():
    """Pure rolling with the torque a N against it: v' = -5/7 a g / r, then rest; sliding friction does no work."""
    arm, radius, speed, h = 0.01, 0.2, 1.4, 1e-3
    m = ball(dt.RigidContact(friction=0.5, rolling_friction=arm), [speed * 0.8, speed * 0.6, 0, -3 * 1.4, 4 * 1.4, 0])
    slowing = 5.0 / 7.0 * arm * G / radius
    stop = speed / slowing
    r = dt.simulate(m, 5.0, outputs=0.01, solver=dt.Moreau(step=h))
    assert r.ok, r.reason
    t = np.minimum(r.t, stop)
    travelled = speed * t - 0.5 * slowing * t**2
    # constant forces are integrated exactly; the step in which it stops is not located
    before = r.t < stop
    assert np.abs(r["ball.position.x"] - 0.8 * travelled)[before].max() < 1e-7
    assert np.abs(r["ball.position.y"] - 0.6 * travelled).max() < slowing * h * h
    assert np.abs(r["ball.velocity"][r.t > stop + h]).max() < 1e-9
    assert np.ptp(r["ball.position.x"][r.t > stop + h]) < 1e-9
    assert r["floor.energy_lost"][-1] == pytest.approx(0.7 * 3.0 * speed**2, rel=1e-7)
    assert np.abs(r.energy.residual).max() < 1e-8


def test_a_ball_on_a_slope_is_held_or_rolls():
    """Held up to tan(angle) = a / r; beyond, it rolls with 5/7 g (sin - a/r cos)."""
    arm, radius = 0.02, 0.2
    law = dt.RigidContact(friction=0.5, rolling_friction=arm)
    for slope, moves in ((0.09, False), (0.11, True)):
        angle = np.arctan(slope)
        gravity = (G * np.sin(angle), 0, -G * np.cos(angle))
        r = dt.simulate(ball(law, [0] * 6, gravity), 0.5, outputs=[0.5], solver=dt.Moreau(step=1e-3))
        wanted = 5.0 / 7.0 * G * (np.sin(angle) - arm / radius * np.cos(angle)) if moves else 0.0
        assert r["ball.velocity.x"][-1] == pytest.approx(0.5 * wanted, abs=1e-7)


def test_a_spinning_ball_is_drilled_to_rest():
    """Torque a N about the normal: w' = -a m g / (2/5 m r^2)."""
    arm, radius, spin = 0.005, 0.2, 10.0
    law = dt.RigidContact(friction=0.5, torsional_friction=arm)
    slowing = arm * G / (0.4 * radius**2)
    stop = spin / slowing
    r = dt.simulate(ball(law, [0, 0, 0, 0, 0, spin]), 5.0, outputs=0.01, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    wanted = np.maximum(spin - slowing * r.t, 0.0)
    assert np.abs(r["ball.angular_velocity.z"] - wanted).max() < slowing * 1e-3
    assert np.abs(r["ball.angular_velocity"][r.t > stop + 1e-3]).max() < 1e-12
    assert np.abs(r.energy.residual).max() < 1e-8


def test_balls_on_balls_lose_energy_and_nothing_else_does():
    """Bodies that both move: the balance of energy closes, and contacts give nothing back."""
    m = dt.Model("balls")
    m.ground.shapes.append(dt.Shape.plane())
    for i, x in enumerate((0.0, 0.1, 0.6)):
        b = m.add_body(f"b{i}", dt.Inertia.sphere(1.0, radius=0.1), position=(x, 0.02 * i, 0.1 + 0.2 * (i == 1)))
        m.add_joint(f"f{i}", dt.Free(), m.ground, b, v0=[0, 0, 0, 5.0 * (i == 1), 0, 20.0])
    m.add_contact("touch", dt.RigidContact(friction=0.4, rolling_friction=0.01, torsional_friction=0.02), "all", "all")
    r = dt.simulate(m, 1.0, outputs=0.01, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert np.abs(r.energy.residual).max() < 1e-6
    assert np.all(np.diff(r["touch.energy_lost"].ravel()) > -1e-9)
