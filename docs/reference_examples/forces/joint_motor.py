"""A motor that accelerates a flywheel towards its no-load speed."""

import duoti as dt

m = dt.Model("motor")
wheel = m.add_body("wheel", dt.Inertia.cylinder(2.0, radius=0.1, length=0.05, axis="z"))
m.add_joint("shaft", dt.Revolute("z"), m.ground, wheel, at=(0, 0, 0))
m.add_force("motor", dt.JointMotor("shaft", stall_torque=1.0, no_load_speed=150.0, command="min(1, 2*t)"))
r = dt.simulate(m, duration=3.0)
print(f"{r['shaft.rate'][-1]:.1f} rad/s, {r['motor.torque'][-1]:.3f} N m")
