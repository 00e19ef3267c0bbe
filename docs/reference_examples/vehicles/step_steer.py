"""The handwheel is turned by 0.4 rad within 0.1 s."""

import duoti as dt

car = dt.vehicle.car(dt.vehicle.double_wishbone(), dt.vehicle.double_wishbone(), road=dt.Road.flat())
m = dt.vehicle.step_steer(car, speed=25.0, angle=0.4)
print(m)
m.plot().savefig("step_steer.png")
