"""`simulate_batch`: many runs of one model with other numbers and initial values."""

from __future__ import annotations

import sys
import time
import warnings
from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.batch.compiled import CompiledRuns, why_python
from duoti.analyses.batch.lanes import why_not_lanes
from duoti.analyses.batch.result import BatchResult, Store
from duoti.analyses.batch.run_numbers import REFUSALS, RunNumbers
from duoti.analyses.batch.workers import Workers, available_cores
from duoti.analyses.simulate.choose_solver import LOST, SolverChoice, choose_solver
from duoti.analyses.simulate.outputs import free_memory, in_bytes, output_times
from duoti.analyses.simulate.simulate import Task, constraint_method, run, run_fallback
from duoti.analyses.simulate.trust.chatter import FIRST_LOOK
from duoti.analyses.states.supported import of_graph
from duoti.analyses.states.unread import warn_of_unread
from duoti.analyses.states.warnings import OngoingWarning, SimulationWarning
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.integrate import Solver
from duoti.kernel.lanes import WIDTH
from duoti.model.errors import ParameterError
from duoti.model.expand_bond_graphs import described
from duoti.model.joint_friction import FrictionStateEvent
from duoti.model.model import Model
from duoti.model.parameters import find_all
from duoti.results.result import Result
from duoti.strict import explained, user_level
from duoti.system.arrays import Reals, size_of_state
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System

SHARE = 0.5  # of the memory that is free, for the states of all runs
SHOWN = 3  # reasons and warnings, each of many runs


@explained
def simulate_batch(
    model: Model | System,
    duration: float,
    parameters: Mapping[str, ArrayLike],
    outputs: ArrayLike | None = None,
    solver: Solver | str | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    *,
    workers: int | None = None,
    lanes: int | None = None,
    coordinates: Literal["relative", "absolute"] = "relative",
    constraints: ConstraintMethod | str | None = None,
    progress: bool | None = None,
) -> BatchResult:
    """Simulate a model many times, with other numbers and initial values in each run.

    Run k equals what `simulate` returns for the model with the values number k and the same solver: bit for bit with
    `lanes=1`, to round-off in lanes. The number of workers has no influence on the results. The solver is chosen once,
    for the model as it is.

    A run that fails does not stop the others: `b.ok` and `b.reason` say what happened. Ctrl-C keeps the runs that are
    done.

    Parameters
    ----------
    model:
        A `Model`, which is compiled first, or a compiled `System`.
    duration:
        Time to simulate [s].
    parameters:
        Values by name, one for each run: `{"rod.mass": array(N), "A.q0": array(N)}`. A single number is the same for
        all runs. A field of several numbers, such as "tip.position", takes an array (N, 3).
    outputs:
        Times of the results [s], or a step between them [s]; by default 1000 equal intervals.
    solver, rtol, atol, constraints, coordinates:
        As for `simulate`.
    workers:
        Threads; by default one for each processor. Models with functions in Python use one.
    lanes:
        Runs that a thread computes side by side by SIMD instructions: 8, 1, or None for 8 where the model and the
        solver allow it. With 8, what does not allow it is an error.
    progress:
        Show a progress bar; by default in a terminal for batches longer than a second.
    """
    times = output_times(duration, outputs, 0.0)
    if times is None:
        raise ValueError('outputs="steps": the runs of a batch have other steps; give times, or a step in seconds')
    of_model = of_graph(model)
    if not isinstance(of_model, Model | System):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{model!r} is not a model; give a dt.Model or what dt.compile made of one")
    system = of_model if isinstance(of_model, System) else compile_model(of_model, coordinates)
    system.require_dynamics()
    values = _values(system, parameters)
    runs = len(next(iter(values.values())))
    _refuse_too_many(runs, times.count, size_of_state(system.tree))
    values = _own(values)
    warn_of_unread(system.model, values, "batch")
    choice = choose_solver(system, duration, solver, rtol, atol, constraints=constraints)
    method = constraint_method(constraints, choice.solver)
    task = Task(system, float(duration), times, 0.0, None, method, progress=False)
    threads, notes = _workers(system, workers, runs)
    if lanes not in (None, 1, WIDTH):
        raise ValueError(f"lanes={lanes!r}: give {WIDTH}, 1, or None")
    batch = _Batch(system, task, choice, lanes, values, Store(system, runs, times.between(0, times.count)))
    began = time.perf_counter()
    with _one_voice(system, batch.store) as warned:
        batch.run_all(Workers(threads, progress), threads)
    seconds = time.perf_counter() - began
    again = batch.run_of if batch.keeps else None
    return BatchResult(
        system, batch.store, values, batch.system_of, again, choice, method, batch.same_geometry, seconds, threads,
        (*notes, *batch.notes, *warned), batch.used_lanes,
    )  # fmt: skip


