"""A satellite on an elliptic orbit: the strength is G times both masses."""

import duoti as dt

m = dt.Model("orbit", gravity=(0, 0, 0))
satellite = m.add_body("satellite", dt.Inertia.point(1.0), position=(1, 0, 0))
m.add_joint("flight", dt.Translation(), m.ground, satellite, at=(1, 0, 0), v0=[0.0, 1.2, 0.0])
m.add_force("pull", dt.PointGravity(m.ground, satellite, strength=1.0))
r = dt.simulate(m, duration=5.0)
print(r["satellite.position"][-1].round(3), "m")
