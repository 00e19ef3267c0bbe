"""Equations between quantities that move: their rates, and how these depend on the rates of the quantities.

For an equation g(x, t) = 0 the rate is R = sum of dg/dx_n r_n + dg/dt, with the rates r_n of the x_n. An equation of
velocity level is such an R(x, r, t) = 0 by itself. In both, R is linear in r, and

    slope_n = dR/dr_n,    d²g/dt² = bias + sum of slope_n dr_n/dt,    bias = sum of dR/dx_n r_n + dR/dt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from duoti.model.expressions.compile import emit, folded
from duoti.model.expressions.derivative import MAX_SIZE, ZERO, differentiate, plus, size_of, times
from duoti.model.expressions.errors import ExpressionError, Problem
from duoti.model.expressions.program import Program
from duoti.model.expressions.syntax import Apply, Lookup, Name, Node


class MotionPrograms(NamedTuple):
    """Programs of an equation: g (zero for one of velocity level), R without and with motion, bias, and slopes."""

    value: Program
    at_rest: Program
    rate: Program
    bias: Program
    slopes: dict[str, Program]


def motion_programs(tree: Node, text: str, rates: Mapping[str, Node], holonomic: bool) -> MotionPrograms:
    """Programs of the equation `tree` = 0. rates: of each name that moves, by names and their rates."""
    moving = {name for node in rates.values() for name in names_in(node)} - set(rates)  # names of rates
    R = _total(tree, rates) if holonomic else tree
    moving |= {name for name in names_in(R) if name not in rates and name != "t"}
    bias = _total(R, rates)
    slopes = {name: differentiate(R, name) for name in sorted(moving)}
    for each in (R, bias, *slopes.values()):
        if size_of(each) > MAX_SIZE:
            message = f"its derivatives are too long, with more than {MAX_SIZE} operations"
            raise ExpressionError(text, [Problem(0, len(text), message)])
    bent = [name for name, slope in slopes.items() if moving & set(names_in(slope))]
    if bent:
        message = f"it is not linear in the rates ({', '.join(bent)}): no multiplier can hold it"
        raise ExpressionError(text, [Problem(0, len(text), message)])
    at_rest = replaced(R, dict.fromkeys(moving, ZERO))
    return MotionPrograms(
        emit(tree if holonomic else ZERO, text), emit(at_rest, text), emit(R, f"d/dt ({text})"),
        emit(bias, f"d^2/dt^2 ({text})"), {name: emit(slope, text) for name, slope in slopes.items()},
    )  # fmt: skip


def _total(tree: Node, rates: Mapping[str, Node]) -> Node:
    """Rate of a tree, as far as names in `rates` and the time change it."""
    total = differentiate(tree, "t")
    for name in names_in(tree):
        if name in rates:
            total = plus(total, times(differentiate(tree, name), rates[name]))
    return total


def names_in(tree: Node) -> list[str]:
    """Names in a tree, in the order in which they first occur."""
    found: dict[str, None] = {}
    seen: set[int] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Name):
            found.setdefault(node.name)
        elif isinstance(node, Apply) and id(node) not in seen:
            seen.add(id(node))
            waiting.extend(reversed(node.arguments))
    return list(found)


def replaced(tree: Node, by: Mapping[str, Node]) -> Node:
    """The tree with names replaced by other trees."""
    made: dict[int, Node] = {}
    waiting: list[tuple[Node, bool]] = [(tree, False)]
    while waiting:
        node, ready = waiting.pop()
        if id(node) in made:
            continue
        if isinstance(node, Name):
            made[id(node)] = by.get(node.name, node)
        elif not isinstance(node, Apply):
            made[id(node)] = node
        elif ready:
            arguments = tuple(made[id(argument)] for argument in node.arguments)
            if isinstance(node, Lookup):
                made[id(node)] = Lookup(node.function, arguments, node.span, node.table, node.order)
            else:
                made[id(node)] = folded(Apply(node.function, arguments, node.span))
        else:
            waiting.append((node, True))
            waiting.extend((argument, False) for argument in node.arguments)
    return made[id(tree)]


def product_sum(pairs: Iterable[tuple[Node, Node]]) -> Node:
    """Sum of products."""
    total: Node = ZERO
    for a, b in pairs:
        total = plus(total, times(a, b))
    return total
