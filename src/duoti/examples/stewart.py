"""Stewart platform: six legs with prescribed lengths move the cabin of a flight simulator.

Six legs, each a tube and a rod, stand in pairs on a circle of 1.2 m radius. They carry the platform on a circle of 0.8
m, 1.6 m higher. With universal joints below, prismatic joints within and ball joints above there are 13 bodies and 18
joints. They form 5 loops and have 6 degrees of freedom. The platform shall surge, heave and yaw; inverse kinematics
gives the lengths of the legs. The multipliers of the drives are the forces of the actuators.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 4.0
PARTS = ("stewart_leg.yaml",)
PICTURE = {"instant": 1.0, "channels": [f"leg{k}.slide.position" for k in range(1, 7)]}

HEIGHT = 1.6  # m
SURGE, HEAVE, YAW = 0.20, 0.15, 0.25  # amplitudes [m, m, rad]
FREQUENCIES = {"surge": 0.5, "heave": 1.0, "yaw": 0.75}  # Hz


def wanted(t: np.ndarray | float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Surge [m], heave [m] and yaw [rad] over time; all begin at rest."""
    wave = {name: (1 - np.cos(2 * np.pi * f * np.asarray(t))) / 2 for name, f in FREQUENCIES.items()}
    return SURGE * wave["surge"], HEAVE * wave["heave"], YAW * wave["yaw"]


def build() -> dt.Model:
    """Drawn in the lowest position; six legs, each a sub-model."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def main() -> dt.Result:
    """Simulate; does the platform do what was wanted, and what must the actuators push?"""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    surge, heave, yaw = wanted(r.t)
    place = r["platform.position"] - np.column_stack([surge, 0 * surge, HEIGHT + heave])
    turned = 2 * np.arctan2(r["platform.rotation"][:, 3], r["platform.rotation"][:, 0])
    print(f"platform off the wanted place by {1e3 * np.abs(place).max():.2g} mm, "
          f"off the wanted yaw by {np.abs(turned - yaw).max():.2g} rad")  # fmt: skip
    push = np.array([r.multipliers(f"leg{k}.drive")[:, 0] for k in range(1, 7)])
    print(f"forces of the actuators from {push.min():.0f} to {push.max():.0f} N")
    return r


if __name__ == "__main__":
    main()
