"""Rolling contact (creep) by time stepping, against located runs: the same forces, of first order at least."""

from __future__ import annotations

from math import cos, sin, tan

import numpy as np
import pytest

import duoti as dt


def wheelset(speed: float, friction: float = 0.4, offset: float = 1e-3, spun: float = 1.0) -> dt.Model:
    """Conical wheels on round rails; spun: rotation as part of that of pure rolling."""
    r0, b, cone, head = 0.46, 0.75, 0.05, 0.3
    m = dt.Model("wheelset")
    axle = m.add_body("axle", dt.Inertia(1200.0, matrix=[[700, 0, 0], [0, 90, 0], [0, 0, 700]]))
    arm = b + head * sin(cone)
    roll = tan(cone) / (arm - tan(cone) * (r0 + head))  # for a unit offset, with both wheels on their rails
    q0, v0 = [0, offset, 0, 0, offset * roll, 0], [speed, 0, 0, 0, 0, spun * speed / r0]
    m.add_joint("six", dt.Composite.of_axes("xyz", "zxy"), m.ground, axle, q0=q0, v0=v0)
    law = dt.RollingContact(friction=friction, shear_modulus=8e10, poisson_ratio=0.28, kalker=(4.2, 3.8, 1.6))
    for name, side in (("left", 1), ("right", -1)):
        limits = (0.6, 0.9) if side > 0 else (-0.9, -0.6)
        wheel = dt.Shape.revolution(f"{r0} + {tan(cone)}*({b} - abs(z))", limits, axis="y")
        place = (0, side * arm, -r0 - head * cos(cone))
        rail = dt.Shape.extrusion(f"sqrt({head}^2 - x^2)", 1.0, (-0.2, 0.2), axis="x", position=place)
        m.add_contact(name, law, m.ground, axle, shapes=(rail, wheel))
    return m


@pytest.mark.parametrize(
    ("speed", "friction", "spun"),
    [(5.0, 0.4, 1.0), (20.0, 0.4, 1.0), (5.0, 0.1, 1.5)],
    ids=["slow, where creep is stiff", "fast", "wheels that spin, with all of their friction"],
)
def test_a_wheelset_moves_as_in_a_located_run(speed: float, friction: float, spun: float):
    """Halves of the step halve the errors at least, and quarter them where the middle of the step counts.

    From 1.7 on: terms of second order may take some of the ratio 2. A located run moves to its gaps at the start,
    a stepped one in its first step: the first output does not count.
    """
    m = wheelset(speed, friction, spun=spun)
    located = dt.simulate(m, 0.5, outputs=0.05, solver=dt.DOPRI5(rtol=1e-11, atol=1e-14))
    assert located.ok, located.reason
    errors = []
    for step in (5e-4, 2.5e-4, 1.25e-4):
        stepped = dt.simulate(m, 0.5, outputs=0.05, solver=dt.Moreau(step=step))
        assert stepped.ok, stepped.reason
        assert not stepped.stats.notes
        names = ("axle.velocity", "axle.angular_velocity", "left.force", "right.force")
        errors.append([np.max(np.abs(stepped[each] - located[each])[1:]) for each in names])
        assert np.abs(stepped.energy.residual).max() < 1e-6 * stepped.energy.total[0]
    for k in (1, 2):
        assert np.all(np.array(errors[k - 1]) / errors[k] > 1.7)
    assert max(errors[-1][2:]) < 1e-2 * np.max(np.abs(located["left.force"]))


def test_steps_may_be_longer_than_creep_lasts():
    """At 0.5 m/s a creep dies out in 40 µs (2 G c² c11 / (m V) and more): steps of 2 ms are stable, and it rolls on."""
    m = wheelset(0.5)
    r = dt.simulate(m, 2.0, outputs=0.1, solver=dt.Moreau(step=2e-3))
    assert r.ok, r.reason
    located = dt.simulate(m, 2.0, outputs=0.1, solver=dt.Rodas())
    # the wheel steers by 1e-3 tan(cone) / (b r0): of first order, 2e-3 s at 0.5 m/s is 1 mm of a wave of 16 m
    assert r["axle.position.y"] == pytest.approx(located["axle.position.y"], abs=1e-3 * 2 * np.pi * 1e-3 / 16 * 10)
    assert r["axle.velocity.x"] == pytest.approx(located["axle.velocity.x"], abs=1e-5)
