"""A rod on a ball joint that stays horizontal."""

import duoti as dt

m = dt.Model("horizontal rod")
rod = m.add_body("rod", dt.Inertia.box(1.0, size=(1.0, 0.05, 0.05)), position=(0.5, 0, 0))
m.add_joint("ball", dt.Spherical(), m.ground, rod, at=(0, 0, 0), v0=[0.0, 0.0, 2.0])
m.add_constraint("level", dt.Perpendicular(m.ground, rod, axis_a="z", axis_b="x"))
r = dt.simulate(m, duration=1.0)
print(r["rod.position"][-1].round(3), "m")
