"""Acceleration of the last link of an arm when all joints turn at 1 rad/s."""

import numpy as np

import duoti as dt
from duoti.examples import robot_arm

m = robot_arm.build()
body = list(m.bodies)[-1]
n = len(dt.compile(m).rate_names)
q, v = np.full(n, 0.3), np.ones(n)
acceleration = dt.analyses.jacobian_rate(m, body, q, v) @ v
print(acceleration[3:].round(3))
