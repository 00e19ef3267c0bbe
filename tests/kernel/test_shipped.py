"""Machine code that comes with the package: keys that hold for all versions of Python, one file, nothing compiled."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import duoti as dt
from duoti.kernel import JIT, packing
from duoti.kernel.compile import all_kernels as build
from duoti.kernel.decorators import ENTRY, KERNEL, REGISTRY, Compiled, plain
from duoti.kernel.store import cache_keys as stamps
from duoti.kernel.store import images, load_or_compile, processors, shipped, sources, syntax
from duoti.kernel.store import user_store as store

needs_jit = pytest.mark.skipif(not JIT, reason="about compiled kernels")
needs_file = pytest.mark.skipif(
    not JIT or not any(shipped.path_for(each).exists() for each in processors.levels_here()),
    reason="no machine code is shipped for this processor",
)

# ------------------------------------------------------------------------------------------- what a function says


def said(text: str) -> syntax.FunctionSyntax:
    """What the first function of a text says."""
    table = syntax.table_of(textwrap.dedent(text))
    return next(value for key, value in table.items() if key != syntax.WHOLE)


FUNCTION = """
def f(x, y=ONE):
    z = x * math.sin(y)
    return helper(z) + TABLE[0]
"""


def test_what_does_not_change_a_function():
    expected = said(FUNCTION)
    assert expected.names == ("ONE", "TABLE", "helper", "math.sin")
    same = (
        """
        'Words.'

        def f(x, y=ONE):
            'Others.'
            z = x * math.sin(y)  # a product
            return helper(z) + TABLE[0]
        """,
        """
        @kernel("d1")
        def f(x: float, y: float = ONE) -> float:
            z = (x * math.sin(y))
            return helper(z) + TABLE[0]
        """,
    )
    assert [said(text) for text in same] == [expected] * 2


@pytest.mark.parametrize(
    "text",
    [
        FUNCTION.replace("x *", "x /"),
        FUNCTION.replace("TABLE[0]", "TABLE[1]"),
        FUNCTION.replace("TABLE[0]", "TABLE[0.0]"),
        FUNCTION.replace("math.sin", "math.cos"),
        FUNCTION.replace("y=ONE", "y=TWO"),
        FUNCTION.replace("return ", "return -"),
        FUNCTION + "    'a text that is no docstring'\n",
    ],
)
def test_what_changes_a_function(text):
    assert said(text).digest != said(FUNCTION).digest


def test_names_from_outside():
    """A name is followed unless the function itself binds it; what a nested function binds is not bound outside it."""
    assert said("def f(a):\n    b = a\n    return b + c\n").names == ("c",)
    assert said("def f(a):\n    g = lambda c: c\n    return g(a) + c\n").names == ("c",)
    assert said("def f(a):\n    return [c for c in a][0] + c\n").names == ("c",)
    assert said("def f(a):\n    global c\n    c = a\n    return c\n").names == ("c",)
    assert said("def f(a):\n    for i in range(a):\n        pass\n    return a.b + i\n").names == ("range",)


def test_trees_of_other_versions_of_python_say_the_same():
    """Later versions add fields, which are empty for what earlier ones know (PEP 695: type_params, 3.12)."""
    tree = ast.parse(FUNCTION)
    before = syntax._digest([tree])
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.type_params = []
            node._fields = (*node._fields, "type_params") if "type_params" not in node._fields else node._fields
            node.another_field = None
            node._fields = (*reversed(node._fields), "another_field")
    assert syntax._digest([tree]) == before


def test_digests_are_what_they_were():
    """The same for Python 3.11 to 3.14; another number here means that all shipped code is another one."""
    text = """
    def f(a, *b, c=1.5, **d):
        x: int = a[1:-1, ...] if not a else {**d}
        return (x := 0x10) + 1j, 'ä', b'y'
    """
    assert said(text).digest == "d64142e63ff1d24a97bb2b219bfdbefb"


def test_tables_are_read_as_they_are_written():
    table = syntax.table_of(FUNCTION)
    assert syntax.read(syntax.written(table)) == table


def test_a_function_that_is_typed_in_or_was_changed_since_goes_by_its_bytecode(tmp_path):
    typed: dict = {}
    exec("def f(x):\n    return x + one\n", typed)
    assert sources.syntax_of(typed["f"]).digest.startswith("bytecode")
    assert "one" in sources.syntax_of(typed["f"]).names
    file = tmp_path / "changing.py"
    file.write_text("def f(x):\n    return x + one\n")
    space: dict = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    file.write_text("def f(x):\n    return x - one\n")  # in the same place, after the import
    assert sources.syntax_of(space["f"]).digest.startswith("bytecode")
    kept = tmp_path / "kept.py"
    kept.write_text("def f(x):\n    return x + one\n")
    exec(compile(kept.read_text(), str(kept), "exec"), space)
    assert sources.syntax_of(space["f"]) == said(kept.read_text())


FACTORY = """
def factory(law):
    def forces(x):
        return law(x)
    return forces
