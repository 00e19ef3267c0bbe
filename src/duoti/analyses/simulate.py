"""`simulate`: the motion of a model over time."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.diagnose import explain_failure, refuse_impossible_rates, refuse_missing_inertia
from duoti.analyses.initial import closed_state
from duoti.dynamics.treatments import Treatment
from duoti.dynamics.workspace import DEFAULT, new_workspace
from duoti.integrate import DOPRI5, Auto, Loop, Solver, Tolerances
from duoti.integrate import state as S
from duoti.model.model import Model
from duoti.results.result import EventRecord, Result, Stats
from duoti.system.arrays import CHANGES, Reals
from duoti.system.compiler import compile_model
from duoti.system.system import System

DEFAULT_OUTPUTS = 1000  # equal intervals between outputs if the user does not say
SECONDS_PER_CALL = 0.1  # of compiled work between looks at the progress bar and at Ctrl-C
SHOW_PROGRESS_AFTER = 1.0  # seconds
SECONDS_BETWEEN_LOOKS = 0.4  # of `watch`


class SimulationWarning(UserWarning):
    """A simulation ended before its time; the results up to there are kept."""


def simulate(
    model: Model | System,
    duration: float,
    outputs: ArrayLike | str | None = None,
    solver: Solver | Literal["auto"] | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    *,
    start_time: float = 0.0,
    state: tuple[ArrayLike, ArrayLike] | tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
    coordinates: Literal["relative", "absolute"] = "relative",
    constraints: Treatment | None = None,
    progress: bool | None = None,
    watch: Callable[[Result], None] | None = None,
) -> Result:
    """Simulate the motion of a model.

    A run that fails, or is interrupted by Ctrl-C, returns what it has: `result.ok` is False, `result.reason` says why.

    Parameters
    ----------
    model:
        A `Model` (compiled first, refused with all its errors if it has any) or a compiled `System`.
    duration:
        Time to simulate [s].
    outputs:
        Times at which results are wanted, a step between them, or "steps" for the solver's own steps; by default 1000
        equal intervals.
    solver:
        `DOPRI5()` by default; "auto" chooses between explicit and implicit by itself (`Auto`); see `duoti.integrate`.
    rtol, atol:
        Tolerances of the solver, in place of its own.
    start_time:
        Time at the beginning [s].
    state:
        q and v, or q, v and z (first-order states), at the beginning, in place of the model's initial values.
    coordinates:
        "relative" (joint coordinates on a tree) or "absolute" (six coordinates for every body, all joints as
        constraints): the same motion, for comparison.
    constraints:
        How closed loops and constraints are kept: `Projection()` by default; or `Baumgarte()`,
        `CoordinatePartitioning()`, `NullSpace()`, `Penalty()`, `AugmentedLagrangian()`. Accepted for a model without
        any, where it has no effect.
    progress:
        Show a progress bar; by default only in a terminal and when it takes longer than a second.
    watch:
        Called about twice a second while the simulation goes on, with the result so far; `simulate_live` draws it.
    """
    solver = _solver(solver, rtol, atol)
    treatment = _treatment(constraints, solver)
    times = _output_times(duration, outputs, start_time)
    if not isinstance(model, Model | System):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{model!r} is not a model; give a dt.Model or what dt.compile made of one")
    system = model if isinstance(model, System) else compile_model(model, coordinates)
    work = new_workspace(system, rates=True, constraints=treatment)
    if state is None and system.links.rows:
        state = closed_state(system, start_time, work)
    loop = solver.loop(system, times, work)
    _set_initial(system, loop.run, solver, start_time, duration, state)
    return _Simulation(system, solver, treatment, loop, watch).run_to_end(progress)


def _treatment(given: Treatment | None, solver: Solver) -> Treatment:
    chosen = DEFAULT if given is None else given
    if not isinstance(chosen, Treatment):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            f"constraints={given!r} is not a treatment of closed loops; give an object such as dt.Projection() or "
            "dt.Baumgarte(alpha=20, beta=20)"
        )
    if given is not None and solver.treats_constraints:
        raise ValueError(
            f"constraints={given!r} would have no effect: {type(solver).__name__} keeps closed loops by itself; leave "
            "it out, or choose an explicit solver such as dt.DOPRI5()"
        )
    if faults := chosen.faults():
        raise ValueError(f"constraints {type(chosen).__name__}: " + "; ".join(faults))
    return chosen


def _solver(solver: Solver | str | None, rtol: float | None, atol: float | None) -> Solver:
    chosen = DOPRI5() if solver is None else Auto() if solver == "auto" else solver
    if not isinstance(chosen, Solver):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            f'solver={solver!r} is not a solver; give an object such as dt.DOPRI5() or dt.RK4(step=0.001), or "auto"'
        )
    tolerances = {name: value for name, value in (("rtol", rtol), ("atol", atol)) if value is not None}
    if tolerances:
        if not isinstance(chosen, Tolerances) or not chosen.adaptive:
            raise ValueError(
                f"{type(chosen).__name__} has a fixed step: {' and '.join(tolerances)} would have no effect"
            )
        chosen = replace(chosen, **tolerances)
    if faults := chosen.faults():
        raise ValueError(f"solver {type(chosen).__name__}: " + "; ".join(faults))
    return chosen


def _output_times(duration: float, outputs: Any, start_time: float) -> Reals | None:
    """Times of the outputs, None for the solver's steps."""
    if not isinstance(duration, Real) or not 0 < duration < np.inf:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"duration={duration!r}: give a positive time in seconds")
    if not isinstance(start_time, Real) or not np.isfinite(start_time):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"start_time={start_time!r}: give a finite time in seconds")
    end = start_time + duration
    if outputs is None:
        return np.linspace(start_time, end, DEFAULT_OUTPUTS + 1)
    if isinstance(outputs, str):
        if outputs != "steps":
            raise ValueError(f'outputs={outputs!r}: give times, a step in seconds, or "steps"')
        return None
    try:
        values = np.asarray(outputs, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f'outputs={outputs!r}: give times, a step in seconds, or "steps"') from None
    if values.ndim == 0:
        step = float(values)
        if not 0 < step < np.inf:
            raise ValueError(f"outputs={outputs!r}: a step between outputs must be positive")
        n = int(np.floor(duration / step * (1 + 1e-12)))
        times = start_time + step * np.arange(n + 1, dtype=float)
        return np.minimum(times, end) if times[-1] >= end - 1e-9 * step else np.append(times, end)
    if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values)):
        raise ValueError("outputs: give a list of finite times")
    if np.any(np.diff(values) < 0):
        raise ValueError("outputs: the times must not decrease")
    slack = 1e-9 * duration
    if values[0] < start_time - slack or values[-1] > end + slack:
        raise ValueError(
            f"outputs: times from {values[0]:g} to {values[-1]:g} s reach beyond the simulation, "
            f"which goes from {start_time:g} to {end:g} s"
        )
    return np.clip(values, start_time, end)


