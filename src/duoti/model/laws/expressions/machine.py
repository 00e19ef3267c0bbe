"""The stack machine that evaluates compiled expressions, in kernels and from Python."""

from duoti.kernel import cold_kernel, for_kernels, kernel
from duoti.model.laws.expressions.lookup_table import look_up
from duoti.model.laws.expressions.operations import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN,
    ATAN2,
    CONST,
    COS,
    COSH,
    DIV,
    EXP,
    FIRST_UNARY,
    HYPOT,
    INPUT,
    LN10,
    LOG,
    LOG10,
    MAX,
    MIN,
    MOD,
    MUL,
    NEG,
    POWER,
    POWER_INT,
    SELECT,
    SIN,
    SINH,
    SQRT,
    STEP,
    SUB,
    TABLE,
    TAN,
    TANH,
    binary,
    divide,
    multiply,
    number,
    power_int,
    smooth_step,
    unary,
)


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


# The stack machine that evaluates the derivative of a compiled expression by one of its inputs.
#
# Numbers are those of `operations`: complex ones stand for `value + i * (small change)`. So the derivative of the
# derivative in a direction, the imaginary parts of inputs and constants, comes with it, to round-off.
# (`machine.evaluate` alone gives first derivatives.) Every value on the stack has its derivative beside it on a
# second stack:
#
#     (x, x') (y, y')  ->  (x y, x' y + x y'),    (x / y, (x' - (x / y) y') / y),    (f(x), f'(x) x')


LAST_ORDER = 3  # of derivatives of tables; higher ones are zero


@for_kernels
def _unary_slope(op, x, value, one):
    """Derivative of an operation at x, where it has the given value; `one` has the number type."""
    if op == SIN:
        return unary(COS, x)
    if op == COS:
        return -unary(SIN, x)
    if op == TAN:
        return one + multiply(value, value)
    if op == ASIN:
        return divide(one, unary(SQRT, multiply(one - x, one + x)))
    if op == ACOS:
        return -divide(one, unary(SQRT, multiply(one - x, one + x)))
    if op == ATAN:
        return divide(one, one + multiply(x, x))
    if op == SINH:
        return unary(COSH, x)
    if op == COSH:
        return unary(SINH, x)
    if op == TANH:
        secant = divide(one, unary(COSH, x))
        return multiply(secant, secant)
    if op == EXP:
        return value
    if op == LOG:
        return divide(one, x)
    if op == LOG10:
        return divide(one, multiply(LN10 * one, x))
    if op == SQRT:
        return divide(0.5 * one, value)
    if op == ABS:
        return one if x.real >= 0.0 else -one
    return 0.0 * one  # SIGN, FLOOR, NOT


@for_kernels
def _by_first(op, x, y, value, one):
    """Derivative of an operation of two arguments by the first one."""
    if op == POWER:
        return multiply(y, binary(POWER, x, y - one))
    if op == ATAN2:
        r = binary(HYPOT, x, y)
        return divide(divide(y, r), r)
    if op == HYPOT:
        return divide(x, value) if value.real != 0.0 else 0.0 * one
    if op == MOD:
        return one
    if op == MIN:
        return one if x.real < y.real else 0.0 * one
    if op == MAX:
        return one if x.real > y.real else 0.0 * one
    return 0.0 * one  # comparisons and logic


@for_kernels
def _by_second(op, x, y, value, one):
    """Derivative of an operation of two arguments by the second one."""
    if op == POWER:
        return multiply(value, unary(LOG, x)) if value.real != 0.0 else 0.0 * one
    if op == ATAN2:
        r = binary(HYPOT, x, y)
        return -divide(divide(x, r), r)
    if op == HYPOT:
        return divide(y, value) if value.real != 0.0 else 0.0 * one
    if op == MOD:
        return number(divide(value - x, y).real, one)  # a whole number
    if op == MIN:
        return 0.0 * one if x.real < y.real else one
    if op == MAX:
        return 0.0 * one if x.real > y.real else one
    return 0.0 * one


@for_kernels
def _product(slope, change):
    """Return slope * change, but nothing for no change even where the slope is infinite."""
    return multiply(slope, change) if change.real != 0.0 or change.imag != 0.0 else 0.0 * change


