"""End states of the bundled examples with every solver: this version against another, bit by bit.

    git worktree add --detach ../before COMMIT
    python -m benchmarks.end_states ../before [--seconds 1] [--examples four_bar,...] [--solvers Radau,...]

Both versions run, each in a process of its own, all examples that both have, for `--seconds` of simulated time (or the
example's duration, if that is shorter), with their own model files. Shown are the runs whose end states (q, v) are not
the same bits: the largest difference and, for scale, the errors of both against a tight run (DOP853 at 1e-12 of this
version; all divided by 1 + |value|). A difference within the two errors is round-off that the step control or Newton's
iteration has magnified, or an intended change; FAIL is an error that is more than three times as large as before and
beyond the tolerance, or a run that ends in another way.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from contextlib import ExitStack
from pathlib import Path
from typing import Any

TOLERANCE, STEP = 1e-7, 1e-3
WORSE = 3.0


def solvers() -> dict[str, Any]:
    import duoti as dt

    adaptive = ("DOPRI5", "DOP853", "RKF45", "GeneralisedAlpha", "HHT", "Newmark", "Radau", "IDA", "Auto")
    made = {name: getattr(dt, name)(rtol=TOLERANCE, atol=TOLERANCE) for name in adaptive if hasattr(dt, name)}
    made |= {name: getattr(dt, name)(step=STEP) for name in ("RK4", "SemiImplicitEuler")}
    return made | {"GeneralisedAlpha, steps": dt.GeneralisedAlpha(step=STEP), "Radau, steps": dt.Radau(step=10 * STEP)}


def methods() -> dict[str, Any]:
    """Constraint methods, with DOPRI5."""
    import duoti as dt

    return {f"DOPRI5, {name}": getattr(dt, name)() for name in ("NullSpace", "CoordinatePartitioning", "Baumgarte")}


def report(examples: list[str], seconds: float, chosen: list[str]) -> None:
    """A line of JSON for each run."""
    import duoti as dt
    from duoti.examples import find_example

    warnings.simplefilter("ignore")
    out, sys.stdout = sys.stdout, sys.stderr
    for name in examples:
        found = find_example(name)
        model, end = dt.load(found.file), min(seconds, found.duration)
        runs: dict[str, dict[str, Any]] = {label: {"solver": solver} for label, solver in solvers().items()}
        runs |= {label: {"solver": solvers()["DOPRI5"], "constraints": method} for label, method in methods().items()}
        runs = {label: settings for label, settings in runs.items() if not chosen or label in chosen}
        runs["reference"] = {"solver": dt.DOP853(rtol=1e-12, atol=1e-13)}
        for label, settings in runs.items():
            try:
                r = dt.simulate(model, end, outputs=[end], progress=False, **settings)
                told = {"ok": r.ok, "state": [*r.q[-1], *r.v[-1]], "evaluations": r.stats.evaluations}
            except Exception as error:
                told = {"ok": False, "state": [], "evaluations": 0, "refused": f"{type(error).__name__}: {error}"[:200]}
            print(json.dumps({"run": f"{name}, {label}", **told}), file=out, flush=True)


def difference(a: list[float], b: list[float]) -> float:
    if len(a) != len(b):
        return float("inf")
    return max((abs(x - y) / (1 + abs(y)) for x, y in zip(a, b, strict=True)), default=0.0)


def examples_of(folder: Path) -> set[str]:
    files = (folder / "src" / "duoti" / "examples").glob("*.yaml")
    return {path.stem for path in files if path.with_suffix(".py").exists()}


def main() -> bool:
    parser = argparse.ArgumentParser(description="End states of the examples: another version against this one.")
    parser.add_argument("before", type=Path, help="a checkout of the other version")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--examples", default="", help="names, separated by commas; otherwise all")
    parser.add_argument("--solvers", default="", help="names as printed, separated by semicolons; otherwise all")
    parser.add_argument("--report", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    folders = [given.before.resolve(), Path(__file__).resolve().parents[1]]
    names = given.examples.split(",") if given.examples else sorted(set.intersection(*map(examples_of, folders)))
    chosen = [each for each in given.solvers.split(";") if each]
    if given.report:
        report(names, given.seconds, chosen)
        return True
    arguments = ["--report", "--seconds", str(given.seconds), "--examples", ",".join(names), "--solvers", given.solvers]
    with ExitStack() as stack:
        told = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in folders]  # a pipe would be full at some time
        processes = [
            subprocess.Popen(
                [sys.executable, __file__, str(folder), *arguments], stdout=out,
                env={**os.environ, "PYTHONPATH": str(folder / "src"), "DUOTI_QUIET": "1"},
            )
            for folder, out in zip(folders, told, strict=True)
        ]  # fmt: skip
        for process in processes:
            process.wait()
        for out in told:
            out.seek(0)
        before, now = ({(each := json.loads(line))["run"]: each for line in out} for out in told)
    same, ok = 0, all(p.returncode == 0 for p in processes)
    print(f"{'':46} {'differ by':>10} {'error before':>13} {'now':>9}   evaluations")
    for run in now:
        a, b = before[run], now[run]
        example = next(name for name in names if run.startswith(name + ", "))
        exact = now[f"{example}, reference"]["state"]
        if a["ok"] == b["ok"] and a["state"] == b["state"]:
            same += 1
            continue
        errors = [difference(each["state"], exact) for each in (a, b)]
        worse = a["ok"] > b["ok"] or (errors[1] > WORSE * errors[0] and errors[1] > TOLERANCE)
        ok &= not worse
        print(
            f"{run:46} {difference(a['state'], b['state']):10.1e} {errors[0]:13.1e} {errors[1]:9.1e}   "
            f"{a['evaluations']}, {b['evaluations']}{'  FAIL' if worse else ''}"
        )
        for version, each in (("before", a), ("now", b)):
            if not each["ok"]:
                print(f"{'':8}{version}: {each.get('refused', 'not ok')}")
    print(f"{same} of {len(now)} runs have the same bits")
    return ok


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
