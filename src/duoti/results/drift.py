"""How far the loops of a motion are open."""

from __future__ import annotations

import numpy as np

from duoti.dynamics.closures import closure_state
from duoti.dynamics.workspace import new_workspace
from duoti.system.arrays import Reals, Work
from duoti.system.system import System


def drift(system: System, t: Reals, q: Reals, v: Reals, z: Reals, work: Work | None = None) -> tuple[Reals, Reals]:
    """Largest residual of the closures [m or rad] and of their rates [m/s or rad/s] at each time."""
    work = new_workspace(system) if work is None else work
    g, gdot = np.zeros(len(t)), np.zeros(len(t))
    for n in range(len(t)):
        work.y[system.nq + system.nv :][: system.nz] = z[n]  # states may switch constraints
        closure_state(work, float(t[n]), q[n].copy(), v[n].copy())
        g[n], gdot[n] = np.abs(work.g).max(initial=0.0), np.abs(work.gdot).max(initial=0.0)
    return g, gdot
