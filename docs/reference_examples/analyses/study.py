"""Swing of a pendulum over its damping, with masses that scatter."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.5)
m.add_force("damper", dt.JointDamping("A", damping=0.2))
study = dt.Study(
    m,
    {"damper.damping": dt.grid(0.1, 0.5, 3), "rod.mass": dt.normal(1.0, 0.05)},
    {"swing": "max(abs(A.angle)*(t > 1))", "zero": "time_when(A.angle < 0)"},
    duration=2.0,
    samples=8,
    seed=1,
)
ds = study.run()
print(ds["swing"].mean("sample").values.round(3), ds["swing"].attrs["units"])
