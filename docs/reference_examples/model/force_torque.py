"""A force-torque sensor between an arm and its tool."""

import duoti as dt

m = dt.Model("pendulum")
m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
m.add_marker("tip", "rod", position=(0.5, 0, 0))
m.add_body("tool", dt.Inertia.box(0.5, (0.1, 0.1, 0.2)), position=(1, 0, -0.1))
m.add_joint("wrist", dt.Fixed(), "rod", "tool", at=(1, 0, 0))
m.add_sensor("ft", dt.ForceTorque("wrist"))
r = dt.simulate(m, 0.5)
print(r["ft.force"][-1].round(3), r["ft.torque"][-1].round(3))
