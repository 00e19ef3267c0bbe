"""Rimless wheel: eight spokes without a rim walk down a slope and find a steady speed.

This is the simplest walking machine (McGeer 1990). It rotates about one spoke until the next one strikes the ground.
Each impact, without rebound, leaves the fraction n = (cos 2a + j)/(1 + j) of the angular velocity. Here 2a is the
angle between spokes and j = J/(m l^2). Each step downhill gives energy back. The squares w of the angular velocities
after impacts follow w' = n^2 (w + 4 g sin(a) sin(s)/(l (1 + j))) on a slope s. They approach a steady value from any
start that gets over the first spoke. The feet are points with friction, and at most one of them touches the ground.
"""

from __future__ import annotations

from math import cos, pi, radians, sin, sqrt
from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 4.0
PICTURE = {"solid": True, "instant": 2.0, "channels": ["plane.rate"], "tip": "foot0"}

SPOKES, LENGTH, MASS, INERTIA = 8, 0.5, 10.0, 0.75  # -, m, kg, kg m^2 about the axle
SLOPE, START = radians(8), 1.2  # rad, rad/s
HALF = pi / SPOKES


def build(slope: float = SLOPE, start: float = START) -> dt.Model:
    """Two feet stand on the slope, and it turns about the front one; x is horizontal, the slope falls towards it."""
    return dt.load(Path(__file__).with_suffix(".yaml"), parameters={"slope": slope, "start": start})


def kept() -> float:
    """The part of its angular velocity that an impact leaves."""
    j = INERTIA / (MASS * LENGTH**2)
    return (cos(2 * HALF) + j) / (1 + j)


def gained(slope: float = SLOPE) -> float:
    """What a step adds to the square of the angular velocity [rad²/s²]."""
    j = INERTIA / (MASS * LENGTH**2)
    return 4 * 9.81 * sin(HALF) * sin(slope) / (LENGTH * (1 + j))


def steady(slope: float = SLOPE) -> float:
    """Angular velocity after impacts in the end [rad/s]."""
    return sqrt(kept() ** 2 * gained(slope) / (1 - kept() ** 2))


def main() -> dt.Result:
    """Simulate; how fast does it walk after each step?"""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    after = [r["plane.rate"][np.searchsorted(r.t, impact.time) + 1] for impact in r.impacts]
    print(f"{len(after)} steps; after their impacts it turns by {', '.join(f'{w:.2f}' for w in after)} rad/s")
    print(f"steady: {steady():.3f} rad/s")
    return r


if __name__ == "__main__":
    main()
