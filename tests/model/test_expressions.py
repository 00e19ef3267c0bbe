import json
import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duoti.kernel import kernel
from duoti.model.laws.expressions import RESERVED, compile_expression, evaluate, link

KNOWN = ("t", "A.angle", "A.rate", "tip.position.x", "arm.q[2]")


def value(text, **inputs):
    return compile_expression(text).evaluate(inputs)


# ----------------------------------------------------------------------------------------- random expressions

INPUTS = {"a": 0.75, "b": -2.5, "c.x": 0.0, "d[1]": 3e5}


def _divide(x, y):
    with np.errstate(all="ignore"):
        return float(np.float64(x) / np.float64(y))


def _mod(x, y):
    return math.nan if y == 0 or not math.isfinite(x) else x % y


def _min(x, y):
    return math.nan if x != x or y != y else min(x, y)


def _max(x, y):
    return math.nan if x != x or y != y else max(x, y)


BINARY = {
    "({} + {})": lambda x, y: x + y,
    "({} - {})": lambda x, y: x - y,
    "({}*{})": lambda x, y: x * y,
    "({}/{})": _divide,
    "({} < {})": lambda x, y: float(x < y),
    "({}<={})": lambda x, y: float(x <= y),
    "({}>{})": lambda x, y: float(x > y),
    "({} >= {})": lambda x, y: float(x >= y),
    "({} == {})": lambda x, y: float(x == y),
    "({} != {})": lambda x, y: float(x != y),
    "({} and {})": lambda x, y: float(bool(x and y)),
    "({} or {})": lambda x, y: float(bool(x or y)),
    "min({}, {})": _min,
    "max({},{})": _max,
    "mod({}, {})": _mod,
}
UNARY = {
    "(-{})": lambda x: -x,
    "(+{})": lambda x: x,
    "(not {})": lambda x: float(not x),
    "abs({})": abs,
    "sign({})": lambda x: x if x != x or x == 0 else math.copysign(1.0, x),
    "floor({})": lambda x: float(np.floor(x)),
    "sqrt({})": lambda x: math.sqrt(x) if x >= 0 else math.nan,
}
TERNARY = {
    "if({}, {}, {})": lambda c, x, y: x if c else y,
    "clip({}, {}, {})": lambda x, low, high: _min(_max(x, low), high),
    "max({}, {}, {})": lambda x, y, z: _max(_max(x, y), z),
}


def _combine(trees):
    def some(table, count):
        parts = st.tuples(*[trees] * count)
        return st.builds(
            lambda item, args: (item[0].format(*[a[0] for a in args]), item[1](*[a[1] for a in args])),
            st.sampled_from(sorted(table.items())),
            parts,
        )

    return some(BINARY, 2) | some(UNARY, 1) | some(TERNARY, 3)


numbers = st.floats(0, 1e6, allow_nan=False).map(lambda x: (repr(x), x)) | st.integers(0, 9).map(
    lambda n: (str(n), float(n))
)
trees = st.recursive(numbers | st.sampled_from(sorted(INPUTS.items())), _combine, max_leaves=30)


@settings(deadline=None, max_examples=300)  # the first call compiles
@given(trees)
def test_random_trees(tree):
    """Only operations that IEEE 754 rounds correctly: the comparison is exact, on any machine."""
    text, expected = tree
    program = compile_expression(text, INPUTS)
    needed = {name: INPUTS[name] for name in program.inputs}
    result = program.evaluate(needed)
    assert result == expected or (result != result and expected != expected), text
    # with complex inputs the real part is the same
    imaginary = program.evaluate({name: x + 1e-30j for name, x in needed.items()})
    assert imaginary.real == expected or expected != expected
    # what is printed back is the same program
    again = compile_expression(program.source, INPUTS)
    assert (again.code, again.inputs, repr(again.constants)) == (
        program.code,
        program.inputs,
        repr(program.constants),
    )


