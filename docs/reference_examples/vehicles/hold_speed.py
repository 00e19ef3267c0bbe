"""A driver accelerates from 15 to 20 m/s."""

import duoti as dt

car = dt.vehicle.car(dt.vehicle.double_wishbone(), dt.vehicle.double_wishbone(), road=dt.Road.flat(), speed=15.0)
r = dt.simulate(dt.vehicle.hold_speed(car, 20.0), duration=5.0, rtol=1e-6)
print(f"{r['chassis.velocity'][-1, 0]:.2f} m/s")
