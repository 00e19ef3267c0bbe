"""A gimbal: three hinges at one point."""

import duoti as dt

m = dt.Model("gimbal")
rotor = m.add_body("rotor", dt.Inertia.cylinder(1.0, radius=0.1, length=0.05, axis="x"))
gimbal = dt.Composite(dt.Revolute("z"), dt.Revolute("y"), dt.Revolute("x"))
m.add_joint("gimbal", gimbal, m.ground, rotor, at=(0, 0, 0), v0=[0.5, 0.2, 50.0])
r = dt.simulate(m, duration=1.0)
print(r["gimbal.angle"][-1].round(3), "rad")
