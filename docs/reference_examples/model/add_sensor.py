"""An accelerometer and an encoder of a pendulum."""

import duoti as dt

m = dt.Model("pendulum")
m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
m.add_marker("tip", "rod", position=(0.5, 0, 0))
m.add_sensor("imu", dt.Accelerometer("tip"))
m.add_sensor("enc", dt.Encoder("A", period=0.01))
r = dt.simulate(m, 0.5)
print(r["imu"][-1].round(2), r["enc"][-1].round(3))
