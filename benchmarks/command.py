"""What `duoti run` costs beyond the simulation itself: `python benchmarks/command.py [MODEL] [TIMES]`.

Each run is a process of its own. Alternately, so that both see the same machine:
  A  `duoti run MODEL --no-picture`
  B  `python -c "import duoti; duoti.simulate(...)"` of the same model, built by the example's script
and, to see where the rest goes, C `python -c "import duoti"`. Printed are the medians; the difference of A and B is
what the command adds: reading the model file, the summary with its energy balance, the table.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time

LIMIT = 0.3  # s


def seconds(command: list[str], folder: str) -> float:
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - began


def main(name: str = "slider_crank", times: int = 15) -> None:
    python = sys.executable
    build = f"import duoti; from duoti.examples import {name} as e; duoti.simulate(e.build(), e.DURATION)"
    commands = {
        "A  duoti run": [python, "-m", "duoti.cli", "run", name, "--no-picture"],
        "B  import and simulate": [python, "-c", build],
        "C  import only": [python, "-c", "import duoti"],
    }
    with tempfile.TemporaryDirectory() as folder:
        for command in commands.values():  # warm: kernels compiled, files in the cache of the system
            seconds(command, folder)
        taken: dict[str, list[float]] = {label: [] for label in commands}
        for _ in range(times):
            for label, command in commands.items():
                taken[label].append(seconds(command, folder))
    medians = {label: statistics.median(values) for label, values in taken.items()}
    print(f"{name}, medians of {times} interleaved runs")
    for label, value in medians.items():
        print(f"  {label:<24} {value:.3f} s   (least {min(taken[label]):.3f}, most {max(taken[label]):.3f})")
    added = statistics.median(a - b for a, b in zip(*list(taken.values())[:2], strict=True))
    print(f"  added by the command     {added:.3f} s   (limit {LIMIT} s)")


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
