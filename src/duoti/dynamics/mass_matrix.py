"""The mass matrix of a system, for use from Python."""

from __future__ import annotations

import numpy as np

from duoti.dynamics.tree.crba import crba
from duoti.dynamics.workspace import new_workspace
from duoti.system.arrays import Reals
from duoti.system.system import System


def mass_matrix(system: System, q: Reals) -> Reals:
    """Mass matrix M(q) by composite rigid bodies."""
    M = np.zeros((system.nv, system.nv))
    crba(system.tree, new_workspace(system), q, np.zeros(system.nv), M)
    return M + np.tril(M, -1).T
