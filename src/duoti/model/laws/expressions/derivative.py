"""Exact derivatives of expressions with respect to one of their names, as programs of their own.

Where an expression has a kink or a jump, its derivative is that of the branch that `evaluate` takes, as with a
complex step; only `abs` and `hypot` have the slope 0 at 0, which is between those to all sides. `sign`, `floor`,
comparisons and logic have the derivative 0 everywhere.

Trees share their branches here: the derivative of a product refers to the factors, it does not copy them. So
what walks over a tree remembers what it has seen, and recursion is avoided as everywhere in this package.
"""

from __future__ import annotations

import math
from types import MappingProxyType

from duoti.model.laws.expressions.compile import Known, Named, analyse, emit, folded
from duoti.model.laws.expressions.errors import ExpressionError, Problem
from duoti.model.laws.expressions.lookup_table import Table
from duoti.model.laws.expressions.operations import LN10
from duoti.model.laws.expressions.parser import CONSTANTS, Apply, Lookup, Name, Node, Number
from duoti.model.laws.expressions.program import Program
from duoti.spelling import with_article

MAX_SIZE = 100_000  # numbers, names and operations of a derivative

NOWHERE = (0, 0)  # the place in the text of what the text does not contain
ZERO = Number(0.0, NOWHERE)
ONE = Number(1.0, NOWHERE)


def derivative(
    text_or_number: str | float,
    name: str,
    constants: Named = MappingProxyType({}),
    known: Known = None,
) -> Program:
    """Compile the derivative of an expression with respect to `name`; all other names are held constant.

    `constants` and `known` are those of `compile_expression`, and so are the errors.
    """
    return derivatives(text_or_number, name, 1, constants, known)[1]


def derivatives(
    text_or_number: str | float,
    name: str,
    order: int = 2,
    constants: Named = MappingProxyType({}),
    known: Known = None,
) -> tuple[Program, ...]:
    """Compile an expression and its derivatives with respect to `name`: the value, the first, ... the order-th.

    All other names are held constant. A program may have fewer inputs than the one before it. An
    `ExpressionError` is raised, too, for derivatives that would be very long.
    """
    if order < 0:
        raise ValueError(f"the order of a derivative is 0 or more, not {order}")
    if name in constants or name in CONSTANTS:
        value = constants.get(name, CONSTANTS.get(name))
        what = "table" if isinstance(value, Table) else f"number, {value:g}"
        raise ValueError(f"{name} is {with_article(what)}; no derivative with respect to it")
    tree, text = analyse(text_or_number, known, constants)
    programs = [emit(tree, text)]
    for n in range(1, order + 1):
        tree = differentiate(tree, name)
        if size_of(tree) > MAX_SIZE:
            message = f"its derivative of order {n} is too long, with more than {MAX_SIZE} operations"
            raise ExpressionError(text, [Problem(0, len(text), message)])
        what = f"d/d{name}" if n == 1 else f"d^{n}/d{name}^{n}"
        programs.append(emit(tree, f"{what} ({text})"))
    return tuple(programs)


def differentiate(tree: Node, name: str) -> Node:
    """Return the derivative of a tree as `analyse` returns it, or of a derivative."""
    slopes: dict[int, Node] = {}  # by the identity of the node; the tree keeps all of them alive
    waiting: list[tuple[Node, bool]] = [(tree, False)]  # the flag says that the arguments are done
    while waiting:
        node, ready = waiting.pop()
        if id(node) in slopes:
            continue
        if isinstance(node, Name):
            slopes[id(node)] = ONE if node.name == name else ZERO
        elif isinstance(node, Number):
            slopes[id(node)] = ZERO
        elif ready:
            slopes[id(node)] = _slope(node, slopes)
        else:
            waiting.append((node, True))
            waiting.extend((argument, False) for argument in node.arguments)
    return slopes[id(tree)]


