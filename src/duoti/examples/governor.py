"""Centrifugal governor: flyballs throttle a steam engine, and the speed recovers after a change of load.

This is a Porter governor: arms and links of 250 mm, balls of 2 kg and a sleeve of 8 kg on the spindle. As the shaft
speeds up, the balls fly out and lift the sleeve, which closes the throttle. The engine's torque of 40 N m falls by 200
N m for each metre of lift. At t = 10 s the load rises from 20 to 30 N m; the speed falls, the sleeve sinks and the
throttle opens. A dashpot on the sleeve makes the control loop stable. With too little oil in it the engine hunts, as
I. A. Vyshnegradskii explained in 1876: try `duoti run governor --set oil=20`. At a steady speed w the arms hang at the
angle a, with cos(a) = g (2m + 2M + ma + 3mk) / (2 w^2 l (m + (ma + mk)/3)). Here a is the angle to the vertical, and
m, M, ma and mk are the masses of a ball, the sleeve, an arm and a link. The formula follows from Lagrange's equation
of the rotating mechanism.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 20.0
PICTURE = {"instant": 9.0, "channels": ["spindle.rate"]}

LENGTH = 0.25  # of arms and links [m]
BALL, SLEEVE, ARM, LINK = 2.0, 8.0, 0.3, 0.3  # kg


def build() -> dt.Model:
    """Drawn with the arms at 35 degrees, the spindle along z, its top at the origin."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def steady_angle(speed: float) -> float:
    """Of the arms from the vertical [rad] in steady rotation at a speed [rad/s]."""
    weight = 9.81 * (2 * BALL + 2 * SLEEVE + ARM + 3 * LINK)
    return float(np.arccos(weight / (2 * speed**2 * LENGTH * (BALL + (ARM + LINK) / 3))))


def main() -> dt.Result:
    """Simulate and compare the steady states before and after the load was switched on."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    for time in (10.0, DURATION):
        k = int(np.searchsorted(r.t, time))
        speed, angle = r["spindle.rate"][k], np.arccos(-r["ball.position"][k, 2] / LENGTH)
        print(f"t = {time} s: {speed * 30 / np.pi:.1f} rpm, arms at {np.degrees(angle):.3f} degrees, in theory "
              f"{np.degrees(steady_angle(speed)):.3f}")  # fmt: skip
    return r


if __name__ == "__main__":
    main()
