"""A double pendulum for two seconds."""

import duoti as dt

m = dt.Model("double pendulum")
upper = m.add_body("upper", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
lower = m.add_body("lower", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -1.5))
m.add_joint("A", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0), q0=0.5)
m.add_joint("B", dt.Revolute("y"), upper, lower, at=(0, 0, -1))
r = dt.simulate(m, duration=2.0, outputs=0.01, rtol=1e-9)
print(r.ok, r.t.size, r["A.angle"][-1].round(4))
print(r.energy.residual[-1] < 1e-6)