def one(x):
    return 1.0
def two(x):
    return 2.0
"""


@needs_jit
@pytest.mark.parametrize("where", ["file", "prompt"])
def test_keys_of_functions_that_a_factory_makes_depend_on_what_it_was_given(tmp_path, where):
    space: dict = {}
    if where == "file":
        (tmp_path / "made.py").write_text(FACTORY)
        exec(compile(FACTORY, str(tmp_path / "made.py"), "exec"), space)
    else:
        exec(FACTORY, space)
    laws = {name: Compiled(space[name], "helper") for name in ("one", "two")}
    digests = [stamps.stamp(Compiled(space["factory"](laws[name]), "part")) for name in ("one", "two", "one")]
    assert digests[0] != digests[1]
    assert digests[0] == digests[2]
    assert laws["one"] in stamps.parts_of(Compiled(space["factory"](laws["one"]), "part"))
    assert plain(Compiled(space["factory"](laws["two"]), "part"))(0.0) == 2.0


def test_values_are_written_alike_by_all_versions_of_numpy():
    assert stamps._of_value(np.float64(0.5)) == b"<f80.5"
    assert stamps._of_value(np.int64(3)) == b"<i83"
    assert stamps._of_value((1.0, "a", True)) == b"(3 1.0,'a',True)"


# ------------------------------------------------------------------------------------------------------ all kernels


@needs_jit
def test_kernels_that_python_calls_declare_their_signatures():
    """Whoever forgets it makes users wait."""
    build.all_kernels()
    without = [
        name
        for name, each in REGISTRY.items()
        if each.role == KERNEL and name.startswith("duoti.") and not each.declared
    ]
    assert not without


@needs_jit
def test_declared_signatures():
    assert packing.declared_signature("i d c d1 l2 (d1 w1)") == "i,d,c,d1l2(d1w1)"
    m = dt.Model("one")
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("free", dt.Free(), m.ground, "ball")
    tree = dt.compile(m).tree
    assert packing.declared_signature("tree") == packing.signature(tree)
    with pytest.raises(ValueError, match="nothing has the name 'forest'"):
        packing.declared_signature("forest d1")


@needs_jit
def test_entries_that_are_made_when_needed_are_among_all_kernels():
    names = {each.compiled.name for each in build.all_kernels()}
    assert {name for name, each in REGISTRY.items() if each.role == ENTRY and name.startswith("duoti.")} <= names
    for part in (
        "_perturbed_forces",
        "_complex_forces",
        "_biases",
        "_creeps",
        "bristle_contact",
        "features_points",
        "rows",
    ):
        assert any(part in name for name in names), part


# -------------------------------------------------------------------------------------------------------- the file


TRAP = """
import sys
class Trap:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise AssertionError(f"{name} is imported")
sys.meta_path.insert(0, Trap())
import json
import duoti as dt
from duoti.examples import find_example
r = dt.simulate(dt.load(find_example("NAME").file), 1e-3, outputs=1e-3, **dict(OPTIONS))
r.summary()
print(json.dumps(r.ok))
"""


def fresh(code: str, home: Path, path: Path | None = None, **more: str) -> tuple[str, str]:
    """Run a program with an empty store: what it printed, and its standard error."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("DUOTI_", "NUMBA_", "PYTHONPATH"))}
    clean |= {"PYTHONPATH": str(path or Path(dt.__file__).parents[1]), "DUOTI_CACHE": str(home)} | more
    done = subprocess.run([sys.executable, "-c", code], env=clean, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.sample(2)
@needs_file
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("double_pendulum", {}),
        ("slider_crank", {"solver": "radau"}),
        ("bouncing_ball", {}),
        ("newtons_cradle", {}),
        ("flexible_crank", {}),
        ("diving_board", {}),
        ("motor_robot", {}),
        ("stick_slip", {}),
    ],
)
def test_a_first_run_imports_neither_numba_nor_llvm(name, options, tmp_path):
    if build.missing(build.all_kernels()):
        pytest.skip("the shipped file is of other sources: `duoti compile --ship`")
    out, err = fresh(TRAP.replace("NAME", name).replace("OPTIONS", repr(options)), tmp_path)
    assert "compiling" not in err
    assert json.loads(out.splitlines()[-1]) in (True, False)
    assert not [path for path in (tmp_path / "kernels").rglob("*") if path.is_file()]


