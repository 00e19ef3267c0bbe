import math
import pickle
import random
import time

import pytest

from duoti.model.laws.expressions import ExpressionError, compile_expression

KNOWN = ("t", "A.angle", "A.rate", "tip.position.x", "arm.q[2]")
FUNCTIONS = (
    "functions: abs, acos, asin, atan, atan2, clip, cos, cosh, exp, floor, hypot, if, log, log10, max, min, "
    "mod, sign, sin, sinh, sqrt, step, tan, tanh"
)


# --------------------------------------------------------------------------------------------------- mistakes

MISTAKES = {
    "": ['the expression is empty; write a number or, say, "10*sin(2*pi*t)"'],
    "2*sin(t": ["2*sin(t", "     ^", 'this "(" is never closed'],
    "sin(t))": ["sin(t))", "      ^", 'no "(" for this ")"'],
    "2t": ["2t", " ^", 'an operator is missing before "t"; a product is written with *'],
    "t +": ["t +", "   ^", "the expression ends where a value should follow"],
    "t = 1": ["t = 1", "  ^", '"=" means nothing here; to compare, write =='],
    "0 < t < 1": ["0 < t < 1", "      ^", "comparisons cannot be chained; write a < b and b < c"],
    "sin t": ["sin t", "^^^", "sin is a function; write sin(x)"],
    "5 if t < 1 else 0": ["5 if t < 1 else 0", "  ^^", '"if" cannot stand here; write if(condition, a, b)'],
    "3,5*t": [
        "3,5*t",
        " ^",
        "a comma stands only between the arguments of a function; decimals have a point",
    ],
    "atan2(t)": ["atan2(t)", "^^^^^", "atan2 does not take 1 argument; write atan2(y, x)"],
    "t²": ["t²", " ^", '"²" means nothing here; write ^2'],
    "ln(t)": ["ln(t)", "^^", 'unknown function "ln"; write log', FUNCTIONS],
    "1e999": ["1e999", "^^^^^", "this number is too large; the largest is about 1.8e308"],
    "step(t, 2, 0, 1, 5)": [
        "step(t, 2, 0, 1, 5)",
        "^^^^",
        "the step ends at t1 = 1, not after it starts at t0 = 2",
        "write step(t, t0, h0, t1, h1)",
    ],
    "速度*A.angel": [
        *("速度*A.angel", "^^^^", 'unknown name "速度"'),
        *("速度*A.angel", "     ^^^^^^^", 'unknown name "A.angel"; did you mean A.angle?'),
        "names: A.angle, A.rate, arm.q[2], e, k, pi, t, tau, tip.position.x",
    ],
    "2*sinn(t) + A.angel + A.angel": [
        *("2*sinn(t) + A.angel + A.angel", "  ^^^^", 'unknown function "sinn"; did you mean sin or sinh?'),
        *(
            "2*sinn(t) + A.angel + A.angel",
            "            ^^^^^^^",
            'unknown name "A.angel"; did you mean A.angle?',
        ),
        "names: A.angle, A.rate, arm.q[2], e, k, pi, t, tau, tip.position.x",
        FUNCTIONS,
    ],
}


@pytest.mark.parametrize("text", MISTAKES)
def test_messages(text):
    with pytest.raises(ExpressionError) as caught:
        compile_expression(text, KNOWN, {"k": 1.0})
    count = len(caught.value.problems)
    header = "fault in an expression:" if count == 1 else f"{count} faults in an expression:"
    assert str(caught.value).splitlines() == [header, *(f"  {line}" for line in MISTAKES[text])]
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_parameter_named_as_a_constant_is_refused():
    with pytest.raises(ExpressionError, match="also a name of the model"):
        compile_expression("e*t", KNOWN, {"e": 0.8})
    assert compile_expression("t", KNOWN, {"e": 0.8}).inputs == ("t",)


@pytest.mark.parametrize("thing", [None, True, math.nan, math.inf, [1], 1j])
def test_other_things(thing):
    with pytest.raises(ExpressionError, match="neither a finite number nor an expression"):
        compile_expression(thing)


# ------------------------------------------------------------------------------------------------------ abuse


def attempt(text):
    try:
        compile_expression(text, KNOWN)
    except ExpressionError as error:
        str(error)


def test_garbage():
    """Random characters and random words never raise anything but ExpressionError, and take no time."""
    rng = random.Random(1)
    words = "0 1.5 2e-3 . t A.angle arm.q[2] foo + - * / ^ ** ( ) , < == != and or not sin( min( if( step("
    words = [*words.split(), " "]
    start = time.process_time()
    for k in range(20_000):
        length = rng.randrange(40)
        if k % 4 == 0:
            text = rng.randbytes(length).decode("latin-1")
        elif k % 4 == 1:
            text = "".join(chr(rng.randrange(0x110000)) for _ in range(length))
        else:
            text = "".join(rng.choices(words, k=length))
        attempt(text)
    assert time.process_time() - start < 60


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000,
        "(" * 101 + "t" + ")" * 101,
        "-" * 9_999 + "t",
        "not " * 2_400 + "t",
        "2^" * 4_900 + "t",
        "sin(" * 2_400 + "t",
        "0 or 1 and 1 < 1 + 1*-1^(" * 390,
        "t" * 10_001,
        "x" * 10_000,
        "min(" + "t," * 4_990,
        "+".join(f"x{k}" for k in range(1_500)),
        "+".join(f"f{k}(t)" for k in range(1_000)),
        "1" * 10_000,
        "t." * 5_000,
        "q[" * 5_000,
        "1e" * 5_000,
    ],
)
def test_hostile(text):
    start = time.process_time()
    with pytest.raises(ExpressionError) as caught:
        compile_expression(text, KNOWN)
    assert len(str(caught.value)) < 5_000
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("+".join(["t"] * 5_000), 10_000.0),
        ("max(" + ",".join(["t"] * 4_990) + ")", 2.0),
        ("(" * 100 + "t" + ")" * 100, 2.0),
        ("-" * 100 + "t", 2.0),
        ("1+(" * 100 + "t" + ")" * 100, 102.0),
        ("+".join(["1"] * 5_000), 5_000.0),
        ("t" + "*1+0" * 2_000, 2.0),
    ],
)
def test_long_and_deep_but_allowed(text, expected):
    program = compile_expression(text, KNOWN)
    assert program.evaluate(dict.fromkeys(program.inputs, 2.0)) == expected
    assert program.source
