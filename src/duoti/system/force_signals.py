"""Forces of elements and compliant contacts, and true values of sensors as inputs of event functions.

The force is what the law of the element itself gives in the state of the event, with the element alone: the same
computation that makes the channels of results. Events change no force between their instants, so that there is no
algebraic loop. An event function that reads forces is called through Python, with the whole state among its inputs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from duoti.model.laws.expressions import evaluate, link
from duoti.model.laws.law import COORDINATE_INPUT, RATE_INPUT, STATE, TIME, Law, Signal
from duoti.model.quantities import Quantity


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
        self._threads = threading.local()  # workspaces are for one thread each

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
            if quantity.item not in seen:
                seen[quantity.item] = self._element(quantity.item).seen(t, y)
            read: Callable[..., Any] = self._channels(quantity.item)[quantity.what].read
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

            seen[key] = sensed_now(self.system, quantity, t, y, self._threads.__dict__)
        return float(seen[key][quantity.component or 0])

    def _of_contact(self, quantity: Quantity, t: Any, y: Any) -> float:
        """A number of a compliant contact."""
        from duoti.results.evaluate.sensor_channels import compliant_now

        found = compliant_now(self.system, quantity.item, quantity.what, t, y, self._threads.__dict__)
        return float(found[quantity.component or 0])

    def _channels(self, item: str) -> Any:
        return self.system.model.forces[item].channels(self.system.model)

    def _element(self, item: str) -> Any:
        known: dict[str, Any] = self._threads.__dict__
        if item not in known:
            from duoti.results.evaluate.channels import LoneForce

            known[item] = LoneForce(self.system, list(self.system.model.forces).index(item))
        return known[item]
