"""The compiled loops of the implicit methods, with their memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar

from duoti.dynamics.workspace import new_linearisation
from duoti.integrate.base import DrivenLoop, Tolerances
from duoti.integrate.implicit.newton import new_newton
from duoti.integrate.implicit.newton_structure import structure_of
from duoti.integrate.record import record_of_multipliers
from duoti.integrate.state import Run, arrays_of, new_run
from duoti.kernel import ContextType, helper, part
from duoti.system.arrays import Reals, Work
from duoti.system.system import System


class ImplicitLoop(DrivenLoop):
    """A loop whose entries find (context, run, method, memory, linear system) in their context."""

    def __init__(
        self,
        system: System,
        times: Reals | None,
        work: Work,
        entries: Sequence[Any],
        kind: ContextType,
        method: Any,
        memory: Any,
        step: float,
        *,
        stabilised: bool,
        is_complex: bool = False,
    ):
        self.record_layout = record_of_multipliers(system)
        nx = self.record_layout.size
        run = new_run(system.tree, system.loads, stages=2, degree=4, times=times, fixed_step=step, nx=nx)
        self.newton = new_newton(system, stabilised, is_complex)
        pattern = (self.newton.start, self.newton.column)
        state_band = structure_of(system, stabilised).state_band
        self.linearisation = new_linearisation(system, work, pattern=pattern, state_band=state_band)
        self.memory = memory
        super().__init__(work, run, entries, kind, method, (method, memory, self.newton))

    def use(self, run: Run) -> None:
        run.counts[0].unknowns = self.newton.n
        super().use(run)

    def checkpoint_arrays(self) -> list[Any]:
        tangent, path, _ = self.linearisation
        return [
            *super().checkpoint_arrays(), *arrays_of(self.memory), *arrays_of(self.newton), *arrays_of(tangent),
            *arrays_of(path, ("gradient",)),
        ]  # fmt: skip


@dataclass(frozen=True)
class ImplicitSolver(Tolerances):
    """Settings of the implicit solvers. Closed loops and constraints are part of the equations that each step solves.

    Parameters
    ----------
    step:
        Constant step; without one the step follows from rtol and atol.
    """

    enforces_constraints: ClassVar[bool] = True
    holds_joints_in_loops: ClassVar[bool] = False
    step: float | None = field(default=None, kw_only=True)

    @property
    def adaptive(self) -> bool:
        """True without a given step."""
        return self.step is None

    @property
    def fixed_step(self) -> float:
        """The step, 0 if it is not constant."""
        return self.step or 0.0

    def faults(self) -> list[str]:
        if self.step is None or (isinstance(self.step, Real) and 0 < self.step < math.inf):  # pyright: ignore[reportUnnecessaryIsInstance]
            return super().faults()
        return [f"step={self.step!r} must be a positive time in seconds"]


# What the implicit integrators share.


@part
def put_state(tree, closures, w, t, y, vdot, multipliers):
    """Hand a state, accelerations and multipliers to the system's entries."""
    w.clock[0] = t
    for i in range(y.shape[0]):
        w.y[i] = y[i]
    for i in range(tree.nv):
        w.ydot[tree.nq + i] = vdot[i]
    for r in range(closures.rows):
        w.multipliers[r] = multipliers[r]


@helper
def position_scale(tree, y, i):
    """Size of the coordinate behind rate i, for relative tolerances: one for turns by quaternions."""
    k = tree.q_of_v[i]
    return 1.0 if k < 0 else abs(y[k])


@part
def small_step(tree, run):
    """A step over which rates change by little: a thousandth of the state's own time, of the tolerance's size."""
    n = tree.nq + tree.nv + tree.nz
    rtol, atol = run.clock[0].rtol, run.clock[0].atol
    size, rate = 0.0, 0.0
    for i in range(n):
        scale = atol + rtol * abs(run.y[i])
        size += (run.y[i] / scale) ** 2
        rate += (run.K[0, i] / scale) ** 2
    span = run.clock[0].t_end - run.clock[0].t_begin
    h = 1e-4 * span
    if rate > 0.0 and size > 0.0:
        h = min(h, 1e-3 * (size / rate) ** 0.5)
    return max(h, 1e-8 * span)
