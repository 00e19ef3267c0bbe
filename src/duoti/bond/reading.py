"""What a law reads."""

from __future__ import annotations

from typing import Any

from duoti.model.laws.expressions import ExpressionError, compile_expression
from duoti.model.laws.expressions.compile import Named
from duoti.model.laws.law import Function, parameter_names


def names_in(value: Any, named: Named) -> tuple[str, ...]:
    """Names of quantities that a value reads; none if it cannot be read (which is reported elsewhere)."""
    if isinstance(value, Function):
        return tuple(value.inputs)
    try:
        if isinstance(value, str):
            return compile_expression(value, constants=named).inputs
        return parameter_names(value) if callable(value) else ()
    except (ExpressionError, ValueError, TypeError):
        return ()
