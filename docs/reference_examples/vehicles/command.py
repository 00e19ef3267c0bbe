"""Expressions and numbers as commands of a car."""

import duoti as dt

car = dt.vehicle.car(dt.vehicle.double_wishbone(), dt.vehicle.double_wishbone(), road=dt.Road.flat(), speed=15.0)
braked = dt.vehicle.command(car, {"brake": "2000*clip(t - 1, 0, 1)", "steer": 0.1})
print(braked.parameters)
