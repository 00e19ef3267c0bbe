"""Quantities that are read again and again while a run goes on: compiled, a microsecond each time."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from duoti.analyses.stepper.numbers import HeldNumbers, compiled_on
from duoti.dynamics.events import events_entry
from duoti.dynamics.workspace import CONTEXT_BYTES, new_workspace
from duoti.integrate.hand_steps import READING_CONTEXT, Reading, read_entry
from duoti.integrate.state import Run
from duoti.kernel import address_of, entry_address, entry_caller, pack
from duoti.model.errors import ChannelError
from duoti.model.event import Event
from duoti.model.expand_bond_graphs import described
from duoti.model.laws.law import make_law
from duoti.model.model import Model
from duoti.model.parameters import names_in
from duoti.model.quantities import ends_in, find_quantity, known_signal, law_fault
from duoti.model.state import State
from duoti.system.arrays import Reals
from duoti.system.context import REAL_CONTEXT

READ = "read_{}"  # names of the events that evaluate what is read
WORDS = 64  # of a packed Reading


class Reader:
    """Reads quantities of a stepper: `read()` returns their present values, always in the same array.

    Attributes
    ----------
    names:
        Names of the values: components of vectors by themselves, such as "tip.position.x".
    values:
        The array.
    """

    def __init__(self, numbers: HeldNumbers, names: Sequence[str]):
        self._numbers = numbers
        self.names = expanded_names(described(numbers.base.model), names, numbers)
        self.given = tuple(names)
        self.values: Reals = np.zeros(len(self.names))
        self._call: Callable[[], None] = _not_yet

    def __call__(self) -> Reals:
        """Read."""
        self._call()
        return self.values

    def attach(self, run: Run) -> None:
        """Read from this run from now on."""
        numbers = self._numbers
        model = copy.copy(described(numbers.base.model))
        model.parameters, model.states = dict(model.parameters), dict(model.states)
        texts = [_with_parameters(name, numbers) for name in self.names]
        read = set[str]().union(*(names_in(text) for text in texts)) & set(model.parameters)
        held = [name for name in numbers.names if name in read]
        for name in held:
            model.states[name] = State(name, 0.0, float(model.parameters.pop(name)))
        model.events = {READ.format(k): Event(text) for k, text in enumerate(texts)}
        system = compiled_on(model, numbers.base)
        self._work = work = new_workspace(system)
        context = int(work.at[0].system)
        if not context:  # of systems without forces: kernels of their motion need none
            self._context = np.zeros(CONTEXT_BYTES // 8)
            pack(self._context, (system.tree, system.loads, system.closures, work), REAL_CONTEXT)
            context = address_of(self._context)
        states = system.nq + system.nv + system.nz - len(held)
        self._places = np.array([numbers.names.index(name) for name in held], np.int64)
        block = np.zeros(WORDS)
        reading = Reading(context, _events(), run.clock, run.y, states, numbers.values, self._places, self.values)
        pack(block, (reading,), READING_CONTEXT)
        self._kept = system, block, reading
        self._call = entry_caller(read_entry, address_of(block))


def _not_yet() -> None:
    raise RuntimeError("the reader belongs to a stepper that has not begun")


@cache
def _events() -> int:
    return entry_address(events_entry)


def _with_parameters(text: str, numbers: HeldNumbers) -> str:
    """An expression with inputs replaced by the parameters that stand for them."""
    for name in sorted(numbers.inputs, key=len, reverse=True):
        text = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.\[])", numbers.inputs[name].parameter, text)
    return text


def expanded_names(model: Model, names: Sequence[str], numbers: HeldNumbers) -> tuple[str, ...]:
    """Names with those of components in the place of vectors; ChannelError with all that cannot be read."""
    if isinstance(names, str):
        raise TypeError(f'names={names!r}: give a list such as ["A.angle"]')
    known, found, faults = known_signal(model), list[str](), list[str]()
    for name in names:
        if name in numbers.inputs:
            found.append(name)
            continue
        each = [name]
        try:
            quantity = find_quantity(model, name)
            if quantity.component is None and quantity.size > 1:
                each = [name + end for end in ends_in(model, name)]
        except ChannelError:
            quantity = None
        if quantity is not None and not all(map(known, each)):
            faults.append(f'"{name}" is no quantity that laws read: ask for it by stepper["{name}"]')
            continue
        for one in each:
            text = _with_parameters(one, numbers)
            try:
                make_law(text, known, model.named_values)
            except (ValueError, TypeError, OverflowError) as error:
                fault = law_fault(model, text)  # it knows what names are like the unknown ones
                unread = [each for each in getattr(error, "unknown", ()) if _is_channel(model, each, known)]
                faults.append(
                    f'"{name}" reads {", ".join(unread)}, which no law can read (forces, reactions, accelerations): '
                    f'ask for it by stepper["{unread[0]}"], in an environment in a function of (observation, action, '
                    "stepper)"
                    if unread
                    else f'"{name}": {_without_inputs(fault.text if fault else str(error), numbers)}'
                )
                break
        else:
            found += each
    if faults:
        raise ChannelError("; ".join(faults))
    return tuple(found)


def _is_channel(model: Model, name: str, known: Callable[[str], bool]) -> bool:
    """Whether results alone have this; of a vector of which components are known, one of them is to be written."""
    try:
        return not all(known(name + end) for end in ends_in(model, name))
    except ChannelError:
        return False


def _without_inputs(text: str, numbers: HeldNumbers) -> str:
    """A message with the names of inputs in the place of the parameters that stand for them."""
    for name, made in numbers.inputs.items():
        text = re.sub(rf"\b{made.parameter}\b", name, text)
    return text


def is_readable(model: Model, name: str) -> bool:
    """Whether a channel can be read by a reader."""
    try:
        quantity = find_quantity(model, name)
        ends = ends_in(model, name) if quantity.component is None and quantity.size > 1 else [""]
        return all(known_signal(model)(name + end) for end in ends)
    except ChannelError:
        return name == "t"
