"""Furuta pendulum: a rod on a hinge at the end of a rotating arm.

An arm of 0.4 m rotates about a vertical axle at 3 rad/s. A rod of 0.5 m hangs at its end, on a hinge along the arm,
and starts almost upright. The rod falls, swings and drags the arm back and forth. Without friction no external torque
acts about the axle, so the angular momentum about it is conserved. Viscous friction of 2e-3 N m s/rad in the axle lets
it decay.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 4.0


def build(friction: float = 0.002) -> dt.Model:
    """The rod hangs in the drawing; friction is that of the axle [N m s/rad]."""
    return dt.load(Path(__file__).with_suffix(".yaml"), parameters={"friction": friction})


def main() -> dt.Result:
    """Without friction, the moment of momentum about the axle is constant."""
    system = dt.compile(build(friction=0.0))  # compile once, simulate and ask as often as you like
    r = dt.simulate(system, DURATION)
    print(r.summary())
    # d(kinetic energy)/d(axle rate) = first row of M(q) v, which the equations of motion say is constant
    about_axle = np.array([(dt.mass_matrix(system, q) @ v)[0] for q, v in zip(r.q, r.v, strict=True)])
    print(f"moment of momentum about the axle: {about_axle[0]:.9f} N m s, varies by {np.ptp(about_axle):.1g}")
    return r


if __name__ == "__main__":
    main()
