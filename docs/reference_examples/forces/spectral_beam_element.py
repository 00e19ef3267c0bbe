"""One element of order 2 through three nodes carries a mass at its end."""

import duoti as dt

m = dt.Model("spectral element")
middle = m.add_body("middle", dt.Inertia.box(0.1, size=(0.05, 0.05, 0.05)), position=(0.25, 0, 0))
tip = m.add_body("tip", dt.Inertia.box(0.5, size=(0.05, 0.05, 0.05)), position=(0.5, 0, 0))
m.add_joint("motion middle", dt.Free(), m.ground, middle, at=(0.25, 0, 0))
m.add_joint("motion tip", dt.Free(), m.ground, tip, at=(0.5, 0, 0))
steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
blade = dt.Beam(dt.Section.rectangle(width=0.03, height=0.005), steel)
m.add_force("blade", dt.beams.SpectralBeamElement([m.ground, middle, tip], blade))
e = dt.equilibrium(m)
print(f"{e['tip.position'][2] * 1e3:.2f} mm")
