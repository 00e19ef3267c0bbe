"""A differential: the carrier turns at the mean of both wheels."""

import duoti as dt

m = dt.Model("differential")
for name, y in (("left", -0.5), ("right", 0.5), ("carrier", 0.0)):
    wheel = m.add_body(f"{name} wheel", dt.Inertia.cylinder(1.0, radius=0.1, length=0.05, axis="y"), position=(0, y, 0))
    m.add_joint(name, dt.Revolute("y"), m.ground, wheel, at=(0, y, 0))
m.add_constraint("gears", dt.Coupler({"left": 0.5, "right": 0.5, "carrier": -1.0}))
m.add_force("engine", dt.JointTorque("carrier", 0.1))
m.add_force("road", dt.JointDamping("right", damping=0.01))
r = dt.simulate(m, duration=1.0)
print([round(float(r[f"{name}.rate"][-1]), 3) for name in ("left", "right", "carrier")], "rad/s")