@pytest.fixture
def small_file(tmp_path, monkeypatch):
    """A shipped file with three kernels."""
    path = tmp_path / "small.kernels"
    groups = [
        {"a": shipped.Code("d", b"first" * 100), "b": shipped.Code("", b"second" * 100)},
        {"c": shipped.Code("i", b"third")},
    ]
    shipped.write(path, groups, {"digest": syntax.written(syntax.table_of(FUNCTION))})
    return path


def test_a_file_gives_back_what_was_written(small_file):
    found = shipped.Shipped(small_file)
    assert found.code("a") == shipped.Code("d", b"first" * 100)
    assert found.code("b") == shipped.Code("", b"second" * 100)
    assert found.code("c") == shipped.Code("i", b"third")
    assert found.code("d") is None
    assert found.table("digest") == syntax.table_of(FUNCTION)
    assert found.table("other") is None


def test_only_the_groups_that_are_needed_are_unpacked(small_file):
    found = shipped.Shipped(small_file)
    found.code("c")
    assert list(found._unpacked) == [2]  # tables, then groups


def test_a_damaged_file_is_not_used_and_it_is_said_once(small_file, capsys, monkeypatch):
    monkeypatch.delenv("DUOTI_QUIET", raising=False)
    data = small_file.read_bytes()
    intact = shipped.Shipped(small_file)
    expected = {key: intact.code(key) for key in "abc"}
    table = intact.table("digest")
    for at in range(0, len(data), 7):
        small_file.write_bytes(data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :])
        found = shipped.Shipped(small_file)
        for key in "abc":
            assert found.code(key) in (None, expected[key])
        assert found.table("digest") in (None, table)
    for damaged in (b"", data[:20], data[:-5], b"something else" * 20):
        small_file.write_bytes(damaged)
        assert shipped.Shipped(small_file).code("c") is None
    assert capsys.readouterr().err.count("cannot be used") == 1


