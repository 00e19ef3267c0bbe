"""A particle on a circle that grows with time."""

import duoti as dt

m = dt.Model("growing circle")
ball = m.add_body("ball", dt.Inertia.point(1.0), position=(0.5, 0, 0))
m.add_joint("plane", dt.Composite(dt.Prismatic("x"), dt.Prismatic("z")), m.ground, ball, at=(0.5, 0, 0))
m.add_constraint("circle", dt.Equation("hypot(ball.position.x, ball.position.z) - 0.5 - 0.1*t"))
r = dt.simulate(m, duration=1.0)
print(r["ball.position"][-1].round(3), "m")
