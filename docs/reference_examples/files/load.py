"""A model written to a file and loaded again."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.5)
m.save("pendulum.yaml")
again = dt.load("pendulum.yaml")
print(list(again.bodies), list(again.joints))
