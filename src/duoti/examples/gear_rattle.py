"""Gear rattle: an engine's uneven rotation shakes an idle gear in its backlash.

The pinion turns with 80 rad/s and a ripple at 25 Hz. While the drag of the idle gear is larger than its inertia times
the acceleration, the flanks stay in contact. Beyond that the gear flies through the backlash and strikes on both sides.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 0.4
SMALL, LARGE, MASS, FREQUENCY, DRAG = 0.03, 0.06, 4.0, 25.0, 0.5  # m, m, kg, Hz, N m


def build(ripple: float = 4.0) -> dt.Model:
    """In steady rotation, in the middle of the backlash; ripple of the pinion's rate [rad/s]."""
    return dt.load(Path(__file__).with_suffix(".yaml"), parameters={"uneven": ripple})


def threshold() -> float:
    """Ripple of the pinion's rate [rad/s] from which on the gear rattles: drag = J r_a/r_b omega ripple."""
    inertia = 0.5 * MASS * LARGE**2
    return DRAG / (inertia * SMALL / LARGE * 2 * np.pi * FREQUENCY)


def main() -> dt.Result:
    """Simulate and compare."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    free = np.mean(r["teeth.force"][r.t > 0.1] == 0.0)
    print(f"ripple of 4 rad/s: no contact for {100 * free:.0f} % of the time; it rattles beyond {threshold():.2f}")
    return r


if __name__ == "__main__":
    main()
