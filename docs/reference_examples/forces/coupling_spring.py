"""Two flywheels on an elastic shaft with a gear of ratio 2."""

import duoti as dt

m = dt.Model("drive train")
for name, y in (("A", 0.0), ("B", 0.5)):
    wheel = m.add_body(f"wheel {name}", dt.Inertia.cylinder(1.0, radius=0.1, length=0.05, axis="y"), position=(0, y, 0))
    m.add_joint(name, dt.Revolute("y"), m.ground, wheel, at=(0, y, 0))
m.add_force("shaft", dt.CouplingSpring({"A": 1.0, "B": -2.0}, stiffness=50.0, damping=0.01))
m.add_force("motor", dt.JointTorque("A", 0.1))
r = dt.simulate(m, duration=1.0)
print(f"{r['A.rate'][-1]:.3f} rad/s, {r['B.rate'][-1]:.3f} rad/s")
