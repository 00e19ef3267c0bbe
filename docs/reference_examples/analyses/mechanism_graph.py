"""A mechanism as a bond graph."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.box(1.0, size=(0.05, 0.05, 1.0)), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
graph = dt.textbook.mechanism_graph(m)
print(sorted({type(e).__name__ for e in graph.elements.values()}))
