"""A flexible beam as a body, clamped at its start."""

import duoti as dt

m = dt.Model("flexible arm")
steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
beam = dt.Beam(dt.Section.rectangle(width=0.02, height=0.01), steel)
arm = dt.Flexible.from_beam(beam, length=1.0, elements=10, modes=4)
m.add_body("arm", arm, position=(0, 0, 0))
m.add_marker("root", "arm", interface="start")
m.add_marker("tip", "arm", interface="end")
m.add_joint("clamp", dt.Fixed(), m.ground, "root")
r = dt.simulate(m, duration=0.5)
print(f"{r['tip.position'][:, 2].min() * 1e3:.1f} mm")
