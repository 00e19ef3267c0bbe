"""Robot with three DC motors: mechanism and bond graph in one model.

This is the robot of Wang, Xu & Chen (2009): a column and two links of 0.5 m on three revolute joints. A
permanent-magnet motor drives each joint through a reducer of 20. At t = 0 the robot is at rest with the arm stretched
out, and 240 V are switched on. The rotors turn with the joints, and 400 times their inertia is reflected there.
"""

from __future__ import annotations

import numpy as np

import duoti as dt
from duoti.bond import Graph, Port, Se, library

DURATION = 1.0

MOTOR = {"L": 0.2, "R": 10.0, "K": 0.15729, "J": 2.064e-3, "b": 4.1208e-4}  # H, ohm, N m/A, kg m^2, N m s/rad
RATIO = 20.0
HEIGHT, LENGTH, HALF = 0.4, 0.5, 0.25  # m


def drives() -> Graph:
    """Three motors with reducers; ports q1, q2, q3."""
    g = Graph("drives", parameters=MOTOR)
    for k in (1, 2, 3):
        g.add(f"U{k}", Se(240.0))
        g.add(f"motor{k}", library.dc_motor("L", "R", "K", "J", "b"))
        g.add(f"gear{k}", library.reducer(RATIO))
        g.add(f"q{k}", Port())
        g.bond(f"U{k}", f"motor{k}.electric")
        g.bond(f"motor{k}.shaft", f"gear{k}.fast")
        g.bond(f"gear{k}.slow", f"q{k}")
    return g


def build() -> dt.Model:
    """Column, arm and forearm, horizontal along x; axes z, -y, -y."""
    m = dt.Model("motor robot")
    link = dt.Inertia(5.0, matrix=np.diag([1.03e-3, 0.1177, 0.1177]))
    m.add_body("column", dt.Inertia(3.0, matrix=0.1 * np.eye(3)))
    m.add_body("arm", link, position=(HALF, 0, HEIGHT))
    m.add_body("forearm", link, position=(LENGTH + HALF, 0, HEIGHT))
    m.add_joint("q1", dt.Revolute("z"), m.ground, "column", at=(0, 0, 0))
    m.add_joint("q2", dt.Revolute("-y"), "column", "arm", at=(0, 0, HEIGHT))
    m.add_joint("q3", dt.Revolute("-y"), "arm", "forearm", at=(LENGTH, 0, HEIGHT))
    m.add_marker("tip", "forearm", position=(HALF, 0, 0))
    m.add_bond_graph("drives", drives(), ports={f"q{k}": f"q{k}" for k in (1, 2, 3)})
    return m


def main() -> dt.Result:
    """Simulate, and print currents and speeds."""
    r = dt.simulate(build(), DURATION, solver=dt.DOP853(rtol=1e-10, atol=1e-10))
    for k in (1, 2, 3):
        current, rate = r[f"drives.motor{k}.L.flow"], r[f"q{k}.rate"]
        print(f"motor {k}: largest current {current.max():.2f} A, joint at {rate[-1]:.2f} rad/s")
    lost = np.max(np.abs(r.energy.residual)) / r.energy.supplied[-1]
    print(f"energy unaccounted for: {lost:.1e} of {r.energy.supplied[-1]:.0f} J supplied")
    print(r.summary())
    return r


if __name__ == "__main__":
    main()
