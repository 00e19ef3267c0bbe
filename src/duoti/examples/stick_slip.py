"""Stick-slip: a block on a moving belt, held by a spring.

The belt runs at 0.2 m/s. A block of 1 kg sticks to it (static friction 0.6) until the spring of 100 N/m pulls harder.
Then it slips (kinetic friction 0.4) and swings back until its velocity is that of the belt. With w = sqrt(k/m) and d =
(mu_s - mu_k) g, sticking takes 2 d/(w^2 v) = 0.20 s. Slipping takes (2/w)(pi - atan(d/(v w))) = 0.47 s. Brakes squeal
and violin strings sound in this way. Sticking is exact, and both transitions are located as events.
"""

from __future__ import annotations

from math import atan, pi, sqrt
from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 3.0
PICTURE = {"solid": True, "instant": 1.0, "channels": ["block.velocity.x"], "camera": (-1.2, 0.35)}

MASS, STIFFNESS, SPEED = 1.0, 100.0, 0.2  # kg, N/m, m/s
STATIC, KINETIC = 0.6, 0.4


def build(speed: float = SPEED) -> dt.Model:
    """The block moves along x and may lift off; it touches the belt in the middle of its sole."""
    return dt.load(Path(__file__).with_suffix(".yaml"), parameters={"v": speed})


def times(speed: float = SPEED) -> tuple[float, float]:
    """How long it sticks and slips [s] in each turn."""
    w, d = sqrt(STIFFNESS / MASS), (STATIC - KINETIC) * 9.81
    return 2 * d / (w**2 * speed), 2 / w * (pi - atan(d / (speed * w)))


def main() -> dt.Result:
    """Simulate; how long does it stick and slip?"""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    sticks = r["rub.state"] == 1
    changes = r.t[1:][np.diff(sticks.astype(int)) != 0]
    print(f"it changes at {', '.join(f'{t:.3f}' for t in changes)} s")
    print("it sticks for {:.4f} s and slips for {:.4f} s by the formulas".format(*times()))
    return r


if __name__ == "__main__":
    main()
