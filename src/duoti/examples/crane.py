"""Crane: a winch lifts a load on two falls of rope while the trolley brakes.

The rope comes from a drum, turns down at a sheave on the trolley, runs around the sheave of the hook block and ends at
the trolley. It is tangent to each sheave by itself, however the load swings. The trolley slows down from 1 m/s. So the
load swings on two joints, hook and sling, as a double pendulum, while the drum winds up 3.5 m of rope.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 8.0
RADIUS, LOAD, HOOK = 0.25, 1000.0, 50.0  # m, kg, kg


def build() -> dt.Model:
    """Drawn with the load 8 m below the trolley."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def main() -> dt.Result:
    """Simulate and compare."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    wound = -RADIUS * r["axle.angle"][-1]
    print(f"{wound:.3f} m wound up, the load rose by {np.ptp(r['load.position'][[0, -1], 2]):.3f} m")
    print(f"tension {np.mean(r['rope.tension'][-200:]):.0f} N; half the weight {0.5 * (LOAD + HOOK) * 9.81:.0f} N")
    return r


if __name__ == "__main__":
    main()
