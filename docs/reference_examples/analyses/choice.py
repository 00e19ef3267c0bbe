"""One of three springs from the catalogue, the first twice as often."""

import numpy as np

import duoti as dt

print(dt.choice([100, 150, 220], weights=[2, 1, 1]).quantile(np.array([0.1, 0.6, 0.9])))
