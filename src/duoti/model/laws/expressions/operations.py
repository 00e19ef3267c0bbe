"""Opcodes, and what each of them does to real and to complex numbers.

A complex number stands for `value + i * (small change)`, as in complex-step derivatives. Every operation
therefore acts on the real part exactly as it would on a real number, and multiplies the imaginary part by
the derivative. Products of two imaginary parts are dropped, so the result is the derivative to round-off for
a step of any size; comparisons, `min`, `abs`, `floor` and the like decide on the real part.

Nothing here raises. Outside its domain a function is NaN, overflow and division by zero are infinite, and
it is so in compiled and in plain Python alike.
"""

import math

import numpy as np

from duoti.kernel import for_kernels, overloaded

# ---------------------------------------------------------------------------------------------------- opcodes

CONST, INPUT, POWER_INT = 0, 1, 2  # these are followed by an operand: index, slot, exponent
ADD, SUB, MUL, DIV, NEG = 3, 4, 5, 6, 7
SELECT, STEP = 8, 9
POWER, ATAN2, HYPOT, MOD, MIN, MAX = 10, 11, 12, 13, 14, 15
LT, LE, GT, GE, EQ, NE, AND, OR = 16, 17, 18, 19, 20, 21, 22, 23
SIN, COS, TAN, ASIN, ACOS, ATAN = 24, 25, 26, 27, 28, 29
SINH, COSH, TANH, EXP, LOG, LOG10, SQRT = 30, 31, 32, 33, 34, 35, 36
ABS, SIGN, FLOOR, NOT = 37, 38, 39, 40
TABLE = 41  # and up to TABLE + 3 for its derivatives; followed by the place of the table

FIRST_UNARY = SIN  # from here to TABLE one argument; from POWER to here two

EXP_OVERFLOW = 709.782712893384  # largest x with a finite exp(x)
COSH_OVERFLOW = 710.4758600739439  # the same for cosh and sinh
LN10 = 2.302585092994046


# --------------------------------------------------------- primitives that Python and Numba spell differently


def number(x, like):
    """Convert x to the number type of `like`."""
    return complex(x) if isinstance(like, complex) else float(x)


def power(x, y):
    """Return x^y of real numbers as C's pow() does."""
    try:
        return math.pow(x, y)
    except (ValueError, OverflowError):
        if x < 0.0 and not y.is_integer():
            return math.nan
        return -math.inf if math.copysign(1.0, x) < 0.0 and math.fmod(y, 2.0) != 0.0 else math.inf


def quotient(x, y):
    """Return x / y of real numbers, infinite or NaN for y = 0."""
    if y != 0.0:
        return x / y
    return math.nan if x == 0.0 or x != x else math.copysign(math.inf, x) * math.copysign(1.0, y)


# ----------------------------------------------------------------------------------------------- one argument


@for_kernels
def _sin(x):
    return math.sin(x) if math.isfinite(x) else math.nan


@for_kernels
def _cos(x):
    return math.cos(x) if math.isfinite(x) else math.nan


@for_kernels
def _sinh(x):
    return math.copysign(math.inf, x) if abs(x) > COSH_OVERFLOW else math.sinh(x)


@for_kernels
def _cosh(x):
    return math.inf if abs(x) > COSH_OVERFLOW else math.cosh(x)


@for_kernels
def _unary_real(op, x):
    if op == SIN:
        return _sin(x)
    if op == COS:
        return _cos(x)
    if op == TAN:
        return math.tan(x) if math.isfinite(x) else math.nan
    if op == ASIN:
        return math.asin(x) if -1.0 <= x <= 1.0 else math.nan
    if op == ACOS:
        return math.acos(x) if -1.0 <= x <= 1.0 else math.nan
    if op == ATAN:
        return math.atan(x)
    if op == SINH:
        return _sinh(x)
    if op == COSH:
        return _cosh(x)
    if op == TANH:
        return math.tanh(x)
    if op == EXP:
        return math.inf if x > EXP_OVERFLOW else math.exp(x)
    if op == LOG or op == LOG10:  # noqa: SIM109 (a tuple would be built in the kernel)
        if x > 0.0:
            return math.log(x) if op == LOG else math.log10(x)
        return -math.inf if x == 0.0 else math.nan
    if op == SQRT:
        return math.sqrt(x) if x >= 0.0 else math.nan
    if op == ABS:
        return abs(x)
    if op == SIGN:
        return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x
    if op == FLOOR:
        return float(np.floor(x))
    return 1.0 if x == 0.0 else 0.0  # NOT


@for_kernels
def _unary_slope(op, x, value):
    """Derivative of an operation at x, where it has the given value."""
    if op == SIN:
        return _cos(x)
    if op == COS:
        return -_sin(x)
    if op == TAN:
        return 1.0 + value * value
    if op == ASIN or op == ACOS:  # noqa: SIM109
        slope = quotient(1.0, math.sqrt((1.0 - x) * (1.0 + x))) if abs(x) <= 1.0 else math.nan
        return slope if op == ASIN else -slope
    if op == ATAN:
        return 1.0 / (1.0 + x * x)
    if op == SINH:
        return _cosh(x)
    if op == COSH:
        return _sinh(x)
    if op == TANH:
        secant = quotient(1.0, _cosh(x))  # 1 - tanh(x)^2 would lose digits
        return secant * secant
    if op == EXP:
        return value
    if op == LOG:
        return quotient(1.0, x)
    if op == LOG10:
        return quotient(1.0, x * LN10)
    if op == SQRT:
        return quotient(0.5, value)
    if op == ABS:
        return 1.0 if x >= 0.0 else -1.0
    return 0.0  # SIGN, FLOOR, NOT


