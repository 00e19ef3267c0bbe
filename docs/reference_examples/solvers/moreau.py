"""A stack of three boxes with steps of 1 ms."""

import duoti as dt

m = dt.Model("stack")
size = (0.2, 0.2, 0.2)
below, shape = m.ground, dt.Shape.plane()
for k in range(3):
    box = m.add_body(f"box{k}", dt.Inertia.box(1.0, size=size), position=(0, 0, 0.1 + 0.2 * k))
    m.add_joint(f"motion{k}", dt.Free(), m.ground, box, at=(0, 0, 0.1 + 0.2 * k))
    m.add_contact(f"contact{k}", dt.RigidContact(friction=0.5), below, box, shapes=(shape, dt.Shape.box(size)))
    below, shape = box, dt.Shape.box(size)
r = dt.simulate(m, duration=0.5, solver=dt.Moreau(step=0.001))
print(f"{r['contact0.normal_force'][-1]:.2f} N, {r['box2.position'][-1, 2]:.4f} m")
