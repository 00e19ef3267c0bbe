"""Laws that chatter: they jump where the motion stays, so that a solver takes one tiny step after the other.

A force `-5*sign(v)` holds v at zero by jumping to and fro. Between two states of a few steps' distance such a law
differs by as much as between states ten times as far apart; a law that is only steep differs by a tenth of that.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from duoti.analyses.single_force import SingleForce
from duoti.integrate import Solver
from duoti.integrate import state as S
from duoti.model.element_id import ElementId
from duoti.results.observe import STATE_RATES, observe
from duoti.system.arrays import Reals
from duoti.system.system import System

FIRST_LOOK = 20_000  # steps
DISTANCES = (3.0, 10.0, 30.0)  # between the states that are compared, in steps
STAYS = 1e-2  # change of a state, relative to one plus its size, within all these steps where the motion stays
JUMP = 0.5  # part of the difference over ten times the distance that is a jump
NOTICED = 1e-9  # difference of a law, as part of its values, that is more than round-off


class Chatter:
    """Watches a run for laws that chatter."""

    def __init__(self, system: System, solver: Solver):
        self.system, self.adaptive = system, solver.adaptive
        self.next_look = FIRST_LOOK
        self.notes: tuple[str, ...] = ()

    def look(self, run: S.Run) -> str:
        """A sentence on laws that chatter, once, if there have been very many steps; otherwise nothing."""
        if not self.adaptive or self.notes or run.counts["steps"][0] < self.next_look:
            return ""
        counts, clock = run.counts[0], run.clock[0]
        self.next_look = 2 * int(counts.steps)
        names = self._jumping(run)
        if not names:
            return ""
        who = " and ".join(str(name) for name in names)
        text = (
            f"{who} chatters about t = {float(clock.t):.6g} s: {'it jumps' if len(names) == 1 else 'they jump'} to and "
            f"fro where the motion stays, and the solver takes steps of {float(clock.h):.2g} s "
            f"({int(counts.steps)} so far); make the law continuous, such as tanh(v/0.001) in place of sign(v), "
            "with an implicit solver such as dt.Radau() if it is then stiff, or let dt.JointFriction hold the joint"
        )
        self.notes = (text,)
        return text

    def _jumping(self, run: S.Run) -> list[ElementId]:
        """Forces and states whose laws jump within a few steps of the present state."""
        t, h, n = float(run.clock[0].t), float(run.clock[0].h), self.system.nq + self.system.nv + self.system.nz
        direction = np.zeros_like(run.y)
        rates = np.abs(run.K[:, :n])
        direction[:n] = h * np.max(rates, axis=0, where=np.isfinite(rates), initial=0.0)
        if np.max(10.0 * DISTANCES[-1] * direction / (1.0 + np.abs(run.y))) > STAYS:
            return []  # steps are not that short
        found: list[ElementId] = []
        for f, name in enumerate(self.system.model.forces):
            force = SingleForce(self.system, f)

            def value(y: Reals, force: SingleForce = force) -> Reals:
                work = force.at(t, y)
                return np.concatenate([work.tau.ravel(), work.F_ext.ravel()])

            if _jumps(value, run.y, direction):
                found.append(ElementId("force", name))
        if self.system.nz:
            for i, name in enumerate(self.system.state_names):

                def rate(y: Reals, i: int = i) -> Reals:
                    return observe(self.system, np.array([t]), y[None], STATE_RATES).zdot[0, i : i + 1]

                if _jumps(rate, run.y, direction):
                    found.append(ElementId("state", name))
        return found


def _jumps(value: Callable[[Reals], Reals], y: Reals, direction: Reals) -> bool:
    """Whether a law differs over a small distance by as much as over one ten times as large."""
    for distance in DISTANCES:
        near, far = (np.abs(value(y + d * direction) - value(y - d * direction)) for d in (distance, 10.0 * distance))
        size = np.max(np.abs(value(y + distance * direction)), initial=0.0)
        if np.any((near > JUMP * far) & (near > NOTICED * size) & (far > 0.0)):
            return True
    return False
