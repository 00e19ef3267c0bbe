"""An integral and a value at the end."""

import duoti as dt

m = dt.Model("oscillator", gravity=(0, 0, 0))
m.add_body("block", dt.Inertia.point(2.0))
m.add_joint("x", dt.Prismatic("x"), m.ground, "block", q0=0.1)
m.add_force("spring", dt.JointSpring("x", stiffness=18.0, damping=1.0))
objective = dt.Objective(integral="x.velocity^2", final="10*x.position^2")
print(f"{dt.gradient(m, objective, ['x.q0'], duration=2.0).value:.6f}")