PYTHON = {
    name: getattr(math, name)
    for name in (
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "exp",
        "log",
        "log10",
        "sqrt",
    )
}


@pytest.mark.parametrize("name", PYTHON)
@settings(deadline=None)
@given(x=st.floats(-1, 1) | st.floats(-300, 300))
def test_functions(name, x):
    """A C library is good to about one unit in the last place; two versions may differ by two."""
    try:
        expected = PYTHON[name](x)
    except ValueError:
        expected = -math.inf if x == 0 else math.nan
    result = value(f"{name}(x)", x=x)
    assert result == pytest.approx(expected, rel=5e-16, abs=5e-324, nan_ok=True)


@settings(deadline=None)
@given(st.floats(-50, 50), st.floats(-50, 50))
def test_functions_of_two(x, y):
    assert value("atan2(x, y)", x=x, y=y) == pytest.approx(math.atan2(x, y), rel=5e-16, abs=5e-324)
    assert value("hypot(x, y)", x=x, y=y) == pytest.approx(math.hypot(x, y), rel=5e-16, abs=5e-324)
    assert value("hypot(x, y, 3)", x=x, y=y) == pytest.approx(math.hypot(x, y, 3), rel=1e-15)
    with np.errstate(all="ignore"):
        expected = np.float64(abs(x)) ** np.float64(y)
    assert value("abs(x)^y", x=x, y=y) == pytest.approx(expected, rel=5e-16, abs=5e-324)
    for n in (2, 3, 4):  # n-1 multiplications, each with half a unit of rounding
        assert value(f"x^{n}", x=x) == pytest.approx(x**n, rel=n * 2e-16, abs=1e-300)


# ------------------------------------------------------------------------------------------------- precedence


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2*3", 7),
        ("-2^2", -4),
        ("(-2)^2", 4),
        ("2^3^2", 512),
        ("2**-1", 0.5),
        ("2^-3^0", 0.5),
        ("-2*-3", 6),
        ("8/4/2", 1),
        ("8 - 4 - 2", 2),
        ("2*3^2", 18),
        ("not 1 == 2", 1),
        ("not 0 and 0", 0),
        ("1 or 0 and 0", 1),
        ("1 + 1 < 3", 1),
        ("(1 < 2) < 1", 0),
        ("2 and 3", 1),
        (".5 + 1. + 2e-3 + 1E2", 101.502),
        ("cos(pi) + log(e) + tau/pi", 2),
        ("if(1 < 2, 5, 0)", 5),
        ("\n 1\t+ 1 ", 2),
        ("mod(-1, 3) + mod(5, -3)", 1),
        ("step(0.5, 0, 1, 1, 3)", 2),
        ("max(1, 5, 3, 2) - min(4, 2, 3)", 3),
    ],
)
def test_precedence_and_folding(text, expected):
    program = compile_expression(text, ())
    assert program.value == expected
    assert program.evaluate() == expected
    assert program.inputs == ()
    assert program.text == text


def test_program():
    program = compile_expression("-k*A.angle - c*A.rate + tip.position.x*A.angle", KNOWN, {"k": 3.0, "c": 2.0})
    assert program.inputs == ("A.angle", "A.rate", "tip.position.x")
    assert program.source == "-3*A.angle - 2*A.rate + tip.position.x*A.angle"
    assert program.value is None
    assert program.evaluate({"A.angle": 2.0, "A.rate": 1.0, "tip.position.x": 10.0}) == 12.0
    assert pickle.loads(pickle.dumps(program)) == program
    assert hash(program) == hash(compile_expression(program.text, KNOWN.__contains__, {"k": 3, "c": 2}))
    with pytest.raises(TypeError, match=r"no value for A\.rate, tip\.position\.x"):
        program.evaluate({"A.angle": 2.0})
    with pytest.raises(TypeError, match="does not depend on t"):
        compile_expression("1").evaluate(t=1)
    assert compile_expression(3).value == compile_expression(np.float64(3)).value == 3.0
    assert compile_expression("if(k > 1, t, A.rate)", KNOWN, {"k": 2}).inputs == ("t",)
    assert {"pi", "e", "sin", "if", "and"} <= RESERVED


