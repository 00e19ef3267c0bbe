"""A front axle of double wishbones with steering and an anti-roll bar."""

import duoti as dt

corner = dt.vehicle.double_wishbone(upper_ball=(-0.02, -0.12, 0.46), stiffness=80e3)
front = dt.vehicle.axle(corner, track=1.52, steering_ratio=15.0, anti_roll=2000.0)
print(front)
