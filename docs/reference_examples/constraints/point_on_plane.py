"""A particle on an inclined plane."""

import duoti as dt

m = dt.Model("inclined plane")
ball = m.add_body("ball", dt.Inertia.point(1.0))
m.add_joint("motion", dt.Translation(), m.ground, ball, at=(0, 0, 0))
m.add_constraint("plane", dt.PointOnPlane(m.ground, ball, normal=(1, 0, 2)))
r = dt.simulate(m, duration=1.0)
print(r["ball.position"][-1].round(3), "m,", r["plane.reaction_force"][-1].round(3), "N")
