"""Two rods on hinges, released from above the horizontal; the second swings through."""

from __future__ import annotations

import duoti as dt

DURATION = 6.0


def build() -> dt.Model:
    """The model, drawn hanging straight down."""
    m = dt.Model("double pendulum")
    upper = m.add_body("upper", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    lower = m.add_body("lower", dt.Inertia.rod(0.5, length=0.8, axis="z"), position=(0, 0, -1.4))
    m.add_joint("A", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0), q0=-2.0)
    m.add_joint("B", dt.Revolute("y"), upper, lower, at=(0, 0, -1.0), q0=-0.6)
    m.add_marker("tip", lower, position=(0, 0, -0.4))
    return m
