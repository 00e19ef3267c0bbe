"""Lane change of ISO 3888-1 at 20 m/s."""

import duoti as dt

car = dt.vehicle.car(dt.vehicle.double_wishbone(), dt.vehicle.double_wishbone(), road=dt.Road.flat())
m = dt.vehicle.double_lane_change(car, speed=20.0)
print(m)
m.plot().savefig("double_lane_change.png")
