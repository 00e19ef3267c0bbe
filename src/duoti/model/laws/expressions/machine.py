"""The stack machine that evaluates compiled expressions, in kernels and from Python."""

from __future__ import annotations

from duoti.kernel import kernel
from duoti.model.laws.expressions.operations import (
    ADD,
    CONST,
    DIV,
    FIRST_UNARY,
    INPUT,
    MUL,
    NEG,
    POWER,
    POWER_INT,
    SELECT,
    STEP,
    SUB,
    TABLE,
    binary,
    divide,
    multiply,
    number,
    power_int,
    smooth_step,
    unary,
)
from duoti.model.laws.expressions.table import look_up


@kernel("l1 i i d1 d1 d1", "l1 i i d1 D1 D1")
def evaluate(code, start, stop, constants, inputs, stack):
    """Run code[start:stop], a postfix program, and return its value.

    `constants` (float64, with the numbers of tables) and `inputs` are what the program's operands count in. `inputs`
    and `stack` are float64, or complex128 for complex-step derivatives. `stack` is scratch, at least as long as the
    `stack_depth` of the program. The program is trusted: it comes from `compile_expression`.
    """
    like = stack[0]  # only its type counts
    top = number(0.0, like)  # the uppermost value is kept here, those below it in stack[:depth]
    depth = 0
    i = start
    while i < stop:
        op = code[i]
        i += 1
        if op == CONST:
            stack[depth] = top
            depth += 1
            top = number(constants[code[i]], like)
            i += 1
        elif op == INPUT:
            stack[depth] = top
            depth += 1
            top = number(inputs[code[i]], like)
            i += 1
        elif op == ADD:
            depth -= 1
            top = number(stack[depth], like) + top
        elif op == SUB:
            depth -= 1
            top = number(stack[depth], like) - top
        elif op == MUL:
            depth -= 1
            top = multiply(number(stack[depth], like), top)
        elif op == DIV:
            depth -= 1
            top = divide(number(stack[depth], like), top)
        elif op == NEG:
            top = -top
        elif op == POWER_INT:
            top = power_int(top, code[i])
            i += 1
        elif op >= TABLE:
            top = look_up(op - TABLE, constants, code[i], top)
            i += 1
        elif op >= FIRST_UNARY:
            top = unary(op, top)
        elif op >= POWER:
            depth -= 1
            top = binary(op, number(stack[depth], like), top)
        elif op == SELECT:
            depth -= 2
            if stack[depth].real != 0.0:
                top = number(stack[depth + 1], like)
        elif op == STEP:
            depth -= 4
            top = smooth_step(
                number(stack[depth], like),
                number(stack[depth + 1], like),
                number(stack[depth + 2], like),
                number(stack[depth + 3], like),
                top,
            )
    return top
