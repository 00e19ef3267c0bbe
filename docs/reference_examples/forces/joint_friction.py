"""A pendulum on a pin of 50 mm radius with friction: it comes to rest off the vertical."""

import duoti as dt

m = dt.Model("pendulum with friction")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.5)
m.add_force("friction", dt.JointFriction("pivot", friction=0.5, radius=0.05))
r = dt.simulate(m, duration=20.0)
print(f"{r['pivot.angle'][-1]:.4f} rad, {r['friction.torque'][-1]:.4f} N m")
