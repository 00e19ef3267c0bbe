"""Reactions of a pendulum, by its bond graph."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.box(1.0, size=(0.05, 0.05, 1.0)), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
found = dt.textbook.reactions_by_graph(m, q=[0.5], v=[0.0])
print(found.reaction_force["pivot"].round(4) + 0.0, "N")
