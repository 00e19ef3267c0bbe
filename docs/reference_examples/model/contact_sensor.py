"""The force of a ball on the floor."""

import duoti as dt

m = dt.Model("ball")
m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.1))
m.add_joint("F", dt.Free(), m.ground, "ball")
shapes = dt.Shape.plane(), dt.Shape.sphere(0.1)
m.add_contact("floor", dt.CompliantContact(1e5, damping=300.0), m.ground, "ball", shapes=shapes)
m.add_sensor("touch", dt.ContactSensor("floor", period=0.01))
r = dt.simulate(m, 1.0)
print(f"{r['touch'][-1]:.2f} N")
