"""Where the last link of an arm is, and how it moves."""

import numpy as np

import duoti as dt
from duoti.examples import robot_arm

m = robot_arm.build()
body = list(m.bodies)[-1]
n = len(dt.compile(m).rate_names)
frame = dt.analyses.frame(m, body, np.full(n, 0.3), np.ones(n))
print(frame.position.round(3), frame.quaternion.round(3), frame.velocity.round(3))
