"""How the acceleration of a pendulum changes with its mass and a spring."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.5)
m.add_force("spring", dt.JointSpring("pivot", stiffness=10.0))
d = dt.parameter_derivatives(m, ["rod.mass", "spring.stiffness"])
print(d)
