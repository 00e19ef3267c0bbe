"""From text to program: look up the names, compute what is constant, write postfix code."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from numbers import Real
from types import MappingProxyType
from typing import Any

from duoti.model.laws.expressions import operations as ops
from duoti.model.laws.expressions.errors import ExpressionError, Problem, listed, quoted, suggestion
from duoti.model.laws.expressions.lookup_table import Table
from duoti.model.laws.expressions.parser import (
    CONSTANTS,
    SIGNATURES,
    Apply,
    Lookup,
    Name,
    Node,
    Number,
    parse,
    signature,
)
from duoti.model.laws.expressions.program import Program, interpret

Known = Callable[[str], bool] | Collection[str] | None
Named = Mapping[str, float | Table]
"""What a model gives names to: numbers, its parameters, and tables."""

OPCODES: dict[tuple[str, int], int] = {  # by name and number of arguments
    **{(name, 1): getattr(ops, name.upper()) for name, words in SIGNATURES.items() if words == ("x",)},
    **{(name, 2): getattr(ops, name.upper()) for name in ("atan2", "hypot", "mod", "min", "max", "and", "or")},
    ("+", 2): ops.ADD,
    ("-", 2): ops.SUB,
    ("*", 2): ops.MUL,
    ("/", 2): ops.DIV,
    ("^", 2): ops.POWER,
    ("<", 2): ops.LT,
    ("<=", 2): ops.LE,
    (">", 2): ops.GT,
    (">=", 2): ops.GE,
    ("==", 2): ops.EQ,
    ("!=", 2): ops.NE,
    ("-", 1): ops.NEG,
    ("not", 1): ops.NOT,
    ("if", 3): ops.SELECT,
    ("step", 5): ops.STEP,
}
QUICK: dict[tuple[str, int], Callable[..., Any]] = {
    ("-", 1): operator.neg, ("+", 2): operator.add, ("-", 2): operator.sub, ("*", 2): operator.mul,
}  # fmt: skip
"""What Python computes to the same bits as the machine of the programs does, and without an error."""
SMALL_EXPONENTS = (2.0, 3.0, 4.0)  # by multiplication: faster than pow(), and within two rounding errors

ALSO_CALLED = {  # names of functions in other languages
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "ln": "log",
    "sgn": "sign",
    "fabs": "abs",
    "fmod": "mod",
    "pow": "a^b",
    "power": "a^b",
    "where": "if(condition, a, b)",
    "clamp": "clip(x, low, high)",
    "square": "x^2",
    "table": 'the name of the table as a function, road(t), or table("road", t)',
    "interp": "the name of a table as a function, road(t)",
}


def compile_expression(
    text_or_number: str | float,
    known: Known = None,
    constants: Named = MappingProxyType({}),
) -> Program:
    """Compile an expression, or a plain number.

    Names in `constants` (the parameters of a model) are replaced by their values; tables in it are functions of one
    number, `road(t)` or `table("road", t)`. Any other name must be
    `known`: in a collection of names, or accepted by a function; None accepts all. Faults raise
    `ExpressionError`, one for all unknown names.
    """
    return emit(*analyse(text_or_number, known, constants))


def with_constants(program: Program, constants: Named) -> Program:
    """A program that was compiled before, with other values of its constants."""
    places = None if program.tables else _constant_places(program.text, program.inputs)
    if places is not None:
        values = tuple([float(constants[each]) if isinstance(each, str) else each for each in places])  # pyright: ignore[reportArgumentType]
        return replace(program, constants=values)
    tree = _fold(parse(program.text), constants)
    _check_steps(tree, program.text)
    return emit(tree, program.text)


@lru_cache(maxsize=4096)
def _constant_places(text: str, inputs: tuple[str, ...]) -> tuple[str | float, ...] | None:
    """What each constant of a program is, a number or the name of a parameter; None if some are computed of parameters.

    inputs: the names that are no parameters.
    """
    tree = _fold(parse(text), MappingProxyType({}))
    for node in _nodes(tree):
        if isinstance(node, Apply):
            of = node.arguments
            fixed = [isinstance(each, Number) or (isinstance(each, Name) and each.name not in inputs) for each in of]
            decides = {"^": fixed[-1], "if": fixed[0], "step": True}.get(node.function, False)
            if all(fixed) or (decides and any(isinstance(each, Name) and each.name not in inputs for each in of)):
                return None
    plain = emit(tree, text)
    found, code, i = list[str | float](), plain.code, 0
    while i < len(code):
        if code[i] == ops.CONST:
            found.append(plain.constants[code[i + 1]])
        elif code[i] == ops.INPUT and plain.inputs[code[i + 1]] not in inputs:
            found.append(plain.inputs[code[i + 1]])
        i += 2 if code[i] in (ops.CONST, ops.INPUT, ops.POWER_INT) else 1
    return tuple(found)


def analyse(text_or_number: str | float, known: Known, constants: Named) -> tuple[Node, str]:
    """Return the tree of an expression and its text, with constants put in and only functions with an opcode."""
    if isinstance(text_or_number, str):
        text = text_or_number
        tree = parse(text)
        _look_up(tree, text, known, constants)
        tree = _fold(tree, constants)
        _check_steps(tree, text)
        return tree, text
    thing: object = text_or_number
    if not isinstance(thing, bool) and isinstance(thing, Real) and math.isfinite(thing):
        return Number(float(thing), (0, 0)), repr(float(thing))
    text = repr(thing)
    raise ExpressionError(text, [Problem(0, len(text), "this is neither a finite number nor an expression")])


# --------------------------------------------------------------------------------------------------- checking


def _nodes(tree: Node) -> Iterator[Node]:
    """All nodes, from left to right. Not recursive: a sum of a thousand terms is a thousand levels deep."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Apply):
            waiting.extend(reversed(node.arguments))


