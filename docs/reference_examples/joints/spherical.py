"""A heavy top on a ball joint, spinning about its own axis."""

import duoti as dt

m = dt.Model("top")
top = m.add_body("top", dt.Inertia.cylinder(1.0, radius=0.1, length=0.05, axis="x"), position=(0.2, 0, 0))
m.add_joint("tip", dt.Spherical(), m.ground, top, at=(0, 0, 0), v0=[100.0, 0.0, 0.0])
r = dt.simulate(m, duration=1.0)
print(r["top.position"][-1].round(3), "m")
