"""A backstop holds an arm at 45 degrees; the other way it would turn freely."""

import duoti as dt

m = dt.Model("backstop")
arm = m.add_body("arm", dt.Inertia.rod(1.0, length=0.6, axis="x"), position=(0.3, 0, 0))
m.add_joint("pivot", dt.Revolute("y"), m.ground, arm, at=(0, 0, 0), q0=-0.785398)
m.add_force("backstop", dt.OneWayClutch("pivot", capacity=10.0, direction=-1))
r = dt.simulate(m, duration=1.0)
print(f"{r['pivot.angle'][-1]:.6f} rad, held by {r['backstop.torque'][-1]:.4f} N m")
