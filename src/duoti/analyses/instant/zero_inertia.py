"""Motions that nothing resists, because bodies have no inertia about some axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.model.model import Model
from duoti.spatial import Inertia

if TYPE_CHECKING:  # imported when a body is thin
    from duoti.system.arrays import Reals
    from duoti.system.system import System

NONE = 1e-12  # part of the largest moment of inertia that is round-off: more resists, if little
CANCELLED = 1e-12  # part of a diagonal entry of the mass matrix that elimination leaves by round-off
MOST_DOFS = 600


def refuse_zero_inertia(system: System, q: Reals) -> None:
    """Raise ModelError if nothing resists some motion in the position q, before anything needs accelerations."""
    if not may_lack_inertia(system.model) or system.lacking is not None or system.nv > MOST_DOFS:
        return
    from duoti.analyses.instant.dynamics import mass_matrix
    from duoti.analyses.states.diagnose import refuse_missing_inertia, refuse_pivots
    from duoti.dynamics.tree.aba import aba
    from duoti.dynamics.workspace import new_workspace
    from duoti.system.arrays import by_mass_matrix

    with np.errstate(all="ignore"):
        if not system.closures.rows and not by_mass_matrix(system.tree):  # in the words of a run
            work, nothing = new_workspace(system), np.zeros(system.nv)
            aba(system.tree, work, q, nothing, nothing, np.zeros(system.nv))
            refuse_missing_inertia(system, work)
        refuse_pivots(system, _pivots(mass_matrix(system, q)))


def may_lack_inertia(model: Model) -> bool:
    """Only bodies that lack inertia can be why accelerations are undefined."""
    return model.mass > 0.0 and any(_is_thin(body.inertia) for body in model.bodies.values())


def _is_thin(inertia: object) -> bool:
    """Whether a rigid body has no inertia about some axis."""
    if not isinstance(inertia, Inertia):
        return False
    moments = np.linalg.eigvalsh(inertia.matrix)
    return bool(moments[0] <= NONE * moments[2])


def _pivots(M: Reals) -> Reals:
    """Pivots of M, eliminated from the last row to the first, as the kernels do: from the ends of the tree inward.

    A pivot that is only the round-off of its diagonal entry is zero: nothing resists the motion that is left.
    """
    M, found = M.copy(), np.zeros(len(M))
    least = CANCELLED * np.diag(M)
    for i in range(len(M) - 1, -1, -1):
        found[i] = 0.0 if M[i, i] <= least[i] else M[i, i]
        M[:i, :i] -= np.outer(M[i, :i], M[i, :i]) / found[i]  # undefined from a zero on: `refuse_pivots` names that one
    return found
