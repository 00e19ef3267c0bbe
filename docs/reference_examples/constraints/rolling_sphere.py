"""A ball rolls down a plane that is tilted by gravity's direction."""

import duoti as dt

m = dt.Model("ball", gravity=(1.0, 0, -9.76))
ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.1))
m.add_joint("motion", dt.Free(), m.ground, ball, at=(0, 0, 0.1))
m.add_constraint("rolling", dt.RollingSphere(ball, radius=0.1))
r = dt.simulate(m, duration=1.0)
print(r["ball.position"][-1].round(4), "m")  # half of 5/7 of the acceleration
