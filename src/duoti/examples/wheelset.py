"""Hunting wheelset: above its critical speed a small offset of conical wheels grows to a steady wave.

A small wheelset (16 kg, wheels of 100 mm radius; data of the Test Set for IVP Solvers) is guided by springs of a train
at constant speed. Its wheels are cones. Off the middle, one wheel rolls on a larger radius and steers the set back,
past the middle. Creep forces between wheels and rails follow Kalker's linear theory, limited by friction. They damp
this wave at low speed and feed it at high speed. At 30 m/s the offset of 1.5 mm grows to 10 mm, where friction limits
the creep forces. At 10 m/s it decays: `duoti run wheelset --set speed=10`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 2.0
PICTURE = {"camera": (-0.6, 0.3), "channels": ["wheelset.position.y"], "solid": True, "instant": 0.0, "near": True}

SPEED = 30.0  # m/s
MASS, AXLE, ACROSS = 16.08, 0.0605, 0.366  # kg, kg m^2 about the axle and across it
OFFSET = 1.5e-3  # m


def build(speed: float = SPEED) -> dt.Model:
    """x is forward, y to the left, z up; the wheels' common middle is the origin."""
    return dt.load(Path(__file__).with_suffix(".yaml"), parameters={"speed": speed})


def main() -> dt.Result:
    """Above and below the critical speed."""
    fast, slow = (dt.simulate(build(speed), DURATION) for speed in (SPEED, 10.0))
    print(fast.summary())
    for r, speed in ((fast, SPEED), (slow, 10.0)):
        late = np.abs(r["six.q"][r.t > 0.75 * DURATION, 0]).max()
        print(f"{speed:.0f} m/s: {1000 * OFFSET:.1f} mm at the start, {1000 * late:.3f} mm at the end")
    return fast


if __name__ == "__main__":
    main()
