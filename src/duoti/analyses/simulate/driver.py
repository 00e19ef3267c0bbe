"""`Simulation` drives a compiled loop: calls it again and again, takes outputs and events out, watches for trouble."""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.instant.zero_inertia import refuse_zero_inertia
from duoti.analyses.simulate.choose_solver import SolverChoice
from duoti.analyses.simulate.jumps import JumpError, jump
from duoti.analyses.simulate.outputs import OutputTimes
from duoti.analyses.simulate.time_jumps import around, next_jump
from duoti.analyses.simulate.trust.chatter import Chatter
from duoti.analyses.simulate.trust.energy_balance import Samples, what_was_lost
from duoti.analyses.simulate.trust.validity import DeflectionWatch, out_of_range, pressed_through, remarks
from duoti.analyses.states.diagnose import (
    explain_failure,
    refuse_impossible_velocities,
    refuse_missing_inertia,
    refuse_unsolved_states,
)
from duoti.analyses.states.joint_limits import LimitWatch
from duoti.analyses.states.warnings import OngoingWarning, SimulationWarning
from duoti.contact.event_driven.records import ContactError, ImpactRecord
from duoti.contact.joint_friction.friction_states import MOST_GRAZE
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.integrate import Solver, SolverLoop, Tolerances
from duoti.integrate import state as S
from duoti.integrate.events import mark_scheduled
from duoti.integrate.set_states import set_states_in_kernels
from duoti.model.laws.callbacks import Callbacks, forget_frames, in_a_law
from duoti.results.records import EventRecord, Reason, Stats
from duoti.results.result import Result
from duoti.signals import ALL, COMMON, Handler, handlers_wait
from duoti.strict import user_level
from duoti.system.arrays import Reals, Work
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.contact.event_driven.engine import ContactEngine
    from duoti.integrate.state import Run
    from duoti.results.evaluate.event_driven_contacts import ContactRun
    from duoti.results.file.checkpoints import Checkpoint
    from duoti.results.file.run_file import RunFile
    from duoti.system.system import System


# What is watched among the outputs of a run: joints beyond their limits, bodies beyond small deflections.


class OutputWatch:
    """All watches of a run."""

    def __init__(self, system: System, solver: Solver):
        accuracy = MOST_GRAZE
        if isinstance(solver, Tolerances) and solver.adaptive:
            accuracy = min(solver.atol, MOST_GRAZE)
        self.limits, self.deflections = LimitWatch(system, accuracy), DeflectionWatch(system)

    def begin(self, y: Reals) -> None:
        """Take note of the state in which the run begins, and warn of joints outside their limits."""
        self.limits.begin(y)
        if text := self.limits.note():
            warnings.warn(f"{self.limits.system.model.name}: {text}", OngoingWarning, stacklevel=user_level())

    def look_again(self, states: Iterable[Reals]) -> None:
        """Take note of what a run that is resumed has been through."""
        for first, y in enumerate(states):
            if first == 0:
                self.limits.begin(y[0])
            self.look(y)

    def look(self, y: Reals) -> None:
        """Take note of further states."""
        self.limits.look(y)
        self.deflections.look(y)

    def notes(self) -> list[str]:
        """What there is to say."""
        return [*filter(None, [self.limits.note()]), *self.deflections.notes()]

    def warn(self) -> None:
        """Say it."""
        self.deflections.warn()

    def passed_stops(self) -> str:
        """Joints that went through their stops, in words; a run in which that happened is not to be believed."""
        return self.limits.passed()


# What a user sees of a run.


SHOW_PROGRESS_AFTER = 1.0  # seconds


@contextmanager
def progress_bar(run: S.Run, wanted: bool | None) -> Generator[Any, None, None]:
    """A bar that appears when a run takes long, and says how far it is."""
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield lambda seconds: None
        return
    bar: Any = None
    task: Any = None
    t0, span = run.clock[0].t_begin, run.clock[0].t_end - run.clock[0].t_begin

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
        bar.update(task, completed=(run.clock[0].t - t0) / span, t=run.clock[0].t)

    try:
        yield update
    finally:
        if bar is not None:
            bar.stop()


# Signals (Ctrl-C and others) during a run.
#
# An exception that a handler raises between the compiled loop and a user's function cannot pass through compiled
# code: it would be lost, and the run would go on.


