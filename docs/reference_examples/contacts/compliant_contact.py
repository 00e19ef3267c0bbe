"""A ball that bounces on an elastic floor."""

import duoti as dt

m = dt.Model("bouncing ball")
ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.5))
m.add_joint("motion", dt.Translation(), m.ground, ball, at=(0, 0, 0.5))
rubber = dt.CompliantContact(stiffness=1e5, exponent=1.5, damping=0.2, damping_law="hunt_crossley", friction=0.5)
m.add_contact("floor", rubber, m.ground, ball, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
r = dt.simulate(m, duration=1.0)
print(f"{r['floor.gap'].min() * 1e3:.1f} mm, {r['floor.normal_force'].max():.0f} N")
