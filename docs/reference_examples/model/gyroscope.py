"""A gyroscope at the tip of a pendulum."""

import duoti as dt

m = dt.Model("pendulum")
m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
m.add_marker("tip", "rod", position=(0.5, 0, 0))
m.add_sensor("gyro", dt.Gyroscope("tip"))
r = dt.simulate(m, 0.5)
print(r["gyro"][-1].round(3))
