"""Rolling coin: a coin rolls on its edge around a circle and nods after a push.

A 2-euro coin (8.5 g, 25.75 mm) rolls without slip on a table around a circle of 60 mm radius, leaning inwards by 20
degrees. A thin disc does so steadily at the rate W about the vertical, with W^2 = g tan(b) / (r sin(b)/4 + 3 R/2).
Here b is the lean, r the radius of the coin and R that of the path of its centre. A push of 3 rad/s raises the coin,
and it nods about the steady motion. Rolling dissipates no energy. The multipliers are the force of the table on the
coin, which gives the friction that rolling needs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 2.0
PICTURE = {"instant": 0.35, "tip": "rim"}

RADIUS = 12.875e-3  # m
PUSH = 3.0  # rad/s


def build(push: float = PUSH) -> dt.Model:
    """The coin's axis is z of its body; it starts at x = 60 mm and moves along y."""
    return dt.load(Path(__file__).with_suffix(".yaml"), parameters={"push": push})


def main() -> dt.Result:
    """Simulate; how far does the coin nod, and how rough must the table be?"""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    stands = np.degrees(np.arcsin(r["coin.position"][:, 2] / RADIUS))
    print(f"the coin stands at {stands.min():.1f} to {stands.max():.1f} degrees to the table")
    normal, *along = r.multipliers("roll").T
    print(f"it rolls if the coefficient of friction is above {np.max(np.hypot(*along) / normal):.2f}")
    return r


if __name__ == "__main__":
    main()
