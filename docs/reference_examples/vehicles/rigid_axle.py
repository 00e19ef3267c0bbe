"""Roll stiffness of a rigid axle against the formula."""

import duoti as dt

rear = dt.vehicle.rigid_axle(stiffness=30e3, spring_base=1.0)
print(f"roll stiffness {dt.vehicle.roll_stiffness(rear):.0f} N m/rad, k s^2 / 2 = {30e3 * 1.0**2 / 2:.0f} N m/rad")
