"""Camber of a strut over its travel."""

import numpy as np

import duoti as dt

strut = dt.vehicle.mcpherson(strut_top=(-0.04, -0.22, 0.80))
s = dt.vehicle.suspension_travel(strut, bump=0.06, rebound=0.06)
print(f"camber at full bump {np.degrees(s.camber[-1]):.2f} degrees")
