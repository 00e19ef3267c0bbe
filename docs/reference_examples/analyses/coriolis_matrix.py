"""Coriolis matrix of an arm: the same forces as `bias_forces` less gravity."""

import numpy as np

import duoti as dt
from duoti.examples import robot_arm

e = dt.Evaluator(robot_arm.build())
n = len(e.rate_names)
q, v = np.full(n, 0.3), np.ones(n)
C = dt.analyses.coriolis_matrix(e.system, q, v)
print(np.allclose(C @ v + e.gravity_forces(q), e.bias_forces(q, v)))
