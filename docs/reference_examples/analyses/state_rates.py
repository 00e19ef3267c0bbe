"""The rate of a first-order filter of the angle."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_state("filtered", "(pivot.angle - filtered)/0.1")
rates = dt.analyses.state_rates(m, q=[0.5], v=[1.0], z=[0.2])
print(rates)
