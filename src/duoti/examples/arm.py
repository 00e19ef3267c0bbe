"""Robot arm with seven hinges, let go while stretched out: it swings, damped by its joints."""

from __future__ import annotations

import duoti as dt

DURATION = 4.0

# name, axis, mass [kg], length [m] of the link that the joint carries; the arm is drawn stretched along x
LINKS = (
    ("shoulder_1", "z", 3.0, 0.15),
    ("shoulder_2", "y", 3.0, 0.25),
    ("shoulder_3", "x", 2.5, 0.20),
    ("elbow", "y", 2.0, 0.25),
    ("wrist_1", "x", 1.5, 0.15),
    ("wrist_2", "y", 1.0, 0.10),
    ("wrist_3", "z", 0.5, 0.08),
)


def build() -> dt.Model:
    """A chain of cylinders; joints are placed at world points of the stretched arm."""
    m = dt.Model("seven-hinge arm")
    parent = m.ground
    x = 0.0
    for name, axis, mass, length in LINKS:
        tube = dt.Inertia.cylinder(mass, radius=0.05, length=length, axis="x", com=(length / 2, 0, 0))
        link = m.add_body(f"link_{name}", tube, position=(x, 0, 0))
        m.add_joint(name, dt.Revolute(axis), parent, link, at=(x, 0, 0), q0=0.15)
        m.add_force(f"damping_{name}", dt.JointDamping(name, 0.6 * length))
        parent, x = link, x + length
    m.add_marker("tip", parent, position=(LINKS[-1][3], 0, 0))
    return m
