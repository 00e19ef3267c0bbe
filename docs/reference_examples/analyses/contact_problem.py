"""Whether the motion of a box on a floor is determined."""

import duoti as dt

m = dt.Model("box")
box = m.add_body("box", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1))
m.add_joint("motion", dt.Free(), m.ground, box, at=(0, 0, 0.1))
shapes = (dt.Shape.plane(), dt.Shape.box((0.2, 0.2, 0.2)))
m.add_contact("floor", dt.RigidContact(friction=0.3), m.ground, box, shapes=shapes)
p = dt.contact_problem(m)
print(p.consistent, p.unique)
