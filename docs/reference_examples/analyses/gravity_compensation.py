"""A two-link arm that its motors hold in every position."""

import duoti as dt

m = dt.Model("double pendulum")
upper = m.add_body("upper", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
lower = m.add_body("lower", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -1.5))
m.add_joint("A", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0), q0=0.7)
m.add_joint("B", dt.Revolute("y"), upper, lower, at=(0, 0, -1))
for name, force in dt.analyses.gravity_compensation(m).items():
    m.add_force(name, force)
r = dt.simulate(m, duration=1.0)
print(abs(r["A.angle"] - 0.7).max() < 1e-9)
