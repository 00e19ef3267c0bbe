"""A plate on a rubber mount."""

import duoti as dt

m = dt.Model("mount")
plate = m.add_body("plate", dt.Inertia.box(2.0, size=(0.3, 0.3, 0.02)), position=(0, 0, 0))
m.add_joint("motion", dt.Free(), m.ground, plate, at=(0, 0, 0))
centre = m.add_marker("centre", plate, position=(0.05, 0, 0))
base = m.add_marker("base", m.ground, position=(0.05, 0, 0))
rubber = {"stiffness": (2e3, 2e3, 5e3, 20.0, 20.0, 10.0), "damping": (5, 5, 10, 0.1, 0.1, 0.1)}
m.add_force("mount", dt.Bushing(base, centre, **rubber))
r = dt.simulate(m, duration=0.5)
print(r["plate.position"][-1].round(4), "m")
