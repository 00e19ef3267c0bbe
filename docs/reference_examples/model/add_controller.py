"""A digital controller that holds a pendulum at 0.5 rad."""

import duoti as dt

m = dt.Model("controlled pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_controller("control", {"u": "60*(0.5 - pivot.angle) - 6*pivot.rate"}, period=0.01)
m.add_force("motor", dt.JointTorque("pivot", "u"))
r = dt.simulate(m, duration=3.0)
print(f"{r['pivot.angle'][-1]:.3f} rad")
