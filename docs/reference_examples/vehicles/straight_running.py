"""Stability of straight running over the speed."""

import duoti as dt

car = dt.vehicle.car(dt.vehicle.double_wishbone(), dt.vehicle.double_wishbone(), road=dt.Road.flat())
locus = dt.vehicle.straight_running(car, [10.0, 20.0, 30.0])
print(locus)
