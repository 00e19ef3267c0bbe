"""The checked build (`DUOTI_CHECK=1`): wrong indices and stale quantities are errors by name; nothing is touched."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.kernel import CHECK, JIT, KernelIndexError, kernel

needs_jit = pytest.mark.skipif(not JIT, reason="about compiled kernels")
SUPPORT = Path(__file__).parents[1] / "support"
PROGRAM = SUPPORT / "wrong_kernels.py"


def run(*arguments: str, **environment: str) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("DUOTI_") or k == "DUOTI_CACHE"}
    clean["PYTHONPATH"] = str(Path(dt.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, *arguments], env=clean | environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def said():
    """What `wrong_kernels` says in the checked build."""
    return json.loads(run(str(PROGRAM), DUOTI_CHECK="1"))


def line_of(mark: str) -> int:
    lines = PROGRAM.read_text("utf-8").splitlines()
    (found,) = (i for i, line in enumerate(lines, start=1) if re.search(rf"# HERE {mark}$", line))
    return found


# case, mark of the line, function, what the message calls the array, size
CASES = [
    (0, "helper", "get", "a", 4),
    (1, "row", "row_of", "axis 0 of m", 2),
    (2, "column", "read", "axis 1 of m", 3),
    (3, "record", "read", "records", 2),
    (4, "start", "read", "the start of a slice of a", 4),
    (5, "stop", "read", "the stop of a slice of axis 1 of m", 3),
    (6, "write", "read", "a", 4),
    (7, "add", "read", "axis 0 of m", 2),
    (8, "field", "read", "records", 2),
    (9, "tuple", "read", None, 3),
    (10, "view", "read", "axis 1 of m", 3),
    (12, "ordinary", "pick", "a", 4),
    (13, "variable", "read", None, 4),
]


@needs_jit
@pytest.mark.parametrize(("case", "mark", "function", "array", "size"), CASES)
@pytest.mark.parametrize("index", [4, -1, 10**12])
def test_a_wrong_index_is_told_with_function_array_and_line(said, case, mark, function, array, size, index):
    outcome, untouched = said[f"{case} {index}"]
    if mark in ("start", "variable") and index == 4:  # an empty slice, of which the first element is asked for
        array, index, size = "a[...]", 0, 0
    assert outcome["kind"] == "KernelIndexError"
    assert f".{function}: index {index} is out of bounds for " in outcome["text"]
    assert outcome["text"].endswith(f" of size {size}")
    if array is not None:
        assert f" for {array} of size " in outcome["text"]
    assert outcome["places"][0] == [PROGRAM.name, line_of(mark), f"__main__.{function}"]
    assert outcome["places"][-1][2] == "__main__.read"
    assert untouched


@needs_jit
def test_right_indices_pass_and_constants_may_count_from_behind(said):
    for case in range(11):
        assert not isinstance(said[f"{case} 0"][0], dict)
    for index in (0, 4, -1):
        assert said[f"11 {index}"] == [3.0 + 1.0 + 2.0, True]


@needs_jit
def test_a_fault_of_an_entry_ends_its_callers_and_leaves_nothing_behind(said):
    outcome, untouched = said["outer"]
    assert [each[2] for each in outcome["places"]] == ["__main__.inner_entry", "__main__.outer"]
    assert outcome["places"][0][1] == line_of("entry")
    assert untouched
    assert said["run_entry"][0]["kind"] == "KernelIndexError"
    assert said["again"] == [None, True]


@needs_jit
def test_an_address_of_zero_is_told_instead_of_a_crash(said):
    for case, function in (("no entry", "outer"), ("no context", "inner_entry")):
        outcome, _ = said[case]
        assert outcome["kind"] == "KernelError"
        assert f"{function}: the address of {'an entry' if case == 'no entry' else 'a context'} is 0" in outcome["text"]


STAGES = """
import json
import numpy as np
import duoti as dt
from duoti.kernel import KernelStageError, kernel
from duoti.dynamics.tree.energy import kinetic_energy
from duoti.dynamics.tree.kinematics import joint_sweep, velocities
from duoti.dynamics.workspace import new_workspace
m = dt.Model("pendulum")
m.add_body("rod", dt.Inertia(2.0, com=(0.3, 0.1, 0.2), matrix=np.diag([0.1, 0.2, 0.25])))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
s = dt.compile(m)
w = new_workspace(s)

