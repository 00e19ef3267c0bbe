"""A hydraulic actuator with a force that depends on the time and the speed."""

import duoti as dt

m = dt.Model("actuator")
mass = m.add_body("mass", dt.Inertia.point(5.0), position=(0, 0, -0.5))
m.add_joint("guide", dt.Prismatic("z"), m.ground, mass, at=(0, 0, -0.5))
m.add_force("cylinder", dt.LineForce(m.ground, mass, "60*min(t, 1) + 20*speed"))
r = dt.simulate(m, duration=1.0)
print(f"{r['cylinder.length'][-1]:.3f} m, {r['cylinder.tension'][-1]:.2f} N")
