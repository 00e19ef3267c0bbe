"""Lanes as a number type of kernels: real numbers side by side, on which SIMD instructions work (`kernel.lanes`).

A value is a vector of LLVM. Sums, products, quotients, square roots and the like act on each lane as on a real number,
and a real number beside lanes stands for that number in each of them. Lanes cannot be compared: a kernel that branches
on a state has no version for them, and its compilation says so.
"""

# The inside of Numba is beyond its own type hints.
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false, reportReturnType=false

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, lower_cast, models, register_model, type_callable

from duoti.kernel.lanes import WIDTH
from duoti.kernel.numba_private import find

Conversion = find("numba.core.typeconv:Conversion")
VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
_PLACE = ir.IntType(32)


class LanesType(types.Type):
    """The type."""

    def __init__(self) -> None:
        super().__init__(f"lanes{WIDTH}")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """A real number or an integer stands for itself in each lane."""
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None


LANES = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    """A vector."""

    def __init__(self, dmm: Any, fe_type: Any):
        super().__init__(dmm, fe_type, VECTOR)


@lower_cast(types.Float, LanesType)
@lower_cast(types.Integer, LanesType)
def _in_each_lane(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    real = context.cast(builder, value, fromty, types.float64)
    if isinstance(real, ir.Constant):
        return ir.Constant(VECTOR, [real] * WIDTH)
    nothing = ir.Constant(VECTOR, ir.Undefined)
    first = builder.insert_element(nothing, real, _PLACE(0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(_PLACE, WIDTH), [0] * WIDTH))


def _is_number(kind: Any) -> bool:
    return isinstance(kind, LanesType | types.Float | types.Integer)


def _of_two(make: Callable[..., Any], *functions: Any) -> None:
    """Let kernels call functions of two numbers, one of which is lanes at least."""

    def typer(context: Any) -> Any:
        def typed(x: Any, y: Any) -> Any:
            return LANES(LANES, LANES) if LANES in (x, y) and _is_number(x) and _is_number(y) else None

        return typed

    for each in functions:
        type_callable(each)(typer)
        lower_builtin(each, LanesType, LanesType)(lambda context, builder, sig, args: make(builder, *args))


def _of_one(make: Callable[..., Any], function: Any) -> None:
    """Let kernels call a function of lanes."""

    @type_callable(function)
    def typer(context: Any) -> Any:
        return lambda x: LANES(LANES) if x == LANES else None

    lower_builtin(function, LanesType)(lambda context, builder, sig, args: make(builder, *args))


def _by_llvm(name: str) -> Callable[..., Any]:
    """One of LLVM's functions of vectors."""

    def make(builder: Any, *args: Any) -> Any:
        whole = f"llvm.{name}.v{WIDTH}f64"
        function = builder.module.globals.get(whole)
        if function is None:
            function = ir.Function(builder.module, ir.FunctionType(VECTOR, [VECTOR] * len(args)), whole)
        return builder.call(function, args)

    return make


_of_two(lambda builder, x, y: builder.fadd(x, y), operator.add, operator.iadd)
_of_two(lambda builder, x, y: builder.fsub(x, y), operator.sub, operator.isub)
_of_two(lambda builder, x, y: builder.fmul(x, y), operator.mul, operator.imul)
_of_two(lambda builder, x, y: builder.fdiv(x, y), operator.truediv, operator.itruediv)
_of_two(lambda builder, x, y: builder.select(builder.fcmp_ordered(">", y, x), y, x), max)
_of_one(lambda builder, x: builder.fneg(x), operator.neg)
_of_one(_by_llvm("floor"), math.floor)
_of_one(_by_llvm("sqrt"), math.sqrt)
_of_one(_by_llvm("fabs"), abs)


@type_callable(operator.pow)
def _power_of(context: Any) -> Any:
    def typed(x: Any, n: Any) -> Any:
        known = x == LANES and isinstance(n, types.Float | types.Integer)
        return LANES(LANES, types.unliteral(n)) if known else None

    return typed


@lower_builtin(operator.pow, LanesType, types.Float)
@lower_builtin(operator.pow, LanesType, types.Integer)
def _power(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Squares and square roots, by a constant exponent."""
    base, exponent = args
    known = exponent.constant if isinstance(exponent, ir.Constant) else None
    if known == 2:
        return builder.fmul(base, base)
    if known == 0.5:
        return _by_llvm("sqrt")(builder, base)
    raise NotImplementedError(f"lanes to the power {exponent}: only squares and square roots are known")
