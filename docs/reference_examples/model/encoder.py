"""An encoder with 4096 steps a turn, read 20 ms late."""

import math

import duoti as dt

m = dt.Model("pendulum")
m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
m.add_marker("tip", "rod", position=(0.5, 0, 0))
m.add_sensor("enc", dt.Encoder("A", period=0.01, delay=0.02, resolution=math.tau / 4096))
r = dt.simulate(m, 0.5)
print(r["enc"][-1].round(4), r["A.angle"][-1].round(4))
