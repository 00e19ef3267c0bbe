"""A length with a most likely value."""

import numpy as np

import duoti as dt

print(dt.triangular(0.9, 1.0, 1.3).quantile(np.array([0.1, 0.5, 0.9])).round(3))
