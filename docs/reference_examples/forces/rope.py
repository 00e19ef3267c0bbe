"""A mass that hangs on a rope through an eye."""

import duoti as dt

m = dt.Model("rope")
left = m.add_body("left", dt.Inertia.point(1.0), position=(-0.5, 0, -1))
right = m.add_body("right", dt.Inertia.point(1.2), position=(0.5, 0, -1))
m.add_joint("guide left", dt.Prismatic("z"), m.ground, left, at=(-0.5, 0, -1))
m.add_joint("guide right", dt.Prismatic("z"), m.ground, right, at=(0.5, 0, -1))
eyes = [
    m.add_marker("eye left", m.ground, position=(-0.5, 0, 0)),
    m.add_marker("eye right", m.ground, position=(0.5, 0, 0)),
]
m.add_force("rope", dt.Rope([left, *eyes, right], stiffness=2000.0, damping=10.0, rest_length=3.0))
r = dt.simulate(m, duration=0.5)
print(f"{r['rope.length'][-1]:.3f} m, {r['rope.tension'][-1]:.2f} N")
