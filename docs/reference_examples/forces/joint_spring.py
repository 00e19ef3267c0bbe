"""A door with a torsion spring."""

import duoti as dt

m = dt.Model("door")
door = m.add_body("door", dt.Inertia.box(20.0, size=(0.8, 0.04, 2.0)), position=(0.4, 0, 1))
m.add_joint("hinge", dt.Revolute("z"), m.ground, door, at=(0, 0, 0), q0=1.5)
m.add_force("closer", dt.JointSpring("hinge", stiffness=10.0, damping=12.0))
r = dt.simulate(m, duration=3.0)
print(f"{r['hinge.angle'][-1]:.3f} rad, {r['closer.torque'][-1]:.2f} N m")
