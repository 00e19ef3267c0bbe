"""The numbers that the runs of a batch write into a compiled model, to the last bit those of `System.with_parameters`.

Numbers that stand in an array as they are (gravity, stiffnesses, constants of laws, initial values of trees) and masses
of bodies are made for all runs at once. For others, such as lengths, `with_parameters` makes a system for each run,
whose numbers are copied.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from duoti.analyses.states.initial_state import closed_state
from duoti.integrate.events import times_of_events
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND
from duoti.model.errors import ParameterError
from duoti.model.expand_bond_graphs import described
from duoti.model.parameters import Parameter, find_all
from duoti.spatial import Inertia
from duoti.spatial.inertia import spatial_numbers
from duoti.system.arrays import Reals
from duoti.system.number_pool import NumberPool
from duoti.system.setter import ARRAYS, ParameterSetter, arrays_of
from duoti.system.system import FrameKey, System

REFUSALS = (ValueError, ArithmeticError, NotImplementedError)  # of numbers with which a run cannot begin
INERTIA, INITIAL = ARRAYS.index("inertia"), ARRAYS.index("q0")
PATHS = (("tree", "gravity"), ("tree", "inertia"), ("loads", "forces", "reals"), ("loads", "laws", "constants"))
"""Where the first of ARRAYS stand in a system."""
NUMBERS_OF_LINK = 10


class Written(NamedTuple):
    """What runs first ... last - 1 write."""

    numbers: Reals
    """[runs, places]"""
    y0: Reals
    """[runs or 1, states] where they begin"""
    refused: list[int]
    """Runs, counted from `first`, whose values do not fit or need other programs of laws."""


class RunNumbers:
    """Numbers of all runs; `place` says where they go in the `pool`, and behind its end in the state (q, v, z).

    `why_not` says what else than numbers changes; then there is nothing else here.
    """

    def __init__(self, system: System, values: Mapping[str, Any]):
        self.system, self.values = system, dict(values)
        self.names = tuple(values)
        self.found = find_all(described(system.model), self.names)
        self.pool = NumberPool(system)
        self.why_not = self._why_not()
        if self.why_not:
            return
        self.loops = bool(system.closures.rows)
        self.code = system.loads.laws.code
        q, v = closed_state(system) if self.loops else system.initial_state()
        self.y0 = system.whole_state(q, v)[None]
        self.refused: Any = None
        self.all = self._for_all_runs()
        if self.all is None:
            self.place = np.arange(self.pool.size)
        self.why_not_lanes = self._why_not_lanes()

    def of(self, first: int, last: int) -> Written:
        """The numbers of some runs; any thread may ask."""
        if self.all is not None:
            return Written(self.all[first:last], self.y0, np.flatnonzero(self.refused[first:last]).tolist())
        numbers, refused = np.zeros((last - first, self.pool.size)), list[int]()
        y0 = np.repeat(self.y0, last - first, axis=0)
        for k in range(last - first):
            try:
                made = self.system.with_parameters({name: _one(each[first + k]) for name, each in self.values.items()})
                if not np.array_equal(made.loads.laws.code, self.code):
                    raise ParameterError("the laws of this run are other programs")
                numbers[k] = self.pool.numbers(made)
                q, v = closed_state(made) if self.loops else made.initial_state()
                y0[k] = made.whole_state(q, v, made.initial_z())
            except REFUSALS:
                refused.append(k)
        return Written(numbers, y0, refused)

    def _why_not(self) -> str:
        due = times_of_events(self.system)
        for name in self.names:
            if name in due:
                return f'"{name}" is the time of an event'
            for value in self.values[name]:
                try:
                    made = self.system.with_parameters({name: _one(value)})
                except REFUSALS:
                    continue  # of this run; the next ones may have a value that fits
                try:
                    self.pool.numbers(made)
                except ValueError:
                    return f'"{name}" changes more than numbers in arrays'
                break
        return ""

    def _why_not_lanes(self) -> str:
        """Which parameter changes numbers that all lanes share (tables, numbers of beams)."""
        if self.all is not None:
            return ""  # they stand in arrays that have a number for each lane
        for name, values in self.values.items():
            some = values[[0, -1]] if values.ndim > 1 else np.array([values[0], values.min(), values.max()])
            for value in some:
                try:
                    made = self.pool.numbers(self.system.with_parameters({name: _one(value)}))
                except REFUSALS:
                    continue
                if self.changes_shared(made[None]).any():
                    return f'"{name}" changes tables or other numbers that all lanes share'
        return ""

    def changes_shared(self, numbers: Reals) -> Any:
        """Of whole pools [runs, numbers], which ones have other numbers than the model where all lanes share them."""
        first = self.pool.in_lanes
        mine, other = numbers[:, first:], self.pool.start[first:]
        return np.any((mine != other) & ~(np.isnan(mine) & np.isnan(other)), axis=1)

    def _for_all_runs(self) -> Any:
        """[runs, places]; None if some number is not made by arithmetic that is the same for arrays."""
        if any(each.ndim > 1 for each in self.values.values()):
            return None
        owners = [p.element for p in self.found if p.element is not None and p.element.kind not in ("joint", "state")]
        initial = any(p.element is not None and p.element.kind in ("joint", "state") for p in self.found)
        if len(set(owners)) < len(owners) or (initial and self.loops):
            return None
        masses = [p for p in self.found if p.element is not None and p.element.kind == "body" and p.field == "mass"]
        plain = [name for name, p in zip(self.names, self.found, strict=True) if p not in masses]
        written = self._plain(plain)
        if written is None:
            return None
        for parameter in masses:
            rows = self._masses(parameter)
            if rows is None or any(place in written for place in rows):
                return None
            written |= rows
        if not self._equals_with_parameters(written):
            return None
        nq, nv, size = self.system.nq, self.system.nv, self.pool.size
        first = [*(self.pool.first[path] for path in PATHS), size, size + nq, size + nq + nv]
        self.place = np.array([first[array] + place for array, place in written], np.int64)
        runs = len(next(iter(self.values.values())))
        return np.column_stack([np.zeros((runs, 0)), *written.values()])

    def _plain(self, names: list[str]) -> dict[tuple[int, int], Reals] | None:
        """Numbers that are a parameter times a power of two."""
        if not names:
            return {}
        setter = ParameterSetter(self.system, names)
        slots = setter.slots
        if setter.rest or np.any(np.diff(slots.first) != 1) or np.any(slots.offset != 0.0):
            return None
        if any(abs(math.frexp(scale)[0]) != 0.5 for scale in slots.scale.tolist()):
            return None
        return {
            (int(slots.array[e]), int(slots.place[e])): slots.scale[e] * self.values[names[slots.parameter[e]]]
            for e in range(len(slots.array))
        }

    def _masses(self, parameter: Parameter) -> dict[tuple[int, int], Reals] | None:
        """The ten numbers of the link that a body is in: the same sums as those of `with_parameters`."""
        system, name = self.system, parameter.element.name if parameter.element else ""
        index, m = system.bodies[name], self.values[parameter.name]
        rows: list[Any] = [np.zeros(len(m)) for _ in range(NUMBERS_OF_LINK)]
        for body, other in system.bodies.items():
            if other != index or body == GROUND:
                continue
            own = system.model.bodies[body].inertia
            if not isinstance(own, Inertia):
                return None
            X = system.loads.markers.X_BM[system.markers[FrameKey(ElementId("body", body))]].tolist()
            mass: Any = own.mass
            moments: list[Any] = [float(own.matrix[i, j]) for i, j in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))]
            if body == name:
                if own.shapes and own.mass == 0.0:
                    return None
                moments = [m / own.mass * each for each in moments] if own.shapes else moments
                mass = m
            numbers = spatial_numbers(mass, own.com.tolist(), moments, X[:9], X[9:12])
            rows = [row + number for row, number in zip(rows, numbers, strict=True)]
        return {(INERTIA, NUMBERS_OF_LINK * index + i): row for i, row in enumerate(rows)}

    def _equals_with_parameters(self, written: dict[tuple[int, int], Reals]) -> bool:
        """Compare the runs with the smallest and largest values; notes runs with values that are refused."""
        runs = len(next(iter(self.values.values())))
        self.refused = np.zeros(runs, bool)
        for name, values in self.values.items():
            self.refused |= ~np.isfinite(values)
            if not np.isfinite(values).any():
                continue
            extremes = {int(np.nanargmin(values)), int(np.nanargmax(values))}
            if all(self._fits(name, values[k]) for k in extremes):
                continue
            self.refused |= ~np.array([self._fits(name, each) for each in values])
        some = np.flatnonzero(~self.refused)
        for k in (
            {some[0], some[-1], *(some[np.argmax(each[some])] for each in self.values.values())} if len(some) else ()
        ):
            made = self.system.with_parameters({name: float(each[k]) for name, each in self.values.items()})
            arrays, ours = arrays_of(made), arrays_of(self.system)
            for (array, place), numbers in written.items():
                whole = ours[ARRAYS[array]] = ours[ARRAYS[array]].copy()
                whole.reshape(-1)[place] = numbers[k]
            if not all(np.array_equal(arrays[name], ours[name]) for name in ARRAYS):
                return False
            if not np.array_equal(made.loads.laws.code, self.code):
                return False
        return True

    def _fits(self, name: str, value: float) -> bool:
        try:
            self.system.with_parameters({name: float(value)})
        except REFUSALS:
            return False
        return True


def _one(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value
