"""A cam that lifts a follower by 10 mm in each turn."""

import math

import duoti as dt

m = dt.Model("cam")
cam = m.add_body("cam", dt.Inertia.cylinder(1.0, radius=0.05, length=0.02, axis="y"))
valve = m.add_body("valve", dt.Inertia.point(0.1), position=(0, 0, 0.1))
m.add_joint("shaft", dt.Revolute("y"), m.ground, cam, at=(0, 0, 0), v0=10.0)
m.add_joint("guide", dt.Prismatic("z"), m.ground, valve, at=(0, 0, 0.1))
angles = [k * math.pi / 4 for k in range(9)]
lifts = [0.0, 0.0, 0.002, 0.008, 0.01, 0.008, 0.002, 0.0, 0.0]
m.add_constraint("cam", dt.Cam("shaft", "guide", angles=angles, lifts=lifts, periodic=True))
r = dt.simulate(m, duration=1.0)
print(f"{r['guide.position'].max() * 1e3:.2f} mm")
