"""Mass and inertia of a steel cylinder, and its principal moments."""

import duoti as dt

wheel = dt.Inertia.cylinder(density=7850.0, radius=0.1, length=0.05, axis="z")
print(round(wheel.mass, 3), wheel.matrix.diagonal().round(5))
