"""Pressure on the upper face of a flexible bar."""

import duoti as dt

m = dt.Model("pressed bar")
mesh = dt.Mesh.box((1.0, 0.1, 0.1), (6, 1, 1), kind="hex8")
rubber = dt.Material(youngs_modulus=1e8, poisson_ratio=0.3, density=1000.0)
bar = dt.Flexible.from_mesh(mesh, rubber, interfaces={"left": "x-"}, modes=4, loads={"p": {"pressure": "z+"}})
m.add_body("bar", bar, position=(0, 0, 0))
m.add_joint("clamp", dt.Fixed(), m.ground, m.add_marker("left", "bar", interface="left"))
m.add_force("pressure", dt.flexible.SurfacePressure("bar", "z+", "100*min(t, 1)"))
r = dt.simulate(m, duration=0.5)
print(r["bar.modes"].shape, r.ok)
