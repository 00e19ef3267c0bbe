"""A run by time stepping that keeps the contact problem of each step, as it was solved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from duoti.integrate.base import SolverLoop
from duoti.integrate.moreau.solver import Moreau, MoreauLoop
from duoti.integrate.state import CONTINUE
from duoti.system.arrays import Ints, Reals, Work
from duoti.system.system import System

BLOCK_NUMBERS = ("slot", "law", "rate", "scale", "size", "owner", "arm", "radius", "mu", "b", "p", "after", "gap",
                 "shift", "hold", "measure")  # fmt: skip


class StepContacts(NamedTuple):
    """The contact problem of a step (`contact.solve.problem`): numbers of its blocks, points first."""

    h: float
    points: int
    slot: Ints
    law: Ints
    rate: Ints
    scale: Reals
    size: Ints
    owner: Ints
    arm: Reals
    radius: Reals
    mu: Reals
    b: Reals
    p: Reals
    after: Reals
    gap: Reals
    shift: Reals
    hold: Reals
    measure: Reals
    v: Reals
    """Velocities that the impulses lead to, before loops are closed."""
    dq: Reals
    """What positions were corrected by."""
    residual: float
    """Largest error of a velocity, as part of those in the step."""
    cut: bool
    """Whether the step was cut into shorter ones."""
    smooth: float
    """The largest change of a velocity without contacts."""
    overlaps: bool
    """Whether positions were corrected by more than they moved."""


@dataclass(frozen=True)
class RecordingMoreau(Moreau):
    """`Moreau`, with the contact problems of its steps in a list."""

    steps: list[StepContacts] = field(default_factory=list, compare=False, kw_only=True)

    def loop(self, system: System, times: Reals | None, work: Work) -> SolverLoop:
        """See `Solver.loop`."""
        return _RecordingLoop(self, system, times, work)

    def __repr__(self) -> str:
        return repr(Moreau(self.step, tolerance=self.tolerance, sweeps=self.sweeps, implicit=self.implicit))


class _RecordingLoop(MoreauLoop):
    """Takes one step after the other, and keeps what was solved."""

    solver: RecordingMoreau  # pyright: ignore[reportIncompatibleVariableOverride]
    last_kept = -1

    def _advance(self, most_steps: int) -> int:
        status = CONTINUE
        while most_steps > 0 and status == CONTINUE:
            before, cut = int(self.run.counts[0].steps), self._cuts()
            status = super()._advance(1)
            if int(self.run.counts[0].steps) > before and before > self.last_kept:
                self.solver.steps.append(self._kept(self._cuts() > cut))
                self.last_kept = before
            most_steps -= 1
        return status

    def _cuts(self) -> int:
        return 0 if self.detection is None else int(self.detection.counts.cut)

    def _kept(self, cut: bool) -> StepContacts:
        problem, memory = self.problem, self.memory
        counts, size = problem.counts[0], float(memory.method[0].measure)
        n = int(counts.blocks)
        numbers: Any = {name: getattr(problem, name)[:n].copy() for name in BLOCK_NUMBERS}
        return StepContacts(
            h=float(self.run.clock[0].h), points=int(counts.points), **numbers, v=problem.v.copy(),
            dq=problem.dq.copy(), residual=float(counts.residual) / size if n and size > 0.0 else 0.0, cut=cut,
            smooth=float(np.max(np.abs(memory.dv), initial=0.0)), overlaps=int(memory.method[0].corrected) == 1,
        )  # fmt: skip
