"""Derivatives of the acceleration of a pendulum."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
d = dt.analyses.forward_dynamics_derivatives(m, q=[0.5], v=[0.0])
print(d.a.round(4), d.dq.round(4), d.dtau.round(4))
