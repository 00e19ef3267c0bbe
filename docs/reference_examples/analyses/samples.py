"""Three measured pairs of numbers."""

import duoti as dt

m = dt.Model("oscillator", gravity=(0, 0, 0))
m.add_body("block", dt.Inertia.point(2.0))
m.add_joint("x", dt.Prismatic("x"), m.ground, "block", q0=0.1)
m.add_force("spring", dt.JointSpring("x", stiffness=18.0))
measured = {"block.mass": dt.samples([1.9, 2.0, 2.1]), "spring.stiffness": dt.samples([18.2, 18.0, 17.7])}
ds = dt.Study(m, measured, {"fastest": "max(abs(x.velocity))"}, duration=3.0).run()
print(ds["fastest"].values.round(4))
