"""Laws: numbers, expressions or functions that give the value of a force at each instant.

A law reads *signals* (the time, joint coordinates and rates, positions and velocities of markers, first-order states)
and returns a number.
Expressions run as bytecode inside the compiled solver; a function compiled by Numba is called directly (a few
nanoseconds), a plain Python function through a callback (a fraction of a microsecond).
"""

from __future__ import annotations

import ctypes
import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from duoti.kernel import JIT, OPTIONS
from duoti.model.element_id import ElementId
from duoti.model.expressions import Program, compile_expression

# ---------------------------------------------------------------------------------------------------------- signals

TIME, COORDINATE, RATE, LOCAL, POSITION, VELOCITY, ANGULAR_VELOCITY, STATE = range(8)
AXES, LOCAL_VELOCITY, LOCAL_ANGULAR_VELOCITY = range(8, 11)  # of markers: j of AXES is 3 component + axis


class Signal(NamedTuple):
    """A quantity that a law reads: `kind` is one of the constants above, i and j say which.

    The i of a first-order state is its place in the whole state y = (q, v, z, ...), which is read from w.y.
    """

    kind: int
    i: int = 0
    j: int = 0


# ------------------------------------------------------------------------------------------------------- user's side


@dataclass(frozen=True)
class Function:
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


def make_law(value: Value, known: Callable[[str], bool], parameters: dict[str, float], outputs: int = 1) -> Law:
    """Turn a user's value into a law, or raise ValueError (TypeError) that says what is wrong with it."""
    if isinstance(value, Function) or callable(value):
        function = value.function if isinstance(value, Function) else value
        inputs = tuple(value.inputs) if isinstance(value, Function) else parameter_names(function)
        unknown = [name for name in inputs if not known(name)]
        if unknown:
            raise UnknownInputsError(function, tuple(unknown))
        return Law(inputs, function=function, outputs=outputs)
    if isinstance(value, str):
        program = compile_expression(value, known=known, constants=parameters)
        return Law(program.inputs, program=program)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{value!r} is not a number, an expression or a function") from None
    if not math.isfinite(number):
        raise ValueError(f"the value is {number}")
    return Law((), program=compile_expression(number))


def parameter_names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Names of the parameters that a function must be given."""
    plain = getattr(function, "py_func", function)
    try:
        parameters = inspect.signature(plain).parameters.values()
    except (TypeError, ValueError):
        raise ValueError(f"{function!r} has no readable signature; wrap it in dt.Function(f, inputs=(...))") from None
    return tuple(
        p.name for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    )


# ---------------------------------------------------------------------------------------------- functions as pointers


@dataclass
class Callbacks:
    """Keeps function pointers alive, and what plain Python functions raised, with whose laws they are."""

    alive: list[Any] = field(default_factory=list)
    errors: list[tuple[ElementId, BaseException]] = field(default_factory=list)

    def address(self, law: Law, owner: ElementId) -> int:
        """Address of a C function `void f(const double *x, double *y)` that calls the law's function."""
        function = law.function
        assert function is not None
        if JIT and hasattr(function, "py_func"):
            pointer = _numba_pointer(function, len(law.inputs), law.outputs)
            self.alive.append(pointer)
            return pointer.address
        pointer = self._python_pointer(function, len(law.inputs), law.outputs, owner)
        self.alive.append(pointer)
        return ctypes.cast(pointer, ctypes.c_void_p).value or 0

    def _python_pointer(self, function: Callable[..., Any], n_in: int, n_out: int, owner: ElementId) -> Any:
        errors = self.errors
        doubles = ctypes.POINTER(ctypes.c_double)

        def call(x: Any, y: Any) -> None:
            try:
                result = function(*x[:n_in])
                values = [float(result)] if n_out == 1 else np.asarray(result, dtype=float).reshape(n_out).tolist()
            except BaseException as error:  # must not escape into C; the solver stops on NaN and reports this
                errors.append((owner, error))
                values = [math.nan] * n_out
            for i, value in enumerate(values):
                y[i] = value

        return ctypes.CFUNCTYPE(None, doubles, doubles)(call)


def _numba_pointer(function: Callable[..., Any], n_in: int, n_out: int) -> Any:
    import numba

    arguments = ", ".join(f"x[{i}]" for i in range(n_in))
    body = (
        f"y[0] = f({arguments})"
        if n_out == 1
        else f"r = f({arguments}); " + "; ".join(f"y[{i}] = r[{i}]" for i in range(n_out))
    )
    namespace: dict[str, Any] = {"f": function, "carray": numba.carray}  # pyright: ignore[reportPrivateImportUsage]
    exec(  # our own template: only counts are filled in
        f"def call(px, py):\n    x = carray(px, ({max(n_in, 1)},))\n    y = carray(py, ({n_out},))\n    {body}\n",
        namespace,
    )
    return numba.cfunc("void(CPointer(float64), CPointer(float64))", error_model=OPTIONS["error_model"])(
        namespace["call"]
    )
