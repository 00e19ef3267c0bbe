"""Two weights on a rope over a sheave with friction: the heavier one slides down, held back by the friction."""

import duoti as dt

m = dt.Model("capstan")
for name, x, mass in (("left", -0.5, 2.0), ("right", 0.5, 6.0)):
    m.add_body(name, dt.Inertia.point(mass), position=(x, 0, -2))
    m.add_joint(f"{name} guide", dt.Prismatic("z"), m.ground, name, at=(x, 0, -2))
m.add_marker("bollard", m.ground)
bollard = dt.Sheave("bollard", radius=0.5, friction=0.3, axis="y")
m.add_force("rope", dt.Reeving("left", [bollard], "right", stiffness=1e5, damping=100.0))
r = dt.simulate(m, duration=0.5)
light, heavy = r["rope.tension"][-1]
print(f"{light:.2f} N and {heavy:.2f} N, a ratio of {heavy / light:.6f}")
