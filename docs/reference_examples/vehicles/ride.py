"""Comfort on a road of class C of ISO 8608."""

import duoti as dt

rough = dt.Road.random("C", length=200.0, tracks=(-0.775, 0.775))
car = dt.vehicle.car(dt.vehicle.double_wishbone(), dt.vehicle.double_wishbone(), road=rough)
print(dt.vehicle.ride(car, speed=20.0, duration=5.0))
