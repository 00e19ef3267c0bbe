"""Torques that hold an arm against gravity."""

import numpy as np

import duoti as dt
from duoti.examples import robot_arm

m = robot_arm.build()
n = len(dt.compile(m).rate_names)
print(dt.analyses.gravity_forces(m, np.full(n, 0.3)).round(2))
