"""A semi-trailing arm turns its wheel as it moves up."""

import numpy as np

import duoti as dt

arm = dt.vehicle.trailing_arm(sweep=np.radians(15.0))
s = dt.vehicle.suspension_travel(arm)
print(f"toe-in at full bump {np.degrees(s.toe[-1]):.2f} degrees")
