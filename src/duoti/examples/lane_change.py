"""Double lane change: a driver changes lanes and back at 80 km/h, as in ISO 3888-1.

A car on double wishbones, with TMeasy tyres and rear-wheel drive. The driver looks 0.5 s ahead, steers along the arc
that leads to the path there, and holds the speed. The lateral acceleration reaches 0.7 g. The lanes are fitted to the
width of the car; `dt.vehicle.double_lane_change` does the same with any car, and says how near it came to their edges.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 7.5
PICTURE = {
    "instant": 3.2, "camera": (0.6, 0.3), "near": True, "solid": True,
    "channels": ["car.chassis.position.y", "car.preview.position.y"],
}  # fmt: skip
WIDTH = 1.8  # m


def build() -> dt.Model:
    """At 22 m/s, 30 m before the first lane."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def main() -> dt.Result:
    """Simulate; how far from the middle of the lanes, and how fast it turns."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    x, y = r["car.chassis.position"][:, 0], r["car.chassis.position"][:, 1]
    there = (x > 75) & (x < 100)
    print(
        f"in the left lane y = {y[there].min():.2f} to {y[there].max():.2f} m; "
        f"yaw rate up to {np.degrees(np.abs(r['car.chassis.angular_velocity'][:, 2]).max()):.1f} deg/s"
    )
    return r


if __name__ == "__main__":
    main()
