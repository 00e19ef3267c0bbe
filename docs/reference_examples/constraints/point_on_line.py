"""The tip of a crank guides a free body along a line: a slotted link."""

import duoti as dt

m = dt.Model("slotted link")
crank = m.add_body("crank", dt.Inertia.rod(1.0, length=0.2, axis="x"), position=(0.1, 0, 0))
link = m.add_body("link", dt.Inertia.rod(2.0, length=1.0, axis="z"), position=(0.2, 0, -0.2))
m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0), v0=3.0)
m.add_joint("B", dt.Revolute("y"), m.ground, link, at=(0.2, 0, -0.7))
pin = m.add_marker("pin", crank, position=(0.1, 0, 0))
slot = m.add_marker("slot", link, position=(0, 0, 0))
m.add_constraint("slide", dt.PointOnLine(slot, pin, axis="z"))
r = dt.simulate(m, duration=1.0)
print(f"{r['A.angle'][-1]:.3f} rad, {r['B.angle'][-1]:.3f} rad")
