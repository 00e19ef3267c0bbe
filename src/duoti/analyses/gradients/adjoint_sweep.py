"""The backward sweep of a run, in compiled code: `dynamics.derivatives.step_adjoint` and what parameters make of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from duoti.analyses.gradients.discrete_run import DiscreteRun
from duoti.analyses.gradients.jumps import Jump, end_by_event
from duoti.analyses.gradients.parameter_weights import BLOCK, ParameterWeights
from duoti.analyses.gradients.swept_system import SweptSystem, refuse_unsolved
from duoti.dynamics.derivatives.step_adjoint import sweep_entry
from duoti.dynamics.derivatives.sweep_arrays import SWEEP_CONTEXT
from duoti.kernel import address_of, entry_address, pack, run_entry
from duoti.system.arrays import Reals

RECORDED = 4_000_000  # numbers: steps are swept in groups whose records take no more than this


class AdjointSweep:
    """Values of expressions and gradients of weighted sums of them, of one run.

    Parameters
    ----------
    run:
        The run.
    integrals, finals:
        [sums, expressions] weights of the integrals of the expressions over the run, and of their values at its end.
    on_the_way:
        [sums, n] derivatives by the state at outputs, that are added there.
    """

    def __init__(
        self, run: DiscreteRun, integrals: Reals, finals: Reals, on_the_way: Mapping[int, Reals] | None = None
    ):
        self.run, self.sums, self.extra = run, len(integrals), run.extra
        self.p_bar = np.zeros((self.sums, len(run.family.names)))
        self._on_the_way = dict(on_the_way or {})
        swept = self._swept = SweptSystem(run)
        n, rows = swept.system.nq + swept.system.nv + swept.system.nz, swept.system.closures.rows
        steps = len(run.t) - 1
        self._records = run.method.stages + run.implicit  # of a step; see `step_adjoint`
        per_step = self._records * (n + rows + swept.system.nv + self.sums * (n + 3 * rows) + 1)
        self._group = int(max(1, min(steps, RECORDED // per_step)))
        y = np.zeros((steps + 1, n))
        y[:, run.own], y[:, swept.laws] = run.y, swept.values
        s = self._sweep = swept.new_sweep(
            run, self.sums, self._group * self._records + 1, run.implicit or run.alpha,
            np.ascontiguousarray(run.t, dtype=float), y,
        )  # fmt: skip
        self._finals = finals
        s.bar[:, run.extras], s.final[:, run.extras] = integrals, finals
        self._block = np.zeros(BLOCK)
        pack(self._block, (s,), SWEEP_CONTEXT)
        self._parameters = ParameterWeights(run, swept, s, by_sweep=True)
        self._pass()
        self.integrals, self.ends = s.integral[run.extras], self.end[run.extras]

    def _pass(self) -> None:
        run, s = self.run, self._sweep
        first = len(run.t) - 1
        self._steps(first, first, end=True)
        self.end = s.end.copy()
        s.final[:] = 0.0
        if (end := end_by_event(run)) is not None:
            self._move_end(*end)
        self._arrive(first)
        jumped = False  # then derivatives at the first output are not on the tape
        for row in sorted({0, *run.jumps.found, *self._on_the_way}, reverse=True):
            jump = run.jumps.found.get(row)
            last = row if jump is None else row + 1
            self._steps(first, last, end=jumped)
            if jump is not None:
                self._jump(jump)
            self._arrive(row)
            first, jumped = row, jump is not None
        if run.alpha:
            self._begin_alpha()
        self.p_bar[:, self._swept.columns] += s.bar[:, self._swept.laws]

    def _begin_alpha(self) -> None:
        """What the helpers at the start of a generalised-alpha run depend on."""
        s, run, n, nq, nz = self._sweep, self.run, self.run.n, self.run.nq, self.run.nz
        start, (here, later) = run.start, run.start.slopes(run)
        of_helpers = np.hstack([np.zeros((self.sums, nq)), s.a_bar, s.s_bar[:, :nz]])
        of_later = of_helpers * start.weight
        of_rates = s.k_bar[:, :n] + of_helpers - of_later
        of_rates += start.d * of_later @ later.by_y
        s.bar[:, :n] += of_later @ later.by_y + of_rates @ here.by_y
        self.p_bar += of_later @ later.by_p + of_rates @ here.by_p
        # the trapezoidal rule begins with half of the rates at the start
        extra = s.k_bar[:, n : n + self.extra]
        s.bar[:, :n] += extra @ here.values_by_y
        self.p_bar += extra @ here.values_by_p
        s.integral[n : n + self.extra] += 0.5 * float(run.t[1] - run.t[0]) * here.values

    def _steps(self, first: int, last: int, end: bool) -> None:
        """Sweep from an output to an earlier one; end: the derivatives at the first are not on the tape."""
        s, run = self._sweep, self.run
        address, at = entry_address(sweep_entry), address_of(self._block)
        s.span[2] = int(end)
        while first > last or s.span[2]:
            stop = max(last, first - self._group)
            s.span[:2] = first, stop
            for weights in (s.w_r, s.w_c, s.w_z, s.w_g, s.w_d):
                weights[:] = 0.0
            run_entry(address, at)
            refuse_unsolved(s, run.t)
            self.p_bar += self._parameters.of_records((first - stop) * self._records + 1)
            first, s.span[2] = stop, 0

    def _arrive(self, row: int) -> None:
        """Add the derivatives by the state at an output that were given."""
        if row in self._on_the_way:
            self._sweep.bar[:, self.run.own] += self._on_the_way.pop(row)

    def _jump(self, jump: Jump) -> None:
        """Bars before a jump from those behind it."""
        bar, own = self._sweep.bar, self.run.own
        extra = bar[:, self.run.extras]
        self.p_bar += bar[:, own] @ jump.by_p + extra @ jump.extra_by_p
        bar[:, own] = bar[:, own] @ jump.by_y + extra @ jump.extra_by_y

    def _move_end(self, t_y: Reals, t_p: Reals, values_t: Reals) -> None:
        """What the time of the event that ended the run makes of the objectives."""
        s = self._sweep
        rate = s.bar @ s.end + self._finals @ values_t
        s.bar[:, self.run.own] += np.outer(rate, t_y)
        self.p_bar += np.outer(rate, t_p)

    @property
    def at_start(self) -> Reals:
        """[sums, n] derivatives by the initial state."""
        return self._sweep.bar[:, self.run.own]
