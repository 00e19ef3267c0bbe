"""What the stiffness, the damping and the start do to an integral."""

import duoti as dt

m = dt.Model("oscillator", gravity=(0, 0, 0))
m.add_body("block", dt.Inertia.point(2.0))
m.add_joint("x", dt.Prismatic("x"), m.ground, "block", q0=0.1)
m.add_force("spring", dt.JointSpring("x", stiffness=18.0, damping=1.0))
g = dt.gradient(m, dt.Objective(integral="x.position^2"), ["spring.stiffness", "spring.damping", "x.q0"], duration=2.0)
print(g)
