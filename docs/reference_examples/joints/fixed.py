"""A sensor welded to a pendulum; the weld carries its weight."""

import duoti as dt

m = dt.Model("sensor on a pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
sensor = m.add_body("sensor", dt.Inertia.point(0.1), position=(0, 0, -1))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.5)
m.add_joint("weld", dt.Fixed(), rod, sensor, at=(0, 0, -1))
r = dt.simulate(m, duration=2.0)
print(r["weld.reaction_force"][-1].round(3), "N")
