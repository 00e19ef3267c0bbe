"""`BatchResult`: the motions of many runs of one model, labelled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from duoti.analyses.simulate.choose_solver import SolverChoice
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.integrate import Solver
from duoti.integrate.record import NO_RECORD, RecordLayout
from duoti.model.model import Model
from duoti.model.quantities import Quantity, all_names, find_quantity
from duoti.results.records import Reason, Stats
from duoti.results.result import Result
from duoti.strict import explained_methods
from duoti.system.arrays import Ints, Reals, size_of_state
from duoti.system.system import System

COUNTED = ("steps", "rejected", "evaluations", "jacobians")
NOT_DONE = Reason("interrupted", "interrupted by the user before its end")
ROWS_AT_ONCE = 1 << 16  # states that are evaluated together


class Store:
    """What the runs write: each one its own rows, so that threads need no lock."""

    def __init__(self, system: System, runs: int, times: Reals):
        self.times = times
        self.y = np.empty((runs, len(times), size_of_state(system.tree)))
        self.x: Any = None  # records of implicit solvers, made by the first run that has one
        self.layout = NO_RECORD
        self.rows = np.zeros(runs, np.int64)  # outputs that a run reached
        self.done = np.zeros(runs, bool)
        self.ok = np.zeros(runs, bool)
        self.reasons: list[Reason] = [NOT_DONE] * runs
        self.counts = np.zeros((runs, len(COUNTED)), np.int64)
        self.kept: dict[int, Result] = {}  # runs with events or contacts, of which the outputs do not tell all

    def require_record(self, layout: RecordLayout) -> None:
        """Make room for records beside the states; before threads begin."""
        if layout.size and self.x is None:
            self.layout, self.x = layout, np.full((*self.y.shape[:2], layout.size), np.nan)

    def put(self, k: int, result: Result) -> None:
        """Keep the outputs of a run at the times that were asked for; after a jump, those behind it."""
        rows = selected(result.t, self.times)
        n = len(rows)
        self.y[k, :n], self.y[k, n:] = np.asarray(result.states)[rows], np.nan
        if self.x is not None and result.record_layout == self.layout:
            self.x[k, :n] = np.asarray(result.record)[rows]
        stats = result.stats
        self.counts[k] = stats.steps, stats.rejected, stats.evaluations, stats.jacobians
        self.finish(k, n, result.ok, result.why_ended)

    def refuse(self, k: int, error: Exception) -> None:
        """Note a run that could not begin."""
        self.y[k] = np.nan
        self.finish(k, 0, False, Reason("error", f"{type(error).__name__}: {error}"))

    def finish(self, k: int, rows: int, ok: bool, reason: Reason) -> None:
        """Note that a run is done."""
        self.rows[k], self.ok[k], self.reasons[k] = rows, ok, reason
        self.done[k] = True

    def leave_out_the_rest(self) -> None:
        """Rows of runs that were not done are undefined."""
        self.y[~self.done] = np.nan


def selected(t: Reals, times: Reals) -> Ints:
    """Which of the outputs at t are those at the given times: of several at one time the last; none after the end."""
    n = min(len(t), len(times))
    if len(t) <= len(times) and np.array_equal(t, times[:n]):
        return np.arange(n)
    rows = np.searchsorted(t, times, side="right") - 1
    return rows[(rows >= 0) & (t[rows] == times)]


@explained_methods
class BatchResult:
    """The motions of many runs: `b["A.angle"]` is an array [runs, times], with a third axis for components.

    Outputs that a run did not reach are NaN: those after an event that ends it, and those after a failure.

    Attributes
    ----------
    t:
        Times of the outputs [s], the same for all runs.
    ok:
        For each run, whether it reached its end.
    reason:
        For each run, why it ended, in a sentence.
    reason_code:
        The same as a short word: "end-time", "event", "energy-lost", ..., as in `Result.reason_code`.
    parameters:
        The values that the runs have, by name.
    steps, rejected, evaluations:
        For each run, what the solver did.
    seconds:
        Wall time of all runs together.
    workers, lanes:
        Threads that ran them, and how many runs each of these computed side by side.
    solver:
        The solver of all runs, with its settings.
    notes:
        How the runs were made, and what they had to say.
    """

    def __init__(
        self,
        system: System,
        store: Store,
        parameters: Mapping[str, Reals],
        system_of: Callable[[int], System],
        again: Callable[[int], Result] | None,
        choice: SolverChoice,
        method: ConstraintMethod,
        same_geometry: bool,
        seconds: float,
        workers: int,
        notes: tuple[str, ...],
        lanes: int,
    ):
        store.leave_out_the_rest()
        self.system, self.parameters = system, dict(parameters)
        self._again = again
        self._store, self._system_of, self._choice, self._method = store, system_of, choice, method
        self._same_geometry = same_geometry
        self.seconds, self.workers, self.lanes, self.notes = seconds, workers, lanes, notes
        self.t, self.ok = store.times, store.ok
        self.reason = _texts(each.text for each in store.reasons)
        self.reason_code = _texts(each.code for each in store.reasons)
        self.steps, self.rejected, self.evaluations = store.counts[:, 0], store.counts[:, 1], store.counts[:, 2]
        for array in (self.t, self.ok, store.y, store.counts):
            array.setflags(write=False)
        self._known: dict[str, Reals] = {}

    @property
    def model(self) -> Model:
        """The model, with its own numbers."""
        return self.system.model

    @property
    def solver(self) -> Solver:
        """The solver of all runs."""
        return self._choice.solver

    @property
    def states(self) -> Reals:
        """[runs, times, states] whole states, in the order of `Result.layout.columns`."""
        return self._store.y

    @property
    def channels(self) -> list[str]:
        """Names of all channels."""
        return all_names(self.model)

    def unit(self, name: str) -> str:
        """Unit of a channel."""
        return find_quantity(self.model, name).unit

    def __len__(self) -> int:
        return len(self.ok)

    def __repr__(self) -> str:
        good = int(np.count_nonzero(self.ok))
        return f"<batch of {self.model.name!r}: {len(self)} runs, {good} ok; {len(self.t)} outputs each>"

    def result(self, run: int) -> Result:
        """The result of one run, as `simulate` returns it.

        Parameters
        ----------
        run:
            Number of the run, from 0.
        """
        if not -len(self) <= run < len(self):
            raise IndexError(f"run={run!r}: the batch has the runs 0 to {len(self) - 1}")
        k = range(len(self))[run]
        store = self._store
        if k in store.kept:
            return store.kept[k]
        if self._again is not None and store.done[k] and store.rows[k]:  # outputs do not tell all of a run with events
            store.kept[k] = self._again(k)
            return store.kept[k]
        if not store.rows[k]:
            raise ValueError(f"run {k} has no outputs: {self.reason[k]}")
        steps, rejected, evaluations, jacobians = store.counts[k].tolist()
        stats = Stats(
            repr(self.solver), steps, rejected, evaluations, float("nan"), jacobians=jacobians,
            notes=self._choice.notes, chosen=self._choice.stated_reasons,
        )  # fmt: skip
        n, reason = int(store.rows[k]), store.reasons[k]
        record = None if store.x is None else store.x[k, :n]
        status = "finished" if store.ok[k] else "interrupted" if reason.code == "interrupted" else "failed"
        return Result(
            self._system_of(k), self.t[:n], store.y[k, :n], bool(store.ok[k]), reason, stats, (), stats.solver,
            self._method, status, record=record, record_layout=store.layout,
        )  # fmt: skip

    def __contains__(self, name: str) -> bool:
        return name in self._of_base(np.zeros(0), self._store.y[0, :0])

    def __getitem__(self, name: str) -> Reals:
        if name not in self._known:
            values = self._evaluated(name, find_quantity(self.model, name))
            values.setflags(write=False)
            self._known[name] = values
        return self._known[name]

    def _evaluated(self, name: str, quantity: Quantity) -> Reals:
        store = self._store
        runs, times = store.y.shape[:2]
        size = () if quantity.size == 1 or quantity.component is not None else (quantity.size,)
        values = np.full((runs, times, *size), np.nan)
        if self._is_of_states(quantity):
            states = store.y.reshape(runs * times, -1)
            values[...] = self._of_base(np.tile(self.t, runs), states)[name].reshape(values.shape)
        elif self._is_the_same_function(quantity):
            reached = np.arange(times) < store.rows[:, None]
            flat, t = values.reshape(runs * times, *size), np.broadcast_to(self.t, (runs, times))[reached]
            where, states = np.flatnonzero(reached), store.y.reshape(runs * times, -1)
            for first in range(0, len(where), ROWS_AT_ONCE):
                rows = slice(first, first + ROWS_AT_ONCE)
                flat[where[rows]] = self._of_base(t[rows], states[where[rows]])[name]
        else:
            for k in np.flatnonzero(store.rows).tolist():
                result = self.result(k)
                rows = selected(result.t, self.t)
                values[k, : len(rows)] = result[name][rows]
        return values

    def _of_base(self, t: Reals, y: Reals) -> Result:
        stats = Stats(repr(self.solver), 0, 0, 0, 0.0)
        return Result(self.system, t, y, True, Reason("end-time", ""), stats, constraints=self._method)

    def _is_of_states(self, quantity: Quantity) -> bool:
        """Whether a channel is a column of the state."""
        if quantity.kind == "state":
            return quantity.what == ""
        if quantity.kind != "joint" or self.system.joints[quantity.item].closure >= 0:
            return False
        return quantity.what != "a" and not quantity.what.startswith("reaction")

    def _is_the_same_function(self, quantity: Quantity) -> bool:
        """Whether a channel follows from the states by a function that the parameters have no influence on."""
        return (
            self._same_geometry
            and quantity.kind in ("body", "marker")
            and quantity.what in ("position", "rotation", "velocity", "angular_velocity")
        )


def _texts(texts: Any) -> Any:
    array = np.array(list(texts), dtype=object)
    array.setflags(write=False)
    return array


__all__ = ["BatchResult", "Store"]
