"""States that are a vector: named "x[0]", "x[1]", ..., with rates by expressions or by one function of the vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.model.laws import Function, Value

if TYPE_CHECKING:
    from duoti.model.model import Model


class _Shared:
    """A function of a vector, whose value is computed once for all of its components."""

    def __init__(self, function: Callable[..., Any], size: int, name: str):
        self.function, self.size, self.name = function, size, name
        self.asked: tuple[float, ...] | None = None
        self.answer: list[float] = []

    def component(self, i: int) -> Callable[..., float]:
        def rate(*inputs: float) -> float:
            if inputs != self.asked:
                found = np.asarray(
                    self.function(inputs[0], np.array(inputs[1 : 1 + self.size]), *inputs[1 + self.size :])
                )
                if found.shape != (self.size,):
                    raise ValueError(f"the rate of state {self.name!r} has the shape {found.shape}, not ({self.size},)")
                self.asked, self.answer = inputs, found.tolist()
            return self.answer[i]

        return rate


def add_vector_state(
    model: Model,
    name: str,
    rates: Sequence[Value] | Callable[..., Any] | Function,
    initial: ArrayLike,
    unit: str,
) -> list[str]:
    """See `Model.add_vector_state`."""
    start = np.asarray(initial, dtype=float)
    if start.ndim != 1 or not len(start):
        raise ValueError(f"state {name!r}: initial is {initial!r}; give a list of numbers, one for each component")
    names = [f"{name}[{i}]" for i in range(len(start))]
    if isinstance(rates, Function) or callable(rates):
        others = tuple(rates.inputs) if isinstance(rates, Function) else ()
        function = rates.function if isinstance(rates, Function) else rates
        shared = _Shared(function, len(start), name)
        laws: Sequence[Value] = [Function(shared.component(i), ("t", *names, *others)) for i in range(len(start))]
    elif isinstance(rates, str) or len(rates) != len(start):
        raise ValueError(f"state {name!r}: give {len(start)} rates, one for each component, or a function f(t, x)")
    else:
        laws = rates
    for each, law, value in zip(names, laws, start, strict=True):
        model.add_state(each, law, float(value), unit)
    return names


def components(model: Model, name: str) -> list[str]:
    """The names of the components of a vector state; empty if there is none of this name."""
    found: list[str] = []
    while f"{name}[{len(found)}]" in model.states:
        found.append(f"{name}[{len(found)}]")
    return found
