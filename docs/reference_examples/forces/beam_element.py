"""A tip mass on one elastic element, clamped to ground."""

import duoti as dt

m = dt.Model("leaf spring")
tip = m.add_body("tip", dt.Inertia.box(0.5, size=(0.05, 0.05, 0.05)), position=(0.5, 0, 0))
m.add_joint("motion", dt.Free(), m.ground, tip, at=(0.5, 0, 0))
steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
blade = dt.Beam(dt.Section.rectangle(width=0.03, height=0.005), steel)
m.add_force("blade", dt.beams.BeamElement(m.ground, tip, blade))
r = dt.simulate(m, duration=0.2)
print(f"{r['tip.position'][-1, 2] * 1e3:.2f} mm, {r['blade.force'][-1, 2]:.2f} N")
