"""One contact that sticks, in the plane."""

import numpy as np

import duoti as dt

s = dt.contact.solve_ncp(np.eye(2), [-1.0, 0.2], friction=[0.5], dimension=2)
print(s.ok, s.p.round(6), s.u.round(6))
