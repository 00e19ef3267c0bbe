"""Numba is optional where the package brings its machine code: what needs it says so."""

import json
import os
import subprocess
import sys

import pytest

from duoti.kernel.decorators import CHECK, COMPILER, JIT
from duoti.kernel.store import processors, shipped

BLOCKED = """
import importlib.util, sys
found = importlib.util.find_spec
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocker())
importlib.util.find_spec = lambda name, *more: None if name in ("numba", "llvmlite") else found(name, *more)
import duoti as dt

def pendulum():
    m = dt.Model("pendulum")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    return m

def refused(action):
    try:
        action()
    except ImportError as error:
        return str(error)
    return "nothing was refused"
"""
OWN = """
from duoti.kernel import kernel
@kernel
def twice(x):
    return 2.0 * x
"""


def run(program: str, tmp_path, **environment: str) -> str:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("DUOTI_")}
    ours = {"DUOTI_CACHE": str(tmp_path), "DUOTI_QUIET": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", f"import json\n{BLOCKED}\n{program}"], capture_output=True, text=True, check=False,
        env=kept | ours | environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


pytestmark = pytest.mark.skipif(
    not JIT or CHECK or bool(COMPILER) or not any(shipped.at(each).kernels for each in processors.levels_here()),
    reason="nothing is shipped for this build",
)


def test_shipped_kernels_run_and_laws_in_python_too(tmp_path):
    laws = 'm = pendulum(); m.add_force("brake", dt.JointTorque("A", lambda t, q, v: -v))'
    q = run(f"{laws}\nprint(json.dumps([dt.simulate(x, 0.5).q[-1].tolist() for x in (pendulum(), m)]))", tmp_path)
    assert q[0] != q[1]


def test_a_kernel_of_the_users_says_what_it_needs(tmp_path):
    said = run(f"{OWN}\nprint(json.dumps(refused(lambda: twice(1.0))))", tmp_path)
    assert said.startswith("kernel __main__.twice has to be compiled, since it contains functions or types of your own")
    assert said.endswith('this needs Numba: pip install "duoti[compile]"')


def test_shipped_code_that_is_not_used_is_told(tmp_path):
    said = run("print(json.dumps(refused(lambda: dt.simulate(pendulum(), 0.5))))", tmp_path, DUOTI_SHIPPED="0")
    assert "DUOTI_SHIPPED" in said
    assert "duoti[compile]" in said
