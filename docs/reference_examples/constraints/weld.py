"""A tool with a free joint, welded to a carriage."""

import duoti as dt

m = dt.Model("carriage and tool")
carriage = m.add_body("carriage", dt.Inertia.box(2.0, size=(0.2, 0.2, 0.1)), position=(0, 0, 0))
tool = m.add_body("tool", dt.Inertia.box(0.5, size=(0.05, 0.05, 0.2)), position=(0, 0, 0.15))
m.add_joint("guide", dt.Prismatic((1, 0, -1)), m.ground, carriage, at=(0, 0, 0))
m.add_joint("motion", dt.Free(), m.ground, tool, at=(0, 0, 0.15))
top = m.add_marker("top", carriage, position=(0, 0, 0.05))
foot = m.add_marker("foot", tool, position=(0, 0, -0.1))
m.add_constraint("weld", dt.Weld(top, foot))
r = dt.simulate(m, duration=1.0)
print(r["tool.position"][-1].round(3), "m,", r["weld.reaction_force"][-1].round(3), "N")
