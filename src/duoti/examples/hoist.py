"""Hoist: a motor, a gear and a load as one model; the electrics are a bond graph, whose port is the shaft of the drum.

A direct-current motor of 48 V turns a drum through a gear of 40 to 1; the drum winds up a rope with 60 kg on it.
Voltage, resistance, inductance, rotor, bearing and gear are a bond graph, drum and load a mechanism. The rotor behind
the rigid gear has no state of its own: it moves with the drum, and duoti adds 40² times its inertia there. In the end
the load rises at the speed at which the motor's torque is the weight's: what is left of the voltage drives the
current through the resistance.
"""

from __future__ import annotations

import duoti as dt

DURATION = 1.2

VOLTAGE, RESISTANCE, INDUCTANCE = 48.0, 0.3, 1e-3  # V, ohm, H
CONSTANT, ROTOR, BEARING = 0.1, 2e-4, 1e-4  # N m/A, kg m², N m s
GEAR, RADIUS, LOAD = 40.0, 0.08, 60.0  # 1, m, kg


def motor() -> dt.bond.Graph:
    """Supply, armature, rotor and gear, down to the port at the drum."""
    g = dt.bond.Graph("motor")
    g.add("supply", dt.bond.Se(VOLTAGE))
    g.add("armature", dt.bond.One(), domain="electric")
    g.add("L", dt.bond.I(INDUCTANCE))
    g.add("R", dt.bond.R(RESISTANCE))
    g.add("K", dt.bond.GY(CONSTANT))
    g.add("rotor", dt.bond.One(), domain="rotation")
    g.add("J", dt.bond.I(ROTOR))
    g.add("b", dt.bond.R(BEARING))
    g.add("gear", dt.bond.TF(1 / GEAR))
    g.add("drum", dt.bond.Port())
    for end in ("supply", "L", "R", "K"):
        g.bond(*((end, "armature") if end == "supply" else ("armature", end)))
    g.bond("K", "rotor")
    for end in ("J", "b", "gear"):
        g.bond("rotor", end)
    g.bond("gear", "drum")
    return g


def build() -> dt.Model:
    """Drawn with the load hanging two metres below the drum."""
    m = dt.Model("hoist")
    m.add_body("drum", dt.Inertia.cylinder(8.0, RADIUS, 0.3, axis="y"), position=(0, 0, 0))
    m.add_body("load", dt.Inertia.box(LOAD, size=(0.3, 0.3, 0.3)), position=(RADIUS, 0, -2.0))
    m.add_joint("shaft", dt.Revolute("-y"), m.ground, "drum", at=(0, 0, 0))
    m.add_joint("lift", dt.Prismatic("z"), m.ground, "load", at=(RADIUS, 0, -2.0))
    m.add_constraint("rope", dt.RackAndPinion("shaft", "lift", RADIUS))
    m.add_bond_graph("motor", motor(), ports={"drum": "shaft"})
    return m


def final_speed() -> float:
    """Of the load [m/s]: torque of the motor = weight at the drum through the gear + bearing."""
    torque = LOAD * 9.81 * RADIUS / GEAR
    rotor = (VOLTAGE * CONSTANT / RESISTANCE - torque) / (CONSTANT**2 / RESISTANCE + BEARING)
    return rotor / GEAR * RADIUS


def main() -> dt.Result:
    """Simulate and compare."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    print(f"the load rises at {r['lift.velocity'][-1]:.6f} m/s, in the end at {final_speed():.6f} m/s")
    return r


if __name__ == "__main__":
    main()
