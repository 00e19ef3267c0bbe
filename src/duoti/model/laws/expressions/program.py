"""A compiled expression."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.laws.expressions import operations as ops
from duoti.model.laws.expressions.lookup_table import Table
from duoti.model.laws.expressions.machine import evaluate, tabulate
from duoti.model.laws.expressions.parser import SIGNATURES

OPERATORS = {  # sign and precedence, as in the parser
    ops.OR: ("or", 1),
    ops.AND: ("and", 2),
    ops.LT: ("<", 4),
    ops.LE: ("<=", 4),
    ops.GT: (">", 4),
    ops.GE: (">=", 4),
    ops.EQ: ("==", 4),
    ops.NE: ("!=", 4),
    ops.ADD: ("+", 5),
    ops.SUB: ("-", 5),
    ops.MUL: ("*", 6),
    ops.DIV: ("/", 6),
}
NOT, COMPARE, SIGNED, POWER, VALUE = 3, 4, 7, 8, 9
FUNCTIONS = {  # name and number of arguments
    **{getattr(ops, name.upper()): (name, 1) for name, words in SIGNATURES.items() if words == ("x",)},
    **{getattr(ops, name.upper()): (name, 2) for name in ("atan2", "hypot", "mod", "min", "max")},
    ops.SELECT: ("if", 3),
    ops.STEP: ("step", 5),
}


@dataclass(frozen=True)
class Program:
    """Postfix code of one expression; immutable, comparable, and safe to pickle."""

    code: tuple[int, ...]
    """Opcodes of `operations`; CONST, INPUT, POWER_INT and TABLE are followed by an operand."""
    constants: tuple[float, ...]
    """The numbers that CONST counts in."""
    inputs: tuple[str, ...]
    """The names that INPUT counts in: what the expression depends on."""
    stack_depth: int
    """How many numbers `evaluate` must be able to stack, at least 1."""
    text: str
    """The expression as it was written."""
    tables: tuple[Table, ...] = ()
    """The tables that TABLE counts in."""

    @property
    def value(self) -> float | None:
        """The value of an expression that depends on nothing, otherwise None."""
        return None if self.inputs or self.code != (ops.CONST, 0) else self.constants[0]

    @property
    def source(self) -> str:
        """The expression as it was compiled: parameters put in, constant parts computed, few brackets."""
        return _source(self)

    def evaluate(self, values: Mapping[str, complex] | None = None, /, **named: complex) -> Any:
        """Return the value for the given inputs, as a float, or complex if any of them is complex.

        Names with dots go in as a mapping: `program.evaluate({"A.angle": 0.1}, t=2.0)`.
        """
        given = {**(values or {}), **named}
        missing = [name for name in self.inputs if name not in given]
        unused = [name for name in given if name not in self.inputs]
        if missing:
            raise TypeError(f'no value for {", ".join(missing)} of the expression "{self.text}"')
        if unused:
            raise TypeError(f'the expression "{self.text}" does not depend on {", ".join(unused)}')
        return _run(evaluate, self, [given[name] for name in self.inputs])

    def evaluate_all(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values of an expression of one name, at many values of it."""
        code, _, constants, depth = link([self])
        out = np.zeros(len(values))
        tabulate(code, constants, np.ascontiguousarray(values, dtype=float), np.zeros(1), np.zeros(depth), out)
        return out


def _run(machine: Any, program: Program, inputs: list[complex]) -> Any:
    number = complex if any(np.iscomplexobj(x) for x in inputs) else float
    code, _, constants, depth = link([program])
    return machine(code, 0, len(code), constants, np.array(inputs, number), np.zeros(depth, number))


def interpret(program: Program) -> float:
    """Return the value of a program without inputs, in plain Python: nothing need be compiled for it."""
    return _run(getattr(evaluate, "py_func", evaluate), program, [])


def link(
    programs: Iterable[Program],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], int]:
    """Put programs one behind the other, for kernels that evaluate many.

    Returns `code`, `bounds`, `constants` and the largest stack depth. Program k is
    code[bounds[k]:bounds[k + 1]]; all share one array of constants, and each keeps its own array of inputs. A table
    that several programs read stands behind the constants once.
    """
    programs = list(programs)
    end = sum(len(program.constants) for program in programs)
    tables = {id(table): table for program in programs for table in program.tables}
    places: dict[int, int] = {}
    for key, table in tables.items():
        places[key] = end
        end += len(table.numbers)
    code: list[int] = []
    bounds = [0]
    constants: list[float] = []
    deepest = 1
    for program in programs:
        offset = len(constants)
        for op, word in _operands(program.code):
            if op == ops.CONST:
                word += offset
            elif op >= ops.TABLE:
                word = places[id(program.tables[word])]
            code.append(word)
        bounds.append(len(code))
        constants += program.constants
        deepest = max(deepest, program.stack_depth)
    numbers = np.concatenate([np.array(constants, np.float64), *(table.numbers for table in tables.values())])
    return np.array(code, np.int64), np.array(bounds, np.int64), numbers, deepest


def _operands(code: tuple[int, ...]) -> Iterable[tuple[int, int]]:
    """Each word of the code with the opcode whose operand it is, or -1 for the opcodes themselves."""
    owner = -1
    for word in code:
        yield owner, word
        owner = word if owner == -1 and (word <= ops.POWER_INT or word >= ops.TABLE) else -1


# ---------------------------------------------------------------------------------------------- printing back


def _source(program: Program) -> str:
    stack: list[tuple[str, int]] = []  # text and precedence

    def pop(loosest: int) -> str:
        text, precedence = stack.pop()
        return text if precedence >= loosest else f"({text})"

    words = iter(program.code)
    for op in words:
        if op == ops.CONST:
            stack.append(_number(program.constants[next(words)]))
        elif op == ops.INPUT:
            stack.append((program.inputs[next(words)], VALUE))
        elif op == ops.NEG:
            stack.append((f"-{pop(SIGNED)}", SIGNED))
        elif op == ops.NOT:
            stack.append((f"not {pop(NOT)}", NOT))
        elif op == ops.POWER_INT:
            stack.append((f"{pop(VALUE)}^{next(words)}", POWER))
        elif op == ops.POWER:
            exponent = pop(SIGNED)
            stack.append((f"{pop(VALUE)}^{exponent}", POWER))
        elif op in OPERATORS:
            sign, precedence = OPERATORS[op]
            right = pop(precedence + 1)
            left = pop(precedence + (precedence == COMPARE))
            stack.append((f"{left} {sign} {right}" if precedence < 6 else f"{left}{sign}{right}", precedence))
        elif op >= ops.TABLE:
            stack.append((f"{program.tables[next(words)].name}{chr(39) * (op - ops.TABLE)}({pop(0)})", VALUE))
        else:
            name, count = FUNCTIONS[op]
            arguments = [pop(0) for _ in range(count)]
            stack.append((f"{name}({', '.join(reversed(arguments))})", VALUE))
    return stack[0][0]


def _number(value: float) -> tuple[str, int]:
    if value != value:
        return "(0/0)", VALUE
    if value in (np.inf, -np.inf):
        return ("(1/0)", VALUE) if value > 0 else ("-(1/0)", SIGNED)
    text = repr(value).removesuffix(".0")
    return text, SIGNED if text.startswith("-") else VALUE
