"""A smooth motion through points."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
motion = dt.Trajectory.spline([0.0, 0.5, 1.0], [0.0, 1.0, 0.5])
r = dt.required_forces(m, duration=1.0, motions={"pivot": motion}, outputs=0.01)
print(r["pivot.angle"][50].round(6))
