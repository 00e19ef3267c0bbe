"""Laws: numbers, expressions or functions that give the value of a force at each instant.

A law reads *signals* (the time, joint coordinates and velocities, positions and velocities of markers, first-order
states) and returns a number.
Expressions run as bytecode inside the compiled solver; a function compiled by Numba is called directly (a few
nanoseconds), a plain Python function through a callback (a fraction of a microsecond).
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from duoti.model.laws.expressions import Program, compile_expression
from duoti.model.laws.expressions.compile import Named
from duoti.strict import Explained

# ---------------------------------------------------------------------------------------------------------- signals

TIME, COORDINATE_INPUT, RATE_INPUT, LOCAL, POSITION, VELOCITY, ANGULAR_VELOCITY, STATE = range(8)
AXES, LOCAL_VELOCITY, LOCAL_ANGULAR_VELOCITY = range(8, 11)  # of markers: j of AXES is 3 component + axis

GRAPH = 100  # a quantity of a bond graph, in a law of the same graph: i is its place among the values of the plan


class Signal(NamedTuple):
    """A quantity that a law reads: `kind` is one of the constants above, i and j say which.

    The i of a first-order state is its place in the whole state y = (q, v, z, ...), which is read from w.y.
    """

    kind: int
    i: int = 0
    j: int = 0


# ------------------------------------------------------------------------------------------------------- user's side


@dataclass(frozen=True)
class Function(Explained):
    """A function of named quantities: `Function(f, inputs=("t", "A.angle", "tip.velocity.x"))` calls f(t, angle, v)."""

    function: Callable[..., Any]
    inputs: Sequence[str]


Value = float | str | Callable[..., Any] | Function
"""What a user may give for a force: a number, an expression, or a function.

The parameters of a plain or Numba function are names of quantities: `lambda t, q, v: -3*q` reads the time and the
joint's own coordinate and rate. Other quantities need `Function`.
"""


@dataclass(frozen=True)
class Law:
    """A value made ready: the names of its inputs, and a program or a function."""

    inputs: tuple[str, ...]
    program: Program | None = None
    function: Callable[..., Any] | None = None
    outputs: int = 1


class UnknownInputsError(ValueError):
    """A function asks for quantities that there are not: `unknown`."""

    def __init__(self, function: Callable[..., Any], unknown: tuple[str, ...]):
        self.unknown = unknown
        super().__init__(
            f"function {getattr(function, '__name__', function)!r} asks for {', '.join(map(repr, unknown))}; its "
            "parameters must be names of quantities such as t, q, v, or be listed in dt.Function(f, inputs=(...))"
        )


def make_law(value: Value, known: Callable[[str], bool], named: Named, outputs: int = 1) -> Law:
    """Turn a user's value into a law, or raise ValueError (TypeError) that says what is wrong with it.

    `named`: parameters and tables.
    """
    if isinstance(value, Function) or callable(value):
        function = value.function if isinstance(value, Function) else value
        if not callable(function):
            raise TypeError(f"{function!r} is not a function")
        inputs = tuple(value.inputs) if isinstance(value, Function) else parameter_names(function)
        if not all(isinstance(name, str) for name in inputs):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"its inputs are {inputs!r}; give names of quantities")
        unknown = [name for name in inputs if not known(name)]
        if unknown:
            raise UnknownInputsError(function, tuple(unknown))
        return Law(inputs, function=function, outputs=outputs)
    if isinstance(value, str):
        program = compile_expression(value, known=known, constants=named)
        return Law(program.inputs, program=program)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{value!r} is not a number, an expression or a function") from None
    if not math.isfinite(number):
        raise ValueError(f"the value is {number}")
    return Law((), program=compile_expression(number))


def parameter_names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Names of the parameters that a function must be given."""
    plain = getattr(function, "py_func", function)
    try:
        parameters = inspect.signature(plain).parameters.values()
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{function!r} has no readable signature; wrap it in dt.Function(f, inputs=(...))") from None
    return tuple(
        p.name for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    )
