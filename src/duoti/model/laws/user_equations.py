"""Equations that the user writes, between quantities of a model: what moves in them, and their programs.

Equations between quantities that move: their rates, and how these depend on the rates of the quantities.

For an equation g(x, t) = 0 the rate is R = sum of dg/dx_n r_n + dg/dt, with the rates r_n of the x_n. An equation of
velocity level is such an R(x, r, t) = 0 by itself. In both, R is linear in r, and

    slope_n = dR/dr_n,    d²g/dt² = bias + sum of slope_n dr_n/dt,    bias = sum of dR/dx_n r_n + dR/dt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from duoti.model.constraints.base import ConstraintEquation
from duoti.model.equations import EQUATION_KINDS, ExpressionEquation
from duoti.model.errors import ChannelError
from duoti.model.laws.expressions.compile import analyse, emit, folded
from duoti.model.laws.expressions.derivative import MAX_SIZE, ZERO, differentiate, plus, size_of, times
from duoti.model.laws.expressions.errors import ExpressionError, Problem
from duoti.model.laws.expressions.parser import Apply, Lookup, Name, Node, Number
from duoti.model.laws.expressions.program import Program
from duoti.model.model import Model
from duoti.model.quantities import AXES, Quantity, find_quantity, known_signal, signal_names


class MotionPrograms(NamedTuple):
    """Programs of an equation: g (zero for one of velocity level), R without and with motion, bias, and slopes."""

    holonomic: bool
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
        holonomic, emit(tree if holonomic else ZERO, text), emit(at_rest, text), emit(R, f"d/dt ({text})"),
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


NOWHERE = (0, 0)


def equation_programs(model: Model, row: ConstraintEquation) -> MotionPrograms:
    """Programs of a row that the user wrote; ValueError (ExpressionError) that says what is wrong with it.

    A row in which velocities stand is one of velocity level.
    """
    tree, text = _tree(model, row)
    holonomic = row.holonomic
    rates: dict[str, Node] = {}
    faults: list[str] = []
    for name in names_in(tree):
        if name == "t":
            continue
        quantity = find_quantity(model, name)
        if quantity.kind == "state":
            faults.append(f"{name} is a state, which no multiplier can hold; let a force depend on it")
        elif _is_rate(model, quantity):
            holonomic = False
        elif (rate := _rate(model, quantity)) is not None:
            rates[name] = rate
        else:
            faults.append(f"{name} is a part of a quaternion; write axes of the body instead (axis_x, axis_y, axis_z)")
    if faults:
        raise ExpressionError(text, [Problem(0, len(text), "; ".join(faults))])
    for node in list(rates.values()):  # axes that stand only in the rates of others
        for name in names_in(node):
            quantity = find_quantity(model, name)
            if name not in rates and not _is_rate(model, quantity):
                rate = _rate(model, quantity)
                assert rate is not None
                rates[name] = rate
    return motion_programs(tree, text, rates, holonomic)


def rate_text(model: Model, name: str) -> str | None:
    """The rate of a quantity of position as an expression of rates; None if it is none, or has no rate of its own."""
    try:
        quantity = find_quantity(model, name)
    except ChannelError:
        return None
    if quantity.kind not in ("joint", "body", "marker") or _is_rate(model, quantity):
        return None
    node = _rate(model, quantity)
    return None if node is None else re.sub(r"\b(joint|body|marker):", "", emit(node, name).source)


def equation_names(model: Model, row: ConstraintEquation) -> list[str]:
    """Names of quantities in a row that the user wrote, as far as it can be read; none for any other row."""
    if not issubclass(EQUATION_KINDS.get(row.kind, ExpressionEquation), ExpressionEquation):
        return []
    try:
        return [name for name in names_in(_tree(model, row)[0]) if name != "t"]
    except (ValueError, TypeError, OverflowError):
        return []


def _tree(model: Model, row: ConstraintEquation) -> tuple[Node, str]:
    """The expression as a tree, velocities in a marker's own axes written out in world axes."""
    try:
        tree, text = analyse(row.expression, known_signal(model), model.named_values)
    except ExpressionError:  # once more with the list of all names, for suggestions
        tree, text = analyse(row.expression, set(signal_names(model)), model.named_values)
    for name, factor in row.rates:
        rate = Name(_resolved(model, name), NOWHERE)
        tree = plus(
            times(Number(factor, NOWHERE), _seen_from(model, rate, row.seen_from) if row.seen_from else rate), tree
        )
    return replaced(tree, {name: node for name in names_in(tree) if (node := _written_out(model, name))}), text