def _set_initial(system: System, run: S.Run, solver: Solver, start_time: float, duration: float, state: Any) -> None:
    q, v = system.initial_state()
    z = system.initial_z()
    if state is not None:
        try:
            given_q, given_v, *rest = (np.asarray(part, dtype=float) for part in state)
            (given_z,) = rest or (z,)
        except (TypeError, ValueError):
            or_three = " or (q, v, z)" if system.nz else ""
            raise ValueError(
                f"state={state!r}: give a pair of arrays (q, v){or_three}; system.state(...) makes one"
            ) from None
        if given_z.shape != z.shape or not np.all(np.isfinite(given_z)):
            raise ValueError(f"state: z needs {len(z)} finite numbers, got {given_z.tolist()}")
        z = given_z
        if given_q.shape != q.shape or given_v.shape != v.shape:
            raise ValueError(
                f"state: q needs {len(q)} numbers and v {len(v)}; got shapes {given_q.shape} and {given_v.shape}"
            )
        if not (np.all(np.isfinite(given_q)) and np.all(np.isfinite(given_v))):
            raise ValueError(f"state: not all numbers are finite: q {given_q.tolist()}, v {given_v.tolist()}")
        q, v = given_q.copy(), given_v
        for k in system.tree.quat_q:
            length = float(np.linalg.norm(q[k : k + 4]))
            if abs(length - 1.0) > 1e-6:
                name = system.coordinate_names[k].rpartition(".")[0]
                raise ValueError(f'state: the quaternion of joint "{name}" has length {length:.6g}, not 1')
            q[k : k + 4] /= length
    n = run.numbers
    n[S.T], n[S.T_BEGIN], n[S.T_END] = start_time, start_time, start_time + duration
    n[S.H_MAX] = np.inf
    if isinstance(solver, Tolerances):
        n[S.H_MAX], n[S.RTOL], n[S.ATOL] = solver.max_step, solver.rtol, solver.atol
    run.y[: len(q)] = q
    run.y[len(q) : len(q) + len(v)] = v
    run.y[len(q) + len(v) :][: len(z)] = z


