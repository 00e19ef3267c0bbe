"""A pendulum with the method of Fehlberg."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.5)
r = dt.simulate(m, duration=2.0, solver=dt.RKF45(rtol=1e-8))
print(f"{r['pivot.angle'][-1]:.6f} rad")
