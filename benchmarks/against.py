"""Another checkout of duoti against this one: `python -m benchmarks --against PATH`.

    git worktree add --detach ../before COMMIT
    python -m benchmarks --against ../before --only "four-bars"

Each version runs our side of the cases in a process of its own, by the cases of its own checkout if it has them,
otherwise by those of this one. A round asks both for one timing after the other; the ratio is the median over the
rounds of before / now: above 1, this checkout is faster. Errors are shown for both, since a version may buy its time
with errors. SLOWER: by more than the limit, in the median and in the best times.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.harness import CLOCKS, Case, interleaved, missing, ratio_of

LIMIT = 1.05  # of the time now over the time before
REPOSITORY = Path(__file__).resolve().parents[1]


def serve(wanted: dict[str, Case]) -> None:
    """Answer each line that names a case by a timing, the first time with its error."""
    out, sys.stdout = sys.stdout, sys.stderr
    timers: dict[str, Callable[[], float]] = {}
    print(json.dumps(list(wanted)), file=out, flush=True)
    for line in sys.stdin:
        name, answer = line.strip(), dict[str, Any]()
        try:
            if name not in timers:
                if lacking := missing(wanted[name].peer):
                    raise ImportError(f"not installed: {lacking}")
                pair = wanted[name].make()
                timers[name] = pair.ours.timer(CLOCKS[pair.clock])
                answer |= {"error": pair.ours.error, "setting": pair.ours.setting}
            answer["seconds"] = timers[name]()
        except Exception as error:
            answer["refused"] = f"{type(error).__name__}: {error}"[:300]
        print(json.dumps(answer), file=out, flush=True)


class Version:
    """The process of one checkout."""

    def __init__(self, checkout: Path, names: list[str]) -> None:
        has = (checkout / "benchmarks" / "harness.py").exists()
        home = checkout if has else REPOSITORY
        environment = {**os.environ, "PYTHONPATH": f"{checkout / 'src'}{os.pathsep}{home}", "DUOTI_QUIET": "1"}
        only = [part for name in names for part in ("--only", name)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks", "--serve", *only], env=environment, cwd=home, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.cases = self.answer()

    def answer(self) -> Any:
        assert self.process.stdout
        if not (line := self.process.stdout.readline()):
            raise SystemExit(f"{self.process.args} ended with {self.process.wait()}")
        return json.loads(line)

    def ask(self, case: str) -> Any:
        assert self.process.stdin
        print(case, file=self.process.stdin, flush=True)
        return self.answer()

    def seconds(self, case: str) -> float:
        return self.ask(case)["seconds"]

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def compare(checkout: Path, wanted: dict[str, Case], rounds: int, budget: float) -> bool:
    """Print a line for each case; whether none is slower."""
    versions = [Version(each, list(wanted)) for each in (checkout.resolve(), REPOSITORY)]
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors at the beginning")
    print(f"{'':46} {'before':>11} {'now':>11} {'ratio':>7} {'of best':>8}   errors")
    fine = True
    for name in wanted:
        if name not in versions[0].cases:
            print(f"{name:46} not among the cases of {checkout}")
            continue
        first = [version.ask(name) for version in versions]
        if refused := [each["refused"] for each in first if "refused" in each]:
            print(f"{name:46} {refused[0]}", flush=True)
            continue
        before, now = (partial(version.seconds, name) for version in versions)
        times = interleaved(before, now, rounds, budget)
        best = [min(each) for each in times]
        ratio = ratio_of(*times)[0]
        slower = max(ratio, best[0] / best[1]) * LIMIT < 1.0
        fine &= not slower
        told = "  ".join("" if each["error"] is None else f"{each['error']:9.1e}" for each in first)
        print(
            f"{name:46} {1e6 * best[0]:8.2f} us {1e6 * best[1]:8.2f} us {ratio:7.2f} {best[0] / best[1]:8.2f}   {told}"
            f"{'  SLOWER' if slower else ''}", flush=True,
        )  # fmt: skip
    for version in versions:
        version.close()
    return fine
