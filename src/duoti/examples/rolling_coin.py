"""Rolling coin: a coin rolls on its edge around a circle and nods, because it was pushed a little.

A 2-euro coin (8.5 g, 25.75 mm) rolls without slip on a table around a circle of 60 mm radius, leaning inwards by 20
degrees. By the balance of momentum, a thin disc does so steadily at the rate W about the vertical with `W^2 = g tan(b)
/ (r sin(b)/4 + 3 R/2)`. Here b is the lean, r the radius of the coin and R that of the path of its centre. This coin
also gets a push of 3 rad/s that raises it, and nods around the steady motion. The contact takes no energy. The
multipliers are the force of the table on the coin, which tell how much friction rolling needs.
"""

from __future__ import annotations

from math import cos, pi, radians, sin, sqrt, tan

import numpy as np

import duoti as dt

DURATION = 2.0
PICTURE = {"instant": 0.35, "tip": "rim"}

MASS, RADIUS = 8.5e-3, 12.875e-3  # kg, m
PATH, LEAN = 0.060, radians(20)  # m, rad
PUSH = 3.0  # rad/s


def build(push: float = PUSH) -> dt.Model:
    """The coin's axis is z of its body; it starts at x = 60 mm and moves along y."""
    about = sqrt(9.81 * tan(LEAN) / (RADIUS * sin(LEAN) / 4 + 1.5 * PATH))  # rate about the vertical
    spin = -PATH * about / RADIUS  # angular velocity about the coin's own axis
    m = dt.Model("rolling coin", parameters={"r": RADIUS, "R": PATH, "lean": LEAN, "push": push})
    inertia = dt.Inertia(MASS, matrix=MASS * RADIUS**2 * np.diag([0.25, 0.25, 0.5]))
    start = dt.Rotation.about("y", pi / 2 - LEAN)
    m.add_body("coin", inertia, position=(PATH, 0, RADIUS * cos(LEAN)), rotation=start,
               shapes=[dt.Shape.cylinder(RADIUS, 2.2e-3, colour="goldenrod")])  # fmt: skip
    velocity = (push * RADIUS * cos(LEAN), -RADIUS * spin, push * RADIUS * sin(LEAN))
    turning = (spin * cos(LEAN) - about * cos(LEAN) * sin(LEAN), push, spin * sin(LEAN) + about * cos(LEAN) ** 2)
    m.add_joint("free", dt.Free(), m.ground, "coin", v0={"velocity": velocity, "angular_velocity": turning})
    m.add_constraint("roll", dt.RollingDisc("coin", RADIUS))
    m.add_marker("centre", "coin")
    m.add_marker("rim", "coin", position=(-RADIUS, 0, 0))
    return m


def main() -> dt.Result:
    """Simulate; how far does the coin nod, and how rough must the table be?"""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    stands = np.degrees(np.arcsin(r["coin.position"][:, 2] / RADIUS))
    print(f"the coin stands at {stands.min():.1f} to {stands.max():.1f} degrees to the table")
    normal, *along = r.multipliers("roll").T
    print(f"it rolls if the coefficient of friction is above {np.max(np.hypot(*along) / normal):.2f}")
    return r


if __name__ == "__main__":
    main()
