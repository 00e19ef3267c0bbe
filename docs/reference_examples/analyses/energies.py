"""Kinetic and potential energy of a pendulum."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
e = dt.energies(m, q=[0.5], v=[1.0])
print(round(float(e.kinetic), 4), round(float(e.gravity), 4), "J")
