"""The generalised forces of a motor and a damper."""

import duoti as dt

m = dt.Model("double pendulum")
upper = m.add_body("upper", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
lower = m.add_body("lower", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -1.5))
m.add_joint("A", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0))
m.add_joint("B", dt.Revolute("y"), upper, lower, at=(0, 0, -1))
m.add_force("motor", dt.JointTorque("A", 3.0))
m.add_force("damper", dt.JointDamping("B", damping=0.5))
tau = dt.analyses.generalised_forces(m, q=[0.0, 0.0], v=[0.0, 2.0])
print(tau)
