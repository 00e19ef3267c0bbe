"""The lowest frequencies of a clamped beam."""

import duoti as dt

m = dt.Model("cantilever", gravity=(0, 0, 0))
steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
section = dt.Section.rectangle(width=0.03, height=0.02)
beam = m.add_beam("beam", dt.Beam(section, steel), start=(0, 0, 0), end=(1, 0, 0), elements=10)
m.add_joint("clamp", dt.Fixed(), m.ground, beam.start, at=(0, 0, 0))
modes = dt.natural_modes(m, count=3)
print(modes.frequencies.round(2), "Hz")
