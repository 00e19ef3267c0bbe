"""Quick-return of a shaping machine: the ram cuts slowly and returns fast, driven by a slotted lever.

A crank of 100 mm, turning at 60 rpm, moves a block in the slot of a lever that is pivoted 250 mm below the crank's
axis. The lever's end, 500 mm from its pivot, pulls the ram by a link of 200 mm. The lever swings by asin(100/250) =
23.6 degrees to either side, so the ram's stroke is 2*500*100/250 = 400 mm, and cutting takes 1.71 times as long as
the return: (pi + 2*0.4115)/(pi - 2*0.4115). The tool resists with 1 kN while it cuts. The multiplier of the drive is
the torque that the motor must supply.
"""

from __future__ import annotations

import numpy as np

import duoti as dt

DURATION = 2.0
PICTURE = {"instant": 0.3, "channels": ["guide.velocity"]}

CRANK, PIVOT, LEVER, LINK = 0.100, 0.250, 0.500, 0.200  # m
SPEED = 60 * 2 * np.pi / 60  # of the crank [rad/s]
CUT = 1000.0  # force on the tool [N]


def build() -> dt.Model:
    """Drawn with lever and crank upright; the lever's pivot is the origin, the ram slides along x.

    Pins are revolute, cylindrical or spherical such that nothing is over-constrained and every reaction unique.
    """
    m = dt.Model("quick return", parameters={"speed": SPEED, "cut": CUT})
    height = LEVER  # of the ram's guide: the link is level when the lever is upright
    block = (0, 0, PIVOT + CRANK)
    disc = dt.Inertia.cylinder(6.0, radius=0.12, length=0.03, axis="y", com=(0, 0, -CRANK / 2))
    m.add_body("crank", dt.Inertia.rod(2.0, length=CRANK, axis="z") + disc, position=(0, 0, PIVOT + CRANK / 2))
    m.add_body("block", dt.Inertia.box(0.5, size=(0.04, 0.04, 0.06)), position=block)
    m.add_body("lever", dt.Inertia.box(8.0, size=(0.05, 0.03, LEVER)), position=(0, 0, LEVER / 2))
    m.add_body("link", dt.Inertia.rod(1.5, length=LINK, axis="x"), position=(LINK / 2, 0, height))
    m.add_body("ram", dt.Inertia.box(30.0, size=(0.7, 0.1, 0.08)), position=(LINK + 0.35, 0, height))
    m.add_joint("drive", dt.Revolute("y"), m.ground, "crank", at=(0, 0, PIVOT))
    m.add_joint("crank_pin", dt.Spherical(), "crank", "block", at=block)
    m.add_joint("slot", dt.Prismatic("z"), "lever", "block", at=block)
    m.add_joint("pivot", dt.Cylindrical("y"), m.ground, "lever", at=(0, 0, 0))
    m.add_joint("lever_pin", dt.Spherical(), "lever", "link", at=(0, 0, LEVER))
    m.add_joint("ram_pin", dt.Cylindrical("y"), "link", "ram", at=(LINK, 0, height))
    m.add_joint("guide", dt.Prismatic("x"), m.ground, "ram", at=(LINK, 0, height))
    m.add_constraint("motor", dt.JointMotion("drive", "speed*t"))
    m.add_force("tool", dt.JointTorque("guide", "-cut*(1 + tanh(v/0.02))/2"))
    m.add_marker("nose", "ram", position=(0.35, 0, 0))
    m.add_event("turns back", dt.Event("guide.velocity"))
    return m


def main() -> dt.Result:
    """Simulate two turns and compare stroke and time ratio with the closed forms."""
    r = dt.simulate(build(), DURATION)
    print("\n".join(r.summary().splitlines()[:4]))
    ram, turns = r["guide.position"], [event.t for event in r.events]
    swing = np.arcsin(CRANK / PIVOT)
    times = np.diff(turns)[:2]
    print(f"stroke {1e3 * np.ptp(ram):.1f} mm, {2e3 * LEVER * CRANK / PIVOT:.1f} mm in theory")
    print(f"ratio of times {times.max() / times.min():.6f}, {(np.pi + 2 * swing) / (np.pi - 2 * swing):.6f} in theory")
    torque = r.multipliers("motor")[:, 0]
    print(f"torque of the motor: from {torque.min():.0f} to {torque.max():.0f} N m")
    return r


if __name__ == "__main__":
    main()