@pytest.fixture
def two_levels(tmp_path, monkeypatch):
    """A processor of a higher level, a file for it and one for the level below, and an empty store."""
    both, low = shipped.Code("", b"for both"), shipped.Code("", b"for the lower level")
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    monkeypatch.setattr(shipped, "is_used", lambda: True)
    for module in (shipped, processors):
        monkeypatch.setattr(module, "levels_here", lambda: ("x-high", "x-low"))
    monkeypatch.setattr(shipped, "level", lambda: "x-high")
    monkeypatch.setattr(store, "level", lambda: "x-high")
    monkeypatch.setenv("DUOTI_CACHE", str(tmp_path / "home"))
    store.level_folder.cache_clear()
    shipped.write(
        shipped.path_for("x-low"), [{"both": low, "low": low}], {"digest": syntax.written(syntax.table_of(FUNCTION))}
    )
    shipped.write(shipped.path_for("x-high"), [{"both": both}], {})
    shipped.at.cache_clear()
    yield both, low
    shipped.at.cache_clear()
    store.level_folder.cache_clear()


def test_each_kernel_comes_from_the_best_level_that_has_it(two_levels):
    both, low = two_levels
    assert store.read("both") == both
    assert store.read("low") == low
    assert store.read("neither") is None
    assert [shipped.has(key) for key in ("both", "low", "neither")] == [True, True, False]
    assert shipped.table("digest") == syntax.table_of(FUNCTION)  # which only the first file has
    assert shipped.table("other") is None


def test_code_of_the_users_own_level_goes_before_shipped_code_of_a_lower_one(two_levels):
    both, _ = two_levels
    mine = shipped.Code("", b"compiled here")
    for key in ("both", "low"):
        store.write(key, mine)
    assert store.read("low") == mine
    assert store.read("both") == both  # shipped for this level: the same for everyone


@pytest.mark.skipif(processors.ARCHITECTURE != "x86_64", reason="the levels of x86-64")
def test_a_processor_has_the_levels_whose_features_it_has(monkeypatch):
    monkeypatch.delenv("DUOTI_LEVEL", raising=False)

    def levels(features, wanted=None):
        monkeypatch.setattr(processors, "_features", lambda: set(features))
        if wanted is not None:
            monkeypatch.setenv("DUOTI_LEVEL", wanted)
        processors.levels_here.cache_clear()
        return processors.levels_here()

    try:
        all_levels = ("x86-64-v4", "x86-64-v3", "x86-64-v2", "x86-64")
        assert levels(processors._V4) == all_levels
        assert levels(set(processors._V4) - {"avx512vl"}) == all_levels[1:]
        assert levels(()) == all_levels[3:]
        assert levels(processors._V4, "x86-64-v3") == all_levels[1:]
        with pytest.raises(ValueError, match="has only x86-64-v3"):
            levels(processors._V3, "x86-64-v4")
    finally:
        monkeypatch.undo()
        processors.levels_here.cache_clear()


@needs_jit
@pytest.mark.skipif(processors.ARCHITECTURE != "x86_64", reason="the levels of x86-64")
def test_code_for_a_level_needs_no_processor_of_that_level(tmp_path, monkeypatch):
    """One kernel for two levels, lowered once; registers of AVX-512 only in the code of the higher one."""
    pytest.importorskip("llvmlite")
    import duoti.system.context  # noqa: F401 - names of types
    from duoti.dynamics.tree.crba import crba

    monkeypatch.setattr(store, "level_folder", lambda level: tmp_path / level)
    lowered, lower = [], load_or_compile._lower
    monkeypatch.setattr(load_or_compile, "_lower", lambda *given: lowered.append(given) or lower(*given))
    levels = ("x86-64-v3", "x86-64-v4")
    for level in levels:
        (tmp_path / level).mkdir()
    (tmp_path / processors.level()).mkdir(exist_ok=True)
    signature = packing.declared_signature(crba.declared[0])
    key = load_or_compile.key_of(crba, signature)
    load_or_compile.compile_for(crba, signature, key, levels)
    codes = [store.verified(tmp_path / level / key) for level in levels]
    assert None not in codes
    assert codes[0] != codes[1]
    assert len(lowered) == 1
    load_or_compile.compile_for(crba, signature, key, levels)
    assert len(lowered) == 1  # both are there


