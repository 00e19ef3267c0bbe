"""Measures: numbers that a run has, as expressions of its channels: `max(abs(A.angle))`, `final(tip.position.z)`.

The language is that of laws, with functions that make a number of a series (`REDUCTIONS`). What they leave a series,
such as "A.angle", is a series in the results, too. Everything is computed from the outputs of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from duoti.model.errors import ChannelError, ParameterError
from duoti.model.expand_bond_graphs import described
from duoti.model.laws.expressions.compile import ALSO_CALLED
from duoti.model.laws.expressions.errors import ExpressionError, Problem, quoted, suggestion
from duoti.model.laws.expressions.lookup_table import Table
from duoti.model.laws.expressions.parser import CONSTANTS, SIGNATURES, Apply, Name, Node, Number, parse, signature
from duoti.model.model import Model
from duoti.model.parameters import find
from duoti.model.quantities import ends_in, find_quantity
from duoti.system.arrays import Reals

REDUCTIONS = {
    "max": "largest value", "min": "smallest value", "mean": "mean over time", "rms": "root of the mean square",
    "final": "value at the end of the run", "initial": "value at its start", "integral": "integral over time",
    "time_when": "when a condition first holds", "time_of_max": "when it is largest", "time_of_min": "when smallest",
}  # fmt: skip
"""Functions of one series that give a number. `max(a, b)` of two is larger of both at each time."""
_SAME_UNIT = ("max", "min", "mean", "rms", "final", "initial")
_TIMES = ("time_when", "time_of_max", "time_of_min")
_MORE_NAMES = {
    "average": "mean", "avg": "mean", "last": "final", "end": "final", "first": "initial", "start": "initial",
    "argmax": "time_of_max", "argmin": "time_of_min", "int": "integral", "trapz": "integral", "maximum": "max",
    "minimum": "min", "when": "time_when",
}  # fmt: skip
_KEEP_UNIT = ("+", "-", "abs", "min", "max", "hypot", "clip", "mod", "if")
COMPARISONS = ("<", "<=", ">", ">=")
CONDITIONS = (*COMPARISONS, "==", "!=", "and", "or", "not")


class Measure:
    """One expression, checked against a model.

    Attributes
    ----------
    text:
        The expression.
    unit:
        Unit of the result; "" if it does not follow from the expression.
    is_series:
        Whether it has a value for each time.
    channels:
        What it reads of a run.
    numbers:
        What it reads of the model: names of parameters and other numbers.
    may_be_undefined:
        Whether it may be NaN: `time_when` of a condition that never holds.
    """

    def __init__(self, text: str, model: Model, arguments: tuple[str, ...] = ()):
        self.text = text
        self._tree = parse(text)
        self.tables = {name: each for name, each in model.named_values.items() if isinstance(each, Table)}
        self.channels, self.numbers = tuple[str, ...](), tuple[str, ...]()
        self._units = dict[str, str]()
        self._look_up(model, arguments)
        self.is_series, unit = self._kind(self._tree)
        self.unit = unit or ""
        self.may_be_undefined = any(
            isinstance(each, Apply) and each.function == "time_when" for each in _nodes(self._tree)
        )
        self._exact = all(self._is_exact(each) for each in _nodes(self._tree))

    def __call__(self, runs: int, t: Reals, series: Mapping[str, Reals], numbers: Mapping[str, Any]) -> Reals:
        """The values of runs with the same times: [runs], of a series [runs, times].

        series: channels, [runs, times]; numbers: [runs, 1]. What several runs have together and what each has alone is
        the same, bit for bit: runs go one by one through functions whose last bit may depend on the number of values.
        """
        with np.errstate(all="ignore"):
            if self._exact or runs == 1:
                found = self._value(self._tree, t, series, numbers)
            else:
                parts = [
                    self._value(
                        self._tree, t, *({name: x[k : k + 1] for name, x in of.items()} for of in (series, numbers))
                    )
                    for k in range(runs)
                ]
                found = np.concatenate([np.broadcast_to(x, (1, len(t) if self.is_series else 1)) for x in parts])
        if self.is_series:
            return np.broadcast_to(found, (runs, len(t)))
        return np.broadcast_to(found, (runs, 1))[:, 0]

    # ------------------------------------------------------------------------------------------------- checking

    def _look_up(self, model: Model, arguments: tuple[str, ...]) -> None:
        problems = dict[str, Problem]()
        for node in _nodes(self._tree):
            if isinstance(node, Apply):
                if node.function[0].isalpha() and (problem := self._misuse(node)):
                    problems.setdefault(f"{node.function}()", problem)
            elif isinstance(node, Name) and node.name not in ("t", *CONSTANTS) and node.name not in problems:
                problem = self._name(node, model, arguments)
                if problem is not None:
                    problems[node.name] = problem
        if problems:
            raise ExpressionError(self.text, sorted(problems.values()))

    def _name(self, node: Name, model: Model, arguments: tuple[str, ...]) -> Problem | None:
        name = node.name
        if name in arguments or (name in model.named_values and name not in self.tables):
            self.numbers = (*dict.fromkeys((*self.numbers, name)),)
            return None
        if name in self.tables:
            return Problem(*node.span, f"{name} is a table; write {name}(t), or of what else it is read")
        if name in REDUCTIONS or name in SIGNATURES:
            return Problem(*node.span, f"{name} is a function; write {name}(...)")
        try:
            quantity = find_quantity(model, name)
        except ChannelError as no_channel:
            try:
                source = described(model)
                find(source, name).number(source)
            except (ParameterError, TypeError):
                return Problem(*node.span, str(no_channel).replace("\n", " "), "unknown-name", name)
            self.numbers = (*dict.fromkeys((*self.numbers, name)),)
            return None
        if quantity.size > 1 and quantity.component is None:
            parts = " or ".join(f"{name}{end}" for end in ends_in(model, name))
            return Problem(*node.span, f"{name} has {quantity.size} components; write {parts}")
        self.channels = (*dict.fromkeys((*self.channels, name)),)
        self._units[name] = quantity.unit
        return None

    def _misuse(self, call: Apply) -> Problem | None:
        name, count = call.function, len(call.arguments)
        words = SIGNATURES.get(name)
        if name in ("and", "or", "not") or (name in REDUCTIONS and count == 1) or (name in self.tables and count == 1):
            return None
        if words is not None:
            if (words[-1] == "..." and count >= 2) or count == len(words):
                return None
            return Problem(*call.span, f"{name} does not take {count} arguments; write {signature(name)}")
        if name in REDUCTIONS or name in self.tables:
            return Problem(*call.span, f"{name} takes one argument, not {count}")
        known = [*SIGNATURES, *REDUCTIONS, *self.tables]
        hint = suggestion(name, known, {**ALSO_CALLED, **_MORE_NAMES}) or f"; there are {', '.join(REDUCTIONS)}"
        return Problem(*call.span, f"unknown function {quoted(name)}{hint}", "unknown-function", name)

    def _kind(self, node: Node) -> tuple[bool, str | None]:
        """Whether a part is a series, and its unit: "" if it is unknown, None of a plain number, which takes any."""
        if isinstance(node, Number):
            return False, None
        if isinstance(node, Name):
            if node.name == "t":
                return True, "s"
            return node.name in self.channels, self._units.get(node.name, None if node.name in CONSTANTS else "")
        of = [self._kind(each) for each in node.arguments]
        conditions = [isinstance(each, Apply) and each.function in CONDITIONS for each in node.arguments]
        series = any(each for each, _ in of)
        units = {unit for (_, unit), only in zip(of, conditions, strict=True) if not only} - {None}
        unit = units.pop() if len(units) == 1 else "" if units else None
        if self._reduces(node):
            if node.function in _TIMES:
                return False, "s"
            if node.function == "integral":
                return False, f"{unit} s" if unit and unit != "1" else "s" if unit else ""
            return False, unit
        keeps = node.function in _KEEP_UNIT or (node.function == "*" and any(conditions))
        return series, unit if keeps or unit is None else ""

    def _reduces(self, node: Apply) -> bool:
        return node.function in REDUCTIONS and len(node.arguments) == 1

    # ----------------------------------------------------------------------------------------------- evaluating

    def _is_exact(self, node: Node) -> bool:
        """Whether a function rounds each value by itself, as IEEE 754 wants it."""
        if not isinstance(node, Apply) or self._reduces(node) or node.function in self.tables:
            return True
        return node.function in _EXACT or _is_square(node)

    def _value(self, node: Node, t: Reals, series: Mapping[str, Any], numbers: Mapping[str, Any]) -> Any:
        """A part of the expression: a number, [runs, 1], [times] or [runs, times]."""
        if isinstance(node, Number):
            return node.value
        if isinstance(node, Name):
            name = node.name
            if name in numbers:
                return numbers[name]
            return t if name == "t" else series[name] if name in series else CONSTANTS[name]
        if _is_square(node):
            base = self._value(node.arguments[0], t, series, numbers)
            return base * base
        if self._reduces(node) and node.function == "time_when":
            return self._when(node.arguments[0], t, series, numbers)
        values = [self._value(each, t, series, numbers) for each in node.arguments]
        if self._reduces(node):
            return _REDUCE[node.function](t, _rows(values[0], t))
        if node.function in self.tables:
            return _table(self.tables[node.function], values[0])
        if node.function == "-" and len(values) == 1:
            return -values[0]
        return _APPLY[node.function](*values)

    def _when(self, node: Node, t: Reals, series: Mapping[str, Any], numbers: Mapping[str, Any]) -> Reals:
        """First time at which a condition holds; NaN if never."""
        holds = _rows(self._value(node, t, series, numbers), t)
        gap = None
        if isinstance(node, Apply) and node.function in COMPARISONS:
            left, right = (self._value(each, t, series, numbers) for each in node.arguments)
            gap = np.broadcast_to(left - right, holds.shape)
        found = np.full((len(holds), 1), np.nan)
        for row, first in enumerate(np.argmax(holds != 0.0, axis=1).tolist()):
            if holds[row, first] != 0.0:
                found[row] = t[first]
                if gap is not None and first > 0:
                    before, after = float(gap[row, first - 1]), float(gap[row, first])
                    if np.isfinite(before) and before != after:
                        found[row] = t[first - 1] + (t[first] - t[first - 1]) * before / (before - after)
        return found


def _nodes(tree: Node) -> Iterator[Node]:
    waiting: list[Node] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Apply):
            waiting.extend(node.arguments)


def _is_square(node: Apply) -> bool:
    if node.function != "^":
        return False
    exponent = node.arguments[1]
    return isinstance(exponent, Number) and exponent.value == 2.0


# ------------------------------------------------------------------------------------------------------- functions


def _rows(x: Any, t: Reals) -> Reals:
    """[runs, times]"""
    found = np.asarray(x, dtype=float)
    return np.broadcast_to(found, (len(found) if found.ndim == 2 else 1, len(t)))


def _integral(t: Reals, x: Reals) -> Reals:
    parts = 0.5 * (x[:, 1:] + x[:, :-1]) * np.diff(t)
    return np.array([[np.add.reduce(row)] for row in parts])


def _mean(t: Reals, x: Reals) -> Reals:
    length = float(t[-1] - t[0])
    return _integral(t, x) / length if length > 0.0 else x[:, -1:]


_REDUCE: dict[str, Callable[[Reals, Reals], Reals]] = {
    "max": lambda t, x: np.max(x, axis=1, keepdims=True),
    "min": lambda t, x: np.min(x, axis=1, keepdims=True),
    "mean": _mean,
    "rms": lambda t, x: np.sqrt(_mean(t, x * x)),
    "final": lambda t, x: x[:, -1:],
    "initial": lambda t, x: x[:, :1],
    "integral": _integral,
    "time_of_max": lambda t, x: t[np.argmax(x, axis=1)][:, None],
    "time_of_min": lambda t, x: t[np.argmin(x, axis=1)][:, None],
}


def _fold(function: Any) -> Callable[..., Any]:
    def of_all(first: Any, *others: Any) -> Any:
        for each in others:
            first = function(first, each)
        return first

    return of_all


def _step(t: Any, t0: Any, h0: Any, t1: Any, h1: Any) -> Any:
    s = np.clip((t - t0) / (t1 - t0), 0.0, 1.0)
    return h0 + (h1 - h0) * s * s * (3.0 - 2.0 * s)


def _table(table: Table, x: Any) -> Any:
    numbers = table.numbers
    count, period = int(numbers[0]), float(numbers[1])
    starts, pieces = numbers[2 : 2 + count], numbers[2 + count :].reshape(count, 5)
    if period > 0.0:
        x = x - period * np.floor((x - starts[1]) / period)
    found = pieces[np.maximum(np.searchsorted(starts, x, side="right") - 1, 0)]
    at, c0, c1, c2, c3 = np.moveaxis(found, -1, 0)
    s = x - at
    return c0 + s * (c1 + s * (c2 + s * c3))


_APPLY: dict[str, Callable[..., Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.true_divide, "^": lambda x, y: np.power(1.0 * x, y),
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal,
    "and": np.logical_and, "or": np.logical_or, "not": np.logical_not,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp, "log": np.log, "log10": np.log10,
    "sqrt": np.sqrt, "abs": np.abs, "sign": np.sign, "floor": np.floor, "atan2": np.arctan2, "mod": np.mod,
    "min": _fold(np.minimum), "max": _fold(np.maximum), "hypot": _fold(np.hypot), "step": _step,
    "if": lambda condition, a, b: np.where(condition, a, b), "clip": lambda x, a, b: np.minimum(np.maximum(x, a), b),
}  # fmt: skip
"""As the laws' operations are defined (`model.laws.expressions.operations`), of arrays."""
_EXACT = frozenset(
    ("+", "-", "*", "/", *CONDITIONS, "sqrt", "abs", "sign", "floor", "min", "max", "step", "if", "clip")
)  # fmt: skip