def size_of(tree: Node) -> int:
    """Return how many nodes a tree has, shared ones counted as often as they occur."""
    sizes: dict[int, int] = {}
    waiting: list[tuple[Node, bool]] = [(tree, False)]
    while waiting:
        node, ready = waiting.pop()
        if id(node) in sizes:
            continue
        if not isinstance(node, Apply):
            sizes[id(node)] = 1
        elif ready:
            sizes[id(node)] = 1 + sum(sizes[id(argument)] for argument in node.arguments)
        else:
            waiting.append((node, True))
            waiting.extend((argument, False) for argument in node.arguments)
    return sizes[id(tree)]


# ------------------------------------------------------------------------------------------------------ rules


def _slope(node: Apply, slopes: dict[int, Node]) -> Node:
    """Return the derivative of a node, given those of all nodes below it."""
    function, arguments = node.function, node.arguments
    changes = [slopes[id(argument)] for argument in arguments]
    if all(_is(change, 0.0) for change in changes):
        return ZERO
    if len(arguments) == 1:
        return _slope_of_one(node, arguments[0], changes[0])
    if function == "if":
        return _if(arguments[0], changes[1], changes[2])
    if function == "step":
        return _slope_of_step(node, changes)
    (a, b), (da, db) = arguments, changes
    if function == "+":
        return plus(da, db)
    if function == "-":
        return _sub(da, db)
    if function == "*":
        return plus(times(da, b), times(a, db))
    if function == "/":
        return _slope_of_quotient(node, da, slopes)
    if function == "^":
        return _slope_of_power(node, da, db)
    if function == "min":
        return _if(_call("<", a, b), da, db)
    if function == "max":
        return _if(_call(">", a, b), da, db)
    if function == "mod":
        return da if _is(db, 0.0) else _sub(da, times(_call("floor", _div(a, b)), db))
    if function == "atan2":
        squares = plus(_pow(b, Number(2.0, NOWHERE)), _pow(a, Number(2.0, NOWHERE)))
        return _div(_sub(times(b, da), times(a, db)), squares)
    if function == "hypot":
        return _slope_of_hypot(node, slopes)
    return ZERO  # comparisons, and, or


def _slope_of_one(node: Apply, x: Node, dx: Node) -> Node:
    function = node.function
    if isinstance(node, Lookup):
        return ZERO if node.slope is None else times(node.slope, dx)
    if function == "-":
        return _neg(dx)
    if function == "sin":
        return times(_call("cos", x), dx)
    if function == "cos":
        return _neg(times(_call("sin", x), dx))
    if function == "tan":
        return times(plus(ONE, _pow(node, Number(2.0, NOWHERE))), dx)
    if function in ("asin", "acos"):
        slope = _div(dx, _call("sqrt", times(_sub(ONE, x), plus(ONE, x))))  # 1 - x^2 would lose digits near 1
        return slope if function == "asin" else _neg(slope)
    if function == "atan":
        return _div(dx, plus(ONE, _pow(x, Number(2.0, NOWHERE))))
    if function == "sinh":
        return times(_call("cosh", x), dx)
    if function == "cosh":
        return times(_call("sinh", x), dx)
    if function == "tanh":
        return _div(dx, _pow(_call("cosh", x), Number(2.0, NOWHERE)))
    if function == "exp":
        return times(node, dx)
    if function == "log":
        return _div(dx, x)
    if function == "log10":
        return _div(dx, times(Number(LN10, NOWHERE), x))
    if function == "sqrt":
        return _div(times(Number(0.5, NOWHERE), dx), node)
    if function == "abs":
        return times(_call("sign", x), dx)
    return ZERO  # sign, floor, not