def signals_wait(callbacks: Callbacks | None = None) -> handlers_wait:
    """Python's handlers of signals are called at the end of the block, in the order in which the signals came.

    All signals do so if the system calls functions in Python, otherwise the common ones. Inside a function handlers
    are called at once, so that one that never returns can be stopped; `callbacks` then keeps what the handler raised,
    as `stopped_by`, and calls no function more.
    """
    if callbacks is None:
        return handlers_wait()

    def in_function(handler: Handler, number: int, frame: FrameType | None) -> bool:
        if not in_a_law(frame):
            return False
        try:
            handler(number, frame)
        except BaseException as error:
            callbacks.stopped_by = error
            raise
        return True

    return handlers_wait(ALL if callbacks.calls_python else COMMON, in_function)


# The compiled loop of a run, with its buffers and its scheduled events.


WINDOW = 4096  # outputs in the buffer of a run that goes to a file


def new_loop(solver: Solver, system: System, work: Work, times: OutputTimes | None, streamed: bool) -> SolverLoop:
    """The loop of a solver, with buffers for all outputs or, if they are streamed, for some."""
    if times is None:
        loop = solver.loop(system, None, work)
    else:
        rows = min(WINDOW, times.count) if streamed else times.count
        loop = solver.loop(system, times.between(0, rows), work)
        loop.run.counts["more"] = int(rows < times.count)
    mark_scheduled(system, loop.run)
    if loop.jumps_in_kernels:
        loop.set_states = set_states_in_kernels(system, work, loop.run, loop.record_layout)
    return loop


# How many steps the compiled loop makes before Python looks at progress, signals and outputs.


MOST_GROWTH = 32  # from one call to the next: each call costs as much as a hundred steps of a small model
MOST_STEPS = 1 << 40
FIRST_STEPS, FIRST_WITH_PYTHON = 64, 8  # of the first call: a law in Python may be slow
FIRST_OF_SMALL, SMALL = 256, 30  # of a model with few rates and no contacts: its short runs are then one call


def first_steps(system: System) -> int:
    """Steps of the first call."""
    if system.callbacks.calls_python:
        return FIRST_WITH_PYTHON
    return FIRST_OF_SMALL if system.nv <= SMALL and not system.model.contacts else FIRST_STEPS


