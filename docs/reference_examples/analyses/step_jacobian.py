"""One step of a pendulum with its derivatives."""

import duoti as dt

m = dt.Model("pendulum", parameters={"u": 0.0})
m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), q0=1.0)
m.add_force("motor", dt.JointTorque("A", "u"))
f = dt.StepJacobian(m, ["u"], step=0.01)
x, A, B = f(f.x0, u=[2.0])
print(A.round(4), B.round(4))
