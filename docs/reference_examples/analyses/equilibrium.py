"""A pendulum that a spring holds."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_force("spring", dt.JointSpring("pivot", stiffness=10.0, rest=1.0))
e = dt.equilibrium(m)
print(e.ok, e.stable, f"{e['pivot.angle']:.4f} rad")
