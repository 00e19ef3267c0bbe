"""One force element by itself: what it alone does in a given state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from duoti.dynamics.loads import force_state
from duoti.dynamics.workspace import new_workspace
from duoti.system.arrays import Reals, Work
from duoti.system.system import System


class SingleForce:
    """The force element number `f` of a system, without the others.

    Its arrays are frozen as those of every system are: writeable ones would be another type to Numba, and
    `force_state` would be compiled a second time.
    """

    def __init__(self, system: System, f: int):
        loads = system.loads
        alone = loads._replace(
            count=1, kind=_frozen_row(loads.kind, f), integers=_frozen_row(loads.integers, f),
            reals=_frozen_row(loads.reals, f),
        )  # fmt: skip
        self.system = replace(system, loads=alone)
        self.work = new_workspace(self.system)

    def at(self, t: float, y: Reals) -> Work:
        """The workspace after the element alone was evaluated at t [s] in the state y.

        F_ext: wrenches (N m, N) on the bodies in their own axes; tau: generalised forces; X_WB: poses.
        """
        nq, nv = self.system.nq, self.system.nv
        self.work.y[: len(y)] = y
        force_state(self.system.tree, self.system.loads, self.work, t, y[:nq].copy(), y[nq : nq + nv].copy())
        return self.work


def _frozen_row(array: Any, f: int) -> Any:
    row = array[f : f + 1].copy()
    row.setflags(write=False)
    return row
