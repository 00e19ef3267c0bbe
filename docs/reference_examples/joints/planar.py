"""A puck on a plane with a spin."""

import duoti as dt

m = dt.Model("puck")
puck = m.add_body("puck", dt.Inertia.cylinder(0.2, radius=0.05, length=0.02, axis="z"))
m.add_joint("ice", dt.Planar("z"), m.ground, puck, at=(0, 0, 0), v0=[1.0, 0.5, 10.0])
r = dt.simulate(m, duration=1.0)
print(r["ice.position"][-1].round(3), "m,", r["ice.angle"][-1].round(3), "rad")
