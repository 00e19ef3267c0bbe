"""A pendulum on a Cardan joint that swings in both directions."""

import duoti as dt

m = dt.Model("two-way pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("cross", dt.Universal("x", "y"), m.ground, rod, at=(0, 0, 0), q0=[0.3, 0.0], v0=[0.0, 1.0])
r = dt.simulate(m, duration=2.0)
print(r["cross.angle"][-1].round(3), "rad")
