"""A motor with an inductance: its current is a state."""

import duoti as dt

m = dt.Model("motor")
wheel = m.add_body("wheel", dt.Inertia.cylinder(1.0, radius=0.1, length=0.05, axis="z"))
m.add_joint("shaft", dt.Revolute("z"), m.ground, wheel, at=(0, 0, 0))
m.add_state("current", "(12 - 1.0*current - 0.05*shaft.rate)/0.001", unit="A")
m.add_force("motor", dt.JointTorque("shaft", "0.05*current"))
r = dt.simulate(m, duration=2.0)
print(f"{r['current'][-1]:.3f} A, {r['shaft.rate'][-1]:.1f} rad/s")
