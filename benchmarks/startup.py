"""From the shell prompt to the first result: a double pendulum, simulated for two seconds.

    python benchmarks/startup.py [rounds] [--no-cold]

* Warm: a process of its own each time, kernels kept on disk from earlier runs. It must take less than 1.5 times
  `python -c "import numba"` plus one second. Both are run in turn; the medians over the rounds are compared.
* Cold: the same in a fresh copy of the package without any compiled kernels, once, besides asking for energies and
  reactions. The user is told what is going on, and waits less than 25 s on the wall.

Both verdicts are by the clock on the wall, as a user sees it. Best times and processor times are printed beside them:
on a busy machine they say how much of a FAIL is due to what else runs, but they do not turn it into a PASS.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

import duoti

WARM_FACTOR, WARM_SECONDS, COLD_SECONDS = 1.5, 1.0, 25.0

FIRST_RESULT = """
import duoti as dt
m = dt.Model("double pendulum")
a = m.add_body("a", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
b = m.add_body("b", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(1.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, a, at=(0, 0, 0))
m.add_joint("B", dt.Revolute("y"), a, b, at=(1, 0, 0))
r = dt.simulate(m, duration=2.0)
print(r["A.angle"][-1])
"""
ENERGIES_AND_REACTIONS = """
print(abs(r.energy.residual).max(), r.reaction("A")[0][-1])
"""


def run(code: str, package: Path) -> tuple[float, float, str]:
    """Wall time, processor time and stderr of a Python process that sees this copy of the package."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    environment.pop("NUMBA_CACHE_DIR", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=package.parent, check=True, capture_output=True, text=True
    )
    wall = perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return wall, processor, done.stderr


def verdict(fine: bool) -> str:
    return "PASS" if fine else "FAIL"


def warm(package: Path, rounds: int) -> bool:
    run(FIRST_RESULT, package)  # fills the cache if it is empty
    times: dict[str, list[float]] = {"first result": [], "import numba": []}
    for _ in range(rounds):
        times["import numba"].append(run("import numba", package)[0])
        times["first result"].append(run(FIRST_RESULT, package)[0])
    limit = WARM_FACTOR * median(times["import numba"]) + WARM_SECONDS
    fine = median(times["first result"]) < limit
    print(f"{f'warm start, {rounds} rounds':26} {'median [s]':>10} {'best [s]':>10}")
    for name, t in times.items():
        print(f"  {name:24} {median(t):10.3f} {min(t):10.3f}")
    print(f"  {f'limit {WARM_FACTOR} x import + {WARM_SECONDS:g} s':24} {limit:10.3f} {'':10} {verdict(fine)}")
    return fine


def cold(package: Path) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "duoti"
        shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
        wall, processor, said = run(FIRST_RESULT + ENERGIES_AND_REACTIONS, copy)
    told = "compiling" in said
    fine = wall < COLD_SECONDS and told
    print(f"cold start, once: {wall:.1f} s on the wall ({processor:.1f} s of processor time)")
    print(f"  said: {said.strip().splitlines()[0] if said.strip() else 'nothing'}")
    print(f"  {f'limit {COLD_SECONDS:g} s, and told':24} {'':21} {verdict(fine)}")
    return fine


def main() -> bool:
    numbers = [int(x) for x in sys.argv[1:] if x.isdigit()]
    package = Path(duoti.__file__).parent
    ok = warm(package, numbers[0] if numbers else 15)
    if "--no-cold" not in sys.argv:
        ok &= cold(package)
    return ok


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
