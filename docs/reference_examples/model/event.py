"""A ball that falls; the event ends the run on the floor."""

import duoti as dt

m = dt.Model("fall")
ball = m.add_body("ball", dt.Inertia.point(1.0), position=(0, 0, 2))
m.add_joint("motion", dt.Prismatic("z"), m.ground, ball, at=(0, 0, 2))
m.add_event("floor", dt.Event("ball.position.z", terminal=True, direction="falling"))
r = dt.simulate(m, duration=5.0)
print(f"{r.t[-1]:.4f} s, {r.reason}")
