"""A pair of external gears with 20 and 40 teeth."""

import duoti as dt

m = dt.Model("gears")
small = m.add_body("small", dt.Inertia.cylinder(0.5, radius=0.1, length=0.02, axis="y"), position=(0, 0, 0))
large = m.add_body("large", dt.Inertia.cylinder(2.0, radius=0.2, length=0.02, axis="y"), position=(0.3, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, small, at=(0, 0, 0))
m.add_joint("B", dt.Revolute("y"), m.ground, large, at=(0.3, 0, 0))
m.add_constraint("teeth", dt.Gear("A", "B", ratio=-20 / 40))
m.add_force("motor", dt.JointTorque("A", 0.1))
r = dt.simulate(m, duration=1.0)
print(f"{r['A.rate'][-1]:.3f} rad/s, {r['B.rate'][-1]:.3f} rad/s")
