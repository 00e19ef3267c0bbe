"""Six-bar leg: Klann's linkage turns the rotation of a crank into the step of a foot.

Crank, connecting rod, two rockers and leg are arranged as in J. C. Klann's walking machine (US patent 6 260 862). The
lengths were found by a search of our own. During half a turn the foot moves back on a line that is level within 11 mm.
Then it lifts by 130 mm and swings forward by 310 mm. A motor with 60 N m stall torque and 60 rpm no-load speed turns
the crank. While the foot is down, soft ground carries it with up to 300 N and resists sliding. Seven joints form two
loops. Each loop has one ball joint and one cylindrical joint, so nothing is over-constrained.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 4.0
PICTURE = {"instant": 0.3, "channels": ["foot.position.x", "foot.position.z"]}


def build() -> dt.Model:
    """All bodies are parallel to the world in the drawing."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def main() -> dt.Result:
    """Simulate four turns; stride and lift of the foot."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    x, _, z = r["foot.position"].T
    print(f"stride {1e3 * np.ptp(x):.0f} mm, lift {1e3 * np.ptp(z):.0f} mm; "
          f"{r['crank_axle.angle'][-1] / (2 * np.pi):.2f} turns")  # fmt: skip
    return r


if __name__ == "__main__":
    main()
