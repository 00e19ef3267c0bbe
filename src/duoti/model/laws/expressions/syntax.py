"""The words of the expression language, and the tree an expression is parsed into."""

from __future__ import annotations

import math
from dataclasses import dataclass

from duoti.model.laws.expressions.table import Table

MAX_LENGTH = 10_000  # characters
MAX_NESTING = 100  # brackets within brackets, signs and exponents included

CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e, "tau": math.tau}
KEYWORDS = ("and", "or", "not")

# How a function is called. A name that ends with "..." stands for any number of further arguments.
SIGNATURES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"), ("x",)),
    **dict.fromkeys(("exp", "log", "log10", "sqrt", "abs", "sign", "floor"), ("x",)),
    **dict.fromkeys(("min", "max", "hypot"), ("a", "b", "...")),
    "atan2": ("y", "x"),
    "mod": ("a", "b"),
    "step": ("t", "t0", "h0", "t1", "h1"),
    "if": ("condition", "a", "b"),
    "clip": ("x", "low", "high"),
}

RESERVED = frozenset({*CONSTANTS, *KEYWORDS, *SIGNATURES})
"""Names that a model should not give to its parameters."""

Span = tuple[int, int]


def signature(function: str) -> str:
    """Return how a function is called, such as 'clip(x, low, high)'."""
    return f"{function}({', '.join(SIGNATURES[function])})"


@dataclass(frozen=True, slots=True)
class Number:
    """A number, written or computed."""

    value: float
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A value by name: `t`, `A.angle`, `arm.q[2]`."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator or function with its arguments; operators go by their sign, and `**` by `^`.

    `span` is where the operator or the function's name stands.
    """

    function: str
    arguments: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Lookup(Apply):
    """The value of a table, or a derivative of it; `function` is the name of the table."""

    table: Table
    order: int = 0

    @property
    def slope(self) -> Lookup | None:
        """The next derivative, None if it is zero everywhere."""
        if self.order >= self.table.degree:
            return None
        return Lookup(self.function, self.arguments, self.span, self.table, self.order + 1)


Node = Number | Name | Apply
