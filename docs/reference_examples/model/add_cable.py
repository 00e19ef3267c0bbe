"""A cable that hangs between two points."""

import duoti as dt

m = dt.Model("cable")
left = m.add_marker("left", m.ground, position=(0, 0, 0))
right = m.add_marker("right", m.ground, position=(8, 0, 0))
m.add_cable("cable", left, right, stiffness=1e5, mass_per_length=0.5, length=9.0, elements=10)
e = dt.equilibrium(m)
print(f"{e['cable.node5.position'][2]:.3f} m")
