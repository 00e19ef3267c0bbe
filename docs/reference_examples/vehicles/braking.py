"""Braking distance from 25 m/s."""

import duoti as dt

car = dt.vehicle.car(dt.vehicle.double_wishbone(), dt.vehicle.double_wishbone(), road=dt.Road.flat())
m = dt.vehicle.braking(car, speed=25.0, torque=3000.0)
print(m)
m.plot().savefig("braking.png")
