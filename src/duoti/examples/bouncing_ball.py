"""Bouncing ball: infinitely many impacts in finite time, then rest.

A ball of 1 kg falls from 1 m onto a rigid floor with the coefficient of restitution e = 0.8. The times between impacts
shrink by the same factor, so their sum is finite. With the time of fall T = sqrt(2 h/g), the ball rests at T (1 +
e)/(1 - e) = 4.06 s. Each impact is located as an event. The last impacts, from heights of nanometres, are merged into
one, and the ball stays on the floor. The energy that impacts take counts as dissipated, so the energy balance closes.
"""

from __future__ import annotations

from math import sqrt

import duoti as dt

DURATION = 5.0
PICTURE = {"channels": ["ball.position.z"]}

HEIGHT, RADIUS = 1.0, 0.1  # m
RESTITUTION = 0.8


def build() -> dt.Model:
    """Drawn where it starts."""
    m = dt.Model("bouncing ball")
    m.add_body("ball", dt.Inertia.sphere(1.0, RADIUS), position=(0, 0, HEIGHT + RADIUS))
    m.add_joint("free", dt.Free(), m.ground, "ball")
    m.add_contact(
        "floor",
        dt.RigidContact(friction=0.3, restitution=RESTITUTION),
        m.ground,
        "ball",
        shapes=(dt.Shape.plane(), dt.Shape.sphere(RADIUS)),
    )
    return m


def time_of_rest() -> float:
    """Sum of all flights [s]."""
    return sqrt(2 * HEIGHT / 9.81) * (1 + RESTITUTION) / (1 - RESTITUTION)


def main() -> dt.Result:
    """Simulate and compare."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    print(f"{len(r.impacts)} impacts, the last at {r.impacts[-1].time:.8f} s; at rest from {time_of_rest():.8f} s on")
    return r


if __name__ == "__main__":
    main()