class _Simulation:
    """Drives the compiled loop: calls it again and again, collects outputs, watches for trouble."""

    def __init__(
        self, system: System, solver: Solver, treatment: Treatment, loop: Loop, watch: Callable[[Result], None] | None
    ):
        self.system, self.solver, self.treatment, self.watch = system, solver, treatment, watch
        self.loop, self.run, self.work = loop, loop.run, loop.work
        self.parts: list[tuple[Reals, Reals]] = []  # outputs at steps; pairs, so that Ctrl-C cannot part them
        self.events: list[EventRecord] = []
        self.error: BaseException | None = None

    def run_to_end(self, progress: bool | None) -> Result:
        run, watched = self.run, time.monotonic()
        first = self.solver.fixed_step or getattr(self.solver, "first_step", None) or 0.0
        self.system.callbacks.errors.clear()
        self.loop.start(first)
        self.loop.advance(0)  # compiles or loads the loop, so that it does not count as simulation time
        refuse_missing_inertia(self.system, self.work)
        if self.system.links.rows:
            refuse_impossible_rates(self.system, run, self.work)
        self._first_output()
        status, interrupted = S.CONTINUE, False
        seconds, most_steps = 0.0, 64
        try:
            with _progress_bar(run, progress) as update:
                while status in (S.CONTINUE, S.FULL):
                    began = time.perf_counter()
                    status = self.loop.advance(most_steps)
                    took = time.perf_counter() - began
                    seconds += took
                    if took < 0.5 * SECONDS_PER_CALL:
                        most_steps = min(2 * most_steps, 1 << 40)
                    elif took > 2 * SECONDS_PER_CALL and most_steps > 64:
                        most_steps //= 2
                    self._collect()
                    self._raise_interrupt()
                    if status >= 0 and any(owner.startswith("event ") for owner, _ in self.system.callbacks.errors):
                        status = S.NOT_FINITE
                    update(seconds)
                    if self.watch is not None and time.monotonic() - watched > SECONDS_BETWEEN_LOOKS:
                        self.watch(self._so_far(seconds))
                        watched = time.monotonic()
        except KeyboardInterrupt:
            interrupted = True
        return self._result(status, interrupted, self._stats(seconds))

    def _stats(self, seconds: float) -> Stats:
        counts = self.run.counts
        return Stats(
            repr(self.solver), int(counts[S.STEPS]), int(counts[S.REJECTED]), int(counts[S.EVALUATIONS]),
            seconds - self.loop.seconds_apart, int(self.work.treatment[CHANGES]), int(counts[S.JACOBIANS]),
            tuple(self.loop.notes),
        )  # fmt: skip

    def _outputs(self) -> tuple[Reals, Reals]:
        """Times and states of the outputs that are there."""
        run = self.run
        if run.counts[S.AT_STEPS]:
            t, y = (np.concatenate(each) for each in zip(*self.parts, strict=True))
            return t, y
        n = int(run.counts[S.OUTPUT])
        return run.out_t[:n].copy(), run.out_y[:n].copy()

    def _so_far(self, seconds: float) -> Result:
        """The result up to now, while the run goes on."""
        stats = self._stats(seconds)
        return Result(self.system, *self._outputs(), True, "running", stats, self.events, stats.solver, self.treatment)

    def _raise_interrupt(self) -> None:
        """Ctrl-C may arrive while a user's Python function runs inside the compiled loop."""
        for _, error in self.system.callbacks.errors:
            if isinstance(error, KeyboardInterrupt):
                raise error

    def _first_output(self) -> None:
        run = self.run
        if run.counts[S.AT_STEPS]:
            self.parts.append((run.numbers[S.T : S.T + 1].copy(), run.y[None].copy()))
            return
        k = 0
        while k < len(run.out_t) and run.out_t[k] <= run.numbers[S.T_BEGIN]:
            run.out_y[k] = run.y
            k += 1
        run.counts[S.OUTPUT] = k

    def _collect(self) -> None:
        """Take the steps and events out of the buffers."""
        run, counts = self.run, self.run.counts
        if counts[S.AT_STEPS]:
            n = counts[S.OUTPUT]
            self.parts.append((run.out_t[:n].copy(), run.out_y[:n].copy()))
            counts[S.OUTPUT] = 0
        names = list(self.system.model.events)
        nq, nv = self.system.nq, self.system.nv
        for i in range(counts[S.EVENTS]):
            y = run.event_y[i].copy()
            z = y[nq + nv : nq + nv + self.system.nz]
            event = EventRecord(names[run.event_index[i]], float(run.event_t[i]), y[:nq], y[nq : nq + nv], z)
            self.events.append(event)
        counts[S.EVENTS] = 0

    def _result(self, status: int, interrupted: bool, stats: Stats) -> Result:
        run = self.run
        t_end = float(run.numbers[S.T])
        t, y = self._outputs()
        if status != S.END and (not len(t) or t[-1] < t_end):  # the last good state, or the state at the event
            t, y = np.append(t, t_end), np.vstack([y, run.y])
        ok = status in (S.END, S.EVENT) and not interrupted
        events = sorted((e for e in self.events if e.t <= t_end), key=lambda e: e.t)
        if interrupted:
            reason = f"interrupted by the user at t = {t_end:.6g} s"
        elif status == S.END:
            reason = "end time reached"
        elif status == S.EVENT:
            name = list(self.system.model.events)[run.counts[S.STOPPED_BY]]
            reason = f'event "{name}" at t = {t_end:.9g} s'
        else:
            reason = explain_failure(self.system, run, status)
        errors = [error for _, error in self.system.callbacks.errors]
        result = Result(self.system, t, y, ok, reason, stats, events, stats.solver, self.treatment)
        result.error = errors[-1] if errors and not ok and not interrupted else None
        if not ok and not interrupted:
            warnings.warn(f"simulation of {self.system.model.name!r} failed: {reason}", SimulationWarning, stacklevel=4)
        return result


@contextmanager
def _progress_bar(run: S.Run, wanted: bool | None) -> Generator[Any, None, None]:
    """A bar that appears when a run takes long, and says how far it is."""
    import sys

    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield lambda seconds: None
        return
    bar: Any = None
    task: Any = None
    t0, span = run.numbers[S.T_BEGIN], run.numbers[S.T_END] - run.numbers[S.T_BEGIN]

    def update(seconds: float) -> None:
        nonlocal bar, task
        if bar is None:
            if seconds < SHOW_PROGRESS_AFTER:
                return
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            bar = Progress(
                TextColumn("simulating"), BarColumn(), TextColumn("t = {task.fields[t]:.4g} s"), TimeRemainingColumn(),
                console=Console(stderr=True), transient=True,
            )  # fmt: skip
            bar.start()
            task = bar.add_task("", total=1.0, t=0.0)
        bar.update(task, completed=(run.numbers[S.T] - t0) / span, t=run.numbers[S.T])

    try:
        yield update
    finally:
        if bar is not None:
            bar.stop()
