"""A cantilever under a load that grows along its length."""

import duoti as dt

m = dt.Model("cantilever", gravity=(0, 0, 0))
steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
section = dt.Section.rectangle(width=0.03, height=0.02)
beam = m.add_beam("beam", dt.Beam(section, steel, damping_time=0.01), start=(0, 0, 0), end=(1, 0, 0), elements=4)
m.add_joint("clamp", dt.Fixed(), m.ground, beam.start, at=(0, 0, 0))
m.add_force("wind", dt.BeamLoad("beam", (0, 0, "-100*part")))
e = dt.equilibrium(m)
print(f"{e.result[beam.end.name + '.position'][0, 2] * 1e3:.2f} mm")
