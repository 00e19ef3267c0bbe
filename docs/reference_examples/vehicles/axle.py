"""What an anti-roll bar adds to the roll stiffness."""

import duoti as dt

for bar in (0.0, 2000.0):
    rear = dt.vehicle.axle(dt.vehicle.double_wishbone(), anti_roll=bar)
    print(f"anti-roll bar {bar:.0f} N m/rad: roll stiffness {dt.vehicle.roll_stiffness(rear):.0f} N m/rad")
