"""The largest speed over the stiffness."""

import duoti as dt

m = dt.Model("oscillator", gravity=(0, 0, 0))
m.add_body("block", dt.Inertia.point(2.0))
m.add_joint("x", dt.Prismatic("x"), m.ground, "block", q0=0.1)
m.add_force("spring", dt.JointSpring("x", stiffness=18.0, damping=1.0))
ds = dt.Study(m, {"spring.stiffness": dt.grid(5, 50, 10)}, {"fastest": "max(abs(x.velocity))"}, duration=3.0).run()
figure = dt.analyses.plot_study(ds, "fastest")
print(figure.axes[0].get_xlabel())
