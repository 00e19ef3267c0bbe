"""A motor that turns a wheel."""

import duoti as dt

m = dt.Model("wheel with motor")
wheel = m.add_body("wheel", dt.Inertia.cylinder(1.0, radius=0.1, length=0.05, axis="z"))
m.add_joint("shaft", dt.Revolute("z"), m.ground, wheel, at=(0, 0, 0))
g = dt.bond.Graph("drive")
g.add("motor", dt.bond.library.dc_motor(inductance=1e-3, resistance=1.0, torque_constant=0.05))
g.add("battery", dt.bond.Se(12.0))
g.add("shaft", dt.bond.Port())
g.bond("battery", "motor.electric")
g.bond("motor.shaft", "shaft")
m.add_bond_graph("drive", g, ports={"shaft": "shaft"})
r = dt.simulate(m, duration=5.0)
print(f"{r['shaft.rate'][-1]:.1f} rad/s")
