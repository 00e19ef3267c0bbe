"""A four-bar linkage whose crank turns at a constant speed."""

import duoti as dt

m = dt.Model("four-bar")
crank = m.add_body("crank", dt.Inertia.rod(1.0, length=0.3, axis="z"), position=(0, 0, 0.15))
coupler = m.add_body("coupler", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0.3))
rocker = m.add_body("rocker", dt.Inertia.rod(1.0, length=0.6, axis="z"), position=(1, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0))
m.add_joint("B", dt.Revolute("y"), crank, coupler, at=(0, 0, 0.3))
m.add_joint("C", dt.Revolute("y"), coupler, rocker, at=(1, 0, 0.3))
m.add_joint("D", dt.Revolute("y"), m.ground, rocker, at=(1, 0, -0.3))
r = dt.kinematics(m, duration=1.0, motions={"A": "2*pi*t"}, outputs=0.01)
print(r.ok, r["D.angle"].min().round(3), r["D.angle"].max().round(3), "rad")
