"""Understeer gradient at 25 m/s."""

import duoti as dt

car = dt.vehicle.car(dt.vehicle.double_wishbone(), dt.vehicle.double_wishbone(), road=dt.Road.flat())
m = dt.vehicle.steady_state_cornering(car, speed=25.0)
print(m)
m.plot().savefig("steady_state_cornering.png")
