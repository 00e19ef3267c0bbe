"""Hanging chain of 20 links: released from the horizontal, it falls, swings through and whips.

The links are rods of 0.1 m and 50 g. Their hinges have a viscous friction of 2e-4 N m s/rad. The chain starts at rest,
stretched out along x, and falls. As it swings through, the last links accelerate at many times the acceleration of
free fall.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 2.5


def build() -> dt.Model:
    """All links lie along x at the start."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def main() -> dt.Result:
    """Simulate; how hard does the chain crack?"""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    jerk = np.linalg.norm(r["tip.acceleration"], axis=1)
    print(f"largest acceleration of the tip: {jerk.max() / 9.81:.0f} g at t = {r.t[jerk.argmax()]:.3f} s")
    return r


if __name__ == "__main__":
    main()
