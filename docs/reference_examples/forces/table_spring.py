"""A progressive spring from a measured table."""

import duoti as dt

m = dt.Model("progressive spring")
mass = m.add_body("mass", dt.Inertia.point(1.0), position=(0, 0, -0.5))
m.add_joint("guide", dt.Prismatic("z"), m.ground, mass, at=(0, 0, -0.5))
curve = {"stretch": [-0.2, -0.1, 0.0, 0.1, 0.2], "tension": [-40.0, -10.0, 0.0, 10.0, 40.0]}
m.add_force("spring", dt.TableSpring(m.ground, mass, **curve, damping=1.0, rest_length=0.5))
r = dt.simulate(m, duration=2.0)
print(f"{r['spring.length'][-1]:.3f} m, {r['spring.tension'][-1]:.2f} N")
