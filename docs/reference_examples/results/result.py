"""Channels, energy and summary of a pendulum."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.5)
r = dt.simulate(m, duration=2.0)
print(r.ok, r.t.shape, r["rod.position"].shape, r.unit("pivot.rate"))
print(abs(r.energy.residual).max() < 1e-6)
