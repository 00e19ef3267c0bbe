"""A box thrown with a spin."""

import duoti as dt

m = dt.Model("thrown box")
box = m.add_body("box", dt.Inertia.box(1.0, size=(0.3, 0.2, 0.1)), position=(0, 0, 1))
m.add_joint("flight", dt.Free(), m.ground, box, at=(0, 0, 1), v0=[1.0, 0.0, 3.0, 0.1, 5.0, 0.0])
r = dt.simulate(m, duration=0.5)
print(r["flight.position"][-1].round(3), "m,", r["flight.rotation"][-1].round(3))
