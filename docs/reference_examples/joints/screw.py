"""A nut that gravity drives down a screw with a lead of 50 mm."""

import duoti as dt

m = dt.Model("nut on a screw")
nut = m.add_body("nut", dt.Inertia.cylinder(1.0, radius=0.05, length=0.04, axis="z"), position=(0, 0, 0.5))
m.add_joint("thread", dt.Screw("z", lead_per_turn=0.05), m.ground, nut, at=(0, 0, 0.5))
r = dt.simulate(m, duration=1.0)
print(f"{r['thread.angle'][-1]:.2f} rad, {r['nut.position'][-1, 2]:.3f} m")
