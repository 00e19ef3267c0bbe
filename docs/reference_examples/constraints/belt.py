"""A belt drive with a ratio of 3."""

import duoti as dt

m = dt.Model("belt")
small = m.add_body("small", dt.Inertia.cylinder(0.5, radius=0.05, length=0.02, axis="y"), position=(0, 0, 0))
large = m.add_body("large", dt.Inertia.cylinder(4.5, radius=0.15, length=0.02, axis="y"), position=(0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, small, at=(0, 0, 0))
m.add_joint("B", dt.Revolute("y"), m.ground, large, at=(0.5, 0, 0))
m.add_constraint("belt", dt.Belt("A", "B", radius_a=0.05, radius_b=0.15))
m.add_force("motor", dt.JointTorque("A", 0.02))
r = dt.simulate(m, duration=1.0)
print(f"{r['A.rate'][-1]:.3f} rad/s, {r['B.rate'][-1]:.3f} rad/s")
