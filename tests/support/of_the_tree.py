"""Inverse dynamics of the spanning tree alone, as if its loops and constraints were not there; in any state."""

import numpy as np

import duoti as dt
from duoti.dynamics.tree.forward import inverse_dynamics as kernel
from duoti.dynamics.workspace import new_workspace


def inverse_dynamics(system: dt.System, q, v, a, t=0.0, z=None) -> np.ndarray:
    work, tau = new_workspace(system), np.zeros(system.nv)
    if z is not None:
        work.y[system.nq + system.nv :][: system.nz] = z
    kernel(system.tree, system.loads, work, t, *(np.asarray(x, dtype=float) for x in (q, v, a)), tau)
    return tau
