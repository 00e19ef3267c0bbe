"""A block of 2 kg that slides at 1 m/s, in a step of 10 ms: its velocity after it, and the impulses."""

import numpy as np

import duoti as dt

h, M = 0.01, np.diag([2.0, 2.0, 2.0])
H = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]  # normal row, two tangents
f = M @ [1.0, 0.0, 0.0] + h * np.array([0, 0, -2 * 9.81])
s = dt.contact.solve_global_ncp(M, H, f, friction=[0.3])
print(s.v.round(5), s.p.round(5), s.state)
