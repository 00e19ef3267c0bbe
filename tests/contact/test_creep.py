"""Rolling contact: creep forces against Kalker's formulas with Hertz's ellipse, and Klingel's wave."""

from __future__ import annotations

import math

import numpy as np
import pytest

import duoti as dt
from support.wheelsets import ARM, CONE, GAUGE, KALKER, NU, RAIL, SHEAR, WHEEL, ellipse, free_wheelset

MASS, RADIUS, CROWN = 900.0, 0.45, 0.6  # kg, m, m


def towed(mu: float, saturation: str, speed: float, aside: float, turning: float) -> dt.Result:
    """A crowned wheel on a plane, with all motions given but the vertical one."""
    m = dt.Model("towed wheel")
    w = m.add_body("w", dt.Inertia.cylinder(MASS, RADIUS, 0.1, axis="y"), position=(0, 0, RADIUS))
    m.add_joint("j", dt.Composite.of_axes("xyz", "y"), m.ground, w, v0=[speed, aside, 0.0, turning])
    for k, rate in ((0, speed), (1, aside), (3, turning)):
        m.add_constraint(f"c{k}", dt.JointMotion("j", f"{rate!r}*t", coordinate=k))
    law = dt.RollingContact(mu, SHEAR, NU, KALKER, saturation=saturation)
    wheel = dt.Shape.revolution(f"{RADIUS} - {CROWN} + sqrt({CROWN}^2 - z^2)", (-0.1, 0.1), axis="y")
    m.add_contact("rail", law, m.ground, w, shapes=(dt.Shape.plane(), wheel))
    return dt.simulate(m, 0.1)


@pytest.mark.parametrize("saturation", ["tanh", "vermeulen_johnson"])
@pytest.mark.parametrize(("slip", "aside"), [(2e-4, -3e-4), (4e-3, 1e-3), (0.05, -0.02)])
def test_forces_of_a_towed_wheel(saturation: str, slip: float, aside: float) -> None:
    mu, V, N = 0.3, 10.0, 9.81 * MASS
    turning = (V - slip * V) / RADIUS
    r = towed(mu, saturation, V, aside * V, turning)
    assert r.ok, r.reason
    force = r["rail.force"][-1]
    assert force[2] == pytest.approx(N, rel=1e-9)
    slips = np.array([V - turning * RADIUS, aside * V])
    # the mean velocity of both surfaces past the point of contact, which moves with the wheel's centre
    rolling = np.hypot(0.5 * (V + turning * RADIUS), 0.5 * aside * V)
    c = ellipse(N, 1 / RADIUS, 1 / CROWN)
    linear = -SHEAR * c**2 * np.array(KALKER[:2]) * slips / rolling
    x = linear / (mu * N)
    if saturation == "tanh":
        wanted = mu * N * np.tanh(x)
        wanted *= min(1.0, mu * N / np.linalg.norm(wanted))
    else:
        e = np.linalg.norm(x)
        wanted = mu * N * x / e * (e - e**2 / 3 + e**3 / 27 if e < 3 else 1.0)
    # slow_speed: 1e-3 m/s of 10 m/s, squared; profile and integrals are good to 1e-10
    np.testing.assert_allclose(force[:2], wanted, rtol=1e-7)
    lost = -force[:2] @ slips
    assert r.energy.dissipated[-1] == pytest.approx(0.1 * lost, rel=1e-6)


def test_hunting_of_a_free_wheelset_has_klingels_wavelength() -> None:
    """L = 2 pi sqrt(r b / gamma) (Klingel 1883) for pure rolling of small waves, with what round rails add.

    The wheelset rolls by phi = k y, k = gamma / (b' - gamma (r + R)) with b' = b + R sin(gamma), where both wheels stay
    on their rails; wheels touch further in or out: gamma_e = gamma b' k / gamma = b' k. The point of contact moves
    sideways with dy/dt + r dphi/dt: L = 2 pi sqrt(r b (1 + k r) / gamma_e). Creepages and inertia change it by the
    square of the ratio of wave to creep times, gamma² and weight over creep coefficient: below 2e-3 together.
    """
    speed, gamma = 2.0, math.tan(CONE)
    arm = ARM
    k = gamma / (arm - gamma * (WHEEL + RAIL))
    wave = 2 * math.pi * math.sqrt(WHEEL * GAUGE * (1 + k * WHEEL) / (arm * k))
    r = dt.simulate(free_wheelset(speed, 1.0), 1.3 * wave / speed, outputs=0.02)
    assert r.ok, r.reason
    x, y = r["axle.position.x"], r["axle.position.y"]
    falls = np.flatnonzero(y[:-1] * y[1:] < 0)[:3]
    zeros = [x[i] - y[i] * (x[i + 1] - x[i]) / (y[i + 1] - y[i]) for i in falls]
    assert zeros[2] - zeros[0] == pytest.approx(wave, rel=2e-3)
    assert abs(wave / (2 * math.pi * math.sqrt(WHEEL * GAUGE / gamma)) - 1) > 8e-3  # the corrections can be told
