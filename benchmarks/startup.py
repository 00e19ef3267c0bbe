"""From the shell prompt to the first result, with and without kernels from earlier runs.

    python benchmarks/startup.py [rounds] [--parts warm,first,clone,compile,wheel] [--tree PATH ...]

* warm: `import duoti`, `duoti --help`, `duoti run double_pendulum` without and with its picture, and for comparison
  Python and NumPy alone. A process of its own each time, kernels kept from earlier runs; medians over the rounds.
* first: the first `duoti run double_pendulum` ever, and the first slider-crank, each with an empty store of kernels:
  nothing is compiled, since the package brings its kernels (more of these: first_run.py).
* clone: the same source tree in another folder, the store being that of the first run: it must start warm.
* compile: nine situations one after the other, each in a new process with what the ones before it left in the store,
  which was empty before the first, and without the kernels that the package brings (DUOTI_SHIPPED=0). Compile seconds:
  processor time beyond that of a second, warm process.
* wheel: `pip wheel`, installed into a folder of its own, and the first run from there. Only if asked.

`--tree` names other checkouts (not installed: their `src` is used) that are measured in turn with this one, so that
before and after come from one run; the verdicts are about this one. The store is a temporary folder: DUOTI_CACHE, and
NUMBA_CACHE_DIR for versions that leave it to Numba. Bytecode is compiled beforehand, as pip does. End states of the
nine situations are compared bit by bit.

Limits hold on an idle machine. Processor time (children included) decides where one process does all the work; what is
compiled side by side is judged by the clock on the wall. On a busy machine a FAIL of the second kind means little.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter

HERE = Path(__file__).resolve().parents[1]
IMPORT, HELP, WARM = 0.25, 0.25, 0.6  # s of processor time
FIRST, FIRST_CRANK, FIRST_WHEEL = 1.5, 1.5, 1.5  # s on the wall
CLONE = 2.0  # processor time of a second clone over that of a warm run

RUN = ["-m", "duoti.cli", "run"]
WARM_PROGRAMS = {
    "python": ["-c", "pass"],
    "import numpy": ["-c", "import numpy"],
    "import duoti": ["-c", "import duoti"],
    "duoti --help": ["-m", "duoti.cli", "--help"],
    "duoti run double_pendulum": [*RUN, "double_pendulum", "--no-picture"],
    "the same with its picture": [*RUN, "double_pendulum"],
}

MODELS = """
import duoti as dt
from duoti.examples import four_bar

def pendulum(spring=False):
    m = dt.Model("pendulum")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    if spring:
        m.add_force("spring", dt.JointSpring(joint="A", stiffness=2.0))
    return m

def loop():
    m = four_bar.build()
    m.add_force("spring", dt.JointSpring(joint=next(iter(m.joints)), stiffness=2.0))
    return m

def run(model, solver=None, **settings):
    r = dt.simulate(model, duration=0.1, outputs=0.1, solver=solver, **settings)
    assert r.ok, r.reason
    print("END", *(float(x).hex() for joint in r.model.joints for x in (r[f"{joint}.angle"][-1],)))
