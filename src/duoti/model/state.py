"""First-order states: numbers with a rate of their own, as the current of a motor or the integral of a controller."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from duoti.model.element_id import Fault
from duoti.model.laws.law import Function, Value
from duoti.spatial.axes import is_finite_number
from duoti.strict import Strict

if TYPE_CHECKING:
    from duoti.model.model import Model


@dataclass(eq=False, repr=False)
class State(Strict):
    r"""A first-order state of a model; `Model.add_state` makes one.

    $$\dot z = f(t, q, v, z), \qquad z(0) = z_0$$

    Parameters
    ----------
    name:
        Name of the state.
    rate:
        A number, an expression or a function of `t`, of quantities of the model and of all states.
    initial:
        Initial value.
    unit:
        Unit for labels.
    algebraic:
        Whether 0 = rate determines the number.
    switches:
        Forces and constraints that act only while the state is above one half.
    """

    name: str
    rate: Value
    initial: float = 0.0
    unit: str = ""
    algebraic: bool = False
    switches: Sequence[str] = ()

    by_graph: ClassVar[bool] = False
    """Whether a bond graph computes its rate."""
    by_user: ClassVar[bool] = True
    """Whether the model that a user wrote has it."""

    @property
    def rate_unit(self) -> str:
        """Unit of the rate: "A/s" for "A", "m/s^2" for "m/s", "1/s" for a state without a unit."""
        if not self.unit:
            return "1/s"
        per = re.search(r"/s(?:\^(\d+))?$", self.unit)
        return f"{self.unit[: per.start()]}/s^{int(per[1] or 1) + 1}" if per else f"{self.unit}/s"

    def faults(self) -> list[Fault]:
        """What is wrong with its numbers, in words."""
        found: list[Fault] = []
        initial: Any = self.initial
        if not is_finite_number(initial):
            vector = ", or add_vector_state for a vector" if isinstance(initial, Iterable) else ""
            found.append(Fault(f"initial is {initial!r}; give a finite number{vector}", "initial"))
        unit: Any = self.unit
        if not isinstance(unit, str):
            found.append(Fault(f'unit is {unit!r}; give a text such as "A"', "unit"))
        algebraic: Any = self.algebraic
        if not isinstance(algebraic, bool):
            found.append(Fault(f"algebraic is {algebraic!r}; it is True or False", "algebraic"))
        switches: Any = self.switches
        listed = isinstance(switches, list | tuple | set | frozenset)
        if not listed or not all(isinstance(name, str) for name in switches):
            found.append(Fault(f"switches is {switches!r}; give a list of names of forces and constraints", "switches"))
        elif switches and self.rate != 0:
            text = f"its rate is {self.rate!r}, but it switches elements: only events may change it; give the rate 0"
            found.append(Fault(text, "rate"))
        return found

    def __repr__(self) -> str:
        return f"<state {self.name!r}{f' [{self.unit}]' if self.unit else ''}>"


# States that are a vector: named "x[0]", "x[1]", ..., with rates by expressions or by one function of the vector.


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
