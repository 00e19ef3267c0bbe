"""Compiled kernels: kept on disk, never stale, never of the wrong types, and the same as plain Python."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import duoti as dt
from duoti import kernel
from duoti.kernel import JIT, fold, helper, one_blas_thread, record_dtype
from duoti.kernel.store.user_store import verified

needs_jit = pytest.mark.skipif(not JIT, reason="about compiled kernels")
TESTS = Path(__file__).parents[1]

# inverse dynamics of a pendulum: one kernel, with helpers of several other files inside it
PENDULUM = """
import json, sys
import numpy as np
import duoti as dt
from duoti.dynamics.tree.rnea import rnea
from duoti.dynamics.workspace import new_workspace
m = dt.Model("pendulum")
m.add_body("rod", dt.Inertia(2.0, com=(0.3, 0.1, 0.2), matrix=np.diag([0.1, 0.2, 0.25])))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
s = dt.compile(m)
tau = np.zeros(1)
rnea(s.tree, new_workspace(s), np.array([0.4]), np.array([0.7]), np.array([1.1]), tau)
print(json.dumps({"tau": tau[0], "where": dt.__file__, "compiled": "numba" in sys.modules}))
"""


def clean_environment(path: Path | None = None, **environment: str) -> dict[str, str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("DUOTI_", "NUMBA_", "PYTHONPATH"))}
    clean["PYTHONPATH"] = str(path or Path(dt.__file__).parents[1])
    return clean | {"DUOTI_SHIPPED": "0"} | environment  # these tests are about kernels that are compiled


def run(code: str, path: Path | None = None, **environment: str) -> tuple[dict, str]:
    """Run a program in a fresh interpreter: what it printed as JSON, and its standard error."""
    done = subprocess.run(
        [sys.executable, "-c", code], env=clean_environment(path, **environment), capture_output=True, text=True,
        timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def copy_of_package(where: Path) -> Path:
    shutil.copytree(Path(dt.__file__).parent, where / "duoti", ignore=shutil.ignore_patterns("__pycache__"))
    return where / "duoti"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def files_of(cache: Path) -> dict[Path, int]:
    return {p: p.stat().st_mtime_ns for p in (cache / "kernels").rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A store in which the kernel of `PENDULUM` is, and what the program printed when it was compiled."""
    cache = tmp_path_factory.mktemp("store")
    first, said = run(PENDULUM, DUOTI_CACHE=str(cache))
    assert first["compiled"]
    assert said.count("compiling") <= 1  # what takes less than a second is not mentioned
    return cache, first["tau"]


@pytest.fixture
def store(filled, tmp_path):
    """A copy of it, its one file, and the right answer."""
    cache = tmp_path / "store"
    shutil.copytree(filled[0], cache)
    (file,) = files_of(cache)
    return cache, file, filled[1]


# ----------------------------------------------------------------------------------------------------- kept on disk


@needs_jit
def test_kept_kernels_are_used_again_without_numba(store):
    cache, _, tau = store
    before = files_of(cache)
    again, said = run(PENDULUM, DUOTI_CACHE=str(cache))
    assert again["tau"] == tau
    assert not again["compiled"]
    assert said == ""
    assert files_of(cache) == before


@pytest.mark.full
@needs_jit
def test_a_second_clone_starts_warm_and_an_edited_helper_is_never_stale(store, tmp_path):
    cache, _, tau = store
    package = copy_of_package(tmp_path)
    clone, said = run(PENDULUM, tmp_path, DUOTI_CACHE=str(cache))
    assert Path(clone["where"]).parent == package
    assert (clone["tau"], clone["compiled"], said) == (tau, False, "")

    # another file than the kernel's own: Numba by itself would go on with the old code
    edit(
        package / "spatial" / "inertia_algebra.py",
        "add(symmul(J, V[0]), cross(h, V[1]))",
        "add(symmul(J, V[0]), cross(V[1], h))",
    )
    edited, said = run(PENDULUM, tmp_path, DUOTI_CACHE=str(cache), DUOTI_QUIET="1")
    assert edited["compiled"]
    assert said == ""  # told to be quiet
    expected, _ = run(PENDULUM, tmp_path, DUOTI_JIT="0")  # the edited source, as it reads
    assert edited["tau"] == pytest.approx(expected["tau"], rel=1e-14)
    assert abs(edited["tau"] - tau) > 0.1


STAMPS = """
import json
from duoti.kernel.store.cache_keys import stamp
from duoti.dynamics.tree.crba import crba
from duoti.dynamics.tree.rnea import rnea
from duoti.dynamics.tree.forward import ydot_entry
print(json.dumps({"crba": stamp(crba), "rnea": stamp(rnea), "rates": stamp(ydot_entry)}))
"""


