"""A mass on springs that keep their directions in space."""

import duoti as dt

m = dt.Model("three springs")
mass = m.add_body("mass", dt.Inertia.point(1.0), position=(0.1, 0, 0))
m.add_joint("motion", dt.Translation(), m.ground, mass, at=(0.1, 0, 0))
m.add_force("springs", dt.CartesianSpring(m.ground, mass, stiffness=(100.0, 100.0, 400.0), damping=2.0))
r = dt.simulate(m, duration=2.0)
print(r["mass.position"][-1].round(4), "m")
