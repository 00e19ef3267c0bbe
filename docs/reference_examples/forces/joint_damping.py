"""A flywheel that runs down in a viscous bearing."""

import duoti as dt

m = dt.Model("flywheel")
wheel = m.add_body("wheel", dt.Inertia.cylinder(10.0, radius=0.2, length=0.05, axis="z"))
m.add_joint("bearing", dt.Revolute("z"), m.ground, wheel, at=(0, 0, 0), v0=100.0)
m.add_force("oil", dt.JointDamping("bearing", damping=0.1))
r = dt.simulate(m, duration=2.0)
print(f"{r['bearing.rate'][-1]:.2f} rad/s, {r['energy.dissipated'][-1]:.1f} J")
