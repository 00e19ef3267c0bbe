"""Runs of a batch in compiled code, without Python for each one: which batches allow it, and the threads' part."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import numpy as np

from duoti.analyses.batch.lanes import LaneArrays
from duoti.analyses.batch.result import Store
from duoti.analyses.batch.run_numbers import RunNumbers, Written
from duoti.analyses.simulate.choose_solver import SolverChoice
from duoti.analyses.simulate.driver import REACHED, new_loop, stopped_by
from duoti.analyses.simulate.simulate import Task, set_clock
from duoti.analyses.simulate.time_jumps import next_jump
from duoti.analyses.simulate.trust.chatter import FIRST_LOOK
from duoti.analyses.simulate.trust.energy_balance import (
    CLOSED,
    FEW,
    MOST_SAMPLES,
    OPEN,
    SAMPLES,
    clearly_kept,
    spread,
)
from duoti.analyses.states.diagnose import IMPOSSIBLE, NO_INERTIA
from duoti.analyses.states.supported import rigid_elements
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.dynamics.workspace import DEFAULT, new_workspace
from duoti.integrate.base import DrivenLoop, ExplicitSolver, Solver
from duoti.integrate.lane_runs import simulate_lanes
from duoti.integrate.many_runs import (
    EVALUATIONS,
    JACOBIANS,
    REJECTED,
    ROWS,
    STATUS,
    STEPS,
    STOPPED_BY,
    SUMMARY,
    UNCONVERGED,
    Batch,
    simulate_runs,
)
from duoti.integrate.set_states import jumps_without_python
from duoti.integrate.state import END, EVENT
from duoti.kernel.lanes import WIDTH
from duoti.model.forces.base import Force
from duoti.system.arrays import Reals, by_mass_matrix
from duoti.system.system import System

SECONDS_AT_ONCE = 0.03  # of compiled work between two looks at what is left
MOST_AT_ONCE, FIRST_AT_ONCE = 512, 1
LARGEST = 1e9  # of a coordinate [rad, m] whose digits need no look


def why_python(system: System, task: Task, choice: SolverChoice) -> str:
    """Why Python has to drive each run; empty if compiled code can."""
    model, solver = system.model, choice.solver
    massless = [name for name, body in model.bodies.items() if getattr(body.inertia, "mass", 1.0) == 0.0]
    found = {
        "events with jumps by functions": not jumps_without_python(system),
        "rigid contacts": bool(rigid_elements(model)),
        "functions in Python": system.callbacks.calls_python,
        "flexible bodies": bool(system.flexible),
        "friction or stops in joints": has_joint_friction(system),
        "laws that read reactions": has_reaction_feedback(system),
        "algebraic states": not all(system.loads.laws.state_mass),
        "bodies without mass": bool(massless),
        "laws that jump at known times": next_jump(system) is not None,
        "forces that are looked at after each run": any(
            type(force).out_of_range is not Force.out_of_range for force in model.forces.values()
        ),
        f"the constraint method {type(task.method).__name__}": bool(system.closures.rows)
        and task.method is not DEFAULT,
    }
    why = ", ".join(reason for reason, applies in found.items() if applies)
    if why or isinstance(solver, ExplicitSolver) or driven_by_kernels(system, task, solver):
        return why
    return f"{type(solver).__name__}, whose steps Python follows"


def driven_by_kernels(system: System, task: Task, solver: Solver) -> bool:
    """Whether the loop of a solver needs Python only between runs, where its memory is put back."""
    loop = new_loop(solver, system, new_workspace(system, ydot=True), task.times, streamed=False)
    own = type(loop)
    usual = isinstance(loop, DrivenLoop) and (own.advance, own.start) == (DrivenLoop.advance, DrivenLoop.start)
    return usual and not (loop.why_not_resumable or loop.state_dict())


class CompiledRuns:
    """Runs first ... of a batch; `ranges` hands them out, `run` does some of them in the thread that calls it.

    Attributes
    ----------
    left:
        Runs that `simulate` has to repeat: their values are refused, they fail, or something about them is unusual.
    """

    def __init__(
        self, task: Task, choice: SolverChoice, numbers: RunNumbers, store: Store, stop: Any, lanes: bool = False
    ):
        self.task, self.choice, self.numbers, self.store, self.stop = task, choice, numbers, store, stop
        self.left: list[int] = []
        self.lanes = lanes
        self.at_once = WIDTH if lanes else FIRST_AT_ONCE
        count, system = len(store.times), task.system
        most = MOST_SAMPLES if system.closures.rows and choice.solver.adaptive else SAMPLES
        self.samples = np.arange(count) if count <= most else spread(count, most)
        few = np.concatenate([[-1], np.arange(count)])
        self.few = few if len(few) <= FEW else few[spread(len(few), FEW)]

    def ranges(self, first: int) -> Generator[tuple[int, int], None, None]:
        """Which runs to do next, first and last + 1; no two threads may ask at once."""
        total = len(self.store.ok)
        while first < total:
            last = min(first + self.at_once, total)
            yield first, last
            first = last

    def worker(self) -> _Worker:
        """What one thread needs; also loads the compiled code."""
        made = _LaneWorker(self) if self.lanes else _Worker(self)
        made.simulate(made.batch, 0)
        return made

    def finish(
        self, first: int, written: Written, summary: Any, energies: Reals, gaps: Reals, slopes: Reals, ends: Reals
    ) -> None:
        """Judge runs that compiled code has done."""
        store, solver, status, rows = self.store, self.choice.solver, summary[:, STATUS], summary[:, ROWS]
        here, nq = slice(first, first + len(summary)), self.task.system.nq
        good = clearly_kept(energies, summary[:, STEPS], solver, slopes if len(slopes) else None)
        good &= ((status == END) | (status == EVENT)) & (summary[:, UNCONVERGED] == 0)
        if gaps.shape[1]:
            good &= (gaps.max(axis=1) <= OPEN) & (gaps[:, 0] <= CLOSED)
        y = store.y[here]
        behind = np.arange(y.shape[1]) >= rows[:, None]
        y[behind] = np.nan  # after an event that ended the run
        if store.x is not None:
            store.x[here][behind] = np.nan
        good &= np.nanmax(np.abs(y[:, :, :nq]), axis=(1, 2), initial=0.0) < LARGEST
        good[[k for k in written.refused if k < len(good)]] = False
        store.counts[here] = summary[:, [STEPS, REJECTED, EVALUATIONS, JACOBIANS]]
        store.rows[here] = rows
        names = list(self.task.system.model.events)
        for k in np.flatnonzero(good).tolist():
            store.reasons[first + k] = (
                REACHED if status[k] == END else stopped_by(names[summary[k, STOPPED_BY]], ends[k])
            )
        store.ok[here] = good
        store.done[here] = good
        self.left += (np.flatnonzero(~good) + first).tolist()


class _Worker:
    """Arrays, workspace and loop of a thread."""

    def __init__(self, runs: CompiledRuns):
        self.runs, task, solver = runs, runs.task, runs.choice.solver
        pool = runs.numbers.pool.start.copy()
        self.system = system = runs.numbers.pool.system_over(pool)
        self.work: Any = new_workspace(system, ydot=True, constraints=task.method)
        self.loop = new_loop(solver, system, self.work, task.times, streamed=False)
        assert isinstance(self.loop, DrivenLoop)
        self.run = run = self.loop.run
        arrays = [] if isinstance(solver, ExplicitSolver) else self.loop.checkpoint_arrays()
        self.kept = [(each, each.copy()) for each in arrays]
        set_clock(run, solver, task.start_time, task.duration)
        memory = self.work.y.base
        clock, counts = run.clock.view(np.float64), run.counts.view(np.int64)
        watches = run.watches.view(np.float64)
        packed = bool(system.closures.rows) or by_mass_matrix(system.tree)
        few = runs.few if system.closures.rows else np.zeros(0, np.int64)
        one, two, three = np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0, 0))
        self.batch = Batch(
            memory=memory, fresh=memory.copy(), clock=clock, fresh_clock=clock.copy(), counts=counts,
            fresh_counts=counts.copy(), watches=watches, fresh_watches=watches.copy(), pool=pool,
            place=runs.numbers.place,
            numbers=two, y0=two, begin=np.zeros(len(run.y)), at=runs.samples, few=few, energies=three, gaps=two,
            slopes=one, moved=np.zeros(len(run.y)), scratch=np.zeros(5), out_y=three, out_x=three,
            summary=np.zeros((0, 0), np.int64), ends=one, stop=runs.stop, first_step=float(solver.first_guess),
            begins=0 if task.times is None else task.times.until(task.start_time), packed=int(packed),
            least_pivot=NO_INERTIA, impossible=IMPOSSIBLE, most_steps=FIRST_LOOK if solver.adaptive else 1 << 60,
        )  # fmt: skip

    def simulate(self, batch: Batch, count: int) -> int:
        """Do the first runs of a batch; returns how many are done."""
        context, at_once = int(self.work.at[0].system), 1 if self.kept else count
        done = int(simulate_runs(context, self.run, batch, 0, min(at_once, count)))
        while 0 < done < count:
            for array, fresh in self.kept:
                array[...] = fresh
            before, done = done, int(simulate_runs(context, self.run, batch, done, done + 1))
            if done == before:
                break
        return done

    def do(self, first: int, last: int) -> None:
        """Do these runs."""
        runs, n = self.runs, last - first
        written = runs.numbers.of(first, last)
        if runs.lanes and runs.numbers.all is None:
            written.refused.extend(np.flatnonzero(runs.numbers.changes_shared(written.numbers)).tolist())
        energies, gaps = np.zeros((n, len(runs.samples) + 2, 5)), np.zeros((n, len(self.batch.few)))
        summary = np.zeros((n, SUMMARY), np.int64)
        ends, slopes = np.zeros(n), np.zeros(n if gaps.size and runs.choice.solver.adaptive else 0)
        out_x = np.zeros((n, 0, 0)) if runs.store.x is None else runs.store.x[first:last]
        batch = self.batch._replace(
            numbers=written.numbers, y0=written.y0, energies=energies, gaps=gaps, slopes=slopes,
            out_y=runs.store.y[first:last], out_x=out_x, summary=summary, ends=ends,
        )  # fmt: skip
        began = time.perf_counter()
        done = self.simulate(batch, n)
        took = time.perf_counter() - began
        if done == runs.at_once:
            at_once = max(1, min(MOST_AT_ONCE, 4 * done, int(SECONDS_AT_ONCE / max(took, 1e-9) * done)))
            runs.at_once = -(-at_once // WIDTH) * WIDTH if runs.lanes else at_once
        with np.errstate(all="ignore"):
            runs.finish(first, written, summary[:done], energies[:done], gaps[:done], slopes[:done], ends)


class _LaneWorker(_Worker):
    """The same for runs in lanes."""

    def __init__(self, runs: CompiledRuns):
        super().__init__(runs)
        self.arrays = LaneArrays(runs.numbers.pool, runs.choice.solver, self.run.clock[0], self.run.times)

    def simulate(self, batch: Batch, count: int) -> int:
        arrays = self.arrays
        return int(simulate_lanes(arrays.context, arrays.run, arrays.method, batch, count))


__all__ = ["CompiledRuns", "why_python"]
