"""A stiffness from a measured motion."""

import duoti as dt

m = dt.Model("oscillator", gravity=(0, 0, 0))
m.add_body("block", dt.Inertia.point(2.0))
m.add_joint("x", dt.Prismatic("x"), m.ground, "block", q0=0.1)
m.add_force("spring", dt.JointSpring("x", stiffness=18.0, damping=1.0))
measured = dt.simulate(m, 2.0, outputs=0.02)
f = dt.fit(m, {"x.position": (measured.t, measured["x.position"])}, {"spring.stiffness": (1, 10, 50)})
print(f"{f.values['spring.stiffness']:.4f} N/m")
