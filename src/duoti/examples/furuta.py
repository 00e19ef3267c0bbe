"""Furuta pendulum: a rod that swings at the end of a turning arm, moving freely after a push."""

from __future__ import annotations

import duoti as dt

DURATION = 4.0


def build() -> dt.Model:
    """An arm on a vertical axis; the rod hangs at its end and turns about the arm's axis."""
    m = dt.Model("Furuta pendulum")
    arm = m.add_body("arm", dt.Inertia.rod(0.3, length=0.4, axis="x"), position=(0.2, 0, 0))
    hub = m.add_body("hub", dt.Inertia.cylinder(0.4, radius=0.05, length=0.06, axis="z"), position=(0, 0, 0))
    rod = m.add_body("rod", dt.Inertia.rod(0.1, length=0.5, axis="z"), position=(0.4, 0, -0.25))
    m.add_joint("axle", dt.Revolute("z"), m.ground, hub, at=(0, 0, 0), v0=3.0)
    m.add_joint("clamp", dt.Fixed(), hub, arm, at=(0, 0, 0))
    m.add_joint("hinge", dt.Revolute("x"), arm, rod, at=(0.4, 0, 0), q0=2.6)
    m.add_force("friction", dt.JointDamping("axle", 0.002))
    m.add_marker("tip", rod, position=(0, 0, -0.25))
    return m
