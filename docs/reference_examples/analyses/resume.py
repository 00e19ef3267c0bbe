"""A run that is made longer."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.5)
dt.simulate(m, duration=1.0, outputs=0.1, out="run.h5")
r = dt.resume("run.h5", duration=2.0)
print(r.t[-1].round(6), r.t.size)
