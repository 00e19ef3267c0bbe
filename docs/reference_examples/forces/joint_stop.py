"""A flap that falls onto an elastic stop."""

import duoti as dt

m = dt.Model("flap")
flap = m.add_body("flap", dt.Inertia.box(1.0, size=(0.4, 0.3, 0.01)), position=(0.2, 0, 0))
m.add_joint("hinge", dt.Revolute("y"), m.ground, flap, at=(0, 0, 0), limits=(-1.0, 0.5))
m.add_force("stop", dt.JointStop("hinge", stiffness=500.0, damping=0.2))
r = dt.simulate(m, duration=1.0)
print(f"{r['hinge.angle'].max():.3f} rad at most, {r['stop.torque'].min():.1f} N m")
