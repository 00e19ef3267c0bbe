"""One force element by itself: what it alone does in a given state."""

from __future__ import annotations

from duoti.dynamics.loads import force_state
from duoti.dynamics.workspace import new_workspace
from duoti.system.arrays import Reals, Work
from duoti.system.system import System


class SingleForce:
    """The force element number `f` of a system, without the others."""

    def __init__(self, system: System, f: int):
        self.system = system.with_one_force(f)
        self.work = new_workspace(self.system)

    def at(self, t: float, y: Reals) -> Work:
        """The workspace after the element alone was evaluated at t [s] in the state y.

        F_ext: wrenches (N m, N) on the bodies in their own axes; tau: generalised forces; X_WB: poses.
        """
        nq, nv = self.system.nq, self.system.nv
        self.work.y[: len(y)] = y
        force_state(self.system.tree, self.system.loads, self.work, t, y[:nq].copy(), y[nq : nq + nv].copy())
        return self.work