def steps_of_next_call(steps: int, took: float, wanted: float) -> int:
    """Steps of the next call, if one of `steps` took so long [s] and the wanted time [s] is a good one."""
    if took < 0.5 * wanted:
        growth = int(min(MOST_GROWTH, 0.5 * wanted / max(took, 1e-9)))
        return min(max(2, growth) * steps, MOST_STEPS)
    return max(1, steps // 2) if took > 2.0 * wanted else steps


def until_next_look(engine: ContactEngine | None, run: Run, most_steps: int) -> int:
    """How many steps may come before it is looked again how long they may be, so that no body passes another."""
    if engine is None or not engine.tunnelling.looks:
        return most_steps
    engine.limit_steps(run.clock[0], run.y)
    return engine.tunnelling.steps


def after_call(system: System, loop: SolverLoop, engine: ContactEngine | None, status: int) -> int:
    """What Python has to do after a call of the loop that returned a status: jumps; returns how the run goes on."""
    if status == S.TRANSITION:
        jump(system, loop, engine)
        jammed = loop.friction_states is not None and loop.friction_states.jammed
        return S.NOT_FINITE if jammed else status
    failed = status >= 0 and any(owner.kind == "event" for owner, _ in system.callbacks.errors)
    return S.NOT_FINITE if failed else status


REACHED = Reason("end-time", "end time reached")


def stopped_by(event: str, t: float) -> Reason:
    """Why a run ended at an event."""
    return Reason("event", f'event "{event}" at t = {t:.9g} s')


GOING_ON = (S.CONTINUE, S.FULL, S.TRANSITION)
COUNTED = ("steps", "rejected", "evaluations", "jacobians")


SECONDS_BETWEEN_LOOKS = 0.4  # of `watch`
SECONDS_PER_CALL = 0.1  # of compiled work between looks at the progress bar and at Ctrl-C
LEAST_FRACTION = 20.0  # a checkpoint that takes long comes so much later that it takes no more than one part in 20


class Simulation:
    """One run, from its start (`begin`) or from what was kept of it (`restore`), to its end."""

    def __init__(
        self,
        system: System,
        solver: Solver,
        constraint_method: ConstraintMethod,
        loop: SolverLoop,
        times: OutputTimes | None,
        file: RunFile | None = None,
        watch: Callable[[Result], None] | None = None,
        engine: ContactEngine | None = None,
        choice: SolverChoice | None = None,
    ):
        self.choice = choice or SolverChoice(solver, ("it was given",), given=True)
        self.engine, self.contact_failed = engine, ""  # of rigid contacts, and why they could not go on
        self.overlapping = ""  # outputs in which bodies overlap, in words
        self.contact_record: ContactRun | None = None  # of an event-driven run that goes to a file
        self.taken = [0, 0]  # impacts and changes of contacts that are in the file
        self.jump_failed: JumpError | None = None  # the event or controller whose function failed
        self.system, self.solver, self.constraint_method = system, solver, constraint_method
        self.loop, self.work, self.times, self.file = loop, loop.work, times, file
        self.first = 0  # number of the first time in the buffer
        self.seconds = 0.0
        self.parts: list[tuple[Reals, ...]] = []  # outputs: t, y, x together, so that Ctrl-C cannot part them
        self.events, self.impacts = list[EventRecord](), list[ImpactRecord]()
        self.samples = Samples()
        self.remarks: list[str] = []
        self.chatter = Chatter(system, solver)
        self.next_checkpoint = 0.0
        lands = loop.jumps_in_kernels and not solver.treats_contacts  # IDA finds its steps, time stepping has its grid
        self.next_jump = next_jump(system) if lands else None  # of laws, at known times
        self.end = float(loop.run.clock["t_end"][0])
        self.undefined_output, self.last_output = False, float(loop.run.clock["t_begin"][0])
        self.watch, self.next_look = watch, 0.0
        self.outputs = OutputWatch(system, solver)
        self.fresh: list[tuple[Reals, ...]] = []  # outputs that `watch` has not seen

    @property
    def run(self) -> S.Run:
        """The arrays of the run; the buffers may become larger."""
        return self.loop.run

    def begin(self) -> None:
        """Start the loop and write the first output."""
        first = self.solver.first_guess
        callbacks = self.system.callbacks
        callbacks.errors.clear()
        with signals_wait(callbacks), callbacks.listening():
            self.loop.start(first)
            self.loop.advance(0)  # compiles or loads the loop, so that it does not count as simulation time
            self._raise_what_stopped()
        refuse_unsolved_states(self.system, self.work, float(self.run.clock["t"][0]))
        refuse_missing_inertia(self.system, self.work)
        if any(body.inertia is not None and body.inertia.mass == 0.0 for body in self.system.model.bodies.values()):
            refuse_zero_inertia(self.system, self.run.y[: self.system.nq].copy())  # links that may fold
        if self.system.closures.rows:
            refuse_impossible_velocities(self.system, self.run, self.work)
        self._first_output()
        self.outputs.begin(self.run.y)
        self.samples.take_here(self.run)

    def record_contacts(self) -> None:
        """Let an event-driven run write what it knows of its contacts; the engine of the run is not disturbed."""
        if self.engine is not None:
            from duoti.contact.event_driven.engine import EngineBase
            from duoti.results.evaluate.event_driven_contacts import ContactRun

            own = EngineBase(self.system, self.engine.of)
            self.contact_record = ContactRun(own, self.engine.history, self.engine.impacts)

    def restore(
        self, checkpoint: Checkpoint, history: Reals | None = None, impacts: Sequence[ImpactRecord] = ()
    ) -> None:
        """Go on where the checkpoint was taken; history, impacts: those so far, of an event-driven run."""
        self.loop.load_state_dict(checkpoint.decisions)
        self.loop.advance(0)
        end = float(self.run.clock[0].t_end)
        if self.engine is not None and history is not None:
            self.engine.load_state_dict(checkpoint.decisions["contacts"])
            self.engine.load_history(history)
            self.engine.impacts[:] = impacts
            self.taken = [len(impacts), len(history)]
        checkpoint.fill(self._checkpoint_arrays())
        counts, clock = self.run.counts[0], self.run.clock[0]
        clock.t_end = end  # may have been extended
        counts.output = counts.events = counts.next_time = 0
        self.seconds = checkpoint.seconds
        if self.file is not None:
            self.outputs.look_again(self.file.states())
        if self.times is not None:
            self.first = self.times.until(float(clock.t))
            self._fill_window()
        self.samples.take_here(self.run)

    def run_to_end(self, progress: bool | None) -> Result:
        """Run to the end."""
        self.loop.grow_buffers = self._grow_buffers
        try:
            return self._run_to_end(progress)
        finally:  # neither the loop nor a traceback leads back here: all memory is free when the run goes
            del self.loop.grow_buffers
            self.jump_failed = None
            self.system.callbacks.errors.clear()
            self.system.callbacks.heard.clear()

    def _run_to_end(self, progress: bool | None) -> Result:
        callbacks = self.system.callbacks
        callbacks.errors.clear()
        status, interrupted = S.NOT_FINITE if self.contact_failed or self.jump_failed else S.CONTINUE, False
        most_steps = first_steps(self.system)
        self.end = float(self.run.clock[0].t_end)
        try:
            with signals_wait():
                self._collect()
                self._checkpoint()
            with progress_bar(self.run, progress) as update, callbacks.listening():
                self._begin_behind_jump()
                self._stop_at_jump()
                while status in GOING_ON:
                    with signals_wait(callbacks):
                        began = time.perf_counter()
                        status = self.loop.advance(until_next_look(self.engine, self.run, most_steps))
                        took = time.perf_counter() - began
                        self.seconds += took
                        if status == S.CONTINUE:  # others end a call early, and do not tell how long its steps take
                            most_steps = steps_of_next_call(most_steps, took, SECONDS_PER_CALL)
                        self._raise_what_stopped()
                        if status == S.END and float(self.run.clock[0].t_end) < self.end:
                            status = self._pass_jump()
                        status = after_call(self.system, self.loop, self.engine, status)
                        if not self._collect() and status == S.FULL:
                            self._grow_buffers()
                        if self.undefined_output and status >= 0:
                            status = S.NOT_FINITE
                        if status in GOING_ON:
                            self._checkpoint()
                    update(self.seconds)
                    if status in GOING_ON and (text := self.chatter.look(self.run, self.seconds)):
                        warnings.warn(f"{self.system.model.name}: {text}", OngoingWarning, stacklevel=user_level())
                    if status in GOING_ON and self.chatter.stop:
                        status = S.STEP_TOO_SMALL
                    self._look(last=status not in GOING_ON)
        except KeyboardInterrupt:
            interrupted = True
        except ContactError as error:
            status, self.contact_failed = S.NOT_FINITE, str(error)
        except JumpError as error:
            status, self.jump_failed = S.NOT_FINITE, error
        except BaseException as error:
            if self.file is not None:
                text = f"stopped by {type(error).__name__}: {error}"
                self.file.give_up(float(self.run.clock[0].t), self._stats(), Reason("error", text))
            raise
        with signals_wait():
            if interrupted or self.jump_failed or self.contact_failed:
                self._collect()
            return self._result(status, interrupted)

    def _stop_at_jump(self) -> None:
        """Let the loop end where a law jumps next, unless steps end there anyway."""
        if self.next_jump is None:
            return
        clock = self.run.clock[0]
        t = self.next_jump(float(clock.t))
        while t < self.end and (abs(t - clock.t_due) <= around(t)[1] - t or around(t)[0] <= clock.t):
            t = self.next_jump(around(t)[1])
        clock.t_end = around(t)[0] if t < self.end else self.end

    def _pass_jump(self) -> int:
        """Go on behind a jump of laws; where events are watched, across it: they may be caused by it."""
        if self._is_quiet():
            assert self.next_jump is not None
            self._go_on_at(around(self.next_jump(float(self.run.clock[0].t)))[1])
        self._stop_at_jump()
        return S.CONTINUE

    def _begin_behind_jump(self) -> None:
        """A run that begins where a law jumps has the law's values behind the jump."""
        clock = self.run.clock[0]
        t = float(clock.t)
        if self.next_jump is None or t != clock.t_begin or not self._is_quiet() or self.run.counts[0].at_steps:
            return
        if self.next_jump(math.nextafter(t, -math.inf)) <= t:
            self._go_on_at(around(t)[1])

    def _is_quiet(self) -> bool:
        """Whether no events are watched."""
        return not self.system.model.events and self.engine is None and not has_joint_friction(self.system)

    def _go_on_at(self, t: float) -> None:
        self.run.clock[0].t = t
        self.loop.begin_again()
        if self.run.counts[0].at_steps and t > self.last_output:  # what reads the steps sees where each begins and ends
            self._collect()
            run = self.run
            run.out_t[0], run.out_y[0], run.out_x[0] = t, run.y, run.x
            run.counts["output"] = 1

    def _raise_what_stopped(self) -> None:
        """Ctrl-C or another signal may arrive while a user's Python function runs inside the compiled loop."""
        callbacks = self.system.callbacks
        if callbacks.stopped_by is not None:
            raise callbacks.stopped_by
        for _, error in callbacks.errors:
            if isinstance(error, KeyboardInterrupt):
                raise error

    # ------------------------------------------------------------------------------------------------------ buffers

    def _first_output(self) -> None:
        run = self.run
        if run.counts["at_steps"][0]:
            run.out_t[0], run.out_y[0], run.out_x[0] = run.clock["t"][0], run.y, run.x
            run.counts["output"] = 1
            return
        wanted = 0 if self.times is None else self.times.until(float(run.clock["t_begin"][0]))
        while wanted > len(self.run.times):
            self._grow_buffers()
        run = self.run
        run.out_t[:wanted], run.out_y[:wanted], run.out_x[:wanted] = run.times[:wanted], run.y, run.x
        run.counts["output"] = run.counts["next_time"] = wanted

    def _fill_window(self) -> None:
        """Put the next times into the buffer."""
        assert self.times is not None
        rows = len(self.run.times)
        times = self.times.between(self.first, self.first + rows)
        self.run.times[: len(times)] = times
        self.run.times[len(times) :] = np.inf
        self.run.counts["more"] = int(self.first + rows < self.times.count)

    def _grow_buffers(self) -> None:
        """Buffers twice as large, with what is in them."""
        more = self.run.counts["more"][0]
        self.loop.use(S.larger_buffers(self.run))
        if more:
            self._fill_window()

    def _collect(self) -> bool:
        """Take outputs and events out of the buffers; True if there were any."""
        run, counts = self.run, self.run.counts
        n, happened, impacts = self._sound_outputs(), int(counts["events"][0]), self._take_impacts()
        own = np.flatnonzero(run.event_index[:happened] < len(self.system.model.events))  # others are of contacts
        self.outputs.look(run.out_y[:n])
        if self.engine is not None and not self.overlapping:
            self.overlapping = self.engine.missed_in(run.out_y[:n])
        self.samples.take(run, n)
        if self.watch is not None and n:
            self.fresh.append(self._outputs(n))
        if self.file is not None:
            self.file.append(run.out_t[:n], run.out_y[:n], self._recorded(run.out_t[:n], run.out_y[:n], run.out_x[:n]))
            self.file.append_events(run.event_t[own], run.event_index[own], run.event_y[own])
            self.file.append_impacts(impacts)
            self._write_contacts(self.file)
        else:
            if n or not self.parts:
                self.parts.append(self._outputs(n))
            self._record(own.tolist())
            self.impacts += impacts
        counts["events"] = counts["output"] = 0
        if counts["more"][0] and counts["next_time"][0]:
            self.first += int(counts["next_time"][0])
            counts["next_time"] = 0
            self._fill_window()
        return bool(n or happened)

    def _take_impacts(self) -> list[ImpactRecord]:
        """Impacts since the last call; the engine of rigid contacts keeps its own."""
        found, states = self.loop.take_impacts(), self.loop.friction_states
        if states is not None and self.engine is None:
            found += states.impacts
            states.impacts = []
        return found

    def _sound_outputs(self) -> int:
        """Rows of the buffer before one that is undefined: a law may fail where a method looks for its outputs only."""
        n = int(self.run.counts["output"][0])
        if self.undefined_output or not n:
            return 0
        finite = np.isfinite(self.run.out_y[:n])
        if not finite.all():
            self.undefined_output, n = True, int(np.argmin(finite.all(axis=1)))
        if n:
            self.last_output = float(self.run.out_t[n - 1])
        return n

    def _outputs(self, n: int) -> tuple[Reals, ...]:
        """Times, states and records in the first n rows of the buffer, copied."""
        run = self.run
        return run.out_t[:n].copy(), run.out_y[:n].copy(), run.out_x[:n].copy()

    def _recorded(self, t: Reals, y: Reals, x: Reals) -> Reals:
        """What goes beside the states: that of the loop or, in an event-driven run, that of its contacts."""
        return x if self.contact_record is None else self.contact_record.append(t, y)

    def _write_contacts(self, file: RunFile) -> None:
        """Impacts and changes of contacts since the last time."""
        if self.engine is None:
            return
        from duoti.contact.event_driven.contact_states import row_of_states

        impacts, history = self.engine.impacts, self.engine.history
        file.append_impacts(impacts[self.taken[0] :])
        file.append_contact_states(np.array([row_of_states(*each) for each in history[self.taken[1] :]]))
        self.taken = [len(impacts), len(history)]

    def _record(self, happened: list[int]) -> None:
        run, names, layout = self.run, list(self.system.model.events), self.system
        for i in happened:
            y, nq, last = run.event_y[i].copy(), layout.nq, layout.nq + layout.nv
            q, v, z = y[:nq], y[nq:last], y[last : last + layout.nz]
            self.events.append(EventRecord(names[run.event_index[i]], float(run.event_t[i]), q, v, z))

    def _look(self, last: bool) -> None:
        """Show `watch` what is new, about twice a second, and at the end of the run."""
        if self.watch is None or not self.fresh or (time.monotonic() < self.next_look and not last):
            return
        t, y, x = (np.concatenate(each) for each in zip(*self.fresh, strict=True))
        self.fresh.clear()
        stats = self._stats()
        self.watch(
            Result(
                self.system, t, y, True, Reason("running", "running"), stats, self.events, stats.solver,
                self.constraint_method, "running", record=x, record_layout=self.loop.record_layout,
            )
        )  # fmt: skip
        self.next_look = time.monotonic() + SECONDS_BETWEEN_LOOKS

    # --------------------------------------------------------------------------------------------------- checkpoints

    def _current_checkpoint(self) -> Checkpoint | None:
        if self.loop.why_not_resumable:
            return None
        from duoti.results.file.checkpoints import Checkpoint

        seconds, decisions = self.seconds - self.loop.setup_seconds, self.loop.state_dict()
        if self.engine is not None:
            decisions = {**decisions, "contacts": self.engine.state_dict()}
        return Checkpoint.of(seconds, decisions, self._checkpoint_arrays())

    def _checkpoint_arrays(self) -> list[Any]:
        of_contacts = [] if self.engine is None else self.engine.checkpoint_arrays()
        of_record = [] if self.contact_record is None else self.contact_record.checkpoint_arrays()
        return [*self.loop.checkpoint_arrays(), *of_contacts, *of_record]

    def _checkpoint(self) -> None:
        """Write what has come since the last time, and the loop's memory, if it is time to."""
        file, now = self.file, time.perf_counter()
        if file is None or now < self.next_checkpoint:
            return
        file.checkpoint(
            float(self.run.clock["t"][0]), self._stats(), self._current_checkpoint(), self.loop.why_not_resumable
        )
        after = time.perf_counter()
        took = after - now if file.number > 1 else 0.0  # the first one opens the file
        self.next_checkpoint = after + max(file.plan.checkpoint, LEAST_FRACTION * took)

    # ------------------------------------------------------------------------------------------------------- the end

    def _stats(self) -> Stats:
        steps, rejected, evaluations, jacobians = (int(self.run.counts[name][0]) for name in COUNTED)
        return Stats(
            repr(self.solver), steps, rejected, evaluations, self.seconds - self.loop.setup_seconds,
            int(self.work.loops[0].changes), jacobians,
            self._notes(),
            self.choice.stated_reasons,
            dict(self.loop.contact_stages), dict(self.loop.contact_residuals),
        )  # fmt: skip

    def _notes(self) -> tuple[str, ...]:
        of_contacts = self.engine.notes if self.engine else ()
        return (
            *self.choice.notes, *self.loop.notes, *self.chatter.notes, *self.outputs.notes(), *of_contacts,
            *self.remarks,
        )  # fmt: skip

    def _result(self, status: int, interrupted: bool) -> Result:
        run = self.run
        t_end = self.last_output if self.undefined_output else float(run.clock["t"][0])
        ok = status in (S.END, S.EVENT) and not interrupted
        reason = self._reason(status, interrupted, t_end)
        lost = self._what_was_lost() if ok else None
        if lost is not None:
            ok, reason = False, lost
        if ok:
            self.remarks = remarks(self.system, self.samples.taken())
        state = "interrupted" if interrupted else "finished" if ok else "failed"
        if state == "failed" and self.loop.suspect:
            reason = Reason(reason.code, f"{reason.text}; {self.loop.suspect}")
        make = self._from_memory if self.file is None else self._from_file
        result = make(status, t_end, ok, reason, state)
        errors = [error for _, error in self.system.callbacks.errors]
        if self.jump_failed is not None and self.jump_failed.cause is not None:
            errors.append(self.jump_failed.cause)
        for error in errors:
            forget_frames(error)
        result.error = errors[-1] if errors and not ok and not interrupted else None
        if state == "failed":
            text = f"simulation of {self.system.model.name!r} failed: {reason.text}"
            warnings.warn(text, SimulationWarning, stacklevel=user_level())
        self.outputs.warn()
        return result

    def _what_was_lost(self) -> Reason | None:
        """Why the run that came to its end is not to be believed, if so."""
        if self.loop.unsolved:
            return Reason("contact-unsolved", self.loop.unsolved)
        self.samples.take_here(self.run)
        self.outputs.look(self.run.y[None])
        if passed := self.outputs.passed_stops():
            return Reason("stop-passed", passed)
        if self.engine is not None and (missed := self.overlapping or self.engine.missed_in(self.run.y[None])):
            return Reason("contact-unsolved", missed)
        if pressed := pressed_through(self.system, self.solver, self.samples.taken()):
            return Reason("contact-unsolved", pressed)
        if left := out_of_range(self.system, self.samples.taken()):
            return Reason("out-of-range", left)
        steps = int(self.run.counts["steps"][0])
        work = self.work if self.file is None else None  # a checkpoint follows
        unconverged = bool(self.system.closures.rows and self.work.loops[0].unconverged > 0)
        return what_was_lost(
            self.system, self.solver, self.constraint_method, steps, self.samples.taken(), work, unconverged
        )

    def _reason(self, status: int, interrupted: bool, t_end: float) -> Reason:
        if interrupted:
            return Reason("interrupted", f"interrupted by the user at t = {t_end:.6g} s")
        if self.contact_failed:
            return Reason("contact-unsolved", self.contact_failed)
        if self.jump_failed is not None:
            return Reason("not-finite", str(self.jump_failed))
        if status == S.END:
            return REACHED
        if status == S.EVENT:
            return stopped_by(list(self.system.model.events)[self.run.counts["stopped_by"][0]], t_end)
        if self.loop.friction_states is not None and (text := self.loop.friction_states.jam_at(t_end)):
            return Reason("jammed", text)
        return self.chatter.explain(self.run, status, lambda: explain_failure(self.system, self.run, status))

    def _from_memory(self, status: int, t_end: float, ok: bool, reason: Reason, state: str) -> Result:
        run = self.run
        parts = [fraction for fraction in self.parts if len(fraction[0])] or self.parts[:1]
        t, y, x = parts[0] if len(parts) == 1 else (np.concatenate(each) for each in zip(*parts, strict=True))
        if status != S.END and (not len(t) or t[-1] < t_end):  # the last good state, or the state at the event
            t, y, x = np.append(t, t_end), np.vstack([y, run.y]), np.vstack([x, run.x])
        events = sorted((e for e in self.events if e.t <= t_end), key=lambda e: e.t)
        stats, layout, contact_run = self._stats(), self.loop.record_layout, None
        if self.engine is not None:
            from duoti.results.evaluate.event_driven_contacts import ContactRun

            contact_run = ContactRun(self.engine, self.engine.history, tuple(self.engine.impacts))
            x, layout = contact_run.record(t, y), contact_run.layout
        result = Result(
            self.system, t, y, ok, reason, stats, events, stats.solver, self.constraint_method, state,
            record=x, record_layout=layout,
        )  # fmt: skip
        result.contact_run, result.known_impacts = contact_run, contact_run.impacts if contact_run else self.impacts
        return result

    def _from_file(self, status: int, t_end: float, ok: bool, reason: Reason, state: str) -> Result:
        from duoti.results.file.open import stored_result

        file = self.file
        assert file is not None
        checkpoint = self._current_checkpoint() if status == S.END else file.last_checkpoint  # not that of a failure
        if status != S.END and file.last_time < t_end:
            t, y, x = np.array([t_end]), self.run.y[None].copy(), self.run.x[None].copy()
            file.append(t, y, self._recorded(t, y, x))
        self._write_contacts(file)
        file.finish(t_end, self._stats(), checkpoint, self.loop.why_not_resumable, ok, reason, state)
        return stored_result(file.path, self.system)
