"""A pinion strikes the teeth of a gear at rest, through a backlash of 0.1 mm."""

import duoti as dt

m = dt.Model("gears", gravity=(0, 0, 0))
for name, mass, radius, x in (("pinion", 1.0, 0.03, 0.0), ("gear", 4.0, 0.06, 0.09)):
    m.add_body(name, dt.Inertia.cylinder(mass, radius, 0.02, axis="z"), position=(x, 0, 0))
    m.add_joint(f"{name} shaft", dt.Revolute("z"), m.ground, name, at=(x, 0, 0))
m.joints["pinion shaft"].v0 = 10.0
mesh = dt.GearMesh("pinion shaft", "gear shaft", 0.03, 0.06, stiffness=2e6, damping=1.0, backlash=1e-4)
m.add_force("teeth", mesh)
r = dt.simulate(m, duration=0.002)
print(f"{r['pinion shaft.rate'][-1]:.2f} rad/s, {r['gear shaft.rate'][-1]:.2f} rad/s")
