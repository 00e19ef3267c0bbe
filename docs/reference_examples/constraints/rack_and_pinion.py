"""A pinion drives a rack."""

import duoti as dt

m = dt.Model("rack and pinion")
pinion = m.add_body("pinion", dt.Inertia.cylinder(0.5, radius=0.05, length=0.02, axis="y"))
rack = m.add_body("rack", dt.Inertia.box(2.0, size=(0.5, 0.02, 0.02)), position=(0, 0, -0.05))
m.add_joint("A", dt.Revolute("y"), m.ground, pinion, at=(0, 0, 0))
m.add_joint("B", dt.Prismatic("x"), m.ground, rack, at=(0, 0, -0.05))
m.add_constraint("teeth", dt.RackAndPinion("A", "B", radius=0.05))
m.add_force("motor", dt.JointTorque("A", 0.5))
r = dt.simulate(m, duration=0.5)
print(f"{r['A.angle'][-1]:.3f} rad, {r['B.position'][-1]:.4f} m")