def _slope_of_quotient(node: Apply, da: Node, slopes: dict[int, Node]) -> Node:
    """Return (a/b)', where b may be a multiple of a power: powers then stay powers, and 1/x^2 becomes -2/x^3.

    For exp, cosh and sinh b'/b is written without b: exp(x)/exp(x)^2 would be NaN where exp(x)^2 overflows.
    """
    a, b = node.arguments
    db = slopes[id(b)]
    if _is(db, 0.0):
        return _div(da, b)
    if isinstance(b, Apply) and b.function == "*" and isinstance(b.arguments[0], Number):
        factor, core = b.arguments  # b = factor * base^n
    else:
        factor, core = ONE, b
    base, n = core, ONE
    if isinstance(core, Apply) and core.function == "^" and isinstance(core.arguments[1], Number):
        base, n = core.arguments
    change = slopes[id(base)]
    if isinstance(base, Apply) and base.function in ("exp", "cosh", "sinh", "sqrt"):
        x = base.arguments[0]
        dx = slopes[id(x)]
        if base.function == "exp":
            rate = dx
        elif base.function == "cosh":
            rate = times(_call("tanh", x), dx)
        elif base.function == "sinh":
            rate = _div(dx, _call("tanh", x))
        else:
            rate = _div(times(Number(0.5, NOWHERE), dx), x)
        return _div(_sub(da, times(n, times(a, rate))), b)
    if _is(da, 0.0):
        return _neg(_div(times(times(n, a), change), times(factor, _pow(base, plus(n, ONE)))))
    return _div(_sub(da, times(n, _div(times(a, change), base))), b)


def _slope_of_power(node: Apply, da: Node, db: Node) -> Node:
    a, b = node.arguments
    by_a = times(times(b, _pow(a, _sub(b, ONE))), da)  # for negative a, too
    if _is(db, 0.0) or _is(a, 0.0):
        return by_a
    by_b = _if(_call("==", a, ZERO), ZERO, times(node, _call("log", a)))  # not 0*log(0)
    return plus(by_a, times(by_b, db))


def _slope_of_hypot(node: Apply, slopes: dict[int, Node]) -> Node:
    """Return (a*a' + b*b' + c*c')/hypot(a, b, c), 0 where all are 0: a and b may both be 0 where c is not."""
    products: list[Node] = []
    inner: Node = node
    while isinstance(inner, Apply) and inner.function == "hypot":
        inner, last = inner.arguments
        products.append(times(last, slopes[id(last)]))
    total = times(inner, slopes[id(inner)])
    for product in reversed(products):
        total = plus(total, product)
    return _if(_call("==", node, ZERO), ZERO, _div(total, node))


def _slope_of_step(node: Apply, changes: list[Node]) -> Node:
    """Return (h1 - h0)*6*s*(1 - s)*s' with s = (t - t0)/(t1 - t0), and another step for moving ends."""
    t, t0, h0, t1, h1 = node.arguments
    dt, dt0, dh0, dt1, dh1 = changes
    width = _sub(t1, t0)
    since, until = _sub(t, t0), _sub(t1, t)
    change = _sub(_sub(dt, dt0), _div(times(since, _sub(dt1, dt0)), width))  # of s, times width
    factor = _div(times(Number(6.0, NOWHERE), _sub(h1, h0)), _pow(width, Number(3.0, NOWHERE)))
    inside = times(times(factor, times(since, until)), change)
    outside = _call("or", _call("<=", t, t0), _call(">=", t, t1))
    slope = _if(outside, ZERO, inside)
    if _is(dh0, 0.0) and _is(dh1, 0.0):
        return slope
    return plus(_call("step", t, t0, dh0, t1, dh1), slope)


# ------------------------------------------------------------------------------ nodes, simplified as they form


def _is(node: Node, value: float) -> bool:
    return isinstance(node, Number) and node.value == value


def _call(function: str, *arguments: Node) -> Node:
    return folded(Apply(function, arguments, NOWHERE))


def _if(condition: Node, a: Node, b: Node) -> Node:
    if a is b or (isinstance(b, Number) and _is(a, b.value)):
        return a
    return _call("if", condition, a, b)


