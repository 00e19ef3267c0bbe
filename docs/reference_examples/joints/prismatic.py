"""A mass that slides down an inclined guide."""

import duoti as dt

m = dt.Model("slide")
block = m.add_body("block", dt.Inertia.box(2.0, size=(0.2, 0.1, 0.1)), position=(0, 0, 0))
m.add_joint("guide", dt.Prismatic((1, 0, -1)), m.ground, block, at=(0, 0, 0))
r = dt.simulate(m, duration=1.0)
print(f"{r['guide.position'][-1]:.3f} m, {r['guide.velocity'][-1]:.3f} m/s")
