"""A rod on a ball joint whose axis keeps 30 degrees to the vertical: conical motion."""

import math

import duoti as dt

m = dt.Model("cone")
tilt = dt.Rotation.about("y", math.pi - math.radians(30))
rod = m.add_body("rod", dt.Inertia.box(1.0, size=(0.1, 0.1, 1.0)), position=(0.25, 0, -0.4330127), rotation=tilt)
m.add_joint("ball", dt.Spherical(), m.ground, rod, at=(0, 0, 0), v0=[0.0, 0.0, 2.0])
m.add_constraint("cone", dt.Angle(m.ground, rod, angle=math.radians(150)))
r = dt.simulate(m, duration=1.0)
print(r["rod.position"][-1].round(3), "m")
