"""What a worker does: runs of a study, chunk by chunk, in whatever process or on whatever machine."""

from __future__ import annotations

import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from duoti.analyses.batch.lanes import rounds_as_single_runs
from duoti.analyses.batch.simulate_batch import BatchResult, simulate_batch
from duoti.analyses.parameter_study.measures import Measure
from duoti.analyses.parameter_study.store import Row
from duoti.analyses.simulate.simulate import simulate
from duoti.analyses.states.warnings import SimulationWarning
from duoti.model.expand_bond_graphs import described
from duoti.model.model import Model
from duoti.model.parameters import find
from duoti.results.result import Result
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.parameters import with_values
from duoti.system.system import System

OK, NOT_RUN, ERROR, INTERRUPTED, UNDEFINED = "ok", "not-run", "error", "interrupted", "measure-undefined"
KEPT = 4  # jobs that a process remembers, with their compiled models

Build = Callable[..., Model]
Columns = Mapping[str, Sequence[Any]]
"""Values by name, one for each run."""


@dataclass
class Chunk:
    """What a chunk of runs gave."""

    rows: list[Row | None] = field(default_factory=list[Row | None])
    """One for each run; None for those that were interrupted."""
    notes: Counter[str] = field(default_factory=Counter[str])
    """What runs warned of, and how often."""
    seconds: float = 0.0
    """Wall time, without that to compile the model."""


