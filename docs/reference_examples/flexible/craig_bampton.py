"""A chain of four masses, reduced to its first mass and one mode."""

import numpy as np

import duoti as dt

K = 100.0 * (2 * np.eye(4) - np.eye(4, k=1) - np.eye(4, k=-1))
c = dt.craig_bampton(np.eye(4), K, boundary=[0], modes=1)
print(abs(c.M).round(3))
