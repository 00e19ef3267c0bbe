"""Car over a bump: four suspensions, four tyres and a bump of 60 mm.

A car of 1500 kg on double wishbones in front and trailing arms behind rolls at 8 m/s over a bump that is 1.6 m long.
Each suspension is described once, for the left wheel; the right one is its mirror image. The chassis pitches about
both axles in turn, and then swings at about 1.4 Hz; the wheels hop at about 12 Hz.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 2.5
PARTS = ("car_over_bump_road.csv",)
PICTURE = {
    "instant": 0.5, "camera": (0.6, 0.25), "near": True, "solid": True,
    "channels": ["car.front.left.tyre.load", "car.rear.left.tyre.load"],
}  # fmt: skip


def build() -> dt.Model:
    """At 8 m/s before the bump."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def main() -> dt.Result:
    """Simulate; what passengers and tyres feel."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    print(f"chassis: acceleration up to {np.abs(r['car.chassis.acceleration'][:, 2]).max():.1f} m/s2, "
          f"tyres: {min(r[f'car.{wheel}.tyre.load'].min() for wheel in ('front.left', 'rear.left')):.0f} to "
          f"{max(r[f'car.{wheel}.tyre.load'].max() for wheel in ('front.left', 'rear.left')):.0f} N")  # fmt: skip
    return r


if __name__ == "__main__":
    main()
