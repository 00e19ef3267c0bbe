"""Derivatives of the velocity of the tip of a pendulum."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_marker("tip", rod, position=(0, 0, -0.5))
d = dt.analyses.marker_derivatives(m, "tip", q=[0.5], v=[1.0], a=[0.0])
print(d.velocity_dq[3:, 0].round(4))
