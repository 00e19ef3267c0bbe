"""What `duoti run` costs beyond the simulation itself: `python benchmarks/command.py [rounds] [MODEL]`.

Each run is a process of its own. Alternately, so that both see the same machine:
  A  `duoti run MODEL --no-picture`
  B  `python -c "import duoti; duoti.simulate(...)"` of the same model, built by the example's script
and, to see where the rest goes, C `python -c "import duoti"`. Printed are the medians of wall time and of processor
time, which a busy machine disturbs less. The difference of A and B, round by round, is what the command adds: typer,
reading the model file, the summary with its energy balance, the table. Its median decides, in wall time, or in
processor time where the machine is so busy that B took more than 1.3 times its processor time.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT = 0.3  # s
BUSY = 1.3


def seconds(command: list[str], folder: str) -> tuple[float, float]:
    """Wall and processor time of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(rounds: int = 15, name: str = "slider_crank") -> int:
    build = f"import duoti; from duoti.examples import {name} as e; duoti.simulate(e.build(), e.DURATION)"
    commands = {
        "A  duoti run": [sys.executable, "-m", "duoti.cli", "run", name, "--no-picture"],
        "B  import and simulate": [sys.executable, "-c", build],
        "C  import only": [sys.executable, "-c", "import duoti"],
    }
    taken: dict[str, list[tuple[float, float]]] = {label: [] for label in commands}
    with tempfile.TemporaryDirectory() as folder:
        for command in commands.values():  # warm: kernels compiled, files in the cache of the system
            seconds(command, folder)
        for _ in range(rounds):
            for label, command in commands.items():
                taken[label].append(seconds(command, folder))
    print(f"{name}, medians of {rounds} interleaved rounds     wall    processor")
    medians = {
        label: [statistics.median(times) for times in zip(*values, strict=True)] for label, values in taken.items()
    }
    for label, (wall, processor) in medians.items():
        print(f"  {label:<40} {wall:7.3f} s {processor:7.3f} s")
    (runs, plain, _) = taken.values()
    added = [statistics.median(a[k] - b[k] for a, b in zip(runs, plain, strict=True)) for k in (0, 1)]
    wall, processor = medians["B  import and simulate"]
    busy = wall > BUSY * processor
    good = added[busy] < LIMIT
    print(f"  {'added by the command':<40} {added[0]:7.3f} s {added[1]:7.3f} s")
    clock = "processor time, the machine is busy" if busy else "wall time"
    print(f"  {'PASS' if good else 'FAIL'}: {added[busy]:.3f} s, limit {LIMIT} s ({clock})")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2]), *sys.argv[2:3]))
