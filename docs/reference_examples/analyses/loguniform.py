"""A damping of unknown size."""

import numpy as np

import duoti as dt

print(dt.loguniform(0.01, 100).quantile(np.array([0.25, 0.5, 0.75])).round(2))
