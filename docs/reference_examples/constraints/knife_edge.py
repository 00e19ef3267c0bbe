"""A skate on an inclined plane: it does not slide down, it moves sideways on average."""

import duoti as dt

m = dt.Model("skate", gravity=(0, -1.0, -9.76))
skate = m.add_body("skate", dt.Inertia.box(1.0, size=(0.3, 0.02, 0.1)))
m.add_joint("ice", dt.Planar("z"), m.ground, skate, at=(0, 0, 0), v0=[0.0, 0.0, 2.0])
m.add_constraint("blade", dt.KnifeEdge(skate, axis="y"))
r = dt.simulate(m, duration=3.1416)
print(r["ice.position"][-1].round(3), "m")
