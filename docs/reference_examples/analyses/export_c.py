"""A pendulum as a C library with a constant step, for real time."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
made = dt.export_c(m, "pendulum_c", parameters=["rod.mass"], solver=dt.RK4(step=0.001))
print(made.outputs, made.parameters)
