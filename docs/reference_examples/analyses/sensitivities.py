"""How a motion changes with the mass."""

import duoti as dt

m = dt.Model("oscillator", gravity=(0, 0, 0))
m.add_body("block", dt.Inertia.point(2.0))
m.add_joint("x", dt.Prismatic("x"), m.ground, "block", q0=0.1)
m.add_force("spring", dt.JointSpring("x", stiffness=18.0, damping=1.0))
s = dt.sensitivities(m, ["x.position"], ["block.mass"], duration=1.0, outputs=0.25)
print(s["x.position", "block.mass"].round(6))
