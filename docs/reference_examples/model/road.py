"""A bump, and a random road of class C."""

import duoti as dt

bump = dt.Road.profile([(0, 0), (1.0, 0), (1.5, 0.05), (2.0, 0), (3.0, 0)], interpolation="monotone")
print(bump.height(1.5), bump.normal(1.25).round(3))

rough = dt.Road.random("C", length=100.0, seed=1, tracks=(-0.75, 0.75))
print(f"{rough.height(10.0, 0.75):.4f} m left, {rough.height(10.0, -0.75):.4f} m right")
