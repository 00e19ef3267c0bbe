"""A disc that turns on a shaft and slides down along it."""

import duoti as dt

m = dt.Model("disc on a shaft")
disc = m.add_body("disc", dt.Inertia.cylinder(1.0, radius=0.1, length=0.02, axis="z"), position=(0, 0, 1))
m.add_joint("shaft", dt.Cylindrical("z"), m.ground, disc, at=(0, 0, 1), v0=[0.0, 5.0])
r = dt.simulate(m, duration=0.4)
print(f"{r['shaft.position'][-1]:.3f} m, {r['shaft.angle'][-1]:.3f} rad")
