"""The first run of each feature on a machine that has never run duoti, and its second.

    python -m benchmarks.first_run [--only pendulum,beam] [--tree PATH ...]

Each program is a process of its own with an empty store of kernels (DUOTI_CACHE) and an empty home folder; then it runs
again. Printed are the processor seconds of both (children included), how many kernels were compiled, and whether the
end states of all checkouts are the same, bit by bit. The goal for this checkout: the first within 0.5 s of the second,
and no kernel compiled.

`--tree` names other checkouts (not installed: their `src` is used), so that before and after come from one run.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parents[1]
NEAR = 0.5  # s of processor time by which a first run may take longer than a second

BEGIN = """
import duoti as dt
from duoti import examples
from duoti.examples.robots import robots

def bundled(name):
    return dt.load(examples.find_example(name).file)

def show(*numbers):
    import numpy as np
    print("END", *(float(x).hex() for each in numbers for x in np.ravel(np.asarray(each))))

def run(model, duration=0.05, **settings):
    r = dt.simulate(model, duration, outputs=duration, **settings)
    show(r.states[-1])
    return r

def ball():
    m = dt.Model("ball")
    b = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.15))
    m.add_joint("free", dt.Free(), m.ground, b)
    law = dt.RigidContact(friction=0.3, restitution=0.8)
    m.add_contact("floor", law, m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m

def boxes(law):
    m = dt.Model("boxes")
    below, shape = m.ground, dt.Shape.plane()
    for i in range(3):
        b = m.add_body(f"b{i}", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1 + 0.2 * i))
        m.add_joint(f"j{i}", dt.Free(), m.ground, b)
        m.add_contact(f"c{i}", law, below, b, shapes=(shape, dt.Shape.box((0.2, 0.2, 0.2))))
        below, shape = b, dt.Shape.box((0.2, 0.2, 0.2))
    return m

def friction_in_loop():
    m = bundled("four_bar")
    m.add_force("dry", dt.JointFriction(next(iter(m.joints)), friction=0.2, radius=0.01))
    return m
"""
PROGRAMS = {
    "pendulum": "run(bundled('pendulum'))",
    "slider-crank": "run(bundled('slider_crank'))",
    "arm from URDF": "run(dt.load(robots()['arm6']))",
    "ball with event-driven impacts": "run(ball(), 0.4)",
    "ball by time stepping": "run(ball(), 0.4, solver=dt.Moreau(step=1e-3))",
    "stack of boxes": "run(boxes(dt.RigidContact(friction=0.5)), solver=dt.Moreau(step=1e-3))",
    "joint friction in a loop": "run(friction_in_loop())",
    "compliant boxes": "run(boxes(dt.CompliantContact(stiffness=1e5, damping=500, friction=0.4)), 0.01)",
    "beam": "run(bundled('diving_board'))",
    "flexible body": "run(bundled('flexible_crank'), 0.01)",
    "bond graph": "run(bundled('motor_robot'))",
    "equilibrium": "s = dt.compile(bundled('suspension')); show(dt.equilibrium(s).q)",
    "linearise": "s = dt.compile(bundled('suspension')); show(dt.linearise(s).A)",
}


class Spent(NamedTuple):
    """What a process took, and what it said."""

    processor: float
    end: str
    kernels: int


def spent(source: Path, program: str, home: Path) -> Spent:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("DUOTI_", "PYTHON", "XDG_"))}
    store = home / "store"
    store.mkdir(parents=True, exist_ok=True, mode=0o700)
    environment |= {"PYTHONPATH": str(source), "HOME": str(home), "DUOTI_CACHE": str(store), "DUOTI_QUIET": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", f"{BEGIN}\n{program}\n"], env=environment, cwd=home, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{source}: {program}\n{done.stderr[-3000:]}")
    kernels = sum(1 for each in (store / "kernels").rglob("*") if each.is_file())
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Spent(processor, done.stdout.rpartition("END")[2].strip(), kernels)


def main() -> bool:
    parser = argparse.ArgumentParser(description="First runs with an empty store.")
    parser.add_argument("--only", help="names of programs, separated by commas")
    parser.add_argument("--tree", action="append", default=[], type=Path, help="another checkout to compare with")
    given = parser.parse_args()
    chosen = given.only.split(",") if given.only else list(PROGRAMS)
    if unknown := set(chosen) - set(PROGRAMS):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(PROGRAMS)}")
    sources = {"this": HERE / "src"} | {path.resolve().name: path.resolve() / "src" for path in given.tree}
    for source in sources.values():  # bytecode, as pip makes it
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(source / "duoti")], check=False)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors at the beginning; processor seconds")
    print(f"{'':26}" + "".join(f"{name[:12]:>12} first  second  compiled" for name in sources))
    fine = True
    for name in chosen:
        cells, ends = "", set()
        for label, source in sources.items():
            with tempfile.TemporaryDirectory() as home:
                first, second = (spent(source, PROGRAMS[name], Path(home)) for _ in range(2))
            cells += f"{first.processor:18.2f}{second.processor:8.2f}{first.kernels:10}"
            ends |= {first.end, second.end}
            if label == "this":
                fine &= first.kernels == 0 and first.processor <= second.processor + NEAR
        print(f"{name:26}{cells}{'' if len(ends) == 1 else '  END STATES DIFFER'}", flush=True)
        fine &= len(ends) == 1
    print("PASS" if fine else "FAIL")
    return fine


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
