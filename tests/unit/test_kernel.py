"""Compiled kernels: kept on disk, never stale, and the same as plain Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti import kernel
from duoti.kernel import JIT, fold, helper, one_blas_thread

needs_jit = pytest.mark.skipif(not JIT, reason="about compiled kernels")
TESTS = Path(__file__).parents[1]

# inverse dynamics of a pendulum: one kernel, with helpers of several other files inside it
PENDULUM = """
import json, sys
import numpy as np
import duoti as dt
from duoti.dynamics.rnea import rnea
from duoti.dynamics.workspace import new_workspace
m = dt.Model("pendulum")
m.add_body("rod", dt.Inertia(2.0, com=(0.3, 0.1, 0.2), matrix=np.diag([0.1, 0.2, 0.25])))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
s = dt.compile(m)
tau = np.zeros(1)
rnea(s.tree, new_workspace(s), np.array([0.4]), np.array([0.7]), np.array([1.1]), tau)
stats = getattr(rnea, "stats", None)
print(json.dumps({"tau": tau[0], "where": dt.__file__, "hits": sum(stats.cache_hits.values()) if stats else 0,
                  "misses": sum(stats.cache_misses.values()) if stats else 0}))
"""


def run(code: str, path: Path | None = None, **environment: str) -> tuple[dict, str]:
    """Run a program in a fresh interpreter: what it printed as JSON, and its standard error."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("DUOTI_", "NUMBA_", "PYTHONPATH"))}
    if path is not None:
        clean["PYTHONPATH"] = str(path)
    done = subprocess.run(
        [sys.executable, "-c", code], env=clean | environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def copy_of_package(where: Path) -> Path:
    shutil.copytree(Path(dt.__file__).parent, where / "duoti", ignore=shutil.ignore_patterns("__pycache__"))
    return where / "duoti"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


# ----------------------------------------------------------------------------------------------------- kept on disk


@needs_jit
def test_kept_kernels_are_used_again_and_never_stale(tmp_path):
    """The life of a cache: made, used, and made anew when a helper in another file changes."""
    package = copy_of_package(tmp_path)
    first, said = run(PENDULUM, tmp_path)
    assert Path(first["where"]).parent == package
    assert (first["hits"], first["misses"]) == (0, 1)
    assert said.count("compiling kernels, once") == 1
    kept = {p: p.stat().st_mtime_ns for p in package.rglob("*.nb?")}
    assert kept

    again, said = run(PENDULUM, tmp_path)
    assert again["tau"] == first["tau"]
    assert (again["hits"], again["misses"]) == (1, 0)
    assert said == ""
    assert {p: p.stat().st_mtime_ns for p in package.rglob("*.nb?")} == kept

    # another file than the kernel's own: Numba by itself would go on with the old code
    edit(
        package / "spatial" / "inertia_algebra.py",
        "add(symmul(J, V[0]), cross(h, V[1]))",
        "add(symmul(J, V[0]), cross(V[1], h))",
    )
    edited, said = run(PENDULUM, tmp_path, DUOTI_QUIET="1")
    assert edited["misses"] == 1
    assert said == ""  # told to be quiet
    expected, _ = run(PENDULUM, tmp_path, DUOTI_JIT="0")  # the edited source, as it reads
    assert edited["tau"] == pytest.approx(expected["tau"], rel=1e-14)
    assert abs(edited["tau"] - first["tau"]) > 0.1


def test_the_stamp_covers_helpers_and_constants(tmp_path):
    names = {p.relative_to(kernel._PACKAGE).as_posix() for p in kernel._kernel_sources()}
    # kernels; helpers; constants and layouts that kernels import from files without kernels
    assert {"kernel.py", "dynamics/rnea.py", "spatial/algebra.py", "model/joints/screw.py"} <= names
    assert {"system/arrays.py", "model/expressions/operations.py"} <= names
    assert not {"results/plots.py", "analyses/simulate.py", "topology/drawing.py"} & names


@needs_jit
def test_without_the_private_option_kernels_still_work(tmp_path):
    hide = (
        "from numba.core.cpu import CPUTargetOptions\n"
        "for base in CPUTargetOptions.__mro__:\n    if '_nrt' in vars(base):\n        delattr(base, '_nrt')\n"
    )
    show = "from duoti.kernel import OPTIONS\nassert '_nrt' not in OPTIONS\n"
    without, _ = run(hide + PENDULUM + show, NUMBA_CACHE_DIR=str(tmp_path))
    assert without["misses"] == 1
    with_it, _ = run(PENDULUM)
    assert without["tau"] == pytest.approx(with_it["tau"], rel=1e-14)


@needs_jit
def test_the_private_option_is_in_use_here():
    """If a new Numba drops it, this test says why everything became slower."""
    assert kernel.OPTIONS[kernel.NO_REFERENCE_COUNTING] is False


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


@needs_jit
def test_a_part_of_the_tests_passes_in_plain_python():
    files = [str(TESTS / "unit" / f"test_{name}.py") for name in ("joints", "dynamics", "forces")]
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


@needs_jit
def test_a_context_that_does_not_fit_is_refused():
    with pytest.raises(MemoryError, match="a block of 8"):
        kernel.pack(np.zeros(1), (np.zeros(3), np.zeros(3)))


def test_blas_is_kept_on_one_thread():
    from threadpoolctl import threadpool_info

    np.linalg.inv(np.eye(3))
    with one_blas_thread():
        inside = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    assert inside
    assert set(inside) == {1}


def test_messages_for_the_terminal(capsys, monkeypatch):
    monkeypatch.delenv("DUOTI_QUIET", raising=False)
    kernel.say("hello")
    monkeypatch.setenv("DUOTI_QUIET", "1")
    kernel.say("not said")
    seen = capsys.readouterr()
    assert (seen.out, seen.err) == ("", "hello\n")
