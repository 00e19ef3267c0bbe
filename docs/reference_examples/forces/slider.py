"""A trolley on a girder that bends."""

import duoti as dt

m = dt.Model("girder")
steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
section = dt.Section.rectangle(width=0.1, height=0.2)
beam = m.add_beam("beam", dt.Beam(section, steel), start=(0, 0, 0), end=(6, 0, 0), elements=6)
m.add_joint("left", dt.Revolute("y"), m.ground, beam.start, at=(0, 0, 0))
m.add_joint("right", dt.Composite.of_axes("x", "y"), m.ground, beam.end, at=(6, 0, 0))
m.add_body("trolley", dt.Inertia.point(500.0), position=(0.5, 0, 0))
m.add_joint("way", dt.Composite.of_axes("xz", ""), m.ground, "trolley", at=(0.5, 0, 0), v0=[2.0, 0.0])
m.add_force("wheels", dt.Slider("trolley", beam.nodes, stiffness=1e7, damping=1e5))
r = dt.simulate(m, 2.5, outputs=0.01)
print(f"lowest {min(r['trolley.position.z']) * 1e3:.1f} mm, at {r['wheels.place'][-1]:.2f} m at the end")
