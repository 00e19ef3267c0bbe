import math
import pickle
from itertools import pairwise

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from duoti.model.laws.expressions import ExpressionError, compile_expression, derivative, derivatives

H = 1e-30


def at(program, values):
    return program.evaluate({name: values[name] for name in program.inputs})


def complex_step(program, values, name="x"):
    """Value and derivative: complex inputs are dual numbers."""
    result = complex(at(program, {**values, name: complex(values[name], H)}))
    return result.real, result.imag / H


# ------------------------------------------------------------------------------------------------- every rule

RULES = [
    "3",
    "a",
    "x",
    "-x",
    "x + a - 2*x",
    "3*x*a*x",
    "a/x",
    "x/a",
    "sin(x)/(x + 3)",
    "1/x^3 + 2/(4*x)",
    "5/(3*x^2)",
    "x/(2*x^2)",
    "1/(1 + x^2)^2",
    "cos(x)/exp(x)^2 + 1/cosh(x) + x/sinh(x)^2 + x^2/sqrt(x^2 + 1)",
    "x^2 + x^3 - x^4 + x^7 + x^-2 + x^0 + x^1",
    "(x^2 + 1)^2.5 + (x + 3)^a",
    "(x^3)^2",
    "2^x + a^x + 0^(x + 4)",
    "(x^2 + 1)^sin(x)",
    "(x + 4)^x",
    "sin(2*x)",
    "cos(2*x)",
    "tan(2*x)",
    "asin(x/4)",
    "acos(x/4)",
    "atan(3*x)",
    "atan2(x, a)",
    "atan2(a, x)",
    "atan2(2*sin(x), cos(x))",
    "sinh(x)",
    "cosh(x)",
    "tanh(2*x)",
    "exp(-2*x)",
    "log(x + 4)",
    "log10(x^2 + 1)",
    "sqrt(x + 4)",
    "abs(x^3)",
    "x*sign(x)",
    "x*floor(3*x)",
    "x*(x < a) + x^2*(x <= 1) + x^3*(x > 0.1) + x*(x >= 2) + (x == 1) + (x != 1)",
    "x*(x and a) + x^2*(x or 0) + (not x)",
    "min(x, x^2)",
    "max(x, x^2, sin(x), a)",
    "min(x, x^3, cos(x), a)",
    "mod(x, 0.3)*x",
    "mod(a, x)",
    "mod(7*x, x^2 + 1)",
    "hypot(x, a)",
    "hypot(a, x)",
    "hypot(sin(x), 3*x, a, x^2)",
    "if(x < a, x^3, sin(x))",
    "clip(x^3, -1, a)",
    "clip(a, sin(x), x + 2)",
    "step(x, -1, 3, 2, 10)",
    "step(x^2, 0.1, a, 2, 10)",
    "step(0.5, -x^2 - 1, a, 2*x^2 + 1, x)",
    "step(x, sin(x) - 1, x^2, 3, cos(x))",
    "10*exp(-x/2)*sin(2*pi*x)^2",
]
POINTS = [-2.9, -1.3, -0.41, 0.37, 0.83, 1.7, 2.6]


@pytest.mark.parametrize("text", RULES)
def test_every_rule(text):
    """The symbolic and the complex derivative are both exact but for round-off; three orders of them."""
    programs = derivatives(text, "x", order=3)
    assert programs[0] == compile_expression(text)
    assert derivative(text, "x") == programs[1]
    for x in POINTS:
        values = {"x": x, "a": 0.75}
        for program, slope in pairwise(programs):
            _, expected = complex_step(program, values)
            # the third derivative of a quotient adds large terms
            assert at(slope, values) == pytest.approx(expected, rel=1e-10, abs=1e-10, nan_ok=True), (x, slope.source)


def test_rules_are_finite():
    """NaN is equal to NaN above, so it must be rare."""
    for text in RULES:
        for program in derivatives(text, "x"):
            finite = [math.isfinite(at(program, {"x": x, "a": 0.75})) for x in POINTS]
            assert all(finite), text


