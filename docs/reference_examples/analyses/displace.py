"""A position moved along a velocity: quaternions stay unit."""

import duoti as dt

m = dt.Model("ball joint")
body = m.add_body("body", dt.Inertia.box(1.0, size=(0.1, 0.2, 0.3)))
m.add_joint("ball", dt.Spherical(), m.ground, body, at=(0, 0, 0))
q = dt.analyses.displace(m, [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.2])
print(q.round(5))