@kernel
def _all_of(code, bounds, constants, inputs, stack, results):
    for k in range(len(results)):
        results[k] = evaluate(code, bounds[k], bounds[k + 1], constants, inputs, stack)


def test_many_programs_in_a_kernel():
    programs = [compile_expression(text, "t") for text in ("10*sin(2*pi*t)", "3", "t^3 + 7*t", "if(t < 1, 5, 8)^2")]
    code, bounds, constants, depth = link(programs)
    for number in (float, complex):
        results = np.zeros(len(programs), number)
        _all_of(code, bounds, constants, np.array([0.3], number), np.zeros(depth, number), results)
        assert results == pytest.approx([10 * math.sin(0.6 * math.pi), 3, 2.127, 25])


# ----------------------------------------------------------------------------------- complex-step derivatives

DERIVATIVES = [
    ("sin(x)", 0.7, math.cos(0.7)),
    ("cos(x)", 0.7, -math.sin(0.7)),
    ("tan(x)", 0.7, 1 / math.cos(0.7) ** 2),
    ("asin(x)", 0.6, 1 / 0.8),
    ("acos(x)", 0.6, -1 / 0.8),
    ("atan(x)", 0.5, 0.8),
    ("sinh(x)", 0.7, math.cosh(0.7)),
    ("cosh(x)", 0.7, math.sinh(0.7)),
    ("tanh(x)", 0.7, 1 / math.cosh(0.7) ** 2),
    ("exp(x)", 0.7, math.exp(0.7)),
    ("log(x)", 0.7, 1 / 0.7),
    ("log10(x)", 0.7, 1 / (0.7 * math.log(10))),
    ("sqrt(x)", 0.25, 1.0),
    ("abs(x)", 0.7, 1.0),
    ("abs(x)", -0.7, -1.0),
    ("sign(x)", 0.7, 0.0),
    ("floor(x)", 0.7, 0.0),
    ("not x", 0.7, 0.0),
    ("x < 1", 0.7, 0.0),
    ("x == 0.7", 0.7, 0.0),
    ("x and 1", 0.7, 0.0),
    ("min(x, 1)", 0.7, 1.0),
    ("min(x, 1)", 1.7, 0.0),
    ("max(x, 2*x)", 0.7, 2.0),
    ("max(x, 2*x)", -0.7, 1.0),
    ("clip(3*x, 0, 1)", 0.2, 3.0),
    ("clip(3*x, 0, 1)", 0.7, 0.0),
    ("mod(x, 2)", 5.5, 1.0),
    ("mod(7.5, x)", 2.0, -3.0),
    ("atan2(x, 2)", 0.7, 2 / 4.49),
    ("atan2(2, x)", -0.7, -2 / 4.49),
    ("atan2(x*1e-180, 1e-180)", 1.0, 0.5),
    ("hypot(x, 4)", 3.0, 0.6),
    ("hypot(4, x)", -3.0, -0.6),
    ("x + 2", 0.7, 1.0),
    ("2 - x", 0.7, -1.0),
    ("-x", 0.7, -1.0),
    ("3*x*x", 0.7, 4.2),
    ("2/x", 0.5, -8.0),
    ("x/4", 0.5, 0.25),
    ("x^2", 0.7, 1.4),
    ("x^3", -0.5, 0.75),
    ("x^4", 0.5, 0.5),
    ("x^2.5", 0.25, 0.3125),
    ("x^-2", -0.5, 16.0),
    ("2^x", 0.7, 2**0.7 * math.log(2)),
    ("0^x", 0.7, 0.0),
    ("x^x", 2.0, 4 * (math.log(2) + 1)),
    ("if(x < 1, x^2, 5)", 0.5, 1.0),
    ("if(x < 1, sqrt(x - 1), 5*x)", 2.0, 5.0),
    ("step(x, 0, 1, 2, 3)", 0.5, 2 * (6 * 0.25 - 6 * 0.0625) / 2),
    ("step(0.5, x, 1, 2, 3)", 0.0, -2 * (6 * 0.25 - 6 * 0.0625) * 0.75 / 2),
    ("step(0.5, 0, 0, 1, x)", 0.5, 0.5),
    ("step(x, 0, 1, 2, 3)", 2.5, 0.0),
    ("sqrt(0) + x", 0.5, 1.0),
]


