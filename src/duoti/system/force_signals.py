"""Forces of elements and compliant contacts, and true values of sensors as inputs of event functions.

The force is what the law of the element itself gives in the state of the event, with the element alone: the same
computation that makes the channels of results. Events change no force between their instants, so that there is no
algebraic loop. An event function that reads forces is called through Python, with the whole state among its inputs.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from duoti.model.laws.callbacks import Callbacks
from duoti.model.laws.expressions import evaluate, link
from duoti.model.laws.law import COORDINATE_INPUT, RATE_INPUT, STATE, TIME, Law, Signal
from duoti.model.parameters import names_in
from duoti.model.quantities import Quantity
from duoti.system.system import System

OF_ARRAYS = ("accelerometer", "gyroscope", "encoder", "tachometer")
"""Sensors whose true values follow from the arrays of a system; others also read its model."""


class ForceReader:
    """An event function of forces of elements: a law whose inputs are its other signals, the time and the state."""

    def __init__(self, law: Law, forces: dict[str, Quantity], sizes: tuple[int, int, int]):
        self.forces = forces
        self.rest = [name for name in law.inputs if name not in forces]
        names = (*self.rest, "t", *(f"y[{i}]" for i in range(sum(sizes))))
        self.law = Law(names, function=self, outputs=law.outputs)
        self.value, self.inputs, self.sizes = law, law.inputs, sizes
        self._program = None if law.program is None else link([law.program])
        self.system: Any = None  # set as soon as it is made
        self.present: Callable[[], System] | None = None
        """Where numbers in the arrays of the system change: a system that has them in its model, too."""
        self._threads = threading.local()  # workspaces are for one thread each

    def copy(self) -> ForceReader:
        """One like it for another system."""
        made = copy.copy(self)
        made.law, made._threads = replace(self.law, function=made), threading.local()
        return made

    @property
    def names(self) -> frozenset[str]:
        """Names in its expression, declared parameters among them."""
        return frozenset() if self.value.program is None else names_in(self.value.program.text)

    def state_signals(self) -> list[Signal]:
        """The time and the state."""
        nq, nv, nz = self.sizes
        coordinates = [Signal(COORDINATE_INPUT, i) for i in range(nq)]
        return [Signal(TIME), *coordinates, *(Signal(RATE_INPUT, i) for i in range(nv)),
                *(Signal(STATE, nq + nv + i) for i in range(nz))]  # fmt: skip

    def __call__(self, *x: float) -> Any:
        """The value, or values, of the event's law."""
        n = len(self.rest)
        values = dict(zip(self.rest, x[:n], strict=True))
        t, y = np.array(x[n : n + 1]), np.array([x[n + 1 :]])
        seen: dict[str, Any] = {}
        for name, quantity in self.forces.items():
            if quantity.kind == "sensor":
                values[name] = self._sensed(quantity, t, y, seen)
                continue
            if quantity.kind == "contact":
                values[name] = self._of_contact(quantity, t, y)
                continue
            system, kept = self._present()
            if quantity.item not in seen:
                seen[quantity.item] = _element(system, quantity.item, kept).seen(t, y)
            read: Callable[..., Any] = system.model.forces[quantity.item].channels(system.model)[quantity.what].read
            values[name] = float(read(seen[quantity.item])[0, quantity.component or 0])
        inputs = [values[name] for name in self.inputs]
        if self._program is not None:
            code, _, constants, depth = self._program
            return evaluate(code, 0, len(code), constants, np.array(inputs), np.zeros(depth))
        assert self.value.function is not None
        return self.value.function(*inputs)

    def _sensed(self, quantity: Quantity, t: Any, y: Any, seen: dict[str, Any]) -> float:
        """A number of a sensor; all numbers of a quantity are computed together."""
        key = f"sensor:{quantity.item}.{quantity.what}"
        if key not in seen:
            from duoti.results.evaluate.sensor_channels import sensed_now

            of_arrays = self.system.model.sensors[quantity.item].type in OF_ARRAYS
            system, kept = (self.system, self._kept(self.system, "own")) if of_arrays else self._present()
            seen[key] = sensed_now(system, quantity, t, y, kept)
        return float(seen[key][quantity.component or 0])

    def _of_contact(self, quantity: Quantity, t: Any, y: Any) -> float:
        """A number of a compliant contact."""
        from duoti.results.evaluate.sensor_channels import compliant_now

        system, kept = self._present()
        found = compliant_now(system, quantity.item, quantity.what, t, y, kept)
        return float(found[quantity.component or 0])

    def _present(self) -> tuple[System, dict[str, Any]]:
        """The system whose model has the present numbers, and what this thread keeps for its next sample."""
        system = self.system if self.present is None else self.present()
        return system, self._kept(system, "present")

    def _kept(self, system: System, which: str) -> dict[str, Any]:
        known: dict[str, tuple[System, dict[str, Any]]] = self._threads.__dict__
        if which not in known or known[which][0] is not system:
            known[which] = system, {}
        return known[which][1]


def _element(system: System, item: str, kept: dict[str, Any]) -> Any:
    if item not in kept:
        from duoti.results.evaluate.channels import LoneForce

        kept[item] = LoneForce(system, list(system.model.forces).index(item))
    return kept[item]


def with_own_readers(system: System, present: Callable[[], System] | None = None) -> System:
    """The system with readers of its own in the place of those of the system that it was made from; or itself."""
    if not any(isinstance(law.function, ForceReader) for law in system.laws):
        return system
    callbacks, laws, readers = Callbacks(), list(system.laws), list[ForceReader]()
    loads: Any = system.loads
    address = loads.laws.law_address.copy()
    for i, law in enumerate(laws):
        if isinstance(law.function, ForceReader):
            readers.append(law.function.copy())
            laws[i] = readers[-1].law
        if law.program is None:
            address[i] = callbacks.address(laws[i], system.law_owners[i])
    address.setflags(write=False)
    loads = loads._replace(laws=loads.laws._replace(law_address=address))
    made = replace(system, loads=loads, laws=tuple(laws), callbacks=callbacks)
    for reader in readers:
        reader.system, reader.present = made, present
    return made
