"""Rocking block: a tall block rocks from corner to corner, a little less each time.

Housner's (1963) block stands for columns and machines in earthquakes. It is 0.2 m wide and 0.8 m tall, and starts
tilted by 8 degrees. When the other corner strikes there is no rebound. Conservation of angular momentum about that
corner leaves the fraction 1 - 3/2 sin(a)^2 = 0.912 of the angular velocity, where tan(a) is width over height. The
time until the first impact, 0.35 s, is an integral that follows from the energy.
"""

from __future__ import annotations

from math import atan2, hypot, radians, sin
from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 2.0
PICTURE = {"solid": True, "instant": 0.0, "channels": ["plane.angle"]}

WIDTH, HEIGHT = 0.2, 0.8  # m
TILT = radians(8)
CORNER, RADIUS = atan2(WIDTH, HEIGHT), hypot(WIDTH, HEIGHT) / 2  # of the line from a corner to the middle


def build(tilt: float = TILT) -> dt.Model:
    """Tilted about the edge at x = 0, from which it extends towards -x."""
    return dt.load(Path(__file__).with_suffix(".yaml"), parameters={"tilt": tilt})


def kept() -> float:
    """The part of its angular velocity that an impact leaves (Housner)."""
    return 1 - 1.5 * sin(CORNER) ** 2


def first_impact(tilt: float = TILT) -> float:
    """Time until the block is upright [s], the integral of 1/w over the angle with 2/3 R² w² = g (drop of its centre).

    The angle is tilt (1 - s²), so that the speed's zero at the start does not matter (Gauss' formula in s).
    """
    s, weights = np.polynomial.legendre.leggauss(60)
    s = (s + 1) / 2
    angle = tilt * (1 - s**2)
    squares = 1.5 * 9.81 / RADIUS * (np.cos(CORNER - tilt) - np.cos(CORNER - angle))
    return float(np.sum(weights / 2 * 2 * tilt * s / np.sqrt(np.abs(squares))))


def main() -> dt.Result:
    """Simulate; when does it strike, and what is left?"""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    print(f"first impact at {r.impacts[0].time:.6f} s, by the integral at {first_impact():.6f} s")
    k = int(np.searchsorted(r.t, r.impacts[0].time))
    rate = r["plane.rate"]
    print(f"rate before {rate[k - 1]:.4f}, after {rate[k + 1]:.4f} rad/s; {kept():.4f} of it is to be left")
    return r


if __name__ == "__main__":
    main()