class _Batch:
    """The runs of a batch."""

    def __init__(
        self, system: System, task: Task, choice: SolverChoice, lanes: int | None, values: Mapping[str, Reals],
        store: Store,
    ):  # fmt: skip
        self.system, self.task, self.choice, self.values, self.store = system, task, choice, values, store
        self.lanes, self.used_lanes = lanes, 1
        why = why_python(system, task, choice) or why_not_lanes(system, choice.solver)
        if lanes == WIDTH and why:
            raise ValueError(f"lanes={lanes}: these runs cannot be computed side by side: {why}; leave lanes out")
        self.keeps = bool(system.model.events or system.model.contacts)
        self.same_geometry = False
        self.refused: Exception | None = None
        self.notes: list[str] = []

    def system_of(self, k: int) -> System:
        """The system of a run."""
        return self.system.with_parameters({name: _one(each[k]) for name, each in self.values.items()})

    def run_of(self, k: int) -> Result:
        """The result of a run, made again."""
        return copy(self._simulate(self.system_of(k), None))

    def _simulate(self, system: System, watch: Any) -> Result:
        task = replace(self.task, system=system, watch=watch)
        result = run(task, self.choice)
        if self.choice.fallback is not None and result.reason_code in LOST:
            return run_fallback(task, self.choice, result.reason) or result
        return result

    def run_all(self, workers: Workers, threads: int) -> None:
        """Run all: one first, which compiles or loads what is missing, then the others side by side."""
        store, total = self.store, len(self.store.ok)

        def done() -> int:
            return int(np.count_nonzero(store.done))

        def watch(_: Result) -> None:
            if workers.stopped.is_set():
                raise KeyboardInterrupt

        pool: list[Any] = []
        try:
            self._run(0, None)
            runs = self._compiled(workers) if total > 1 else None
            if runs is not None:
                pool += [runs.worker() for _ in range(threads)]  # loads the compiled code, or makes it
        except KeyboardInterrupt:
            return
        rest: Iterable[int] = range(1, total)
        if runs is not None:

            def do(span: tuple[int, int]) -> None:
                worker = pool.pop()
                worker.do(*span)
                pool.append(worker)

            workers.do_all(do, runs.ranges(1), done, total, apart=True)
            rest = sorted(runs.left)
        look = watch if threads > 1 else None
        workers.do_all(lambda k: self._run(k, look), rest, done, total)
        if self.refused is not None and not np.any(store.rows) and store.done.all():
            raise self.refused  # no run could begin: the model is wrong, or all values are

    def _compiled(self, workers: Workers) -> CompiledRuns | None:
        """The runs for compiled code; None, and a note, if Python has to drive each of them."""
        why = why_python(self.system, self.task, self.choice)
        if not why and self.store.counts[0, 0] > FIRST_LOOK and self.choice.solver.adaptive:
            return None  # beside such runs, what Python does is nothing
        numbers = None if why else RunNumbers(self.system, self.values)
        if numbers is None or numbers.why_not:
            self.notes.append(f"each run was driven by Python: {why or (numbers and numbers.why_not)}")
            return None
        why = why_not_lanes(self.system, self.choice.solver) or numbers.why_not_lanes
        if why and self.lanes == WIDTH:
            raise ValueError(f"lanes={WIDTH}: these runs cannot be computed side by side: {why}; leave lanes out")
        if why and self.lanes is None:
            self.notes.append(f"one run at a time in each thread: {why}")
        self.used_lanes = 1 if why or self.lanes == 1 else WIDTH
        return CompiledRuns(self.task, self.choice, numbers, self.store, workers.flag, self.used_lanes == WIDTH)

    def _run(self, k: int, watch: Any) -> None:
        store = self.store
        try:
            system = self.system_of(k)
            if k == 0:
                self.same_geometry = _same_geometry(self.system, system)
            result = self._simulate(system, watch)
        except REFUSALS as error:
            self.refused = self.refused or error
            store.refuse(k, error)
            return
        if result.status == "interrupted":
            raise KeyboardInterrupt
        if k == 0:
            store.require_record(result.record_layout)
        store.put(k, result)
        if self.keeps:
            store.kept[k] = copy(result)  # without what kernels know by address: an engine takes much memory