@for_kernels
def _step_slope(t, t0, h0, t1, h1, dt, dt0, dh0, dt1, dh1):
    """Change of `smooth_step` with those of its arguments."""
    if t.real <= t0.real:
        return dh0
    if t.real >= t1.real:
        return dh1
    width = t1 - t0
    s = divide(t - t0, width)
    ds = divide(dt - dt0 - multiply(s, dt1 - dt0), width)
    shape = multiply(multiply(s, s), 3.0 - s - s)
    slope = multiply(6.0 * s, 1.0 - s)
    return dh0 + multiply(dh1 - dh0, shape) + multiply(multiply(h1 - h0, slope), ds)


@cold_kernel("l1 d1 d1 d1 d1 d1")
def tabulate(code, constants, values, inputs, stack, out):
    """The values of a program with one input at many values of it; inputs [1]: scratch."""
    for i in range(values.shape[0]):
        inputs[0] = values[i]
        out[i] = evaluate(code, 0, code.shape[0], constants, inputs, stack)


@kernel("l1 i i D1 D1 i D1 D1")
def evaluate_slope(code, start, stop, constants, inputs, place, stack, slopes):
    """Run code[start:stop], see `machine.evaluate`, and return its derivative by inputs[place].

    `stack` and `slopes` are scratch of the same number type, each as long as the `stack_depth` of the program.
    """
    like = stack[0]  # only its type counts
    one = number(1.0, like)
    top, slope = number(0.0, like), number(0.0, like)  # the uppermost value and its derivative
    depth = 0
    i = start
    while i < stop:
        op = code[i]
        i += 1
        if op == CONST or op == INPUT:  # noqa: SIM109 (a tuple would be built in the kernel)
            stack[depth], slopes[depth] = top, slope
            depth += 1
            top, slope = number(0.0, like), number(0.0, like)
            if op == CONST:
                top = number(constants[code[i]], like)
            else:
                top = number(inputs[code[i]], like)
                if code[i] == place:
                    slope = one
            i += 1
        elif op == NEG:
            top, slope = -top, -slope
        elif op == POWER_INT:
            n = code[i]
            if n > 1:
                slope = _product(multiply(n * one, power_int(top, n - 1)), slope)
            top = power_int(top, n)
            i += 1
        elif op >= TABLE:
            order = op - TABLE
            if order < LAST_ORDER:
                slope = _product(look_up(order + 1, constants, code[i], top), slope)
            else:
                slope = number(0.0, like)
            top = look_up(order, constants, code[i], top)
            i += 1
        elif op >= FIRST_UNARY:
            value = unary(op, top)
            slope = _product(_unary_slope(op, top, value, one), slope)
            top = value
        elif op == SELECT:
            depth -= 2
            if stack[depth].real != 0.0:
                top, slope = number(stack[depth + 1], like), number(slopes[depth + 1], like)
        elif op == STEP:
            depth -= 4
            t, t0, h0, t1 = (
                number(stack[depth], like), number(stack[depth + 1], like), number(stack[depth + 2], like),
                number(stack[depth + 3], like),
            )  # fmt: skip
            slope = _step_slope(
                t, t0, h0, t1, top, number(slopes[depth], like), number(slopes[depth + 1], like),
                number(slopes[depth + 2], like), number(slopes[depth + 3], like), slope,
            )  # fmt: skip
            top = smooth_step(t, t0, h0, t1, top)
        else:
            depth -= 1
            x, dx = number(stack[depth], like), number(slopes[depth], like)
            if op == ADD:
                top, slope = x + top, dx + slope
            elif op == SUB:
                top, slope = x - top, dx - slope
            elif op == MUL:
                top, slope = multiply(x, top), _product(top, dx) + _product(x, slope)
            elif op == DIV:
                value = divide(x, top)
                top, slope = value, _product(divide(one, top), dx) - _product(divide(value, top), slope)
            else:
                value = binary(op, x, top)
                slope = _product(_by_first(op, x, top, value, one), dx) + _product(
                    _by_second(op, x, top, value, one), slope
                )
                top = value
    return slope
