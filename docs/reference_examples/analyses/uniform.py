"""A stiffness between two values."""

import numpy as np

import duoti as dt

print(dt.uniform(100, 300).quantile(np.array([0.25, 0.5])))
