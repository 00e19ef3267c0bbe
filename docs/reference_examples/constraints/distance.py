"""A particle on a massless rod: a pendulum without a joint angle."""

import duoti as dt

m = dt.Model("rod pendulum")
ball = m.add_body("ball", dt.Inertia.point(1.0), position=(0.6, 0, -0.8))
m.add_joint("flight", dt.Translation(), m.ground, ball, at=(0.6, 0, -0.8))
m.add_constraint("rod", dt.Distance(m.ground, ball, length=1.0))
r = dt.simulate(m, duration=1.0)
print(r["ball.position"][-1].round(3), "m,", r["rod.reaction_force"][-1].round(2), "N")