# --------------------------------------------------------------------------------------------------- examples


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("3", "0", "0"),
        ("t", "1", "0"),
        ("t^2", "2*t", "2"),
        ("t^5", "5*t^4", "20*t^3"),
        ("1/t", "-1/t^2", "2/t^3"),
        ("5*t^2 - 3*t + 2", "10*t - 3", "10"),
        ("10*sin(2*t)", "20*cos(2*t)", "-40*sin(2*t)"),
        ("a*t + b.x", "a", "0"),
        ("A.angle^2", "0", "0"),
        ("mod(t, 2)", "1", "0"),
        ("tanh(50*t)", "50/cosh(50*t)^2", "-(5000*tanh(50*t)/cosh(50*t)^2)"),
        ("1/exp(t)", "-1/exp(t)", "1/exp(t)"),
        ("abs(sin(t))", "sign(sin(t))*cos(t)", "-(sign(sin(t))*sin(t))"),
        ("clip(t, 0, 1)", "if(max(t, 0) < 1, if(t > 0, 1, 0), 0)", "0"),
        ("if(t < 1, t^2, 2*t - 1)", "if(t < 1, 2*t, 2)", "if(t < 1, 2, 0)"),
        (
            "step(t, 0, 0, 2, 10)",
            "if(t <= 0 or t >= 2, 0, 7.5*(t*(2 - t)))",
            "if(t <= 0 or t >= 2, 0, 7.5*(2 - t - t))",
        ),
        ("floor(t) + sign(t) + (t < 1) + (not t) + (t and 1)", "0", "0"),
    ],
)
def test_sources(text, first, second):
    value, *others = derivatives(text, "t")
    assert value == compile_expression(text)
    assert [program.source for program in others] == [first, second]


def test_arguments():
    value, speed, acceleration = derivatives("r*sin(w*t)", "t", constants={"r": 2, "w": 3}, known={"t"})
    assert value.inputs == speed.inputs == acceleration.inputs == ("t",)
    assert speed.evaluate(t=0.0) == 6.0
    assert acceleration.evaluate(t=0.5) == -18.0 * math.sin(1.5)
    assert speed.text == "d/dt (r*sin(w*t))"
    assert acceleration.text == "d^2/dt^2 (r*sin(w*t))"
    assert pickle.loads(pickle.dumps(speed)) == speed
    assert derivative("A.angle^2*t", "A.angle").source == "2*(A.angle*t)"
    assert derivative(3.5, "t").value == 0.0
    assert [p.value for p in derivatives(3.5, "t")] == [3.5, 0.0, 0.0]
    assert derivatives("t", "t", order=0) == (compile_expression("t"),)
    with pytest.raises(ValueError, match="0 or more"):
        derivatives("t", "t", order=-1)
    with pytest.raises(ValueError, match="r is a number, 2;"):
        derivative("r*t", "r", {"r": 2})
    with pytest.raises(ValueError, match=r"pi is a number, 3\.14159"):
        derivative("pi*t", "pi")
    with pytest.raises(ExpressionError, match="unknown name"):
        derivative("q*t", "t", known={"t"})
    with pytest.raises(ExpressionError, match="not after it starts"):
        derivative("step(t, 1, 0, 0, 1)", "t")


def test_at_the_edges():
    """Where a motion begins, and where a smooth switch has long been passed."""
    value, speed, acceleration = derivatives("step(t, 1, 2, 3, 6)", "t")
    for t in (-5.0, 0.0, 1.0, 3.0, 4.0):
        assert speed.evaluate(t=t) == acceleration.evaluate(t=t) == 0.0
    assert speed.evaluate(t=2.0) == 3.0  # 1.5 * (h1 - h0)/(t1 - t0)
    assert acceleration.evaluate(t=2.0) == 0.0
    assert value.evaluate(t=2.0) == 4.0
    for t in (-1e4, 1e4):
        assert [p.evaluate(t=t) for p in derivatives("tanh(t)", "t")] == [math.copysign(1.0, t), 0.0, 0.0]
    assert [p.evaluate(t=1e3) for p in derivatives("1/exp(t) + 1/cosh(t)", "t")] == [0.0, 0.0, 0.0]
    assert [p.evaluate(t=0.0) for p in derivatives("hypot(t, 2*t, 3)", "t")] == [3.0, 0.0, pytest.approx(5 / 3)]
    assert [at(p, {"t": -3.0}) for p in derivatives("t^2", "t")] == [9.0, -6.0, 2.0]
    assert [p.evaluate(t=-2.0) for p in derivatives("t^5", "t")] == [-32.0, 80.0, -160.0]
    assert derivative("t^(1 + t)", "t").evaluate(t=0.0) == 1.0
    assert derivative("if(t > 0, sqrt(t), t)", "t").evaluate(t=-1.0) == 1.0
    x = 1 - 2**-40  # 1 - x^2 would lose half of the digits
    assert derivative("asin(x)", "x").evaluate(x=x) == pytest.approx(1 / math.sqrt((1 - x) * (1 + x)), rel=1e-15)


