"""The best damper."""

import duoti as dt

m = dt.Model("oscillator", gravity=(0, 0, 0))
m.add_body("block", dt.Inertia.point(2.0))
m.add_joint("x", dt.Prismatic("x"), m.ground, "block", q0=0.1)
m.add_force("spring", dt.JointSpring("x", stiffness=18.0, damping=1.0))
o = dt.minimise(m, dt.Objective(integral="x.position^2"), {"spring.damping": (0.1, 50)}, duration=6.0)
print({name: round(value, 3) for name, value in o.values.items()})
