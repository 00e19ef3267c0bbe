"""The numbers that a stepper holds, and the system that reads them."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from duoti.analyses.stepper.inputs import INITIAL, Input, add_input
from duoti.integrate.events import TIME_MINUS
from duoti.integrate.hand_steps import Held
from duoti.model.errors import ParameterError
from duoti.model.expand_bond_graphs import described, expanded
from duoti.model.model import Model
from duoti.model.parameters import find, find_all
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import build_system
from duoti.system.force_signals import with_own_readers
from duoti.system.setter import ParameterSetter, Slots
from duoti.system.system import System

OWN = ("gravity", "inertia", "reals", "constants")  # arrays that the entry writes, in the order of `Held`
ROOM = 64  # numbers that may be held before arrays of inputs have to be asked for anew
NONE = np.zeros(0, np.int64)
NO_SLOTS = Slots(NONE, NONE, np.zeros(0), np.zeros(1, np.int64), NONE, np.zeros(0))


class HeldNumbers:
    """Names, their values, and the system with these values.

    Attributes
    ----------
    system:
        The system that the loop runs: its numbers are arrays of its own, which steps write.
    names, values:
        Parameters that are held, and what is written into the system at the next step.
    """

    def __init__(self, system: System):
        self.inputs: dict[str, Input] = {}
        self._ported = self.reference = self.base = system  # with the parameters of the inputs
        self.changes: dict[str, Any] = {}
        self.names: tuple[str, ...] = ()
        self.values, self.slots, self._first = np.zeros(0), NO_SLOTS, np.zeros(0)
        self.room: Reals = np.zeros(ROOM)
        """Where the values are."""
        self._current: Any = None  # what `current` made last, and of what
        self._layout: tuple[str, ...] = ()  # names of the places in it
        self._live()

    def start(self, changes: Mapping[str, Any]) -> bool:
        """The numbers of the model, but for these; those that are held have them, too. True: another system."""
        changes = {self._parameter(name): value for name, value in changes.items()}
        if not _same(changes, self.changes):
            held = self.names
            self.changes, self.names, self.values, self.slots = changes, (), np.zeros(0), NO_SLOTS
            self.reference = self.base = self._ported.with_parameters(changes) if changes else self._ported
            self._live()
            if held and (rest := self._hold(held)):
                raise ParameterError(f"{', '.join(rest)}: cannot be held with these parameters")
            return True
        self.values[:] = self._first
        return False

    def _parameter(self, name: str) -> str:
        return self.inputs[name].parameter if name in self.inputs else name

    def _live(self) -> None:
        """The system with arrays of its own."""
        base = self.base
        tree = base.tree._replace(gravity=base.tree.gravity.copy(), inertia=base.tree.inertia.copy())
        loads: Any = base.loads
        forces = loads.forces._replace(reals=loads.forces.reals.copy())
        laws = loads.laws._replace(constants=loads.laws.constants.copy())
        made = replace(base, tree=tree, loads=loads._replace(forces=forces, laws=laws))
        self.system = with_own_readers(made, self.current)

    def held(self) -> Held:
        """What the entry reads and writes."""
        tree, loads, s = self.system.tree, self.system.loads, self.slots
        arrays = (tree.gravity, tree.inertia, loads.forces.reals, loads.laws.constants)
        return Held(
            s.array, s.place, s.offset, s.first, s.parameter, s.scale, self.values,
            *(each.reshape(-1) for each in arrays),
        )  # fmt: skip

    def current(self) -> System:
        """A system with the present values, by itself."""
        key = self.base, self.names, self.values.tobytes()
        if self._current is None or self._current[0] != key:
            made = self.base.with_parameters(dict(zip(self.names, self.values.tolist(), strict=True)))
            self._current = key, made
        return self._current[1]

    def places(self, names: Iterable[str]) -> list[int]:
        """Where the numbers of these names are in `values`, if all are held and need no other system; else []."""
        wanted = [self._parameter(name) for name in names]
        return [self.names.index(each) for each in wanted] if set(wanted) <= set(self.names) else []

    def value(self, name: str) -> float | None:
        """The present value of a number that is held, or of a declared parameter; None if the name is none."""
        parameter = self._parameter(name)
        if parameter in self.names:
            return float(self.values[self.names.index(parameter)])
        declared = described(self.base.model).parameters
        return float(declared[parameter]) if parameter in declared else None

    def hold(self, names: Iterable[str]) -> list[str]:
        """Hold further numbers; returns those that no compiled step can write, which need another system.

        The arrays of the present system stay, unless an input is new.
        """
        names = tuple(names)
        self._add_inputs([name for name in names if name not in self.inputs])
        return self._hold(tuple(self._parameter(name) for name in names))

    def _hold(self, parameters: tuple[str, ...]) -> list[str]:
        model = described(self.base.model)
        wanted = [*self.names, *(each for each in dict.fromkeys(parameters) if each not in self.names)]
        found, timed = find_all(model, wanted), _times_of_events(model)
        if initial := [each.name for each in found if each.field in INITIAL]:
            raise ParameterError(f"{', '.join(initial)}: initial values; give them to reset(parameters=...)")
        rest = [
            p.name for p in found if p.element is not None and p.element.kind == "parameter" and p.element.name in timed
        ]
        now = self.current() if self.names else self.base
        setter = ParameterSetter(now, [each for each in wanted if each not in rest])
        if setter.rest:
            rest += setter.rest
            setter = ParameterSetter(now, [each for each in wanted if each not in rest])
        self._use(now, setter, dict(zip(self.names, self.values.tolist(), strict=True)))
        if not np.array_equal(now.loads.laws.code, self.system.loads.laws.code):
            self._live()
        return rest

    def _use(self, base: System, setter: ParameterSetter, values: Mapping[str, float]) -> None:
        """Hold the numbers of a setter; values: those that are not the setter's own."""
        model = described(self.reference.model)
        self.base, self.names, self.slots = base, setter.names, setter.slots
        self.values = self._places(setter.names)
        self.values[:] = [values.get(name, own) for name, own in zip(setter.names, setter.values, strict=True)]
        self._first = np.array([find(model, name).number(model) for name in self.names])

    def _places(self, names: tuple[str, ...]) -> Reals:
        """Room for values; that of before, if no name is elsewhere now."""
        both = min(len(names), len(self._layout))
        if names[:both] != self._layout[:both] or len(names) > len(self.room):
            self.room, self._layout = np.zeros(max(ROOM, 2 * len(names))), ()
        self._layout = names if len(names) > len(self._layout) else self._layout
        return self.room[: len(names)]

    def order(self, names: Iterable[str]) -> None:
        """Put these numbers, which are held, first."""
        first = [self._parameter(name) for name in names]
        setter = ParameterSetter(now := self.current(), [*first, *(each for each in self.names if each not in first)])
        self._use(now, setter, {})

    def is_checked(self, name: str) -> bool:
        """Whether not every finite number is one that a parameter may have."""
        owner = find(described(self.base.model), name).element
        return owner is not None and owner.kind != "parameter"

    def check(self, name: str, value: float) -> None:
        """Raise ModelError or ParameterError about a value that a parameter cannot have."""
        self.base.with_parameters({name: value})

    def _add_inputs(self, names: list[str]) -> None:
        if not names:
            return
        model = copy.copy(described(self._ported.model))
        before = dict(model.parameters), dict(model.forces)
        found, faults = dict[str, Input](), list[str]()
        for name in names:
            try:
                found[name] = add_input(model, name)
            except ParameterError as error:
                faults.append(str(error))
        if faults:
            raise ParameterError("; ".join(faults))
        if (dict(model.parameters), dict(model.forces)) != before:
            values = dict(zip(self.names, self.values.tolist(), strict=True))
            self._ported = compiled_on(model, self._ported)
            self.reference = self._ported.with_parameters(self.changes)
            self.base = self._ported.with_parameters({**self.changes, **values})
            self._live()
        self.inputs |= {name: each for name, each in found.items() if each.parameter != name}

    def other_system(self, changes: Mapping[str, Any]) -> None:
        """Make the system anew with other values of what needs another system; what is held stays so."""
        held = dict(zip(self.names, self.values.tolist(), strict=True))
        made = {**self.changes, **{self._parameter(name): value for name, value in changes.items()}}
        base = self._ported.with_parameters({**made, **held})
        setter = ParameterSetter(base, self.names)
        if setter.rest:
            raise ParameterError(f"{', '.join(setter.rest)}: cannot be held with these values; use reset(parameters=)")
        self.changes, self.reference = made, self._ported.with_parameters(made)
        self._use(base, setter, held)
        self._live()

    def state_dict(self) -> dict[str, Any]:
        """All that decides what the system is, for `load_state_dict`."""
        shown = {made.parameter: name for name, made in self.inputs.items()}
        held = {shown.get(name, name): float(x) for name, x in zip(self.names, self.values, strict=True)}
        return {
            "inputs": list(self.inputs),
            "changes": {shown.get(k, k): x for k, x in self.changes.items()},
            "held": held,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over what `state_dict` gave; further numbers that are held have their first values."""
        new = [name for name in state["inputs"] if name not in self.inputs]
        if new:
            self._add_inputs(new)
        self.start(state["changes"])
        if state["held"] and not self.places(state["held"]):
            self.hold(state["held"])
        for name, value in state["held"].items():
            self.values[self.places([name])[0]] = value


def _same(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


def _times_of_events(model: Model) -> set[str]:
    """Parameters that are times of events: these are scheduled when a run begins."""
    values = [event.value for event in model.events.values() if isinstance(event.value, str)]
    return {match[1] for value in values if (match := TIME_MINUS.fullmatch(value))} & set(model.parameters)


def compiled_on(model: Model, system: System) -> System:
    """The system of a model with other laws and further forces, on the tree of another system."""
    if model.bond_graphs:
        model = expanded(model)
    assert system.topology is not None
    fused = any(layout.fused for layout in system.joints.values())
    return replace(build_system(model, system.topology, fused), lacking=system.lacking)
