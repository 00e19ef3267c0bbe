"""Accuracy and work of two solvers."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.5)
c = dt.analyses.compare_solvers(m, duration=1.0, solvers=[dt.DOPRI5(), dt.DOP853()])
print(len(c.runs), "runs")  # print(c) shows the table
