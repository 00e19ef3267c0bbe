"""A slider-crank with a motor."""

import duoti as dt

m = dt.Model("slider-crank")
crank = m.add_body("crank", dt.Inertia.rod(1.0, length=0.3, axis="x"), position=(0.15, 0, 0))
rod = m.add_body("rod", dt.Inertia.rod(2.0, length=0.8, axis="x"), position=(0.7, 0, 0))
slider = m.add_body("slider", dt.Inertia.box(0.5, size=(0.1, 0.1, 0.1)), position=(1.1, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0))
m.add_joint("B", dt.Revolute("y"), crank, rod, at=(0.3, 0, 0))
m.add_joint("C", dt.Revolute("y"), rod, slider, at=(1.1, 0, 0))
m.add_joint("D", dt.Prismatic("x"), m.ground, slider, at=(1.1, 0, 0))
m.add_force("motor", dt.JointTorque("A", "10*sin(2*pi*t)"))
r = dt.simulate(m, duration=2.0)
print(f"{r['D.position'][-1]:.4f} m")
