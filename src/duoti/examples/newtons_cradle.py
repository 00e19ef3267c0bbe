"""Newton's cradle: one of five balls is released, and the last one flies off.

Five steel balls hang side by side, 0.2 mm apart. The first ball is released at 40 degrees. Its speed passes from ball
to ball within a millisecond, and the last ball swings out as far. Balls of equal mass exchange their speeds in elastic
impacts, one impact after the other. The gaps change this by less than the ratio of gap to swing. Half a period is that
of a single pendulum, 2 sqrt(J/(m g l)) K(sin(theta0/2)) = 0.52 s, with the complete elliptic integral K. Balls without
gaps need another law of impact: see docs/guide/contact/contact.md.
"""

from __future__ import annotations

from math import pi, radians, sin, sqrt
from pathlib import Path

import duoti as dt

DURATION = 2.0
PICTURE = {"solid": True, "instant": 0.6, "channels": ["hinge1.angle", "hinge3.angle", "hinge5.angle"]}

BALLS = 5
MASS, RADIUS, LENGTH, GAP = 0.26, 0.02, 0.25, 2e-4  # kg, m, m, m
ANGLE = radians(40)


def build(angle: float = ANGLE) -> dt.Model:
    """Ball 1 is out on the left; the others hang at rest."""
    return dt.load(Path(__file__).with_suffix(".yaml"), parameters={"angle": angle})


def half_period(angle: float = ANGLE) -> float:
    """Of one of the balls alone [s]; K by the arithmetic-geometric mean."""
    a, b = 1.0, sqrt(1.0 - sin(angle / 2) ** 2)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, sqrt(a * b)
    about_hinge = MASS * (LENGTH**2 + 0.4 * RADIUS**2)
    return 2 * sqrt(about_hinge / (MASS * 9.81 * LENGTH)) * pi / (2 * a)


def main() -> dt.Result:
    """Simulate; how far does the last ball swing, and when does it come back?"""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    print(f"ball 5 swings out by {-min(r['hinge5.angle']) * 180 / pi:.3f} degrees, ball 1 by {ANGLE * 180 / pi:.3f}")
    first, fifth = r.impacts[0].time, r.impacts[BALLS - 1].time
    print(f"it comes back after {fifth - first:.4f} s; half a period is {half_period():.4f} s")
    return r


if __name__ == "__main__":
    main()
