"""Roll stiffness of an axle of struts."""

import duoti as dt

axle = dt.vehicle.axle(dt.vehicle.mcpherson(), anti_roll=1500.0)
print(f"{dt.vehicle.roll_stiffness(axle):.0f} N m/rad")
