"""Stick-slip: a block on a moving belt, held by a spring, is carried along and slips back again and again.

The belt runs at 0.2 m/s. Friction carries the block of 1 kg along (coefficient 0.6 while it sticks) until the spring of
100 N/m pulls harder. Then it slips (coefficient 0.4) and swings back until it is as fast as the belt and sticks anew.
With the frequency w = sqrt(k/m) and d = (mu_s - mu_k) g, sticking takes 2 d/(w^2 v) and slipping (2/w)(pi - atan(d/(v
w))): 0.20 s and 0.47 s here, the squeal of a brake or a violin's string in slow motion. Sticking is exact, and both
changes are located.
"""

from __future__ import annotations

from math import atan, pi, sqrt

import numpy as np

import duoti as dt

DURATION = 3.0
PICTURE = {"solid": True, "instant": 1.0, "channels": ["block.velocity.x"], "camera": (-1.2, 0.35)}

MASS, STIFFNESS, SPEED = 1.0, 100.0, 0.2  # kg, N/m, m/s
STATIC, KINETIC = 0.6, 0.4


def build(speed: float = SPEED) -> dt.Model:
    """The block moves along x and may lift off; it touches the belt in the middle of its sole."""
    m = dt.Model("stick slip", parameters={"v": speed, "k": STIFFNESS})
    m.add_body("belt", dt.Inertia.box(5.0, size=(1.6, 0.2, 0.02)), position=(-0.4, 0, -0.01))
    m.add_body("block", dt.Inertia.box(MASS, size=(0.1, 0.1, 0.06)), position=(0, 0, 0.03))
    m.add_marker("wall", m.ground, (-0.5, 0, 0.03))
    m.add_joint("run", dt.Prismatic("x"), m.ground, "belt", v0=speed)
    m.add_joint("slide", dt.Composite(dt.Prismatic("x"), dt.Prismatic("z")), m.ground, "block", v0=[speed, 0])
    m.add_force("spring", dt.SpringDamper("wall", "block", stiffness=STIFFNESS, rest_length=0.5))
    m.add_constraint("drive", dt.JointMotion("run", "v*t"))
    top, sole = dt.Shape.plane(position=(0, 0, 0.01)), dt.Shape.point(position=(0, 0, -0.03))
    m.add_contact("rub", dt.RigidContact(friction=KINETIC, static_friction=STATIC), "belt", "block", shapes=(top, sole))
    return m


def times(speed: float = SPEED) -> tuple[float, float]:
    """How long it sticks and slips [s] in each turn."""
    w, d = sqrt(STIFFNESS / MASS), (STATIC - KINETIC) * 9.81
    return 2 * d / (w**2 * speed), 2 / w * (pi - atan(d / (speed * w)))


def main() -> dt.Result:
    """Simulate; how long does it stick and slip?"""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    sticks = r["rub.state"] == 1
    changes = r.t[1:][np.diff(sticks.astype(int)) != 0]
    print(f"it changes at {', '.join(f'{t:.3f}' for t in changes)} s")
    print("it sticks for {:.4f} s and slips for {:.4f} s by the formulas".format(*times()))
    return r


if __name__ == "__main__":
    main()