@pytest.mark.full
@needs_jit
def test_the_stamp_of_a_kernel_covers_what_it_contains_and_nothing_else(tmp_path):
    package = copy_of_package(tmp_path)
    before, _ = run(STAMPS, tmp_path)
    here, _ = run(STAMPS)
    assert here == before  # not where the files are

    def changed(file: str, old: str, new: str) -> set[str]:
        edit(package / file, old, new)
        now, _ = run(STAMPS, tmp_path)
        edit(package / file, new, old)
        return {name for name in now if now[name] != before[name]}

    everything = set(before)
    assert changed("integrate/steps.py", "SAME_TIME = 1e-12", "SAME_TIME = 1e-11") == set()  # an integrator
    assert changed("dynamics/tree/rnea.py", "tau = M a + h.", "tau = M a + h, so") == set()  # words
    assert changed("spatial/algebra.py", "2.75573137070700676789e-06", "2.75573137070700676780e-05") == everything
    assert changed("model/joints/screw.py", "advance * q[k]", "advance * q[j]") == everything  # a law that is folded in
    assert changed("kernel/decorators.py", 'FASTMATH = ("contract", "nsz")', 'FASTMATH = ("nsz",)') == everything
    # the layout of a workspace: two fields of the same type change places; a record of the run has another order
    arrays = package / "system" / "arrays.py"
    before_W, after_W = "    gdot: Any  #", "    gamma: Any  #"
    text = arrays.read_text(encoding="utf-8")
    swapped = text.replace(before_W, "    x: Any  #").replace(after_W, before_W).replace("    x: Any  #", after_W)
    assert swapped != text
    arrays.write_text(swapped, encoding="utf-8")
    now, _ = run(STAMPS, tmp_path)
    assert now["rates"] != before["rates"]


@needs_jit
def test_signatures_change_with_the_names_of_fields():
    """Kernels find fields by name: a layout with the same types in another order is another one."""

    class Point(NamedTuple):
        x: float
        y: float

    other = type(Point.__name__, (tuple,), {"_fields": ("y", "x"), "__qualname__": Point.__qualname__})
    assert kernel.signature(Point(1.0, 2.0)) != kernel.signature(other((1.0, 2.0)))
    first, second = record_dtype("first", x=float, y=float), record_dtype("second", y=float, x=float)
    names = [kernel.signature(np.zeros(1, each)) for each in (first, second)]
    assert names[0].split("_")[1] != names[1].split("_")[1]
    with pytest.raises(TypeError, match="other fields"):
        record_dtype("first", y=float, x=float)


@pytest.mark.full
@needs_jit
def test_a_damaged_file_is_made_anew(store):
    cache, file, tau = store
    assert verified(file) is not None
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    for damaged in (data[:-100], b"", b"no kernel at all", data):  # cut, empty, another, with a flipped bit
        file.write_bytes(damaged)
        assert verified(file) is None
    again, _ = run(PENDULUM, DUOTI_CACHE=str(cache))
    assert again["tau"] == tau
    assert again["compiled"]
    again, said = run(PENDULUM, DUOTI_CACHE=str(cache))
    assert (again["tau"], again["compiled"], said) == (tau, False, "")


@pytest.mark.full
@needs_jit
@pytest.mark.skipif(not hasattr(os, "getuid"), reason="rights of files as POSIX has them")
def test_a_folder_that_others_may_write_to_is_not_used(store):
    cache, file, tau = store
    file.parent.chmod(0o777)
    again, said = run(PENDULUM, DUOTI_CACHE=str(cache))
    assert (again["tau"], again["compiled"]) == (tau, True)
    assert "other users may write" in said
    assert "DUOTI_CACHE" in said
    assert len(files_of(cache)) == 1  # and nothing was put there


@pytest.mark.full
@needs_jit
def test_without_a_folder_or_room_kernels_work_and_it_is_said_once(filled, tmp_path):
    _, tau = filled
    (tmp_path / "file").write_text("in the way")
    again, said = run(PENDULUM, DUOTI_CACHE=str(tmp_path / "file"))
    assert again["tau"] == tau
    assert said.count("cannot be kept") == 1
    full = "import tempfile\ndef full(*a, **k):\n    raise OSError(28, 'No space left on device')\n"
    full += "tempfile.NamedTemporaryFile = full\n"
    again, said = run(full + PENDULUM, DUOTI_CACHE=str(tmp_path / "store"))
    assert again["tau"] == tau
    assert "No space left on device" in said


