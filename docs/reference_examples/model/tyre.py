"""Forces of a tyre at three slip angles."""

import numpy as np

import duoti as dt

tyre = dt.Tyre.magic_formula({"UNLOADED_RADIUS": 0.315, "FNOMIN": 4000.0, "PKY1": -18.0, "PKY2": 1.6, "PDY1": 1.0})
f = tyre.forces(load=4000.0, slip_angle=np.radians([0.0, 3.0, 6.0]))
print(tyre)
print("fy", f.fy.round(1), "mz", f.mz.round(1))
