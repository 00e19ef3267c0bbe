"""The angle of a pendulum while a spring gets stiffer."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_force("spring", dt.JointSpring("pivot", stiffness=1.0, rest=1.0))
path = dt.equilibrium_path(m, "spring.stiffness", to=20.0)
print(path["pivot.angle"][[0, -1]].round(4))
