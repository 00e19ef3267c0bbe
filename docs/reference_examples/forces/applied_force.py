"""A rocket: the thrust follows the axis of the body."""

import duoti as dt

m = dt.Model("rocket")
rocket = m.add_body("rocket", dt.Inertia.cylinder(10.0, radius=0.1, length=1.0, axis="z"))
m.add_joint("flight", dt.Free(), m.ground, rocket, at=(0, 0, 0))
nozzle = m.add_marker("nozzle", rocket, position=(0, 0, -0.5))
m.add_force("thrust", dt.AppliedForce(nozzle, ("0", "0", "200*exp(-t)"), frame="marker"))
r = dt.simulate(m, duration=1.0)
print(f"{r['rocket.position'][-1, 2]:.3f} m, {r['thrust.force'][-1, 2]:.2f} N")