def test_long_and_deep():
    many = "+".join(["t*t"] * 2400)
    value, first, second = derivatives(many, "t")
    assert [p.evaluate(t=3.0) for p in (value, first)] == [21600.0, 14400.0]
    assert second.value == 4800.0
    assert derivative("-".join(["t"] * 5000), "t").value == -4998.0
    fourier = "+".join(f"sin({k}*t)" for k in range(1, 700))
    assert derivative(fourier, "t").evaluate(t=0.0) == 699 * 350
    deep = derivative("sin(" * 90 + "t" + ")" * 90, "t")
    assert deep.evaluate(t=0.0) == 1.0
    assert derivative("*".join(["t"] * 200), "t").evaluate(t=1.0) == 200.0
    with pytest.raises(ExpressionError, match="derivative of order 1 is too long"):
        derivative("*".join(["t"] * 4000), "t")


# ----------------------------------------------------------------------------------------- random expressions

# Defined everywhere and without poles, so that round-off stays small; jumps and kinks lie at odd places.
PATTERNS = [
    *["({} + {})", "({} - {})", "{}*{}", "({})/(({})^2 + 0.5)", "1/(({})^2 + 0.7)^2", "(-{})", "({})^2", "({})^3"],
    *["(({})^2 + 0.5)^sin({})", "1.7^sin({})", "(({})^2 + 0.6)^1.3", "sin({})", "cos({})", "tan(sin({}))"],
    *["asin(0.9*sin({}))", "acos(0.9*cos({}))", "atan({})", "atan2({}, ({})^2 + 0.4)", "sinh(sin({}))"],
    *["cosh(cos({}))", "tanh({})", "exp(sin({}))", "log(({})^2 + 0.3)", "log10(({})^2 + 0.3)"],
    *["sqrt(({})^2 + 0.2)", "abs({} + 0.1234567)", "sign({})", "floor({})", "min({}, {})", "max({}, {}, {})"],
    *["({} < {})", "({} and {})", "(not {})", "mod({} + 0.0123457, 1.7)", "mod(5.01234, ({})^2 + 1.1)"],
    *["hypot(0.7, {}, {})", "if({} > {}, {}, {})", "clip({}, -1.01, {})", "step({}, -1.5, {}, 2.5, {})"],
    *["step({}, sin({}) - 1.5, {}, 2.5, {})", "exp(-abs({} + 0.7654321))"],
]


def _build(pattern, arguments):
    text = pattern.format(*[argument[0] for argument in arguments])
    return text, [text, *(part for argument in arguments for part in argument[1])]


def _combine(parts):
    """Texts, each with all texts it is made of."""
    return st.sampled_from(PATTERNS).flatmap(
        lambda pattern: st.tuples(*[parts] * pattern.count("{}")).map(lambda arguments: _build(pattern, arguments))
    )


leaves = st.sampled_from(["x", "x", "a", "0.5", "2", "3*x", "pi"]).map(lambda text: (text, [text]))
expressions = st.recursive(leaves, _combine, max_leaves=12)


@settings(deadline=None, max_examples=400)  # the first call compiles
@given(expressions, st.floats(-3, 3))
@example(("max(x, x, 2*x)", ["x"]), 0.3)
def test_random_expressions(expression, x):
    text, parts = expression
    values = {"x": x, "a": 0.75}
    programs = derivatives(text, "x")
    scale = 1.0
    for part in parts:  # round-off grows with what the expression is made of
        scale = max(scale, *map(abs, complex_step(compile_expression(part), values)))
    assume(scale < 1e3)
    _, expected = complex_step(programs[0], values)
    assert at(programs[1], values) == pytest.approx(expected, rel=1e-9, abs=1e-11 * scale**2), programs[1].source
    real, expected = complex_step(programs[1], values)
    assert real == at(programs[1], values)
    tolerance = 1e-11 * max(scale**2, abs(real)) ** 2
    assert at(programs[2], values) == pytest.approx(expected, rel=1e-9, abs=tolerance), programs[2].source
    # what is printed back means the same
    for program in programs:
        again = at(compile_expression(program.source), values) if len(program.source) < 9000 else at(program, values)
        assert again == pytest.approx(at(program, values), rel=1e-12, abs=1e-12)


def test_hypot_is_flat_at_zero():
    """Its kink there must not spoil the derivatives of laws such as friction, -v/max(speed, eps), at rest."""
    program = compile_expression("x/max(hypot(x, a), 0.5)")
    assert complex_step(program, {"x": 0.0, "a": 0.0}) == (0.0, 2.0)
    assert derivative("hypot(x, a)", "x").evaluate(x=0.0, a=0.0) == 0.0
