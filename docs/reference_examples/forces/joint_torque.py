"""A pendulum driven by a torque and held by a proportional controller."""

import duoti as dt

m = dt.Model("driven pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_force("motor", dt.JointTorque("pivot", "20*(0.5*sin(t) - q) - 2*v"))
r = dt.simulate(m, duration=2.0)
print(f"{r['pivot.angle'][-1]:.3f} rad, {r['motor.torque'][-1]:.3f} N m")
