"""What is imported when: a run must not wait for what it does not use.

Every case runs in a process of its own, with kernels as plain Python, and asks which modules are there at the end.
"""

import os
import subprocess
import sys
from importlib.metadata import version

import pytest

from duoti.kernel import JIT
from duoti.kernel.store.user_store import versions

NUMBA = ("numba", "llvmlite", "duoti.kernel.compile.compiler", "duoti.kernel.compile.codegen")
"""Modules that no warm run needs, since its kernels come from the store: checked below with compiled kernels."""

HEAVY = ("scipy", "h5py", "matplotlib", "pandas", "xarray", "pyarrow", "sksundae", "imageio_ffmpeg", "PIL")
TERMINAL = ("rich", "pydantic", "click", "asyncio", "http", "email", "importlib.metadata", "unittest", "xml")
FILES = ("duoti.results.file.run_file", "duoti.results.file.open", "socket")
FORMATS = ("duoti.formats.urdf.load", "duoti.formats.mjcf", "duoti.formats.urdf.save", "duoti.formats.mesh.mesh")
IMPLICIT = (
    "duoti.integrate.implicit.radau",
    "duoti.integrate.implicit.ida",
    "duoti.integrate.implicit.generalised_alpha",
    "duoti.integrate.implicit.newton",
)
REST = (
    "duoti.view",
    "duoti.analyses.study.compare_solvers",
    "duoti.analyses.simulate.resume",
    "duoti.dynamics.derivatives.linearise",
)
PHYSICS = (
    "duoti.bond", "duoti.model.pairs", "duoti.contact.event_driven.engine", "duoti.dynamics.flexible",
    "duoti.flexible.structure.structure",
    "duoti.flexible.reduction.quadratic_modes", "duoti.dynamics.joint_friction.residual",
    "duoti.integrate.moreau.solver",
)  # fmt: skip
"""Of graphs, contacts, flexible bodies and friction, which none of these models has."""
ALWAYS = (*HEAVY, *TERMINAL, *FILES, *FORMATS, *IMPLICIT, *REST, *PHYSICS)
BUT_GRAPHS = tuple(each for each in ALWAYS if each != "duoti.bond")  # one of the examples has one

PENDULUM = """
import duoti as dt
m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
"""
SIMULATED = PENDULUM + 'r = dt.simulate(m, duration=1e-3, outputs=1e-3)\nr["A.angle"], r.energy, r.summary()\n'
LOOPS = """
import duoti as dt
from duoti.examples import find_example
r = dt.simulate(dt.load(find_example("six_bar").file), duration=1e-4, outputs=1e-4)
r.summary()
"""
COMMAND = """
import sys, io, contextlib
sys.argv = ["duoti", *{arguments}]
from duoti.cli import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
"""
SHORT = ["--duration", "1e-3", "--outputs", "1e-3"]

CASES = {
    "import duoti": ("import duoti; duoti.__version__", (*ALWAYS, "numpy", "typer", "yaml", "duoti.model")),
    "the names of the package": ("import duoti; dir(duoti)", (*ALWAYS, "numpy", "typer", "yaml", "duoti.model")),
    "a model": (PENDULUM, (*ALWAYS, "typer", "yaml", "duoti.integrate", "duoti.results")),
    "a simulation": (SIMULATED, (*ALWAYS, "typer", "yaml", "threadpoolctl")),
    "a simulation with loops": (LOOPS, (*ALWAYS, "typer", "threadpoolctl")),
    "duoti --help": (COMMAND.format(arguments=["--help"]), (*ALWAYS, "numpy", "yaml", "duoti.model", "duoti.cli.run")),
    "duoti --version": (COMMAND.format(arguments=["--version"]), (*ALWAYS, "numpy", "yaml", "duoti.model")),
    "duoti run --help": (COMMAND.format(arguments=["run", "--help"]), (*ALWAYS, "numpy", "yaml", "duoti.cli.view")),
    "duoti run": (
        COMMAND.format(arguments=["run", "double_pendulum", "--no-picture", *SHORT]),
        (
            *ALWAYS,
            "threadpoolctl",
            "numpy.ma",
            "duoti.cli.view",
            "duoti.formats.schema.json_schema",
            "duoti.examples.picture",
        ),
    ),
    "duoti check": (COMMAND.format(arguments=["check", "slider_crank"]), (*ALWAYS, "threadpoolctl")),
    "duoti examples": (COMMAND.format(arguments=["examples"]), (*BUT_GRAPHS, "yaml", "duoti.integrate")),
}


def imported(code, jit="0"):
    """All modules that are there at the end of a program."""
    code += '\nimport sys\nprint("MODULES", *sys.modules)\n'
    setting = {**os.environ, "DUOTI_JIT": jit}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=setting)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("MODULES ")[2].split())


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", CASES)
def test_nothing_is_imported_that_is_not_used(name):
    code, forbidden = CASES[name]
    found = imported(code)
    assert "duoti" in found
    there = sorted(module for module in forbidden if module in found)
    assert not there, f"{name} imports {', '.join(there)}: import it where it is used"


WARM = (*NUMBA, *ALWAYS)


@pytest.mark.full
@pytest.mark.skipif(not JIT, reason="there are no compiled kernels")
@pytest.mark.parametrize("name", ["a simulation", "duoti run"])
def test_a_warm_run_does_without_numba(name):
    code, _ = CASES[name]
    imported(code, jit="1")  # kernels are in the store after this
    found = imported(code, jit="1")
    there = sorted(module for module in WARM if module in found)
    assert not there, f"{name} imports {', '.join(there)} although its kernels are in the store"


def test_versions_without_their_packages():
    """The store is named after versions that are looked up without importing Numba or importlib.metadata."""
    assert f"numba{version('numba')}-llvmlite{version('llvmlite')}" in versions()


@pytest.mark.full
def test_what_is_used_is_imported(tmp_path):
    """The other way round: the list above would prove nothing if these programs did not work."""
    path = tmp_path / "run.h5"
    found = imported(PENDULUM + f"r = dt.simulate(m, duration=1e-3, outputs=1e-3, out={str(path)!r})\n")
    assert {"h5py", "duoti.results.file.run_file"} <= found
    assert path.exists()
    assert "duoti.integrate.implicit.radau" in imported("import duoti; duoti.Radau()")
    assert "duoti.formats.urdf.load" in imported("import duoti; duoti.formats.load_urdf")