def _look_up(tree: Node, text: str, known: Known, constants: Named) -> None:
    """Raise one error for all unknown names and functions and all wrong numbers of arguments."""
    is_known = known if callable(known) else (lambda name: known is None or name in known)
    problems: dict[str, Problem] = {}  # one for each word, however often it occurs
    remedies: list[str] = []
    for node in _nodes(tree):
        if isinstance(node, Apply):
            if (node.function, len(node.arguments)) not in OPCODES and (misuse := _misuse(node, constants)):
                problems.setdefault(f"{node.function}()", misuse)
        elif isinstance(node, Name) and node.name not in problems:
            name = node.name
            if name in CONSTANTS:
                if name in constants or (known is not None and is_known(name)):
                    message = f"{name} is the number {CONSTANTS[name]:.6g} and also a name of the model"
                    problems[name] = Problem(*node.span, f"{message}; rename the latter")
            elif isinstance(constants.get(name), Table):
                problems[name] = Problem(*node.span, f"{name} is a table; write {name}(t), or of what else it is read")
            elif name not in constants and not is_known(name):
                if name in SIGNATURES:
                    problems[name] = Problem(*node.span, f"{name} is a function; write {signature(name)}")
                else:
                    names = {*CONSTANTS, *constants, *(() if known is None or callable(known) else known)}
                    likely = {"π": "pi", "time": "t"} if "t" in names or callable(known) else {"π": "pi"}
                    message = f"unknown name {quoted(name)}{suggestion(name, names, likely)}"
                    remedies.append(f"names: {listed(names)}")
                    problems[name] = Problem(*node.span, message, "unknown-name", name)
    if problems:
        if any(p.code == "unknown-function" for p in problems.values()):
            remedies.append(f"functions: {', '.join(sorted(SIGNATURES))}")
            if tables := _tables(constants):
                remedies.append(f"tables: {listed(tables)}")
        raise ExpressionError(text, sorted(problems.values()), "\n".join(dict.fromkeys(remedies)))


def _tables(constants: Named) -> list[str]:
    return [name for name, value in constants.items() if isinstance(value, Table)]


def _misuse(call: Apply, constants: Named) -> Problem | None:
    """What is wrong with a call that has no opcode of its own, if anything is."""
    count = len(call.arguments)
    if isinstance(constants.get(call.function), Table):
        if count == 1:
            return None
        return Problem(*call.span, f"a table takes one argument, not {count}; write {call.function}(x)")
    if call.function not in SIGNATURES:
        names = [*SIGNATURES, *_tables(constants)]
        hint = suggestion(call.function, names, ALSO_CALLED) or "; a product is written with *"
        message = f"unknown function {quoted(call.function)}{hint}"
        return Problem(*call.span, message, "unknown-function", call.function)
    words = SIGNATURES[call.function]
    if (words[-1] == "..." and count >= 2) or count == len(words):
        return None
    plural = "" if count == 1 else "s"
    message = f"{call.function} does not take {count} argument{plural}; write {signature(call.function)}"
    return Problem(*call.span, message)