@for_kernels
def _unary_complex(op, x):
    a, da = float(x.real), float(x.imag)
    value = _unary_real(op, a)
    if da == 0.0:
        return complex(value, 0.0)
    return complex(value, _unary_slope(op, a, value) * da)


def unary(op, x):
    """Apply the operation of one argument with this opcode."""
    return _unary_complex(op, x) if isinstance(x, complex) else _unary_real(op, x)


# ---------------------------------------------------------------------------------------------- two arguments


@for_kernels
def _modulo(x, y):
    """Return x modulo y, with the sign of y."""
    if y == 0.0 or not math.isfinite(x):
        return math.nan
    return x % y


@for_kernels
def _binary_real(op, x, y):
    if op == POWER:
        return power(x, y)
    if op == ATAN2:
        return math.atan2(x, y)
    if op == HYPOT:
        return math.hypot(x, y)
    if op == MOD:
        return _modulo(x, y)
    if op == MIN:
        return x if x < y or x != x else y
    if op == MAX:
        return x if x > y or x != x else y
    if op == LT:
        holds = x < y
    elif op == LE:
        holds = x <= y
    elif op == GT:
        holds = x > y
    elif op == GE:
        holds = x >= y
    elif op == EQ:
        holds = x == y
    elif op == NE:
        holds = x != y
    elif op == AND:
        holds = x != 0.0 and y != 0.0
    else:  # OR
        holds = x != 0.0 or y != 0.0
    return 1.0 if holds else 0.0


@for_kernels
def _binary_slopes(op, x, y, value):
    """Both partial derivatives of an operation."""
    if op == POWER:
        by_y = 0.0 if value == 0.0 else value * math.log(x) if x > 0.0 else math.nan
        return y * power(x, y - 1.0), by_y
    if op == ATAN2:
        r = math.hypot(x, y)  # x/r and y/r first: r*r may overflow or vanish
        return quotient(quotient(y, r), r), -quotient(quotient(x, r), r)
    if op == HYPOT:
        if value == 0.0:
            return 0.0, 0.0  # between the slopes to all sides
        return quotient(x, value), quotient(y, value)
    if op == MOD:
        return 1.0, quotient(value - x, y)
    if op == MIN:
        return (1.0, 0.0) if x < y or x != x else (0.0, 1.0)
    if op == MAX:
        return (1.0, 0.0) if x > y or x != x else (0.0, 1.0)
    return 0.0, 0.0


@for_kernels
def _change(slope, step):
    """Return slope * step, but nothing for no step even where the slope is infinite."""
    return slope * step if step != 0.0 else 0.0


@for_kernels
def _binary_complex(op, x, y):
    a, da, b, db = float(x.real), float(x.imag), float(y.real), float(y.imag)
    value = _binary_real(op, a, b)
    if da == 0.0 and db == 0.0:
        return complex(value, 0.0)
    by_a, by_b = _binary_slopes(op, a, b, value)
    return complex(value, _change(by_a, da) + _change(by_b, db))


@for_kernels
def _multiply_complex(x, y):
    a, b = float(x.real), float(y.real)
    return complex(a * b, _change(b, float(x.imag)) + _change(a, float(y.imag)))


@for_kernels
def _divide_complex(x, y):
    b = float(y.real)
    value = quotient(float(x.real), b)
    slope = quotient(1.0, b)
    return complex(value, _change(slope, float(x.imag)) - _change(slope * value, float(y.imag)))


def binary(op, x, y):
    """Apply the operation of two arguments with this opcode."""
    return _binary_complex(op, x, y) if isinstance(x, complex) else _binary_real(op, x, y)


def multiply(x, y):
    """Return x * y."""
    return _multiply_complex(x, y) if isinstance(x, complex) else x * y


def divide(x, y):
    """Return x / y."""
    return _divide_complex(x, y) if isinstance(x, complex) else quotient(x, y)


# --------------------------------------------------------------------------------------------- more arguments


@for_kernels
def power_int(x, n):
    """Return x^n for a small whole n >= 1, by multiplication."""
    result = x
    for _ in range(n - 1):
        result = multiply(result, x)
    return result


@for_kernels
def smooth_step(t, t0, h0, t1, h1):
    """Return h0 up to t0, h1 from t1 on, and between them the cubic that is flat at both ends."""
    if t.real <= t0.real:
        return h0
    if t.real >= t1.real:
        return h1
    s = divide(t - t0, t1 - t0)
    return h0 + multiply(h1 - h0, multiply(multiply(s, s), 3.0 - s - s))


# --------------------------------------------------------------------------- what kernels call by these names

overloaded(number, lambda x, like: x, lambda x, like: complex(x, 0.0), choose=lambda x, like: like and not x)
overloaded(power, lambda x, y: x**y)
overloaded(quotient, lambda x, y: x / y)
# The lambdas let the complex version find the real one compiled, which saves time where both are used.
overloaded(unary, lambda op, x: _unary_real(op, x), _unary_complex, choose=lambda op, x: x)
overloaded(binary, lambda op, x, y: _binary_real(op, x, y), _binary_complex, choose=lambda op, x, y: x)
overloaded(multiply, lambda x, y: x * y, _multiply_complex, choose=lambda x, y: x)
overloaded(divide, lambda x, y: x / y, _divide_complex, choose=lambda x, y: x)
