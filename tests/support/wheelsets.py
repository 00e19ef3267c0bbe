"""Wheelsets with conical wheels on round rails."""

from __future__ import annotations

import math
from math import cos, sin, tan

from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import duoti as dt

WHEEL, GAUGE, CONE, RAIL = 0.46, 0.75, 0.05, 0.3  # m: radii of wheel and rail, half the gauge; rad
SHEAR, NU, KALKER = 8e10, 0.28, (4.2, 3.8, 1.6)
ARM = GAUGE + RAIL * sin(CONE)  # of a rail's centre


def put_on_rails(model: dt.Model, axle: dt.Body, law: dt.RollingContact) -> None:
    """Contacts "left" and "right" of an axle along y, at z = 0, with rails along x."""
    for name, side in (("left", 1), ("right", -1)):
        limits = (0.6, 0.9) if side > 0 else (-0.9, -0.6)
        wheel = dt.Shape.revolution(f"{WHEEL} + {tan(CONE)!r}*({GAUGE} - abs(z))", limits, axis="y")
        place = (0, side * ARM, -WHEEL - RAIL * cos(CONE))
        rail = dt.Shape.extrusion(f"sqrt({RAIL}^2 - x^2)", 1.0, (-0.2, 0.2), axis="x", position=place)
        model.add_contact(name, law, model.ground, axle, shapes=(rail, wheel))


def free_wheelset(speed: float, friction: float, offset: float = 1e-3, spun: float = 1.0) -> dt.Model:
    """A wheelset alone, with a lateral offset and the roll that goes with it.

    spun: rotation as part of that of pure rolling.
    """
    m = dt.Model("wheelset")
    axle = m.add_body("axle", dt.Inertia(1200.0, matrix=[[700, 0, 0], [0, 90, 0], [0, 0, 700]]))
    roll = tan(CONE) / (ARM - tan(CONE) * (WHEEL + RAIL))  # for a unit offset, with both wheels on their rails
    q0, v0 = [0, offset, 0, 0, offset * roll, 0], [speed, 0, 0, 0, 0, spun * speed / WHEEL]
    m.add_joint("six", dt.Composite.of_axes("xyz", "zxy"), m.ground, axle, q0=q0, v0=v0)
    put_on_rails(m, axle, dt.RollingContact(friction, SHEAR, NU, KALKER))
    return m


def ellipse(N: float, along: float, across: float) -> float:
    """c = sqrt(a b) by Johnson, Contact Mechanics, 4.24 to 4.28, with elliptic integrals from SciPy."""
    ratio = max(along, across) / min(along, across)

    def less(g: float) -> float:
        e2 = 1.0 - g * g
        K, E = ellipk(e2), ellipe(e2)
        return (E / g**2 - K) / (K - E) - ratio

    g = float(brentq(less, 1e-3, 1.0 - 1e-9))  # pyright: ignore[reportArgumentType]
    E_star = SHEAR / (1.0 - NU)  # of two bodies of the same material
    p0_b = (along + across) / 2 * E_star / ellipe(1.0 - g * g)  # A + B = p0 E(e) / (b E*), p0 = 3 N / (2 pi a b)
    b_cubed = 3.0 * N * g / (2.0 * math.pi * p0_b)
    b = b_cubed ** (1 / 3)
    return b / g**0.5