class Job:
    """All that a run needs but the values: travels to workers once."""

    def __init__(
        self, model: Model | Build, measures: Mapping[str, Measure | Callable[[Result], Any]], times: Reals,
        duration: float, options: Mapping[str, Any], coordinates: Any,
    ):  # fmt: skip
        self.model, self.measures, self.times = model, dict(measures), times
        self.duration, self.options, self.coordinates = duration, dict(options), coordinates
        self.pace = float("inf")
        """The least wall time of a run in a chunk so far [s]: how many make the next one."""
        self._system: System | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_system": None}

    @property
    def system(self) -> System:
        """The compiled model; not of a function that builds models."""
        if self._system is None:
            assert isinstance(self.model, Model)
            self._system = compile_model(self.model, self.coordinates)
        return self._system

    @property
    def width(self) -> int:
        """Numbers that a run gives."""
        return sum(self.size(each) for each in self.measures.values())

    def size(self, measure: Any) -> int:
        """Numbers of a measure."""
        return len(self.times) if isinstance(measure, Measure) and measure.is_series else 1

    # --------------------------------------------------------------------------------------------------- runs

    def run(self, columns: Columns, workers: int) -> Chunk:
        """Run a chunk."""
        chunk = Chunk()
        if isinstance(self.model, Model):
            _ = self.system
        began = time.perf_counter()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            chunk.rows = self._batch(columns, workers) if isinstance(self.model, Model) else self._built(columns)
        for each in caught:
            text = str(each.message)
            if not issubclass(each.category, SimulationWarning) and not text.startswith("workers="):
                chunk.notes[text] += 1
        chunk.seconds = time.perf_counter() - began
        return chunk

    def _batch(self, columns: Columns, workers: int) -> list[Row | None]:
        system, runs = self.system, len(next(iter(columns.values())))
        try:
            batch = simulate_batch(
                system, self.duration, {name: np.asarray(each, dtype=float) for name, each in columns.items()},
                self.times, **self.options, workers=workers, progress=False,
                lanes=None if rounds_as_single_runs() else 1,  # no bit may depend on the place in a chunk
            )  # fmt: skip
        except Exception as error:
            if runs > 1:  # each run has a message of its own, and none takes others with it
                return [self._batch({name: [each[k]] for name, each in columns.items()}, 1)[0] for k in range(runs)]
            return [self._failed(error)] * runs
        rows: list[Row | None] = [None] * runs
        alike = list[int]()  # runs that reached their end, with the outputs of all
        jumps = bool(system.model.events or system.model.contacts)  # with outputs of their own
        whole = ~np.isnan(batch.states[:, -1, 0])
        for k in range(runs):
            code = str(batch.reason_code[k])
            if code == INTERRUPTED:
                continue
            if not batch.ok[k]:
                rows[k] = Row(np.full(self.width, np.nan), code, str(batch.reason[k]))
            elif jumps or not whole[k]:
                rows[k] = self._own(batch, k, columns)
            else:
                alike.append(k)
        for k, row in zip(alike, self._rows(batch, alike, columns) if alike else (), strict=True):
            rows[k] = row
        return rows

    def _rows(self, batch: BatchResult, runs: list[int], columns: Columns) -> list[Row]:
        """Rows of runs that have the same outputs."""
        every = len(runs) == len(batch)
        series = {name: batch[name] if every else batch[name][runs] for name in self._channels}
        values = {name: [each[k] for k in runs] for name, each in columns.items()}
        made = {
            name: measure(len(runs), batch.t, series, self._numbers_of(measure, values)).reshape(len(runs), -1)
            for name, measure in self.measures.items()
            if isinstance(measure, Measure)
        }
        if len(made) == len(self.measures):
            table = np.concatenate(list(made.values()), axis=1)
            if np.all(np.isfinite(table)):
                return [Row(row, OK, "") for row in table]
            return [self._row({name: each[i] for name, each in made.items()}) for i in range(len(runs))]
        rows = list[Row]()
        for i, k in enumerate(runs):
            try:
                result = batch.result(k)
                parts = {
                    name: made[name][i] if name in made else _of_function(name, each, result)
                    for name, each in self.measures.items()
                }
                rows.append(self._row(parts))
            except Exception as error:  # of a function of the user's
                rows.append(self._failed(error))
        return rows

    def _own(self, batch: BatchResult, k: int, columns: Columns) -> Row:
        """The row of a run with outputs of its own, or with fewer."""
        try:
            return self._of_result(batch.result(k), {name: each[k] for name, each in columns.items()})
        except Exception as error:  # of a function of the user's, too
            return self._failed(error)

    def _built(self, columns: Columns) -> list[Row | None]:
        """Runs of models that a function builds, one by one."""
        rows = list[Row | None]()
        for k in range(len(next(iter(columns.values())))):
            values = {name: each[k] for name, each in columns.items()}
            try:
                assert not isinstance(self.model, Model)
                result = simulate(
                    self.model(**values), self.duration, self.times, **self.options, coordinates=self.coordinates,
                    progress=False,
                )  # fmt: skip
                if result.status == INTERRUPTED:
                    rows.append(None)
                elif not result.ok:
                    rows.append(Row(np.full(self.width, np.nan), result.reason_code, str(result.reason)))
                else:
                    rows.append(self._of_result(result, values))
            except Exception as error:
                rows.append(self._failed(error))
        return rows

    def _failed(self, error: Exception) -> Row:
        return Row(np.full(self.width, np.nan), ERROR, f"{type(error).__name__}: {error}")

    # ----------------------------------------------------------------------------------------------- measures

    @property
    def _channels(self) -> list[str]:
        read = [each.channels for each in self.measures.values() if isinstance(each, Measure)]
        return list(dict.fromkeys(name for names in read for name in names))

    def _row(self, parts: Mapping[str, Reals], t: Reals | None = None, message: str = "") -> Row:
        """The row of a run with these measures; t: times of its series, if they are not those of the study."""
        numbers, texts = list[Reals](), [message] if message else []
        status = OK
        for name, part in parts.items():
            measure = self.measures[name]
            if not (np.all(np.isfinite(part)) or (isinstance(measure, Measure) and measure.may_be_undefined)):
                status, value = UNDEFINED, "not finite at some time" if len(part) > 1 else f"{part[0]:g}"
                texts.append(f'"{name}" is {value}: {getattr(measure, "text", measure)}')
            numbers.append(part if t is None or self.size(measure) == 1 else self._on_grid(t, part))
        return Row(np.concatenate(numbers), status, "; ".join(texts))

    def _of_result(self, result: Result, values: Mapping[str, Any]) -> Row:
        """The row of one run."""
        series = {name: result[name][None] for name in self._channels}
        several = {name: [each] for name, each in values.items()}
        parts = dict[str, Reals]()
        for name, measure in self.measures.items():
            if isinstance(measure, Measure):
                found = measure(1, result.t, series, self._numbers_of(measure, several))
                parts[name] = found[0] if measure.is_series else found
            else:
                parts[name] = _of_function(name, measure, result)
        return self._row(parts, result.t, "" if result.reason_code == "end-time" else str(result.reason))

    def _on_grid(self, t: Reals, series: Reals) -> Reals:
        """Values at the times of the results; after a jump, those behind it; NaN after the end of the run."""
        rows = np.searchsorted(t, self.times, side="right") - 1
        there = (rows >= 0) & (t[rows] == self.times)
        return np.where(there, series[rows], np.nan)

    def _numbers_of(self, measure: Measure, values: Columns) -> dict[str, Reals]:
        """[runs, 1] the numbers of the model that a measure reads."""
        if all(name in values for name in measure.numbers):
            return {name: np.array(values[name], dtype=float)[:, None] for name in measure.numbers}
        found = {name: list[float]() for name in measure.numbers}
        for k in range(len(next(iter(values.values())))):
            own = {name: each[k] for name, each in values.items()}
            if isinstance(self.model, Model):
                model = with_values(described(self.system.model), own)
            else:
                model = described(self.model(**own))
            for name, numbers in found.items():
                numbers.append(float(own[name]) if name in own else find(model, name).number(model))
        return {name: np.array(each)[:, None] for name, each in found.items()}


def _of_function(name: str, function: Any, result: Result) -> Reals:
    given = function(result)
    if given is None:
        raise TypeError(f'"{name}": the function returned None; it must be one number')
    value = np.asarray(given, dtype=float)
    if value.size != 1:
        raise ValueError(f'"{name}": the function returned an array {value.shape}; it must be one number')
    return value.reshape(1)


# ------------------------------------------------------------------------------------------------------ in processes

_jobs = dict[str, Job]()
_one_at_a_time = threading.Lock()  # warnings of Python are caught for the whole process


def run_chunk(packed: bytes, key: str, columns: Columns, workers: int = 1) -> Chunk:
    """Run a chunk in the process of a worker, which unpacks and compiles a job once."""
    with _one_at_a_time:
        if key not in _jobs:
            import pickle

            while len(_jobs) >= KEPT:
                _jobs.pop(next(iter(_jobs)))
            _jobs[key] = pickle.loads(packed)
        return _jobs[key].run(columns, workers)
