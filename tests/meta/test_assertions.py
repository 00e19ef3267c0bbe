"""Every test can fail: it has an assertion, and no assertion is true whatever the program does."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FILES = sorted(TESTS.rglob("*.py"))

CHECKS = {"raises", "warns", "fail", "deprecated_call"}
"""Functions of pytest that fail a test."""
ALWAYS_THE_SAME = (ast.Constant, ast.GeneratorExp, ast.Lambda, ast.JoinedStr, ast.Tuple, ast.List, ast.Set, ast.Dict)


def is_constant(node):
    """Whether the truth of an expression does not depend on what is tested."""
    if isinstance(node, ALWAYS_THE_SAME):
        return True
    if isinstance(node, ast.Call):
        return name_of(node.func) == "approx"
    if isinstance(node, ast.UnaryOp):
        return is_constant(node.operand)
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return all(isinstance(each, ast.Constant) for each in sides)
    return False


def says_nothing(node):
    """Why the condition of an assertion is true in some or in all cases, whatever is tested; "" if it is not."""
    if isinstance(node, ast.IfExp):
        for branch in (node.body, node.orelse):
            if is_constant(branch):
                return f"one branch of the condition is {ast.unparse(branch)}"
            if why := says_nothing(branch):
                return why
        return ""
    if isinstance(node, ast.BoolOp):
        return next((why for each in node.values if (why := says_nothing(each))), "")
    return f"{ast.unparse(node)} is always true" if is_constant(node) else ""


def empty_assertions(tree):
    """Lines of assertions that do not depend on what is tested, and why."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and (why := says_nothing(node.test)):
            yield node.lineno, why


def name_of(function):
    """The last part of a function's name where it is called: `fail` of `pytest.fail`."""
    return getattr(function, "attr", getattr(function, "id", ""))


def asserts(node, checking):
    """Whether a function has an assertion, or uses a function that does."""
    return any(
        isinstance(each, ast.Assert)
        or (isinstance(each, ast.Raise) and "AssertionError" in ast.unparse(each))
        or (isinstance(each, ast.Name | ast.Attribute) and name_of(each) in checking)
        or (isinstance(each, ast.Call) and name_of(each.func).startswith(("assert", "test")))
        for each in ast.walk(node)
    )


def functions(tree):
    return [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]


def own_names(tree):
    """Names of the functions of a file, and those that it imports from others or may reach through their modules."""
    imports = [each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom | ast.Import)]
    taken = {alias.asname or alias.name for each in imports for alias in each.names}
    reached = {each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute) and name_of(each.value) in taken}
    return {each.name for each in functions(tree)}, taken | reached


def without_assertions(trees):
    """Test functions in which nothing can fail but the call itself; helpers that assert are followed."""
    names = {path: own_names(tree) for path, tree in trees.items()}
    checking = {path: set(CHECKS) for path in trees}
    found, before = set(), -1
    while before < len(found):
        before = len(found)
        for path, tree in trees.items():
            defined, imported = names[path]
            others = {name for _, name in found if name in imported and name not in defined}
            checking[path] |= others | {name for where, name in found if where == path}
            found |= {(path, each.name) for each in functions(tree) if asserts(each, checking[path])}
    for path, tree in trees.items():
        for each in functions(tree) if path.name.startswith("test_") else ():
            if each.name.startswith("test_") and not asserts(each, checking[path]):
                yield f"{path.name}:{each.lineno} {each.name}"


@pytest.fixture(scope="module")
def trees():
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


@pytest.mark.parametrize("line", [
    "assert error < 1e-4 if tolerance == 1e-6 else 2e-6",
    'assert steps > 3 if outputs == "steps" else True',
    "assert (a == b, 'message')",
    "assert a == b or True",
    "assert not (x for x in y)",
    "assert pytest.approx(3)",
    "assert f'{x}'",
    "assert 1 == 1",
])  # fmt: skip
def test_assertions_that_say_nothing_are_found(line):
    assert len(list(empty_assertions(ast.parse(line)))) == 1


@pytest.mark.parametrize("line", [
    "assert error < (1e-4 if tolerance == 1e-6 else 2e-6)",
    "assert (a < 1) if x else (a < 2)",
    "assert a == pytest.approx(3)",
    "assert [x for x in y if wrong(x)] == []",
    "assert found",
])  # fmt: skip
def test_assertions_that_can_fail_are_not(line):
    assert list(empty_assertions(ast.parse(line))) == []


def test_a_test_without_an_assertion_is_found():
    text = """
def same(a): assert a
def near(a): same(a)
def test_by_a_helper(): near(1)
def test_nothing(): run()
def test_raises():
    with pytest.raises(ValueError): run()
def test_law_that_raises():
    def law(t): raise ValueError
    run(law)
"""
    other = "def run(): assert 1 < x"  # of another file, which has nothing to do with it
    found = without_assertions({Path("test_x.py"): ast.parse(text), Path("test_y.py"): ast.parse(other)})
    assert list(found) == ["test_x.py:5 test_nothing", "test_x.py:8 test_law_that_raises"]


def test_every_assertion_can_fail(trees):
    found = [f"{path.relative_to(TESTS)}:{line}: {why}" for path, tree in trees.items()
             for line, why in empty_assertions(tree)]  # fmt: skip
    assert found == []


def test_every_test_asserts_something(trees):
    assert list(without_assertions(trees)) == []
