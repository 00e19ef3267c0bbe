"""Repeated evaluation without set-up each time."""

import duoti as dt

m = dt.Model("double pendulum")
upper = m.add_body("upper", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
lower = m.add_body("lower", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -1.5))
m.add_joint("A", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0))
m.add_joint("B", dt.Revolute("y"), upper, lower, at=(0, 0, -1))
evaluate = dt.Evaluator(m)
for angle in (0.0, 0.5):
    print(evaluate.accelerations([angle, 0.0], [0.0, 0.0]).round(4))
