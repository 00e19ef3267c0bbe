"""Heavy top: a fast disk on a tilted stem, on a ball joint; its axis precesses with cusps."""

from __future__ import annotations

import duoti as dt

DURATION = 4.0
SPIN = 160.0  # rad/s
TILT = 0.7  # rad


def build() -> dt.Model:
    """The stem stands upright in the reference configuration and starts tilted, spinning about its own axis."""
    m = dt.Model("heavy top")
    disk = dt.Inertia.cylinder(0.8, radius=0.12, length=0.02, axis="z", com=(0, 0, 0.25))
    stem = dt.Inertia.rod(0.1, length=0.3, axis="z", com=(0, 0, 0.15))
    top = m.add_body("top", disk + stem, position=(0, 0, 0))
    m.add_joint("ball", dt.Spherical(), m.ground, top, at=(0, 0, 0),
                q0=dt.Rotation.about("y", TILT), v0=(0, 0, SPIN))  # fmt: skip
    m.add_marker("tip", top, position=(0, 0, 0.3))
    return m
