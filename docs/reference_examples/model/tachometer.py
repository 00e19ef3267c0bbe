"""A tachometer of a pendulum."""

import duoti as dt

m = dt.Model("pendulum")
m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
m.add_marker("tip", "rod", position=(0.5, 0, 0))
m.add_sensor("speed", dt.Tachometer("A", period=0.01, noise=0.01))
r = dt.simulate(m, 0.5)
print(r["speed"][-1].round(3), r["A.rate"][-1].round(3))
