"""How the equilibrium changes with the stiffness of a spring."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_force("spring", dt.JointSpring("pivot", stiffness=10.0, rest=1.0))
d = dt.analyses.equilibrium_derivatives(m, ["spring.stiffness"])
print(d)