def _one(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value


def _same_geometry(base: System, system: System) -> bool:
    """Whether frames of bodies and markers follow from the coordinates in the same way."""
    tree, other = base.tree._asdict(), system.tree._asdict()
    changed = {name for name, each in tree.items() if isinstance(each, np.ndarray) and each is not other[name]}
    return changed <= {"gravity", "inertia"} and system.loads.markers is base.loads.markers and system.flex is base.flex


def _values(system: System, parameters: Mapping[str, ArrayLike]) -> dict[str, Reals]:
    """An array for each parameter, all of one length; refuses, by name, what does not fit."""
    if not isinstance(parameters, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f'parameters={parameters!r}: give arrays by name, such as {{"rod.mass": [1.0, 1.5, 2.0]}}')
    found, wrong = dict[str, Reals](), list[str]()
    for name, given in parameters.items():
        try:
            found[name] = np.asarray(given, dtype=float)
        except (TypeError, ValueError, OverflowError):
            wrong.append(f'"{name}": {given!r} is not an array of numbers')
    if wrong:
        raise ParameterError("; ".join(wrong))
    find_all(described(system.model), tuple(found))
    lengths = {name: len(each) for name, each in found.items() if each.ndim}
    if not lengths or not all(lengths.values()):
        raise ParameterError(
            "parameters: no run is asked for; give each parameter an array with a value for each run"
            if not any(lengths.values())
            else f"parameters without values: {', '.join(name for name, n in lengths.items() if not n)}"
        )
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f'"{name}" {length}' for name, length in lengths.items())
        raise ParameterError(f"parameters have different numbers of values: {listed}; give one value for each run")
    runs = next(iter(lengths.values()))
    return {name: each if each.ndim else np.broadcast_to(each, runs) for name, each in found.items()}


def _own(values: Mapping[str, Reals]) -> dict[str, Reals]:
    """Copies that nobody changes."""
    made = {name: np.array(each) for name, each in values.items()}
    for each in made.values():
        each.setflags(write=False)
    return made


def _refuse_too_many(runs: int, times: int, columns: int) -> None:
    needed, room = 8.0 * runs * times * columns, SHARE * free_memory()
    if needed > room:
        raise ValueError(
            f"{runs} runs with {times} outputs of {columns} numbers take {in_bytes(needed)}, and there are "
            f"{in_bytes(room)} (half of what is free) in memory; ask for fewer outputs (outputs=), or run the batch in "
            "parts"
        )


def _workers(system: System, wanted: int | None, runs: int) -> tuple[int, tuple[str, ...]]:
    """How many threads, and a note if that is not what was asked for."""
    if wanted is not None and (not isinstance(wanted, int) or isinstance(wanted, bool) or wanted < 1):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"workers={wanted!r}: give a number of threads, from 1")
    functions = _functions(system)
    if functions and wanted != 1:
        note = f"one worker: {', '.join(functions)} call functions in Python, which run one at a time"
        if wanted is not None:
            warnings.warn(f"workers={wanted}: {note}", OngoingWarning, stacklevel=user_level())
        return 1, (note,)
    return min(wanted or available_cores(), runs), ()


def _functions(system: System) -> list[str]:
    """Elements with functions of the user's, which may remember what they were called with."""
    laws = zip(system.laws, system.law_owners, strict=True)
    found = [str(owner) for law, owner in laws if law.function is not None] if system.callbacks.alive else []
    own = {name: event for name, event in system.model.events.items() if not isinstance(event, FrictionStateEvent)}
    found += [f'event "{name}"' for name, event in own.items() if event.jump is not None]
    return list(dict.fromkeys(found))


@contextmanager
def _one_voice(system: System, store: Store) -> Generator[list[str], None, None]:
    """Warnings of the runs, once each with how many runs had them; yields a list for them, filled at the end."""
    hook, warned = sys.unraisablehook, list[str]()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield warned
    finally:
        sys.unraisablehook = hook  # runs in threads exchange it, and not always in turn
    texts = Counter((each.category, str(each.message)) for each in caught if each.category is not SimulationWarning)
    for (category, text), count in texts.most_common(SHOWN):
        warned.append(text if count == 1 else f"{count} times: {text}")
        warnings.warn(warned[-1], category, stacklevel=user_level())
    if len(texts) > SHOWN:
        warned.append(f"{len(texts) - SHOWN} more kinds of warnings")
    bad = np.flatnonzero(store.done & ~store.ok).tolist()
    left = int(np.count_nonzero(~store.done))
    if bad:
        kinds = Counter(store.reasons[k].code for k in bad)
        listed = ", ".join(f"{count} {code}" for code, count in kinds.most_common(SHOWN))
        first = f"run {bad[0]}: {store.reasons[bad[0]].text}"
        text = f"batch of {system.model.name!r}: {len(bad)} of {len(store.ok)} runs failed ({listed}); {first}"
        warnings.warn(text, SimulationWarning, stacklevel=user_level())
    if left:
        warned.append(f"interrupted by the user: {left} of {len(store.ok)} runs were not done")


__all__ = ["BatchResult", "simulate_batch"]
