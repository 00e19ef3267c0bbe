"""Laws that are sums of numbers times coordinates, rates and one control, perhaps clipped: what actuators can do."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from duoti.model.laws.expressions import ExpressionError
from duoti.model.laws.expressions.parser import Apply, Name, Node, Number, parse

Lookup = Callable[[str], "Affine | None"]
"""What a name means; None of one that has no place in such a law."""
Range = tuple[float, float]


@dataclass
class Affine:
    """constant + sum of number * name, within a range."""

    constant: float = 0.0
    terms: dict[str, float] = field(default_factory=dict[str, float])
    clipped: dict[str, Range] = field(default_factory=dict[str, Range])
    """Ranges to which names are clipped before they count."""
    limits: Range | None = None

    @property
    def is_number(self) -> bool:
        """Whether no name is in it."""
        return not any(self.terms.values())

    def scaled(self, factor: float) -> Affine:
        """The law times a number."""
        limits = None if self.limits is None else (factor * self.limits[0], factor * self.limits[1])
        if limits is not None and factor < 0.0:
            limits = limits[1], limits[0]
        return Affine(factor * self.constant, {k: factor * c for k, c in self.terms.items()}, self.clipped, limits)

    def plus(self, other: Affine) -> Affine | None:
        """The sum; None if one of them is limited as a whole, or both clip a name otherwise."""
        if self.limits is not None or other.limits is not None:
            return None
        if any(self.clipped.get(k) != other.clipped.get(k) for k in {*self.terms} & {*other.terms}):
            return None
        terms = dict(self.terms)
        for name, factor in other.terms.items():
            terms[name] = terms.get(name, 0.0) + factor
        return Affine(self.constant + other.constant, terms, {**self.clipped, **other.clipped})


def affine(text: object, look: Lookup) -> Affine | None:
    """The law that a value (a number or an expression) is; None if it is no such law."""
    if isinstance(text, int | float):
        return Affine(float(text))
    if not isinstance(text, str):
        return None
    try:
        return _of(parse(text), look)
    except ExpressionError:
        return None


def _of(node: Node, look: Lookup) -> Affine | None:
    if isinstance(node, Number):
        return Affine(node.value)
    if isinstance(node, Name):
        return Affine(math.pi) if node.name == "pi" else look(node.name)
    assert isinstance(node, Apply)
    parts = [_of(each, look) for each in node.arguments]
    found = [each for each in parts if each is not None]
    if len(found) < len(parts):
        return None
    match node.function, found:
        case ("+" | "neg" | "-", [a]):
            return a.scaled(1.0 if node.function == "+" else -1.0)
        case "+", [a, b]:
            return a.plus(b)
        case "-", [a, b]:
            return a.plus(b.scaled(-1.0))
        case "*", [a, b]:
            return b.scaled(a.constant) if a.is_number else a.scaled(b.constant) if b.is_number else None
        case "/", [a, b]:
            return a.scaled(1.0 / b.constant) if b.is_number and b.constant else None
        case "clip", [a, b, c]:
            return _clipped(a, b, c)
        case _:
            return None


def _clipped(a: Affine, low: Affine, high: Affine) -> Affine | None:
    if not (low.is_number and high.is_number):
        return None
    limits = low.constant, high.constant
    if a.limits is not None:  # a range in a range
        limits = max(limits[0], a.limits[0]), min(limits[1], a.limits[1])
        return Affine(a.constant, a.terms, a.clipped, limits) if limits[0] <= limits[1] else None
    (name, factor) = next(iter(a.terms.items()), ("", 0.0))
    if len(a.terms) == 1 and factor == 1.0 and not a.constant and not a.clipped:
        return Affine(0.0, {name: 1.0}, {name: limits})
    return Affine(a.constant, a.terms, a.clipped, limits)
