"""Wheel rate and roll centre, and a plot over the travel."""

import duoti as dt

s = dt.vehicle.suspension_travel(dt.vehicle.axle(dt.vehicle.double_wishbone()))
print(f"wheel rate {s.at(0.0, 'wheel_rate'):.0f} N/m, roll centre at {1e3 * s.at(0.0, 'roll_centre'):.0f} mm")
s.plot().savefig("travel.png")
