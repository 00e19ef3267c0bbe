"""Bouncing ball: it drops, bounces ever lower, and comes to rest after infinitely many impacts in finite time.

A ball of 1 kg falls from 1 m on a rigid floor that gives back eight tenths of its speed at each impact. The times
between impacts shrink by the same factor, so that their sum is finite. With the fall time T = sqrt(2 h/g), the ball
rests at T (1 + e)/(1 - e) = 4.06 s. Every impact is located; the last ones, nanometres high, are put together, and the
ball then lies still. What the impacts took is counted as dissipated, so that the balance of energy closes.
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
