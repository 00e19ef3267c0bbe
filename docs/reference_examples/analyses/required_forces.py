"""The torque that moves a pendulum through a sine."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
r = dt.required_forces(m, duration=1.0, motions={"pivot": "0.5*sin(2*pi*t)"}, outputs=0.01)
print(f"{r['pivot.drive'].max():.3f} N m")
