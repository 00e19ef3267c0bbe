"""A table that stays horizontal on a free body."""

import duoti as dt

m = dt.Model("table")
table = m.add_body("table", dt.Inertia.box(5.0, size=(1.0, 1.0, 0.05)))
m.add_joint("motion", dt.Free(), m.ground, table, at=(0, 0, 0), v0=[0.0, 0.0, 5.0, 0.0, 0.0, 1.0])
m.add_constraint("level", dt.Parallel(m.ground, table, axis_a="z", axis_b="z"))
edge = m.add_marker("edge", table, position=(0.5, 0, 0))
m.add_force("push", dt.AppliedForce(edge, (0, 0, 10.0)))
r = dt.simulate(m, duration=1.0)
print(r["table.axis_z"][-1].round(6), r["level.reaction_torque"][-1].round(3), "N m")
