"""A box that slides down a plane and stops; `r.impacts` lists the impacts."""

import duoti as dt

m = dt.Model("sliding box")
box = m.add_body("box", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1))
m.add_joint("motion", dt.Free(), m.ground, box, at=(0, 0, 0.1), v0=[2.0, 0.0, 0.0, 0.0, 0.0, 0.0])
shapes = (dt.Shape.plane(), dt.Shape.box((0.2, 0.2, 0.2)))
m.add_contact("floor", dt.RigidContact(friction=0.3, restitution=0.2), m.ground, box, shapes=shapes)
r = dt.simulate(m, duration=1.0)
print(f"{r['box.position'][-1, 0]:.3f} m, {r['floor.normal_force'][-1]:.2f} N")
