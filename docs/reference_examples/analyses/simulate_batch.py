"""A hundred pendulums with other masses and initial angles."""

import numpy as np

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_force("damper", dt.JointDamping("A", damping=0.1))

mass, angle = np.meshgrid(np.linspace(0.5, 2.0, 10), np.linspace(0.1, 1.0, 10))
b = dt.simulate_batch(m, 5.0, {"rod.mass": mass.ravel(), "A.q0": angle.ravel()}, outputs=0.05)
print(b)
print(b["A.angle"].shape, b.ok.all(), b.reason[0])
print(abs(b["A.angle"][:, -1]).max().round(4))
