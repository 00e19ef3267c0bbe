"""A particle thrown at 45 degrees."""

import duoti as dt

m = dt.Model("throw")
ball = m.add_body("ball", dt.Inertia.point(0.1))
m.add_joint("flight", dt.Translation(), m.ground, ball, at=(0, 0, 0), v0=[5.0, 0.0, 5.0])
r = dt.simulate(m, duration=1.0)
print(r["flight.position"][-1].round(3), "m")
