"""Belt drive: the load grows until the belt slips on the small pulley.

An elastic belt with 3 % of strain runs from a small to a large pulley. While it adheres it creeps: the driven pulley is
slower than the ratio of the radii by the difference of the strains. The arc in which it slips grows with the torque.
When this is the whole arc of the small pulley, the belt slips, and the fan slows down.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 4.5
SMALL, LARGE, DISTANCE, FRICTION = 0.05, 0.15, 0.4, 0.3  # m, m, m, 1
STIFFNESS, LENGTH = 5e3, 1.425  # N/m, m


def build() -> dt.Model:
    """In steady motion without load."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def wrapped() -> float:
    """Angle [rad] that the belt wraps of the small pulley."""
    return np.pi - 2 * np.arcsin((LARGE - SMALL) / DISTANCE)


def largest_torque() -> float:
    """Of the fan [N m]: the ratio of the tensions is e^(mu phi), the unstretched belt keeps its length."""
    ratio = np.exp(FRICTION * wrapped())
    arcs = np.array([SMALL * wrapped(), LARGE * (2 * np.pi - wrapped())])
    free = np.sqrt(DISTANCE**2 - (LARGE - SMALL) ** 2)
    length = free + 0.5 * arcs.sum()  # of each segment: half of both arcs belongs to it
    EA = STIFFNESS * LENGTH
    # length / (1 + T1 / EA) + length / (1 + T1 / (ratio EA)) = LENGTH, a quadratic equation for x = T1 / EA
    a, b, c = LENGTH / ratio, LENGTH * (1 + 1 / ratio) - length * (1 + 1 / ratio), LENGTH - 2 * length
    x = (-b + np.sqrt(b * b - 4 * a * c)) / (2 * a)
    return float(LARGE * EA * x * (1 - 1 / ratio))


def main() -> dt.Result:
    """Simulate and compare."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    slips = np.flatnonzero(np.abs(r["belt.slip"][:, 0]) > 1e-4)
    print(
        f"it slips from {r.t[slips[0]]:.2f} s on, at {4 * r.t[slips[0]]:.2f} N m; by Euler {largest_torque():.2f} N m"
    )
    return r


if __name__ == "__main__":
    main()
