"""A rod about its end feels a third of its mass at the tip."""

import duoti as dt

m = dt.Model("rod")
m.add_body("rod", dt.Inertia.rod(3.0, length=2.0, axis="x"), position=(1, 0, 0))
m.add_joint("A", dt.Revolute("z"), m.ground, "rod", at=(0, 0, 0))
m.add_marker("tip", "rod", position=(1, 0, 0))
print(dt.analyses.operational_space_inertia(m, "tip", [0.0], rows=(4,)))
