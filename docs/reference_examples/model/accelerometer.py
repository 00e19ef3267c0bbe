"""An accelerometer with noise at the tip of a pendulum."""

import duoti as dt

m = dt.Model("pendulum")
m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
m.add_marker("tip", "rod", position=(0.5, 0, 0))
m.add_sensor("imu", dt.Accelerometer("tip", period=0.01, noise=0.05, seed=1))
r = dt.simulate(m, 1.0)
print(r["imu"].shape, r["imu.x"][-1].round(2), r["imu.ideal"][-1].round(2))