@pytest.mark.parametrize(("text", "x", "expected"), DERIVATIVES)
@pytest.mark.parametrize("h", [1e-100, 1e-30, 1.0])
def test_complex_step(text, x, expected, h):
    """A few roundings in the chain rule: 4e-16 would do for most, 2e-15 leaves room for every C library."""
    result = value(text, x=complex(x, h))
    assert result.imag / h == pytest.approx(expected, rel=2e-15, abs=1e-300)
    assert result.real == value(text, x=x)


# ------------------------------------------------------------------------------------------- domain and modes

EDGES = (0.0, -1.0, 1.0, 0.5, -3.25, 1e3, -1e3, 1e200, -1e200, 5e-324, math.inf, -math.inf, math.nan)
EVERYTHING = sorted({text for text, _, _ in DERIVATIVES} | {"x^y", "x/y", "mod(x, y)", "x*y", "x - y", "atan2(y, x)"})


def results_everywhere():
    """All expressions at all edges, real and complex, with and without a change in x."""
    table = {}
    for text in EVERYTHING:
        program = compile_expression(text)
        for change in (None, 0.0, 1e-30):
            results = []
            for y in EDGES if "y" in program.inputs else EDGES[:1]:
                for x in EDGES:
                    inputs = {"x": x if change is None else complex(x, change), "y": y}
                    results.append(program.evaluate({name: inputs[name] for name in program.inputs}))
            assert all(isinstance(r, float if change is None else complex) for r in results)
            table[f"{text}, {change}"] = [[r.real, r.imag] for r in results]
    return table


def test_never_raises_and_same_in_plain_python():
    """Both modes call the same C library, but only one fuses multiply-add: a few units in the last place."""
    here = results_everywhere()
    script = "import json, test_expressions as te; print(json.dumps(te.results_everywhere()))"
    folder = os.path.dirname(__file__)
    environment = {**os.environ, "DUOTI_JIT": "0", "PYTHONPATH": folder, "PYTHONWARNINGS": "error"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    there = json.loads(done.stdout)
    assert here.keys() == there.keys()
    for text, expected in here.items():
        np.testing.assert_allclose(there[text], expected, rtol=2e-15, atol=0, err_msg=text)


@pytest.mark.parametrize(
    ("text", "x", "expected"),
    [
        ("sqrt(x)", -1, math.nan),
        ("log(x)", -1, math.nan),
        ("log(x)", 0, -math.inf),
        ("1/x", 0, math.inf),
        ("-1/x", 0, -math.inf),
        ("x/x", 0, math.nan),
        ("exp(x)", 1000, math.inf),
        ("sinh(x)", -1000, -math.inf),
        ("x^0.5", -1, math.nan),
        ("x^-1", 0, math.inf),
        ("x^999", -1e9, -math.inf),
        ("asin(x)", 2, math.nan),
        ("sin(x)", math.inf, math.nan),
        ("mod(x, 0)", 1, math.nan),
        ("floor(x)", 1e300, 1e300),
    ],
)
def test_outside_the_domain(text, x, expected):
    folded = compile_expression(text, constants={"x": x}).value
    for result in (value(text, x=x), value(text, x=complex(x)).real, folded):
        assert result == pytest.approx(expected, nan_ok=True)
