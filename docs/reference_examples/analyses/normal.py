"""A mass that scatters, and is never negative."""

import numpy as np

import duoti as dt

mass = dt.normal(2.0, 0.5, low=0.0)
print(mass, mass.quantile(np.array([0.05, 0.5, 0.95])).round(2))
