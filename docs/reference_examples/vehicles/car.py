"""A car with front-wheel drive in a slalom."""

import duoti as dt

car = dt.vehicle.car(dt.vehicle.mcpherson(), dt.vehicle.trailing_arm(), road=dt.Road.flat(), drive="front", speed=20.0)
r = dt.simulate(dt.vehicle.command(car, {"steer": "0.3*sin(2*pi*t)"}), duration=2.0, rtol=1e-6)
print(f"after 2 s at x = {r['chassis.position'][-1, 0]:.1f} m")
