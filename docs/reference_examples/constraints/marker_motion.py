"""The support of a pendulum moves to and fro."""

import duoti as dt

m = dt.Model("moved support")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("motion", dt.Planar("y"), m.ground, rod, at=(0, 0, 0))
top = m.add_marker("top", rod, position=(0, 0, 0.5))
m.add_constraint("drive", dt.MarkerMotion(top, ("0.1*sin(3*t)", None, 0)))
r = dt.simulate(m, duration=2.0)
print(r["top.position"][-1].round(3), "m,", r["rod.position"][-1].round(3), "m")