"""
SITUATIONS = {
    "pendulum, DOPRI5": "run(pendulum())",
    "+ first force element": "run(pendulum(spring=True))",
    "+ first closed loop": "run(loop())",
    "first GeneralisedAlpha, with a force": "run(pendulum(spring=True), dt.GeneralisedAlpha())",
    "+ loop": "run(loop(), dt.GeneralisedAlpha())",
    "Radau after that": "run(loop(), dt.Radau())",
    "IDA after that": "run(loop(), dt.IDA())",
    "NullSpace": "run(loop(), constraints=dt.NullSpace())",
    "CoordinatePartitioning": "run(loop(), constraints=dt.CoordinatePartitioning())",
}


@dataclass(frozen=True)
class Spent:
    """What a process took, and what it said."""

    processor: float
    wall: float
    out: str
    err: str


@dataclass(frozen=True)
class Checkout:
    """A version of duoti: the folder that Python is to find it in."""

    name: str
    path: Path

    def run(self, program: list[str], store: Path, **more: str) -> Spent:
        """Run a program with this version; its kernels are kept in `store`."""
        mine = {"PYTHONDONTWRITEBYTECODE", "DUOTI_JIT", "DUOTI_QUIET", "DUOTI_SHIPPED", "PYTHONPATH"}
        environment = {name: value for name, value in os.environ.items() if name not in mine}
        environment |= {
            "PYTHONPATH": str(self.path),
            "DUOTI_CACHE": str(store),
            "NUMBA_CACHE_DIR": str(store / "numba"),
            **more,
        }
        store.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory() as folder:
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
            done = subprocess.run(
                [sys.executable, *program], env=environment, cwd=folder, check=False, capture_output=True, text=True
            )
            wall, after = perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise SystemExit(f"{self.name}: {' '.join(program)[:200]} ended with {done.returncode}\n{done.stderr}")
        processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        return Spent(processor, wall, done.stdout, done.stderr)

    def prepare(self, store: Path) -> None:
        """Compile the bytecode, and see that it is this version that runs."""
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(self.path / "duoti")], check=False)
        found = Path(self.run(["-c", "import duoti; print(duoti.__file__)"], store).out.strip())
        if not found.is_relative_to(self.path):
            raise SystemExit(f"{self.path}: Python finds duoti in {found}")


def verdict(value: float, limit: float) -> tuple[bool, str]:
    return value <= limit, f"<= {limit:g}  {'PASS' if value <= limit else 'FAIL'}"


def line(label: str, values: list[tuple[float, float]], judged: str = "") -> None:
    cells = "".join(f"{processor:10.3f}{wall:9.3f}" for processor, wall in values)
    print(f"  {label:38}{cells}   {judged}".rstrip(), flush=True)


def heading(title: str, checkouts: list[Checkout]) -> None:
    print(f"\n{title:40}{''.join(f'{checkout.name[:19]:>19}' for checkout in checkouts)}")
    print(f"  {'':38}{' processor     wall' * len(checkouts)}   [s]")


def warm(checkouts: list[Checkout], store: Path, rounds: int) -> bool:
    programs = dict(WARM_PROGRAMS)
    if find_spec("matplotlib") is None:
        del programs["the same with its picture"]
    for checkout in checkouts:
        for program in programs.values():
            checkout.run(program, store / checkout.name)  # compiles what is missing, brings files into memory
    taken: dict[tuple[str, str], list[Spent]] = {}
    for _ in range(rounds):
        for label, program in programs.items():
            for checkout in checkouts:
                taken.setdefault((label, checkout.name), []).append(checkout.run(program, store / checkout.name))
    heading(f"warm, medians of {rounds} rounds", checkouts)
    limits = {"import duoti": IMPORT, "duoti --help": HELP, "duoti run double_pendulum": WARM}
    fine = True
    for label in programs:
        values = [
            (
                median(s.processor for s in taken[label, checkout.name]),
                median(s.wall for s in taken[label, checkout.name]),
            )
            for checkout in checkouts
        ]
        good, judged = verdict(values[0][0], limits[label]) if label in limits else (True, "")
        line(label, values, judged and f"processor {judged}")
        fine &= good
    return fine


def first(checkouts: list[Checkout], store: Path) -> bool:
    heading("first run ever, once", checkouts)
    fine = True
    for model, limit in (("double_pendulum", FIRST), ("slider_crank", FIRST_CRANK)):
        spent = [
            checkout.run([*RUN, model, "--no-picture"], store / f"{checkout.name} first {model}")
            for checkout in checkouts
        ]
        good, judged = verdict(spent[0].wall, limit)
        compiled = "compiling" in spent[0].err
        line(f"duoti run {model}", [(s.processor, s.wall) for s in spent], f"wall {judged}")
        if compiled:
            print("  FAIL: kernels are compiled")
        fine &= good and not compiled
    return fine


def clone(checkouts: list[Checkout], store: Path) -> bool:
    heading("second clone, store of the first", checkouts)
    program, spent, warm_runs = [*RUN, "double_pendulum", "--no-picture"], [], []
    for checkout in checkouts:
        kept = store / f"{checkout.name} first double_pendulum"
        checkout.run(program, kept)  # fills the store, if `first` has not
        warm_runs.append(checkout.run(program, kept))
        with tempfile.TemporaryDirectory() as folder:
            other = Checkout(checkout.name, Path(folder).resolve())
            shutil.copytree(checkout.path / "duoti", other.path / "duoti", ignore=shutil.ignore_patterns("__pycache__"))
            other.prepare(kept)
            spent.append(other.run(program, kept))
    good, judged = verdict(spent[0].processor / warm_runs[0].processor, CLONE)
    line("the first again", [(s.processor, s.wall) for s in warm_runs])
    line("duoti run double_pendulum", [(s.processor, s.wall) for s in spent], f"over the first {judged}")
    return good


def compiling(checkouts: list[Checkout], store: Path) -> bool:
    heading("compile seconds (wall: of the whole process)", checkouts)
    fine, total = True, [0.0] * len(checkouts)
    for label, call in SITUATIONS.items():
        if "IDA" in call and find_spec("sksundae") is None:
            print(f"  {label:38} not measured: scikit-sundae is not installed")
            continue
        values, ends = [], set()
        for i, checkout in enumerate(checkouts):
            program = ["-c", f"{MODELS}\n{call}\n"]
            cold, again = (
                checkout.run(program, store / f"{checkout.name} situations", DUOTI_SHIPPED="0") for _ in range(2)
            )
            total[i] += cold.processor - again.processor
            values.append((cold.processor - again.processor, cold.wall))
            ends |= {each.out.partition("END")[2] for each in (cold, again)}
        line(label, values, "" if len(ends) == 1 else "END STATES DIFFER")
        fine &= len(ends) == 1
    line("all nine", [(each, float("nan")) for each in total])
    return fine


def wheel(checkouts: list[Checkout], store: Path) -> bool:
    checkout = checkouts[0]
    with tempfile.TemporaryDirectory() as folder:
        target, wheels = Path(folder).resolve() / "site", Path(folder) / "wheels"
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        here = ["--no-build-isolation"] if find_spec("hatchling") else []
        began = perf_counter()
        subprocess.run([*pip, "wheel", str(checkout.path.parent), "--no-deps", *here, "-w", str(wheels)], check=True)
        built = perf_counter() - began
        (made,) = wheels.glob("duoti-*.whl")
        subprocess.run([*pip, "install", "--no-deps", "--target", str(target), str(made)], check=True)
        installed = Checkout("wheel", target)
        installed.prepare(store / "wheel")
        heading(f"a wheel of {made.stat().st_size / 1e6:.1f} MB, built in {built:.0f} s", [installed])
        spent = installed.run([*RUN, "double_pendulum", "--no-picture"], store / "wheel")
    good, judged = verdict(spent.wall, FIRST_WHEEL)
    line("first duoti run double_pendulum", [(spent.processor, spent.wall)], f"wall {judged}")
    return good


PARTS = ("warm", "first", "clone", "compile", "wheel")


def main() -> bool:
    parser = argparse.ArgumentParser(description="Times from the shell prompt to the first result.")
    parser.add_argument("rounds", nargs="?", type=int, default=9, help="rounds of the warm measurements")
    parser.add_argument("--parts", default="warm,first,clone,compile", help=f"which of {', '.join(PARTS)}")
    parser.add_argument("--tree", action="append", default=[], type=Path, help="another checkout to compare with")
    given = parser.parse_args()
    parts = given.parts.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    checkouts = [Checkout("this", HERE / "src")]
    checkouts += [Checkout(path.resolve().name, path.resolve() / "src") for path in given.tree]
    if len({checkout.name for checkout in checkouts}) < len(checkouts):
        parser.error("the folders of the checkouts must have different names, other than 'this'")
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder)
        for checkout in checkouts:
            checkout.prepare(store / checkout.name)
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors at the beginning")
        for part in PARTS:
            if part not in parts:
                print(f"\n{part}: not asked for (--parts {part})")
                continue
            if part == "warm":
                fine &= warm(checkouts, store, given.rounds)
            else:
                fine &= {"first": first, "clone": clone, "compile": compiling, "wheel": wheel}[part](checkouts, store)
    return fine


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