READ_ONLY = """
import builtins, os, tempfile
def refuse(*arguments, **keywords):
    raise OSError(30, "Read-only file system")
read = builtins.open
def only_read(file, mode="r", *more, **keywords):
    return (read if set(mode) <= set("rbt") else refuse)(file, mode, *more, **keywords)
builtins.open, tempfile.NamedTemporaryFile, os.replace, os.unlink = only_read, refuse, refuse, refuse
"""


@pytest.mark.full
@needs_jit
def test_a_store_that_cannot_be_written_to_is_read(store, tmp_path):
    """Kernels that are there are used without a word; what is missing is compiled, and it is said once."""
    cache, _, tau = store
    before = files_of(cache)
    again, said = run(READ_ONLY + PENDULUM, DUOTI_CACHE=str(cache))
    assert (again["tau"], again["compiled"], said) == (tau, False, "")
    assert files_of(cache) == before
    empty, said = run(READ_ONLY + PENDULUM, DUOTI_CACHE=str(tmp_path / "empty"))
    assert (empty["tau"], empty["compiled"]) == (tau, True)
    assert said.count("cannot be kept") == said.count("Read-only file system") == 1
    assert not files_of(tmp_path / "empty")


@pytest.mark.full
@needs_jit
def test_two_processes_with_an_empty_store(filled, tmp_path):
    environment = clean_environment(DUOTI_CACHE=str(tmp_path), DUOTI_QUIET="1")
    both = [
        subprocess.Popen([sys.executable, "-c", PENDULUM], env=environment, stdout=subprocess.PIPE) for _ in range(2)
    ]
    said = [json.loads(each.communicate(timeout=600)[0]) for each in both]
    assert [each["tau"] for each in said] == [filled[1]] * 2
    assert sorted(each["compiled"] for each in said) == [False, True]  # one waited for the other
    assert [p.name.startswith("making-") for p in files_of(tmp_path)] == [False]


@pytest.mark.full
@needs_jit
def test_a_killed_first_compilation_leaves_nothing_that_harms(filled, tmp_path):
    environment = clean_environment(DUOTI_CACHE=str(tmp_path))
    first = subprocess.Popen([sys.executable, "-c", PENDULUM], env=environment, stderr=subprocess.PIPE)
    while not any(path.name.startswith("making-") for path in tmp_path.rglob("*")):
        assert first.poll() is None
        time.sleep(0.001)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    again, _ = run(PENDULUM, DUOTI_CACHE=str(tmp_path))
    assert again["tau"] == filled[1]


# ------------------------------------------------------------------------------------------ private parts of Numba


@pytest.mark.full
@needs_jit
def test_without_the_private_option_kernels_still_work(filled, tmp_path):
    hide = (
        "from numba.core.cpu import CPUTargetOptions\n"
        "for base in CPUTargetOptions.__mro__:\n    if '_nrt' in vars(base):\n        delattr(base, '_nrt')\n"
    )
    show = "from duoti.kernel import OPTIONS\nfrom duoti.kernel.compile import numba_patches as lean\n"
    show += "assert '_nrt' not in OPTIONS and not lean.NO_REFERENCE_COUNTING\n"
    without, _ = run(hide + PENDULUM + show, DUOTI_CACHE=str(tmp_path))
    assert without["tau"] == pytest.approx(filled[1], rel=1e-14)


HIDDEN = """
from duoti.kernel import numba_private as p
usual, hidden = p.find, {hidden!r}
p.find = lambda place: None if place in hidden else usual(place)
"""


@pytest.mark.full
@needs_jit
@pytest.mark.parametrize(
    "hidden",
    [
        ["numba.core.codegen:CPUCodeLibrary._optimize_functions"],  # nothing is linked by us
        ["numba.core.lowering:Lower.lower_binop"],  # nothing is lowered in short ways
        ["numba.core.callconv:CPUCallConv", "numba.core.base:user_function", "numba.core.postproc:PostProcessor.run"],
    ],
)
def test_without_private_parts_kernels_still_work(hidden, filled, tmp_path):
    without, _ = run(HIDDEN.format(hidden=hidden) + PENDULUM, DUOTI_CACHE=str(tmp_path))
    assert without["compiled"]
    assert without["tau"] == pytest.approx(filled[1], rel=1e-14)


