"""A spindle with a lead of 5 mm moves a carriage."""

import duoti as dt

m = dt.Model("spindle")
spindle = m.add_body("spindle", dt.Inertia.cylinder(1.0, radius=0.02, length=0.5, axis="x"))
carriage = m.add_body("carriage", dt.Inertia.box(5.0, size=(0.1, 0.1, 0.1)), position=(0, 0, 0.1))
m.add_joint("turn", dt.Revolute("x"), m.ground, spindle, at=(0, 0, 0))
m.add_joint("slide", dt.Prismatic("x"), m.ground, carriage, at=(0, 0, 0.1))
m.add_constraint("nut", dt.ScrewCoupling("turn", "slide", lead_per_turn=0.005))
m.add_force("motor", dt.JointTorque("turn", 0.05))
r = dt.simulate(m, duration=1.0)
print(f"{r['turn.angle'][-1]:.2f} rad, {r['slide.position'][-1]:.4f} m")
