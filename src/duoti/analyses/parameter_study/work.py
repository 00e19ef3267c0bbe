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

OK, NOT_RUN, ERROR, INTERRUPTED = "ok", "not-run", "error", "interrupted"
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
            )  # fmt: skip
        except Exception as error:
            if runs > 1:  # each run has a message of its own, and none takes others with it
                return [self._batch({name: [each[k]] for name, each in columns.items()}, 1)[0] for k in range(runs)]
            return [self._failed(error)] * runs
        jumps = bool(system.model.events or system.model.contacts)  # with outputs of their own
        reached = ~np.isnan(batch.states[:, :, 0])
        return [self._row(batch, k, columns, jumps, reached[k]) for k in range(runs)]

    def _row(self, batch: BatchResult, k: int, columns: Columns, jumps: bool, reached: Any) -> Row | None:
        code = str(batch.reason_code[k])
        if code == INTERRUPTED:
            return None
        if not batch.ok[k]:
            return Row(np.full(self.width, np.nan), code, str(batch.reason[k]))
        try:
            values = {name: each[k] for name, each in columns.items()}
            if jumps:
                numbers = self._values_of_measures(batch.result(k), values)
            else:
                series = {name: batch[name][k][reached] for name in self._channels}
                numbers = self._values_of_measures(None, values, batch.t[reached], series, lambda: batch.result(k))
        except Exception as error:  # of a function of the user's, too
            return self._failed(error)
        return Row(numbers, OK, "" if code == "end-time" else str(batch.reason[k]))

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
                    message = "" if result.reason_code == "end-time" else str(result.reason)
                    rows.append(Row(self._values_of_measures(result, values), OK, message))
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

    def _values_of_measures(
        self, result: Result | None, values: Mapping[str, Any], t: Any = None, series: Mapping[str, Any] | None = None,
        of_run: Callable[[], Result] | None = None,
    ) -> Reals:  # fmt: skip
        if result is not None:
            t, series = result.t, {name: result[name] for name in self._channels}
        assert series is not None
        numbers = list[Reals]()
        for name, measure in self.measures.items():
            if isinstance(measure, Measure):
                found = measure(t, series, self._numbers_of(measure, values))
                numbers.append(self._on_grid(t, found) if measure.is_series else np.array([found]))
            else:
                one = measure(result if result is not None or of_run is None else of_run())  # pyright: ignore[reportArgumentType]
                value = np.asarray(one, dtype=float)
                if value.size != 1:
                    raise ValueError(f'"{name}": the function returned an array {value.shape}; it must be one number')
                numbers.append(value.reshape(1))
        return np.concatenate(numbers)

    def _on_grid(self, t: Reals, series: Reals) -> Reals:
        """Values at the times of the results; after a jump, those behind it; NaN after the end of the run."""
        rows = np.searchsorted(t, self.times, side="right") - 1
        there = (rows >= 0) & (t[rows] == self.times)
        return np.where(there, series[rows], np.nan)

    def _numbers_of(self, measure: Measure, values: Mapping[str, Any]) -> dict[str, float]:
        if all(name in values for name in measure.numbers):
            return {name: values[name] for name in measure.numbers}
        model = self.model(**values) if not isinstance(self.model, Model) else None
        model = model or with_values(described(self.system.model), dict(values))
        return {
            name: values[name] if name in values else find(described(model), name).number(described(model))
            for name in measure.numbers
        }


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