@needs_jit
def test_each_private_part_falls_away_by_itself(monkeypatch):
    """Nothing else is lost, and nothing fails, if a version of Numba lacks one of them."""
    from duoti.kernel import numba_private
    from duoti.kernel.compile import numba_patches as lean

    usual = numba_private.find
    savings = [(owner, name) for owner, name, _ in lean._savings.__wrapped__()]
    for place in numba_private.WITHOUT:
        monkeypatch.setattr(numba_private, "find", lambda each, gone=place: None if each == gone else usual(each))
        left = [(owner, name) for owner, name, _ in lean._savings.__wrapped__()]
        lost = [each for each in savings if each not in left]
        everything = place == "numba.core.compiler_lock:global_compiler_lock"
        assert len(lost) <= 1 or everything, place
        lean._no_machine_code()
        lean._pipeline()


@needs_jit
def test_the_private_parts_are_in_use_here():
    """If a new Numba drops them, this test says why everything became slower."""
    from duoti.kernel import numba_private
    from duoti.kernel.compile import numba_patches as lean

    assert numba_private.missing() == []
    assert lean.PIPELINE is not None
    assert lean.CAN_LINK
    assert lean.NO_REFERENCE_COUNTING
    assert len(lean._savings()) == 8


@needs_jit
def test_what_is_overridden_is_in_the_list():
    """Every method of Numba that ours replace, and every private module that is imported."""
    from duoti.kernel import numba_private
    from duoti.kernel.compile import lowering

    Lower = numba_private.find("numba.core.lowering:Lower")
    overridden = [name for name in vars(lowering.KernelLower) if name in dir(Lower) and not name.startswith("__")]
    assert {f"numba.core.lowering:Lower.{name}" for name in overridden} <= set(numba_private.WITHOUT)
    for file in Path(kernel.__file__).parent.rglob("*.py"):
        for line in file.read_text("utf-8").splitlines():
            imported = line.strip().startswith(("from numba.core", "import numba.core"))
            assert not imported or file.name == "references.py", f"{file.name}: {line}"
            assert "as_pointer" not in line or file.name == "numba_private.py", f"{file.name}: {line}"
            assert ".pointee" not in line, f"{file.name}: {line}"


@pytest.mark.full
@needs_jit
def test_the_plain_compiler_gives_the_same(filled, tmp_path):
    """Only what Numba documents: slower, and the same numbers."""
    plain, _ = run(PENDULUM, DUOTI_CACHE=str(tmp_path), DUOTI_COMPILER="plain")
    assert plain["compiled"]
    assert plain["tau"] == pytest.approx(filled[1], rel=1e-14)


# ------------------------------------------------------------------------------------------------------- plain Python

DOUBLE_PENDULUM = """
import json
import duoti as dt
m = dt.Model("double pendulum")
a = m.add_body("a", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
b = m.add_body("b", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(1.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, a, at=(0, 0, 0))
m.add_joint("B", dt.Revolute("y"), a, b, at=(1, 0, 0))
m.add_force("drive", dt.JointTorque("B", "0.3*sin(5*t) - 0.1*v"))
m.add_force("spring", dt.SpringDamper(m.ground, b, stiffness=5.0, damping=0.1, rest_length=1.0))
m.add_event("up", dt.Event("A.angle - 0.2"))
r = dt.simulate(m, duration=0.4, outputs=0.1, solver=dt.{solver})
print(json.dumps({{"q": r.q.tolist(), "v": r.v.tolist(),
                  "R": r["A.reaction_force"].tolist(),
                  "steps": r.stats.steps, "events": [e.t for e in r.events]}}))
"""


@pytest.mark.full
@needs_jit
@pytest.mark.parametrize("solver", ["RK4(step=0.01)", "DOPRI5(rtol=1e-6, atol=1e-6)"])
def test_plain_python_gives_the_same_trajectory(solver):
    code = DOUBLE_PENDULUM.format(solver=solver)
    compiled, _ = run(code, DUOTI_QUIET="1")
    plain, said = run(code, DUOTI_JIT="0")
    assert said == ""
    assert compiled["steps"] == plain["steps"]
    for key in ("q", "v", "R", "events"):  # fused multiply-add rounds once where plain Python rounds twice
        np.testing.assert_allclose(compiled[key], plain[key], rtol=1e-12, atol=1e-12)
    assert compiled["events"]


@pytest.mark.full
@needs_jit
def test_a_part_of_the_tests_passes_in_plain_python():
    files = [str(TESTS / f"{name}.py") for name in ("model/test_joints", "dynamics/test_dynamics", "model/test_forces")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *files],
        env=os.environ | {"DUOTI_JIT": "0"}, cwd=TESTS.parent, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]


# -------------------------------------------------------------------------------------------------------------- pieces


@helper
def _double(x):
    return 2.0 * x


@helper
def _square(x):
    return x * x


@helper
def _nothing(x):
    return 0.0 * x


_choose = fold([_double, _square], _nothing)


@kernel.kernel
def _chosen(code, x):
    return _choose(code, x)