def _resolved(model: Model, name: str) -> str:
    kind, _, rest = name.partition(":")
    if kind != "frame":
        return name
    item = rest.rsplit(".", 2)[0]
    return f"{'marker' if item in model.markers else 'body'}:{rest}"


def _seen_from(model: Model, velocity: Name, reference: str) -> Node:
    """A component of the velocity of a frame as seen from another: R_F^T (v - v_F - omega_F x (p - p_F))."""
    frame, _, axis = velocity.name.rsplit(".", 2)
    seer = f"{'marker' if reference in model.markers else 'body'}:{reference}"

    def vector(of: str, what: str) -> list[Node]:
        return [Name(f"{of}.{what}[{k}]", NOWHERE) for k in range(3)]

    def less(a: Node, b: Node) -> Node:
        return plus(a, times(Number(-1.0, NOWHERE), b))

    v, omega = map(less, vector(frame, "velocity"), vector(seer, "velocity")), vector(seer, "angular_velocity")
    gap = list(map(less, vector(frame, "position"), vector(seer, "position")))
    turned = [less(times(omega[i - 2], gap[i - 1]), times(omega[i - 1], gap[i - 2])) for i in range(3)]
    return product_sum(zip(vector(seer, AXES["xyz".index(axis)]), map(less, v, turned), strict=True))


def _component(quantity: Quantity, what: str, index: int) -> Name:
    """Name of a component of another quantity of the same frame."""
    return Name(f"{quantity.kind}:{quantity.item}.{what}[{index}]", NOWHERE)


def _written_out(model: Model, name: str) -> Node | None:
    if name == "t":
        return None
    try:
        quantity = find_quantity(model, name)
    except ChannelError:
        return None
    if not quantity.what.startswith("local_") or quantity.kind not in ("body", "marker"):
        return None
    axis, what = AXES[quantity.component or 0], quantity.what.removeprefix("local_")
    return product_sum((_component(quantity, axis, k), _component(quantity, what, k)) for k in range(3))


def _is_rate(model: Model, quantity: Quantity) -> bool:
    if quantity.kind == "joint":
        names = {c.rate for c in model.joints[quantity.item].joint.coordinates}
        return quantity.what == "v" or quantity.what in names
    return quantity.what in ("velocity", "angular_velocity")


def _rate(model: Model, quantity: Quantity) -> Node | None:
    """Rate of a quantity of position, None if there is none of its own."""
    index = quantity.component or 0
    if quantity.kind == "joint":
        return _joint_velocity(model, quantity, index)
    if quantity.what == "position":
        return _component(quantity, "velocity", index)
    if quantity.what in AXES:  # omega x axis
        i, j = (index + 1) % 3, (index + 2) % 3
        omega = [_component(quantity, "angular_velocity", k) for k in (i, j)]
        axis = [_component(quantity, quantity.what, k) for k in (i, j)]
        return plus(times(omega[0], axis[1]), times(Number(-1.0, NOWHERE), times(omega[1], axis[0])))
    return None


def _joint_velocity(model: Model, quantity: Quantity, index: int) -> Node | None:
    j = seen = 0
    for c in model.joints[quantity.item].joint.coordinates:
        here = c.nq if quantity.what in ("q", c.name) else 0
        if index < seen + here:
            return None if c.quaternion else Name(f"joint:{quantity.item}.v[{j + index - seen}]", NOWHERE)
        seen, j = seen + here, j + c.nv
    return None
