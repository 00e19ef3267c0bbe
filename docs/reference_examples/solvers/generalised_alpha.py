"""A pendulum with a very stiff damper, steps of 5 ms."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.5)
m.add_force("damper", dt.JointDamping("pivot", damping=1e3))
r = dt.simulate(m, duration=2.0, solver=dt.GeneralisedAlpha(step=0.005, rho=0.7))
print(f"{r['pivot.angle'][-1]:.6f} rad, {r.stats.steps} steps")
