"""A beam clamped at its start, under its own weight."""

import duoti as dt

m = dt.Model("cantilever")
steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
section = dt.Section.rectangle(width=0.03, height=0.02)
beam = m.add_beam("beam", dt.Beam(section, steel), start=(0, 0, 0), end=(2, 0, 0), elements=8)
m.add_joint("clamp", dt.Fixed(), m.ground, beam.start, at=(0, 0, 0))
e = dt.equilibrium(m)
print(f"{e['beam.end.position'][2] * 1e3:.1f} mm")
