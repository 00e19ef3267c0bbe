"""A wire through points, held at both ends, under gravity."""

import numpy as np

import duoti as dt

m = dt.Model("wire")
points = []
for k, x in enumerate(np.linspace(0.1, 0.9, 5)):
    point = m.add_body(f"p{k}", dt.Inertia.point(0.02), position=(x, 0, 0))
    m.add_joint(f"j{k}", dt.Translation(), m.ground, point, at=(x, 0, 0))
    m.add_force(f"air{k}", dt.JointDamping(f"j{k}", damping=0.1))
    points.append(point)
ends = [m.add_marker("left", m.ground, position=(0, 0, 0)), m.add_marker("right", m.ground, position=(1, 0, 0))]
wire = dt.beams.ThinBeam([ends[0], *points, ends[1]], stiffness=1000.0, bending_stiffness=0.02)
m.add_force("wire", wire)
r = dt.simulate(m, duration=1.0)
print(f"{r['p2.position'][-1, 2] * 1e3:.1f} mm, {r['wire.tension'][-1, 0]:.2f} N")