@kernel
def energy(tree, w, q, v, sweep, twists):
    if sweep == 1:
        joint_sweep(tree, w, q, v)
    if twists == 1:
        velocities(tree, w, v)
    return kinetic_energy(tree, w, v)

said = []
for sweep, twists in ((0, 0), (0, 1), (1, 0), (1, 1), (0, 0), (1, 0)):
    try:
        said.append(energy(s.tree, w, np.array([0.4]), np.array([0.7]), sweep, twists))
    except KernelStageError as error:
        said.append(str(error).splitlines()[0])
print(json.dumps(said))
"""


@pytest.mark.full
@needs_jit
@pytest.mark.parametrize("jit", ["1", "0"])
def test_a_part_that_needs_another_first_says_so(jit, tmp_path):
    """Also of velocities that were computed, but for an earlier state of the workspace."""
    program = tmp_path / "stages.py"
    program.write_text(STAGES, encoding="utf-8")
    never, no_state, not_yet, right, still, stale = json.loads(run(str(program), DUOTI_CHECK="1", DUOTI_JIT=jit))
    for each in (never, not_yet, stale):
        assert each.endswith("the velocities V are not those of this state: call velocities first")
        assert jit == "0" or each.startswith("duoti.dynamics.tree.energy.kinetic_energy: ")
    assert no_state.endswith("call joint_sweep first")
    assert right == still == pytest.approx(0.5 * 0.46 * 0.7**2)  # J = 0.2 + 2 (0.3² + 0.2²)


@needs_jit
@pytest.mark.skipif(CHECK, reason="about the normal build")
def test_the_normal_build_has_none_of_it():
    """No look at bounds in its code, no room for stages; and another name in the store."""
    from duoti.dynamics.tree.rnea import rnea
    from duoti.dynamics.workspace import new_workspace
    from duoti.examples.four_bar import build
    from duoti.kernel import faults, signature
    from duoti.kernel.store import load_or_compile
    from duoti.kernel.store import user_store as store

    work = new_workspace(dt.compile(build()))
    assert work.stages.shape == (0,)
    kinds = signature(np.zeros(2), 1)
    code = load_or_compile.compile_now(_element, kinds, load_or_compile.key_of(_element, kinds))
    assert faults.SYMBOL.encode() not in code.image
    program = "from duoti.dynamics.tree.rnea import rnea; from duoti.kernel.store import load_or_compile; "
    program += (
        "from duoti.kernel.store import user_store as store; print(load_or_compile.key_of(rnea, ''), store.versions())"
    )
    key, versions = run("-c", program, DUOTI_CHECK="1").split()
    assert key != load_or_compile.key_of(rnea, "")
    assert versions == f"{store.versions()}-checked"


@kernel
def _element(a, i):
    return a[i]


@pytest.mark.skipif(JIT, reason="about plain Python")
def test_plain_python_does_not_hide_a_negative_index():
    a = np.arange(3.0)
    assert _element(a, 2) == 2.0
    with pytest.raises(KernelIndexError, match="index -1 was computed"):
        _element(a, -1)


@needs_jit
def test_nor_does_it_in_a_process_of_its_own():
    """As above, of all cases of the program; beyond the end NumPy raises an error of its own."""
    program = "import sys; sys.path.insert(0, sys.argv[1]); import wrong_kernels as k; import numpy as np, json; "
    program += "a, m, r = np.arange(4.0), np.ones((2, 3)), np.zeros(2, k.RECORD).view(np.recarray); "
    program += "print(json.dumps([k.told(lambda: k.read(c, a, m, r, -1)) for c in (*range(11), 13, 11)]))"
    *wrong, right = json.loads(run("-c", program, str(SUPPORT), DUOTI_JIT="0"))
    for each in wrong:
        assert each["kind"] == "KernelIndexError"
    assert right == 6.0


@needs_jit
def test_kernels_that_call_each_other_in_a_circle_are_refused():
    """Their names in the store would depend on which of them is asked for first."""
    from duoti.kernel.store.cache_keys import stamp

    for first in (_even, _odd):
        with pytest.raises(TypeError, match=r"in a circle: .*_even -> _odd|in a circle: .*_odd -> _even"):
            stamp(first)


@kernel
def _even(n):
    return 1 if n == 0 else _odd(n - 1)


@kernel
def _odd(n):
    return 0 if n == 0 else _even(n - 1)
