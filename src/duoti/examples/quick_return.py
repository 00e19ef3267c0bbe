"""Quick-return mechanism of a shaping machine: the ram cuts slowly and returns fast.

A crank of 100 mm, turning at 60 rpm, moves a block in the slot of a lever. The lever's pivot is 250 mm below the
crank's axis. Its end, 500 mm from the pivot, pulls the ram by a link of 200 mm. The lever swings by asin(100/250) =
23.6 degrees to either side, so the stroke of the ram is 2*500*100/250 = 400 mm. Cutting takes 1.71 times as long as
the return: (pi + 2*0.4115)/(pi - 2*0.4115). The tool resists with 1 kN while it cuts. The multiplier of the drive is
the torque of the motor.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 2.0
PICTURE = {"instant": 0.3, "channels": ["guide.velocity"]}

CRANK, PIVOT, LEVER, LINK = 0.100, 0.250, 0.500, 0.200  # m


def build() -> dt.Model:
    """Drawn with lever and crank upright; the lever's pivot is the origin, the ram slides along x.

    Pins are revolute, cylindrical or spherical such that nothing is over-constrained and every reaction unique.
    """
    return dt.load(Path(__file__).with_suffix(".yaml"))


def main() -> dt.Result:
    """Simulate two turns and compare stroke and time ratio with the closed forms."""
    r = dt.simulate(build(), DURATION)
    print("\n".join(r.summary().splitlines()[:4]))
    ram, turns = r["guide.position"], [event.t for event in r.events]
    swing = np.arcsin(CRANK / PIVOT)
    times = np.diff(turns)[:2]
    print(f"stroke {1e3 * np.ptp(ram):.1f} mm, {2e3 * LEVER * CRANK / PIVOT:.1f} mm in theory")
    print(f"ratio of times {times.max() / times.min():.6f}, {(np.pi + 2 * swing) / (np.pi - 2 * swing):.6f} in theory")
    torque = r.multipliers("motor")[:, 0]
    print(f"torque of the motor: from {torque.min():.0f} to {torque.max():.0f} N m")
    return r


if __name__ == "__main__":
    main()