def test_fold_chooses_by_code():
    assert [_chosen(code, 3.0) for code in (0, 1, 2, -1)] == [6.0, 9.0, 0.0, 0.0]


class _Pair(NamedTuple):
    number: int
    vector: np.ndarray


_PAIR = kernel.ContextType(lambda: (_Pair(1, np.zeros(1)),))
_CLOCK = record_dtype("test clock".replace(" ", ""), t=float, steps=int)


@kernel.kernel
def _second_of(context):
    (pair,) = kernel.unpack(context, _PAIR)
    return pair.number * pair.vector[1]


@kernel.kernel
def _tick(clock, h):
    state = clock[0]
    state.t += h
    state.steps += 1


@needs_jit
def test_a_context_of_other_types_is_refused():
    """An array of another number type or dimension would be read as wrong numbers without a word."""
    block = np.zeros(8)
    vector = np.array([1.0, 2.0])  # must outlive the context
    kernel.pack(block, (_Pair(3, vector),), _PAIR)
    assert _second_of(block.ctypes.data) == 6.0
    for wrong in (np.array([1, 2]), np.array([1.0, 2.0], np.float32), np.ones((2, 2))):
        with pytest.raises(TypeError, match=r"other types|no float32|kernels know no"):
            kernel.pack(block, (_Pair(3, wrong),), _PAIR)
    with pytest.raises(TypeError, match="number"):
        kernel.pack(block, (_Pair(3.0, np.zeros(2)),), _PAIR)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="not contiguous"):
        kernel.pack(block, (_Pair(3, np.zeros((2, 4))[:, 1]),), _PAIR)
    with pytest.raises(MemoryError, match="a block of 8"):
        kernel.pack(np.zeros(1), (_Pair(3, np.zeros(3)),), _PAIR)


@needs_jit
def test_a_workspace_with_wrong_numbers_is_refused():
    """The force of a spring was zero, and the run ok, when its numbers stood in an array of integers."""
    from dataclasses import replace

    m = dt.Model("mass on a spring")
    m.add_body("b", dt.Inertia.point(1.0), position=(1, 0, 0))
    m.add_joint("S", dt.Prismatic("x"), m.ground, "b", at=(0, 0, 0))
    m.add_force("spring", dt.SpringDamper(m.ground, "b", stiffness=10.0))
    system = dt.compile(m)
    forces = system.loads.forces
    forces = forces._replace(reals=forces.reals.astype(np.int64))
    wrong = replace(system, loads=system.loads._replace(forces=forces))
    with pytest.raises(TypeError, match="reals is l2, not d2"):
        dt.simulate(wrong, duration=0.1)


def test_named_numbers_that_kernels_change():
    clock = np.zeros(1, _CLOCK).view(np.recarray)
    for _ in range(3):
        _tick(clock, 0.25)
    assert (clock[0].t, clock[0].steps) == (0.75, 3)


@needs_jit
def test_python_cannot_call_what_is_compiled_into_kernels():
    with pytest.raises(TypeError, match="py_func"):
        _double(3.0)


def test_blas_is_kept_on_one_thread():
    from threadpoolctl import threadpool_info

    np.linalg.inv(np.eye(3))
    with one_blas_thread():
        pass
    import scipy.linalg  # noqa: F401, brings a BLAS of its own, after the block above has looked for them

    ours = re.compile(r"[/\\](numpy|scipy)[./\\]")  # a peer that another test loaded may bring more
    with one_blas_thread():
        pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
        inside = [pool["num_threads"] for pool in pools if ours.search(pool["filepath"])]
    assert inside
    assert set(inside) == {1}


def test_messages_for_the_terminal(capsys, monkeypatch):
    monkeypatch.delenv("DUOTI_QUIET", raising=False)
    kernel.say("hello")
    monkeypatch.setenv("DUOTI_QUIET", "1")
    kernel.say("not said")
    seen = capsys.readouterr()
    assert (seen.out, seen.err) == ("", "hello\n")


def test_addresses_are_those_of_numpy():
    """Read from the object or asked of NumPy: whole arrays, parts, read-only, records, empty ones."""
    from duoti.kernel import packing as addresses

    whole = np.arange(24.0).reshape(4, 6)
    still = whole.copy()
    still.setflags(write=False)
    record = np.zeros(3, np.dtype([("a", float), ("b", np.int64)]))
    for each in (
        whole,
        whole[2],
        whole[1:, 0],
        whole.T,
        still,
        record,
        record[1:],
        np.zeros((0, 3)),
        whole.astype(complex),
    ):
        assert addresses.address_of(each) == each.__array_interface__["data"][0]
