"""Slider-crank: a motor drives a small compressor, and events mark the dead centres.

A crank of 40 mm and a connecting rod of 140 mm move a piston of 60 mm diameter. An electric motor (stall torque 12 N
m, no-load speed 1500 rpm) starts it from rest, and a flywheel smooths its speed. On the way out the piston compresses
gas isothermally, in a cylinder with a clearance of 25 mm. The gas force is a law of the piston's position. The
connecting rod has a ball joint at its big end and a cylindrical joint at its small end. So nothing is over-constrained
and every reaction is unique.
"""

from __future__ import annotations

import numpy as np

import duoti as dt

DURATION = 1.0
PICTURE = {"instant": 0.83, "channels": ["main.rate"]}

CRANK, ROD = 0.040, 0.140  # lengths [m]
BORE = 0.060  # diameter of the piston [m]
CLEARANCE = 0.025  # between the piston at its dead centre and the head [m]
PRESSURE = 1.013e5  # outside, and in the cylinder when the piston is furthest from the head [Pa]


def build() -> dt.Model:
    """Drawn with the crank along x: the piston at its outer dead centre, near the head."""
    area = np.pi / 4 * BORE**2
    m = dt.Model("slider-crank", parameters={"area": area, "p0": PRESSURE, "stroke": 2 * CRANK, "gap": CLEARANCE})
    web = dt.Inertia.rod(0.5, length=CRANK, axis="x", com=(CRANK / 2, 0, 0))
    wheel = dt.Inertia.cylinder(4.0, radius=0.09, length=0.025, axis="y", com=(0, 0.06, 0))
    m.add_body("crank", web + wheel, position=(0, 0, 0), shapes=[
        dt.Shape.cylinder(0.09, 0.025, axis="y", position=(0, 0.06, 0), colour="lightsteelblue"),
        dt.Shape.box((0.06, 0.01, 0.024), position=(CRANK / 2, 0.02, 0), colour="steelblue"),
    ])  # fmt: skip
    m.add_body("rod", dt.Inertia.cylinder(0.35, radius=0.009, length=ROD, axis="x"), position=(CRANK + ROD / 2, 0, 0))
    piston = dt.Inertia.cylinder(0.4, radius=BORE / 2, length=0.05, axis="x")
    m.add_body("piston", piston, position=(CRANK + ROD, 0, 0))
    m.add_joint("main", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0), q0=-np.pi)
    m.add_joint("big_end", dt.Spherical(), "crank", "rod", at=(CRANK, 0, 0))
    m.add_joint("small_end", dt.Cylindrical("y"), "rod", "piston", at=(CRANK + ROD, 0, 0))
    m.add_joint("bore", dt.Prismatic("x"), m.ground, "piston", at=(CRANK + ROD, 0, 0))
    m.add_force("motor", dt.JointMotor("main", stall_torque=12.0, no_load_speed=1500 * 2 * np.pi / 60))
    # isothermal: p (stroke + gap) = p0 (stroke + gap) at the inner dead centre; bore.position runs from -stroke to 0
    m.add_force("gas", dt.JointTorque("bore", "-p0*area*((stroke + gap)/(gap - q) - 1)"))
    m.add_force("rings", dt.JointDamping("bore", 5.0))
    m.add_marker("pin", "crank", position=(CRANK, 0, 0))
    m.add_event("outer dead centre", dt.Event("sin(main.angle/2)"))
    return m


def main() -> dt.Result:
    """Simulate; how even is the speed at the end?"""
    r = dt.simulate(build(), DURATION)
    print("\n".join(r.summary().splitlines()[:4]))
    last = [event.t for event in r.events][-2:]
    turn = (r.t >= last[0]) & (r.t <= last[1])
    speed = r["main.rate"][turn] * 60 / (2 * np.pi)
    print(f"last turn: {60 / (last[1] - last[0]):.0f} rpm, from {speed.min():.0f} to {speed.max():.0f} rpm")
    side = np.abs(r["bore.reaction_force"][turn][:, 2]).max()
    print(f"largest side force of the piston on its bore: {side:.0f} N")
    return r


if __name__ == "__main__":
    main()