def _check_steps(tree: Node, text: str) -> None:
    for node in _nodes(tree):
        if isinstance(node, Apply) and node.function == "step":
            _, t0, _, t1, _ = node.arguments
            if isinstance(t0, Number) and isinstance(t1, Number) and not t0.value < t1.value:
                message = f"the step ends at t1 = {t1.value:g}, not after it starts at t0 = {t0.value:g}"
                raise ExpressionError(text, [Problem(*node.span, message)], f"write {signature('step')}")


# ---------------------------------------------------------------------------------------------------- folding


def _simple(node: Apply, constants: Named) -> Apply:
    """Write clip and functions of many arguments with those that have an opcode; find tables."""
    function, arguments, span = node.function, node.arguments, node.span
    if isinstance(table := constants.get(function), Table):
        return Lookup(function, arguments, span, table)
    if function == "clip":
        x, low, high = arguments
        return Apply("min", (Apply("max", (x, low), span), high), span)
    while len(arguments) > 2 and SIGNATURES.get(function, ("",))[-1] == "...":
        arguments = (Apply(function, arguments[:2], span), *arguments[2:])
    return Apply(function, arguments, span)


def _fold(tree: Node, constants: Named) -> Node:
    """Return the tree with constants put in and everything computed that depends on nothing else."""
    waiting: list[tuple[Node, bool]] = [(tree, False)]  # the flag says that the arguments are done
    done: list[Node] = []
    while waiting:
        node, ready = waiting.pop()
        if isinstance(node, Name):
            value = constants.get(node.name, CONSTANTS.get(node.name))
            done.append(node if value is None or isinstance(value, Table) else Number(float(value), node.span))
        elif not isinstance(node, Apply):
            done.append(node)
        elif not ready:
            node = _simple(node, constants)
            waiting.append((node, True))
            waiting.extend((argument, False) for argument in reversed(node.arguments))
        else:
            count = len(node.arguments)
            arguments = tuple(done[-count:])
            del done[-count:]
            if isinstance(node, Lookup):
                done.append(Lookup(node.function, arguments, node.span, node.table, node.order))
            else:
                done.append(folded(Apply(node.function, arguments, node.span)))
    return done[0]


def folded(node: Apply) -> Node:
    """Return a node computed, if all of its arguments are numbers, or the branch that a constant condition takes."""
    if all(isinstance(argument, Number) for argument in node.arguments):
        quick = QUICK.get((node.function, len(node.arguments)))
        values = [argument.value for argument in node.arguments if isinstance(argument, Number)]
        value = interpret(emit(node, "")) if quick is None else quick(*values)
        return Number(value, node.span)
    if node.function == "if" and isinstance(node.arguments[0], Number):
        return node.arguments[1] if node.arguments[0].value != 0.0 else node.arguments[2]
    return node


# --------------------------------------------------------------------------------------------------- emission


def emit(tree: Node, text: str) -> Program:
    """Write the code of a tree that has only names, numbers and functions with an opcode."""
    code: list[int] = []
    values: list[float] = []
    inputs: dict[str, int] = {}
    tables: dict[int, tuple[int, Table]] = {}  # by identity: number and table
    depth = deepest = 0
    waiting: list[Node | tuple[list[int], int]] = [tree]  # nodes, and code that takes some values off the stack
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            words, taken = node
            code += words
            depth += 1 - taken
        elif isinstance(node, Apply):
            words, arguments = _operation(node)
            if isinstance(node, Lookup):
                words.append(tables.setdefault(id(node.table), (len(tables), node.table))[0])
            waiting.append((words, len(arguments)))
            waiting.extend(reversed(arguments))
        else:
            if isinstance(node, Name):
                code += (ops.INPUT, inputs.setdefault(node.name, len(inputs)))
            else:
                code += (ops.CONST, len(values))  # equal numbers apart: parameters that change may part them
                values.append(node.value)
            depth += 1
            deepest = max(deepest, depth)
    read = tuple(table for _, table in tables.values())
    return Program(tuple(code), tuple(values), tuple(inputs), deepest, text, read)


def _operation(node: Apply) -> tuple[list[int], tuple[Node, ...]]:
    """Return opcode and operand of a node (but for that of a table), and what is to be computed before."""
    if isinstance(node, Lookup):
        return [ops.TABLE + node.order], node.arguments
    if node.function == "^":
        base, exponent = node.arguments
        if isinstance(exponent, Number) and exponent.value in SMALL_EXPONENTS:
            return [ops.POWER_INT, int(exponent.value)], (base,)
    return [OPCODES[node.function, len(node.arguments)]], node.arguments