def _negated(node: Node) -> Node | None:
    """Return x for -x, also if x is a number or begins with one, otherwise None."""
    if isinstance(node, Number) and node.value < 0.0:
        return Number(-node.value, NOWHERE)
    if isinstance(node, Apply):
        if node.function == "-" and len(node.arguments) == 1:
            return node.arguments[0]
        if node.function in ("*", "/") and (first := _negated_number(node.arguments[0])):
            return times(first, node.arguments[1]) if node.function == "*" else _div(first, node.arguments[1])
    return None


def _negated_number(node: Node) -> Number | None:
    return Number(-node.value, NOWHERE) if isinstance(node, Number) and node.value < 0.0 else None


def _neg(x: Node) -> Node:
    if isinstance(x, Number):
        return Number(-x.value if x.value else 0.0, NOWHERE)
    if (positive := _negated(x)) is not None:
        return positive
    if isinstance(x, Apply):
        if x.function == "-":
            return _sub(x.arguments[1], x.arguments[0])
        if x.function in ("*", "/") and isinstance(x.arguments[0], Number):
            return Apply(x.function, (Number(-x.arguments[0].value, NOWHERE), x.arguments[1]), NOWHERE)
    return _call("-", x)


def plus(a: Node, b: Node) -> Node:
    """Return a + b, simplified."""
    if isinstance(a, Number) and isinstance(b, Number):
        return Number(a.value + b.value, NOWHERE)
    if _is(a, 0.0):
        return b
    if _is(b, 0.0):
        return a
    if (positive := _negated(b)) is not None:
        return _call("-", a, positive)
    if (positive := _negated(a)) is not None:
        return _call("-", b, positive)
    return _call("+", a, b)


def _sub(a: Node, b: Node) -> Node:
    if isinstance(a, Number) and isinstance(b, Number):
        return Number(a.value - b.value, NOWHERE)
    if _is(b, 0.0):
        return a
    if _is(a, 0.0):
        return _neg(b)
    if (positive := _negated(b)) is not None:
        return _call("+", a, positive)
    return _call("-", a, b)


def _factor(node: Node) -> tuple[float, Node]:
    """Split c*x into c and x."""
    if isinstance(node, Number):
        return node.value, ONE
    if isinstance(node, Apply):
        if node.function == "*" and isinstance(node.arguments[0], Number):
            return node.arguments[0].value, node.arguments[1]
        if node.function == "-" and len(node.arguments) == 1:
            return -1.0, node.arguments[0]
    return 1.0, node


def times(a: Node, b: Node) -> Node:
    """Return a*b with all numbers in front, multiplied unless that overflows."""
    if _is(a, 0.0) or _is(b, 0.0):
        return ZERO
    (f, a_rest), (g, b_rest) = _factor(a), _factor(b)
    product = f * g
    if not math.isfinite(product) or product == 0.0:
        return _call("*", a, b)
    if _is(a_rest, 1.0):
        rest = b_rest
    elif _is(b_rest, 1.0):
        rest = a_rest
    else:
        rest = _call("*", a_rest, b_rest)
    if _is(rest, 1.0):
        return Number(product, NOWHERE)
    if product == 1.0:
        return rest
    return _call("-", rest) if product == -1.0 else _call("*", Number(product, NOWHERE), rest)


def _div(a: Node, b: Node) -> Node:
    if _is(a, 0.0) and not _is(b, 0.0):
        return ZERO
    if _is(b, 1.0):
        return a
    if not isinstance(a, Number) and (positive := _negated(a)) is not None:
        return _neg(_div(positive, b))
    return _call("/", a, b)


def _pow(a: Node, b: Node) -> Node:
    if _is(b, 0.0):
        return ONE
    if _is(b, 1.0):
        return a
    if isinstance(b, Number) and isinstance(a, Apply) and a.function == "^" and isinstance(a.arguments[1], Number):
        n, m = b.value, a.arguments[1].value
        if n.is_integer() and m.is_integer() and n > 0.0 and m > 0.0:
            return _pow(a.arguments[0], Number(n * m, NOWHERE))
    return _call("^", a, b)
