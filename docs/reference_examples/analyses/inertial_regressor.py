"""The torque of a pendulum as a linear function of its inertial parameters."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
y = dt.identification.inertial_regressor(m, q=[0.5], v=[0.0], a=[1.0])
print(dict(zip(y.names, y.matrix[0].round(3).tolist(), strict=True)))
