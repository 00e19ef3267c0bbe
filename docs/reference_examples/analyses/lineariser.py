"""The linear system at several states, without a new set-up each time."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
lineariser = dt.Lineariser(m)
for angle in (0.0, 0.5, 1.0):
    A, B = lineariser([angle], [0.0])
    print(angle, A.round(4).tolist())
