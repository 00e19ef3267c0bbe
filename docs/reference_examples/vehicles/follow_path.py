"""A driver on a winding road."""

import numpy as np

import duoti as dt

car = dt.vehicle.car(dt.vehicle.double_wishbone(), dt.vehicle.double_wishbone(), road=dt.Road.flat(), speed=15.0)
r = dt.simulate(dt.vehicle.follow_path(car, "2*sin(0.05*x)", speed=15.0), duration=6.0, rtol=1e-6)
x, y = r["chassis.position"][:, 0], r["chassis.position"][:, 1]
print(f"never more than {np.abs(y - 2 * np.sin(0.05 * x)).max():.2f} m beside the path")
