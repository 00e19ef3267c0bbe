"""The solver for a stiff pendulum."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_force("damper", dt.JointDamping("pivot", damping=1e4))
choice = dt.choose_solver(m, duration=2.0)
print(choice.solver)