def test_a_higher_level_has_the_kernels_that_gain_by_it():
    wanted = build.all_kernels() if JIT else []
    first, *others = processors.shipped_levels()
    assert build.shipped_for(first, wanted) == wanted
    for level in others:
        names = {each.compiled.name for each in build.shipped_for(level, wanted)}
        assert (
            not JIT
            or {"duoti.dynamics.tree.forward.ydot_entry", "duoti.dynamics.loops.equations.equations_entry"} <= names
        )
        assert not any("perturbed" in name or name.endswith(("_points", "_biases")) for name in names)


@needs_file
def test_an_edited_helper_is_compiled_and_another_kernel_is_not(tmp_path):
    """Shipped code is never stale: an edit makes new keys, of the kernels that contain it."""
    if build.missing(build.all_kernels()):
        pytest.skip("the shipped file is of other sources: `duoti compile --ship`")
    package = tmp_path / "src" / "duoti"
    shutil.copytree(Path(dt.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    code = """
import json
from duoti.kernel.store import load_or_compile, shipped
from duoti.dynamics.tree.rnea import rnea
import duoti.system.context
from duoti.flexible.sparse.symbolic import _count
from duoti.kernel.packing import declared_signature
found = [shipped.has(load_or_compile.key_of(each, declared_signature(each.declared[0]))) for each in (rnea, _count)]
print(json.dumps(found))
"""
    assert json.loads(fresh(code, tmp_path / "home", package.parent)[0]) == [True, True]
    file = package / "spatial" / "inertia_algebra.py"
    old, new = "add(symmul(J, V[0]), cross(h, V[1]))", "add(symmul(J, V[0]), cross(V[1], h))"
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    assert json.loads(fresh(code, tmp_path / "home", package.parent)[0]) == [False, True]
    file.write_text(
        text.replace('"""', '"""Words. ', 1).replace("\n@helper", "\n# a comment\n@helper"), encoding="utf-8"
    )
    assert json.loads(fresh(code, tmp_path / "home", package.parent)[0]) == [True, True]


@needs_file
def test_shipped_code_is_found_quickly(tmp_path):
    """No file of the package is parsed for the keys of kernels."""
    first = shipped.at(processors.shipped_levels()[0])
    if build.missing(build.all_kernels()) or not set(build._tables()) <= set(first.sources):
        pytest.skip("the shipped file is of other sources: `duoti compile --ship`")
    code = """
from duoti.kernel.store import syntax
def refuse(text):
    raise AssertionError("a file is parsed")
syntax.table_of = refuse
import duoti as dt
from duoti.examples import find_example
dt.simulate(dt.load(find_example("slider_crank").file), 1e-3, outputs=1e-3)
"""
    fresh(code, tmp_path)


# --------------------------------------------------------------------------------------------------------- images


@needs_jit
def test_an_image_is_what_llvm_links(tmp_path):
    """The same object file loaded as an image and by LLVM's linker: calls into the C library, tables, constants."""
    pytest.importorskip("llvmlite")
    import ctypes

    from duoti.kernel.compile import codegen as machine_code

    text = """
define double @duoti_kernel(double %x, i64 %n) {
  switch i64 %n, label %other [ i64 0, label %a i64 1, label %b i64 2, label %c i64 3, label %d i64 4, label %e ]
a:
  %va = call double @sin(double %x)
  ret double %va
b:
  %vb = call double @pow(double %x, double 3.5)
  ret double %vb
c:
  %vc = fmul double %x, 0x3FF199999999999A
  ret double %vc
d:
  %vd = call double @inner(double %x)
  ret double %vd
e:
  %ve = load double, ptr @number
  ret double %ve
other:
  %p = getelementptr [2 x ptr], ptr @table, i64 0, i64 1
  %q = load ptr, ptr %p
  %vo = load double, ptr %q
  ret double %vo
}
declare double @sin(double)
declare double @pow(double, double)
define internal double @inner(double %x) noinline {
  %y = call double @sin(double %x)
  %z = fadd double %y, 0.25
  ret double %z
}
@number = internal constant double 0x4002666666666666
@far = internal constant double 0x4012666666666666
@table = internal constant [2 x ptr] [ptr @number, ptr @far]
"""
    ll = machine_code.ll
    module = ll.parse_assembly(text)
    module.triple = machine_code.TRIPLE
    made = machine_code._machine(processors.level(), 0).emit_object(module)
    image = images.image_of(made, "duoti_kernel")
    if processors.PLATFORM == "linux-x86_64":
        assert image is not None
    if image is None:
        pytest.skip("there are no images on this platform")
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_int64)
    address, _keep = machine_code.linked(made, "duoti_kernel", "compared", {})
    ours, theirs = kind(images.load(image)), kind(address)
    for n in range(7):
        assert ours(0.7, n) == theirs(0.7, n)
    assert images.image_of(made, "another") is None
    assert images.image_of(b"no object file", "duoti_kernel") is None


# ------------------------------------------------------------------------------------- kernels that were not shipped


class Own(NamedTuple):
    """A type of a user's."""

    x: np.ndarray


@needs_jit
def test_what_counts_as_a_miss(tmp_path, monkeypatch):
    """Kernels of the package for its own types do; what contains something of a user's does not."""
    from duoti.dynamics.tree.crba import crba
    from duoti.kernel import helper
    from duoti.kernel.decorators import kernel
    from duoti.kernel.store import misses

    @kernel
    def own(x):
        x[0] = 1.0

    @helper
    def law(f, t, q, v, loads, w):
        return 0.0, 0.0, 0.0

    from duoti.elements import force_types

    of_user = force_types.forces_entry("duoti.of_a_user", law, force_types.REAL_CONTEXT)
    REGISTRY.pop("duoti.of_a_user")
    signature = packing.declared_signature("tree work d1 d1 d2")
    assert misses.is_of_package(crba, signature)
    assert not misses.is_of_package(crba, packing.signature(Own(np.zeros(1))))
    assert not misses.is_of_package(own, "d1")
    assert not misses.is_of_package(of_user, "")
    monkeypatch.setenv("DUOTI_MISSES", str(tmp_path))
    for each, text in ((crba, signature), (own, "d1"), (of_user, "")):
        misses.note(each, text, "a key that is not shipped")
    assert misses.noted(tmp_path) == [misses.Miss(crba.name, signature, "a key that is not shipped")]


@needs_jit
def test_entries_of_contacts_are_compiled_ahead(monkeypatch):
    """With the others, side by side; not one after the other when they are first called."""
    from duoti.analyses.simulate import compile_ahead

    wanted: list[str] = []
    monkeypatch.setattr(compile_ahead, "prepare", lambda pairs: wanted.extend(each.name for each, _ in pairs))
    monkeypatch.setattr(compile_ahead, "_DONE", set())
    m = dt.Model("ball")
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1))
    m.add_joint("free", dt.Free(), m.ground, "ball")
    shapes = (dt.Shape.plane(), dt.Shape.sphere(0.1))
    m.add_contact("floor", dt.RigidContact(), m.ground, "ball", shapes=shapes)
    dt.simulate(m, 1e-3, outputs=1e-3)
    for part in ("contact_ydot_entry", "contact_events_entry", "contact_project_entry", "_points", "_biases"):
        assert any(part in name for name in wanted), part


@needs_jit
def test_events_of_contacts_call_the_rates(monkeypatch):
    """They do not contain them: the largest kernel of all was compiled twice."""
    from duoti.contact.event_driven import smooth_motion as flow

    def parts(of: Compiled) -> set[str]:
        return {each.name for each in stamps.parts_of(of)}

    assert flow.evaluate.name in parts(flow.contact_ydot_entry)
    assert flow.evaluate.name not in parts(flow.contact_events_entry)
