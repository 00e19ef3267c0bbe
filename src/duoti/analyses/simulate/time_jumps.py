"""Known times at which laws jump: runs end a step there and begin another, so that no step goes across.

A law jumps where a comparison of expressions of the time changes (`10*(t > 0.5)`, `if(t < t1, a, b)`, `sin(w*t) > 0`),
at whole numbers of `floor`, `mod`, `sign`, and at the points of tables whose values hold until the next one. Found are
those whose arguments are a*t + b with constants a, b, and sin, cos or mod of such beside a constant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from duoti.model.laws.expressions.lookup_table import Table
from duoti.model.laws.expressions.parser import CONSTANTS, Apply, Name, Node, Number, parse
from duoti.model.parameters import names_in
from duoti.system.system import System

ULPS = 16.0
"""So many units in the last place before a jump a step ends, more than `plan_step` forgives; the next begins as many
behind it."""
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
NextTime = Callable[[float], float]
"""The first jump after a time, infinite if there is none."""
Line = tuple[float, float]
"""a, b of a*t + b."""


def around(t: float) -> tuple[float, float]:
    """Where the step before a jump ends, and where the one behind it begins."""
    gap = ULPS * math.ulp(t)
    return t - gap, t + gap


def next_jump(system: System) -> NextTime | None:
    """The next jump of forces and rates of states of a system after a time; None if there are none at all."""
    values = system.model.named_values
    found = list[NextTime]()
    for law, owner in zip(system.laws, system.law_owners, strict=True):
        if law.program is not None and owner.kind in ("force", "state") and "t" in names_in(law.program.text):
            found += _jumps(parse(law.program.text), values)
    return (lambda t: min(each(t) for each in found)) if found else None


def _jumps(tree: Node, values: Mapping[str, Any]) -> Iterator[NextTime]:
    waiting: list[Node] = [tree]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Apply):
            continue
        waiting += node.arguments
        lines = [_line(each, values) for each in node.arguments]
        if node.function in COMPARISONS:
            yield from _crossings(node.arguments, lines, values)
        elif node.function == "sign":
            yield from _crossings((node.arguments[0], Number(0.0, node.span)), [lines[0], (0.0, 0.0)], values)
        elif node.function == "floor" and lines[0]:
            yield from _periodic(lines[0], (0.0,), 1.0)
        elif node.function == "mod" and lines[0] and lines[1] and not lines[1][0] and lines[1][1]:
            yield from _periodic(lines[0], (0.0,), abs(lines[1][1]))
        elif isinstance(table := values.get(node.function), Table) and table.degree == 0 and lines[0]:
            points = [float(x) for x in table.x]
            if table.extrapolation == "repeat":
                yield from _periodic(lines[0], points[:-1], points[-1] - points[0])
            else:
                yield _first_of([(x - lines[0][1]) / lines[0][0] for x in points] if lines[0][0] else [])


def _crossings(sides: Iterable[Node], lines: list[Line | None], values: Mapping[str, Any]) -> Iterator[NextTime]:
    """Where two sides of a comparison are equal."""
    first, second = lines
    if first and second:
        a, b = first[0] - second[0], first[1] - second[1]
        if a:
            yield _first_of([-b / a])
        return
    for node, other in zip(sides, (second, first), strict=True):
        if not isinstance(node, Apply) or node.function not in ("sin", "cos", "mod") or not other or other[0]:
            continue
        inner, level = _line(node.arguments[0], values), other[1]
        if node.function == "mod":
            period = _line(node.arguments[1], values)
            if inner and period and not period[0] and period[1]:
                yield from _periodic(inner, (level,), abs(period[1]))
        elif inner and abs(level) <= 1.0:
            u = math.asin(level)
            roots = (u, math.pi - u) if node.function == "sin" else (0.5 * math.pi - u, u - 0.5 * math.pi)
            yield from _periodic(inner, roots, 2.0 * math.pi)


def _first_of(times: list[float]) -> NextTime:
    return lambda t: min((each for each in times if each > t), default=math.inf)


def _periodic(line: Line, at: Iterable[float], period: float) -> Iterator[NextTime]:
    """Where a*t + b is one of `at` but for whole periods."""
    a, b = line
    if not a:
        return
    for x in at:

        def after(t: float, x: float = x) -> float:
            k = math.floor((a * t + b - x) / period)
            times = [(x + (k + n) * period - b) / a for n in (-1, 0, 1, 2)]
            return min(each for each in times if each > t)

        yield after


def _line(node: Node, values: Mapping[str, Any]) -> Line | None:
    """a, b of an expression that is a*t + b; None of another one."""
    if isinstance(node, Number):
        return 0.0, node.value
    if isinstance(node, Name):
        if node.name in values or node.name in CONSTANTS:
            value = values.get(node.name, CONSTANTS.get(node.name))
            return None if isinstance(value, Table) or value is None else (0.0, float(value))
        return (1.0, 0.0) if node.name == "t" else None
    parts = [_line(each, values) for each in node.arguments]
    if not parts or any(each is None for each in parts):
        return None
    (a, b), (c, d) = parts[0], parts[-1]  # pyright: ignore[reportGeneralTypeIssues]
    if node.function == "-" and len(parts) == 1:
        return -a, -b
    if node.function in ("+", "-") and len(parts) == 2:
        sign = 1.0 if node.function == "+" else -1.0
        return a + sign * c, b + sign * d
    if node.function == "*" and (not a or not c):
        return (b * c, b * d) if not a else (a * d, b * d)
    if node.function == "/" and not c and d:
        return a / d, b / d
    return None
