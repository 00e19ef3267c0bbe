"""Satellite with a panel on a springy hinge, on an elliptic orbit about the Earth.

A bus of 500 kg carries a panel of 40 kg and 3 m on a hinge with a spring and damping. The panel starts at 0.1 rad and
swings out. The Earth attracts each body by Newton's law; there is no uniform gravity. The perigee is 7000 km from the
Earth's centre, and the eccentricity is 0.2. Events mark apogee and perigee. The second perigee ends the run after one
period, which Kepler's third law gives.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 12000.0  # two orbits; the perigee ends the run after one
PICTURE = {"solid": True, "channels": ["hinge.angle"]}

GM = 3.986004418e14  # of the Earth [m³/s²]
PERIGEE = 7.0e6  # m
ECCENTRICITY = 0.2


def build() -> dt.Model:
    """Drawn at the perigee."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def main() -> dt.Result:
    """Simulate one turn and compare with Kepler."""
    axis = PERIGEE / (1 - ECCENTRICITY)
    period = 2 * np.pi * np.sqrt(axis**3 / GM)  # Kepler's third law, for a point mass
    r = dt.simulate(build(), DURATION, rtol=1e-10)
    print(r.summary())
    apogee = np.linalg.norm(r["bus.position"], axis=1).max()
    print(f"period {r.t[-1]:.3f} s (Kepler: {period:.3f} s), apogee {apogee / 1e3:.3f} km "
          f"(Kepler: {axis * (1 + ECCENTRICITY) / 1e3:.3f} km)")  # fmt: skip
    return r


if __name__ == "__main__":
    main()
