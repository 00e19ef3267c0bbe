"""Car suspension: a quarter of a car on double wishbones drives over a bump.

The car body (400 kg) moves up and down. Two wishbones of 350 and 250 mm, a wheel carrier with ball joints and a track
rod guide the wheel. It rolls at 15 m/s on a tyre of 200 kN/m. A coil spring of 80 kN/m and a damper of 4 kN s/m stand
on the lower wishbone. The bump is a cosine, 50 mm high and 0.9 m long. The axes of the wishbones point along x, the
direction of travel. In front view, wishbones and wheel carrier form a four-bar, which determines the camber at every
height of the wheel.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 2.0
PICTURE = {"instant": 0.33, "camera": (0.35, 0.2), "channels": ["hub.position.z", "bounce.position"]}


def build() -> dt.Model:
    """Drawn at rest on the level road, the springs loaded by the weight."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def main() -> dt.Result:
    """Simulate; comfort and safety in two numbers."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    print(f"body: acceleration up to {np.abs(r['body.acceleration'][:, 2]).max():.1f} m/s2, "
          f"lift {1e3 * np.ptp(r['bounce.position']):.0f} mm")  # fmt: skip
    return r


if __name__ == "__main__":
    main()
