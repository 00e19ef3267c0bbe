"""`ParameterSetter`: names of parameters resolved once, values set many times.

`setter.system(values)` makes a system with these values. `setter.slots` is the same as a table for compiled loops:
each number that kernels read is affine in the parameters,

    array[place] = offset + sum of scale_k * values[parameter_k]                                                    (1)

Gravity, masses and moments of inertia, numbers of force elements, initial values, and declared parameters in plain
arithmetic of laws have such slots. All other names (`setter.rest`) need `setter.system`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from duoti.model.errors import ParameterError
from duoti.model.expand_bond_graphs import described
from duoti.model.parameters import Parameter, computed_from, find_all, names_in
from duoti.system.arrays import Ints, Reals
from duoti.system.parameters import changes_numbers_only
from duoti.system.system import System

ARRAYS = ("gravity", "inertia", "reals", "constants", "q0", "v0", "z0")
"""What `Slots.array` counts in: arrays of `System.tree`, `loads.forces`, `loads.laws`, and the initial state."""
PROBES = (1.0, 1.5, 2.5, 0.75)  # factors of the value at which the arrays are compared
AFFINE = 1e-12  # part of its size by which a number may miss (1) at the probes: round-off of sums of moments


class Slots(NamedTuple):
    """The table (1): entry e is number place[e], counted flat, of ARRAYS[array[e]].

    Its terms are first[e] ... first[e + 1] - 1.
    """

    array: Ints
    place: Ints
    offset: Reals
    first: Ints
    parameter: Ints
    scale: Reals


class ParameterSetter:
    """Parameters of a compiled model, found once by their names.

    Attributes
    ----------
    names:
        The names, in the order of the values.
    values:
        The values that the system has.
    slots:
        What the names with slots write.
    rest:
        Names without slots; if there are any, use `system`.
    """

    def __init__(self, base: System, names: Sequence[str]):
        if isinstance(names, str):
            raise TypeError(f'names={names!r}: give a list of names such as ["crank.mass"]')
        model = described(base.model)
        self.base, self.names = base, tuple(names)
        self._found = find_all(model, self.names)
        if len({(p.element, p.field, p.component) for p in self._found}) < len(self._found):
            raise ParameterError(f"{', '.join(self.names)}: a number is named twice")
        self.values = np.array([p.number(model) for p in self._found])
        self.slots, self.rest = self._slots()

    def system(self, values: ArrayLike) -> System:
        """A system with these values, one for each name; ParameterError or ModelError if they do not fit."""
        numbers = self._numbers(values, 1)
        return self.base.with_parameters(dict(zip(self.names, numbers.tolist(), strict=True)))

    def require(self, values: ArrayLike) -> Reals:
        """Values [runs, names] as an array; ParameterError or ModelError if some are not finite or do not fit.

        Of each parameter the smallest and the largest value are tried in the model: its limits are those of ranges.
        """
        numbers = self._numbers(values, 2)
        for k, name in enumerate(self.names):
            for extreme in {float(numbers[:, k].min()), float(numbers[:, k].max())} if len(numbers) else ():
                self.base.with_parameters({name: extreme})
        return numbers

    def arrays(self, values: ArrayLike) -> dict[str, Reals]:
        """Copies of the arrays that the slots write, with these values: what a kernel does for each run."""
        if self.rest:
            raise ParameterError(f"{', '.join(self.rest)}: no slots; use setter.system(values)")
        numbers, made = self._numbers(values, 1), dict[str, Reals]()
        start, s = arrays_of(self.base), self.slots
        for e, code in enumerate(s.array.tolist()):
            name = ARRAYS[code]
            array = made.setdefault(name, start[name].copy())
            terms = slice(s.first[e], s.first[e + 1])
            array.reshape(-1)[s.place[e]] = s.offset[e] + s.scale[terms] @ numbers[s.parameter[terms]]
        return made

    def _numbers(self, values: ArrayLike, dimensions: int) -> Reals:
        numbers = np.asarray(values, dtype=float)
        if numbers.ndim != dimensions or numbers.shape[-1] != len(self.names):
            shape = f"({len(self.names)},)" if dimensions == 1 else f"(runs, {len(self.names)})"
            raise ParameterError(f"values have shape {numbers.shape}; give {shape}, for {', '.join(self.names)}")
        if not np.all(np.isfinite(numbers)):
            k = int(np.argwhere(~np.isfinite(numbers))[0][-1])
            raise ParameterError(f"{self.names[k]}: values must be finite numbers")
        return numbers

    def _slots(self) -> tuple[Slots, tuple[str, ...]]:
        start = arrays_of(self.base)
        entries = dict[tuple[int, int], list[tuple[int, float]]]()
        owners = [p.element for p in self._found]
        rest = list[str]()
        for k, parameter in enumerate(self._found):
            owner = parameter.element
            together = owner is not None and owner.kind == "body" and owners.count(owner) > 1  # products of both
            found = None if together else self._probed(parameter, float(self.values[k]), start)
            if found is None:
                rest.append(self.names[k])
            else:
                for place, scale in found.items():
                    entries.setdefault(place, []).append((k, scale))
        for places in [place for place, terms in entries.items() if len(terms) > 1 and ARRAYS[place[0]] != "inertia"]:
            for k, _ in entries[places]:  # a constant of several parameters: products, perhaps
                if self.names[k] not in rest:
                    rest.append(self.names[k])
        gone = {self.names.index(name) for name in rest}
        kept = {place: terms for place, terms in entries.items() if not gone & {k for k, _ in terms}}
        offsets = [
            float(start[ARRAYS[a]].reshape(-1)[i]) - sum(scale * float(self.values[k]) for k, scale in terms)
            for (a, i), terms in kept.items()
        ]
        terms = [term for each in kept.values() for term in each]
        slots = Slots(
            np.array([a for a, _ in kept], np.int64), np.array([i for _, i in kept], np.int64), np.array(offsets),
            np.cumsum([0, *map(len, kept.values())], dtype=np.int64),
            np.array([k for k, _ in terms], np.int64), np.array([scale for _, scale in terms], np.float64),
        )  # fmt: skip
        return slots, tuple(rest)

    def _probed(
        self, parameter: Parameter, value: float, start: dict[str, Reals]
    ) -> dict[tuple[int, int], float] | None:
        """What a parameter writes, with its scale; None if that is not a number of its own, or not affine."""
        if not self._affine_kind(parameter):
            return None
        points = [x * f for f in PROBES] if (x := value) else [1.0, 1.5, 2.5, 0.75]
        made = list[dict[str, Reals]]()
        for point in points:
            try:
                system = self.base.with_parameters({parameter.name: point})
            except (ParameterError, ValueError):
                return None
            if not np.array_equal(system.loads.laws.code, self.base.loads.laws.code):
                return None
            made.append(arrays_of(system))
        found = dict[tuple[int, int], float]()
        for a, name in enumerate(ARRAYS):
            rows = np.array([start[name].ravel(), *(each[name].ravel() for each in made)])
            same = (rows == rows[0]) | np.isnan(rows) & np.isnan(
                rows[0]
            )  # beyond the ends of tables there is no number
            for i in np.flatnonzero(~np.all(same, axis=0)).tolist():
                column, p = rows[:, i], np.array([value, *points])
                scale = 1.0 if np.array_equal(column, p) else (column[3] - column[4]) / (p[3] - p[4])
                if np.max(np.abs(column[0] + scale * (p - value) - column)) > AFFINE * np.max(np.abs(column)):
                    return None
                found[a, i] = float(scale)
        return found

    def _affine_kind(self, parameter: Parameter) -> bool:
        owner = parameter.element
        if owner is not None and owner.kind == "parameter" and computed_from(described(self.base.model), (owner.name,)):
            return False
        if not changes_numbers_only(self.base, parameter, parameter.number(described(self.base.model))):
            return False
        if owner is None or owner.kind in ("state", "joint"):
            return True
        if owner.kind == "body":
            return parameter.field in ("mass", "inertia")
        if owner.kind == "parameter":
            texts = {law.program.text for law in self.base.laws if law.program is not None}
            reading = [text for text in texts if owner.name in names_in(text)]
            return not any(owner.name in _folded_in_functions(text, self.base.model.parameters) for text in reading)
        return owner.kind == "force"


def _folded_in_functions(text: str, constants: Collection[str]) -> set[str]:
    """Parameters in functions or comparisons of constants alone (`sqrt(k)`), which are computed before a run."""
    from duoti.model.laws.expressions.parser import CONSTANTS, Apply, Name, parse

    found = set[str]()

    def names(node: Any) -> tuple[set[str], bool]:
        """Parameters in a node, and whether it depends on nothing else."""
        if isinstance(node, Name):
            return {node.name} & {*constants}, node.name in constants or node.name in CONSTANTS
        if not isinstance(node, Apply):
            return set(), True
        parts = [names(each) for each in node.arguments]
        inside, constant = set[str]().union(*(part for part, _ in parts)), all(each for _, each in parts)
        if constant and node.function not in ("+", "-", "*", "/"):
            found.update(inside)
        return inside, constant

    names(parse(text))
    return found


def arrays_of(system: System) -> dict[str, Reals]:
    """The arrays that ARRAYS names."""
    q, v = system.initial_state()
    loads = cast(Any, system.loads)
    found = (system.tree.gravity, system.tree.inertia, loads.forces.reals, loads.laws.constants)
    return dict(zip(ARRAYS, (*found, q, v, system.initial_z()), strict=True))
