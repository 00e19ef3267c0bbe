"""A weld closes a loop: two pendulums joined at their tips."""

import duoti as dt

m = dt.Model("welded pendulums")
for name, x in (("left", -0.5), ("right", 0.5)):
    rod = m.add_body(name, dt.Inertia.rod(1.0, length=0.5, axis="x"), position=(x / 2, 0, 0))
    m.add_joint(f"pivot {name}", dt.Revolute("x"), m.ground, rod, at=(x, 0, 0.3), q0=0.5)
left = m.add_marker("left tip", "left", position=(0.25, 0, 0))
right = m.add_marker("right tip", "right", position=(-0.25, 0, 0))
m.add_constraint("weld", dt.Weld(left, right))
r = dt.simulate(m, duration=1.0)
print(f"{r['pivot left.angle'][-1]:.3f} rad, {r['pivot right.angle'][-1]:.3f} rad")
