"""Make the pictures of docs/guide/model/bond_robot.md and docs/zh/bond_robot.md: `python docs/make_bond_robot.py`."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import duoti as dt
from duoti.examples import motor_robot

PICTURES = Path(__file__).parent / "pictures"


def main() -> None:
    """The drawing of one motor, and the quantities of the paper's figures 8 to 10."""
    r = dt.simulate(motor_robot.build(), 1.0, solver=dt.DOP853(rtol=1e-10, atol=1e-10))
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.2), constrained_layout=True)
    for k in (1, 2, 3):
        axes[0].plot(r.t, r[f"drives.motor{k}.L.flow"], label=f"motor {k}")
        axes[1].plot(r.t, r[f"q{k}.rate"], label=f"joint {k}")
    for k in (2, 3):
        axes[2].plot(r.t, np.linalg.norm(r[f"q{k}.reaction_force"], axis=1), label=f"joint {k}")
    for axis, title in zip(axes, ("armature current [A]", "joint rate [rad/s]", "reaction force [N]"), strict=True):
        axis.set_title(title)
        axis.set_xlabel("t [s]")
        axis.legend()
        axis.grid(alpha=0.3)
    figure.savefig(PICTURES / "bond_robot.png", dpi=110)
    g = motor_robot.drives()
    one = dt.bond.Graph("one drive", parameters=g.parameters)
    for name in ("U1", "q1"):
        one.add(name, g.elements[name])
    for name in ("motor1", "gear1"):
        one.add(name, g.subgraphs[name])
    for start, end, _ in g.bonds[:3]:
        one.bond(start, end)
    places = {"U1": (-1.3, 0), "motor1.armature": (0, 0), "motor1.L": (0, 1), "motor1.R": (0, -1), "motor1.K": (1.3, 0),
              "motor1.rotor": (2.6, 0), "motor1.J": (2.6, 1), "motor1.b": (2.6, -1), "gear1.gear": (3.9, 0),
              "gear1.out": (5.2, 0), "q1": (6.4, 0)}  # fmt: skip
    one.draw(PICTURES / "bond_robot.svg", positions=places)


if __name__ == "__main__":
    main()
