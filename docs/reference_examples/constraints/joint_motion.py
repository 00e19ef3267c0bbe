"""A crank that follows a prescribed angle; the drive torque is a channel."""

import duoti as dt

m = dt.Model("driven crank")
crank = m.add_body("crank", dt.Inertia.rod(2.0, length=0.5, axis="x"), position=(0.25, 0, 0))
m.add_joint("shaft", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0))
m.add_constraint("drive", dt.JointMotion("shaft", "0.5*sin(2*pi*t)"))
r = dt.simulate(m, duration=1.0)
print(f"{r['shaft.angle'][-1]:.3f} rad, {r['drive.torque'][-1]:.2f} N m")
