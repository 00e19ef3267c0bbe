"""A pendulum that a controller in Python holds up."""

import numpy as np

import duoti as dt

m = dt.Model("pendulum", parameters={"u": 0.0})
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, 0.5))
m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.2)
m.add_force("motor", dt.JointTorque("A", "u"))

s = dt.Stepper(m)
for _ in range(2000):
    s.set(u=-20.0 * s["A.angle"] - 4.0 * s["A.rate"])
    s.step(1e-3)
print(s, abs(s["A.angle"]) < 1e-2)

kept = s.state
s.set(u=5.0)
s.step(0.1)
s.restore(kept)
print(s.t == kept.t, np.array_equal(s.q, kept.q))
