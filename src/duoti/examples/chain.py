"""Hanging chain of 20 links, held level and let go: it falls, swings through and whips.

Twenty rods of 0.1 m and 50 g on hinges with a little friction, 2e-4 N m s/rad. Held stretched out and let go at its
free end, the chain falls; as it swings through, the last links whip round with many times the acceleration of free
fall.
"""

from __future__ import annotations

import numpy as np

import duoti as dt

DURATION = 2.5
LINKS = 20
LENGTH = 0.1  # of a link [m]


def build() -> dt.Model:
    """All links stretched along x at the start."""
    m = dt.Model("chain of 20 links")
    parent = m.ground
    for i in range(LINKS):
        rod = dt.Inertia.rod(0.05, length=LENGTH, axis="x", com=(LENGTH / 2, 0, 0))
        link = m.add_body(f"link{i + 1}", rod, position=(i * LENGTH, 0, 0))
        m.add_joint(f"J{i + 1}", dt.Revolute("y"), parent, link, at=(i * LENGTH, 0, 0))
        m.add_force(f"damping{i + 1}", dt.JointDamping(f"J{i + 1}", 2e-4))
        parent = link
    m.add_marker("tip", parent, position=(LENGTH, 0, 0))
    return m


def main() -> dt.Result:
    """Simulate; how hard does the chain crack?"""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    jerk = np.linalg.norm(r["tip.acceleration"], axis=1)
    print(f"largest acceleration of the tip: {jerk.max() / 9.81:.0f} g at t = {r.t[jerk.argmax()]:.3f} s")
    return r


if __name__ == "__main__":
    main()
