"""Hoist: a motor as a bond graph drives a drum and a load.

A direct-current motor of 48 V turns a drum through a gear of 40 to 1, and the drum winds up a rope with a load of 60
kg. Voltage, resistance, inductance, rotor, bearing and gear form a bond graph; drum and load are a mechanism. The port
between them is the shaft of the drum. The rotor behind the rigid gear has no state of its own: 40^2 times its inertia
is added to the drum. The load reaches the speed at which the motor's torque balances the weight and the bearing's
friction.
"""

from __future__ import annotations

from pathlib import Path

import duoti as dt

DURATION = 1.2

VOLTAGE, RESISTANCE = 48.0, 0.3  # V, ohm
CONSTANT, ROTOR, BEARING = 0.1, 2e-4, 1e-4  # N m/A, kg m², N m s
GEAR, RADIUS, LOAD = 40.0, 0.08, 60.0  # 1, m, kg


def build() -> dt.Model:
    """Drawn with the load two metres below the drum."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def final_speed() -> float:
    """Of the load [m/s]: torque of the motor = weight at the drum through the gear + bearing."""
    torque = LOAD * 9.81 * RADIUS / GEAR
    rotor = (VOLTAGE * CONSTANT / RESISTANCE - torque) / (CONSTANT**2 / RESISTANCE + BEARING)
    return rotor / GEAR * RADIUS


def main() -> dt.Result:
    """Simulate and compare."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    print(f"the load rises at {r['lift.velocity'][-1]:.6f} m/s, in the end at {final_speed():.6f} m/s")
    return r


if __name__ == "__main__":
    main()
