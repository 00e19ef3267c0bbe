"""Another version of duoti against this one: recursions, closed loops, stiff problems, both in one run.

    git worktree add --detach ../before COMMIT
    python benchmarks/before_after.py ../before [rounds] [--only recursions,loops,loop_cases,stiff]

Each version runs in a process of its own, with the models of the benchmarks named (those beside its own sources). One
round asks both processes for one timing after the other, in alternating order, in processor time of the thread; shown
are the best times, and the median over the rounds of the ratio within a round (before / now: above 1, this version is
faster). Simulations run with the same tolerance or step; their errors against the references of the benchmarks are
shown for both, since a version may buy its time with errors. FAIL: slower by more than the limit, or an error that is
three times as large and not smaller than the tolerance.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any

LIMIT = 1.05  # of the time now over the time before
SECONDS = 0.02  # of one timing, if a single call is shorter
PARTS = ("recursions", "loops", "loop_cases", "stiff")
Case = tuple[Callable[[int], Any], Callable[[], float] | None]  # n calls; the error of one


# --------------------------------------------------------------------------------------- in the process of one version


def recursion_cases() -> dict[str, Case]:
    import numpy as np
    import recursions as r

    from duoti.dynamics.workspace import new_workspace

    cases: dict[str, Case] = {}
    for name, make in (("arm 7", r.arm7), ("humanoid 30", r.humanoid30), ("chain 100", lambda: r.chain(100))):
        system = (twin := make()).system
        tree, w, (q, v, a) = system.tree, new_workspace(system), twin.states()
        out, M = np.zeros_like(v), np.zeros((system.nv, system.nv))
        loops = {
            "RNEA": (r.rnea_loop, (tree, w, q, v, a, out)),
            "CRBA": (r.crba_loop, (tree, w, q, v, M)),
            "ABA": (r.aba_loop, (tree, w, q, v, a, out)),
        }
        for recursion, (loop, arguments) in loops.items():
            cases[f"{name}, {recursion}"] = (lambda n, loop=loop, arguments=arguments: loop(*arguments, n), None)
    return cases


def simulation(system: Any, end: float, solver: Any, found: Callable[[Any], Any], exact: Any, **more: Any) -> Case:
    import numpy as np

    import duoti as dt

    def once() -> Any:
        result = dt.simulate(system, end, outputs=[end], solver=solver, progress=False, **more)
        assert result.ok, result.reason
        return result

    def many(n: int) -> None:
        for _ in range(n):
            once()

    return many, lambda: float(np.max(np.abs(found(once()) - exact)))


def loop_cases() -> dict[str, Case]:
    import loops

    import duoti as dt

    cases: dict[str, Case] = {}
    for n in (1, 5, 20, 100):
        ours = loops.Duoti(n)
        exact = ours.run(dt.DOP853(rtol=1e-11, atol=1e-12))[1]
        for tol in (1e-5, 1e-7):
            for label, more in (("", {"state": ours.closed}), (", closing", {})):
                cases[f"{n} four-bars, DOPRI5 {tol:g}{label}"] = simulation(
                    ours.system, loops.DURATION, dt.DOPRI5(rtol=tol, atol=0.01 * tol),
                    lambda r: r["A0.angle"][-1], exact, **more,
                )  # fmt: skip
        cases[f"{n} four-bars, RK4 0.003"] = simulation(
            ours.system, loops.DURATION, dt.RK4(step=0.003), lambda r: r["A0.angle"][-1], exact, at=ours.closed
        )
    return cases


def literature_cases() -> dict[str, Case]:
    import loop_cases as l
    import numpy as np

    import duoti as dt

    cases: dict[str, Case] = {}
    system, table = dt.compile(l.bricard(l.case("L03"))), l.case("L03").table
    exact = np.array([table[f"P3{x}"][list(table["t"]).index(l.BRICARD_END)] for x in "xyz"])
    for tol in (1e-5, 1e-7):
        solver = dt.DOPRI5(rtol=tol, atol=0.01 * tol)
        cases[f"Bricard, DOPRI5 {tol:g}"] = simulation(
            system, l.BRICARD_END, solver, lambda r: r["P3.position"][-1], exact
        )
    c = l.case("L02")
    angles = np.array(c.reference["own_trajectory"]["values"][-1][1:8]) - np.array(c.p["q0"])
    squeezer = dt.compile(l.squeezer(c))
    for method in (dt.DOPRI5, dt.DOP853):
        cases[f"squeezer, {method.__name__} 1e-7"] = simulation(
            squeezer, l.SQUEEZER_END, method(rtol=1e-7, atol=1e-9),
            lambda r: np.array([r[f"{name}.angle"][-1] for name in c.p["q0_order"]]), angles,
        )  # fmt: skip
    return cases


def stiff_cases() -> dict[str, Case]:
    import numpy as np
    import stiff as s

    import duoti as dt

    def solvers(*tolerances: float) -> dict[str, Any]:
        methods = {"Radau": dt.Radau, "GeneralisedAlpha": dt.GeneralisedAlpha, "DOPRI5": dt.DOPRI5}
        return {f"{name} {tol:g}": make(tol, 0.01 * tol) for name, make in methods.items() for tol in tolerances}

    cases: dict[str, Case] = {}
    p, height = s.case("L04").p, s.case("L04").table["s"][-1]
    governor = dt.compile(s.governor(p))
    for name, solver in solvers(1e-4, 1e-6).items():
        cases[f"governor, {name}"] = simulation(governor, 10.0, solver, lambda r: r["slider.position"][-1][2], height)
    p, exact = s.case("L06").p, np.array(s.case("L06").reference["own"][-1][1:5]).reshape(2, 2)
    axis = dt.compile(s.car_axis(p))
    for name, solver in solvers(1e-4, 1e-6).items():
        cases[f"car axis, {name}"] = simulation(
            axis, 3.0, solver, lambda r: np.array([r[f"{n}.position"][-1][:2] for n in ("left", "right")]), exact
        )
    chain = dt.compile(s.chain(s.LINKS))

    def links(r: Any) -> Any:
        return np.array([r[f"link{i}.position"][-1] for i in range(s.LINKS)])

    fine = links(dt.simulate(chain, 1.0, outputs=[1.0], solver=dt.Radau(rtol=1e-7, atol=1e-9)))
    chosen = {**solvers(1e-4), "GeneralisedAlpha, steps of 2 ms": dt.GeneralisedAlpha(step=2e-3)}
    for name, solver in chosen.items():
        cases[f"chain of bushings, {name}"] = simulation(chain, 1.0, solver, links, fine)
    return cases


def serve(folder: Path, parts: list[str]) -> None:
    """Answer each line that names a case by its time, the first time with its error."""
    import warnings

    warnings.simplefilter("ignore")
    sys.path.insert(0, str(folder / "benchmarks"))
    makers = dict(zip(PARTS, (recursion_cases, loop_cases, literature_cases, stiff_cases), strict=True))
    out, sys.stdout = sys.stdout, sys.stderr
    cases: dict[str, Case] = {}
    for part in parts:
        cases |= makers[part]()
    numbers: dict[str, int] = {}
    print(json.dumps(list(cases)), file=out, flush=True)
    for line in sys.stdin:
        call, error = cases[name := line.strip()]
        answer: dict[str, float | None] = {"error": None}
        if name not in numbers:
            answer["error"] = error() if error else None
            numbers[name], took = 1, 0.0
            while call(numbers[name]) or took < SECONDS:
                began = thread_time()
                call(numbers[name])
                took = thread_time() - began
                if took < SECONDS:
                    numbers[name] *= 2
        began = thread_time()
        call(numbers[name])
        answer["seconds"] = (thread_time() - began) / numbers[name]
        print(json.dumps(answer), file=out, flush=True)


# ------------------------------------------------------------------------------------------------------- the comparison


class Version:
    def __init__(self, folder: Path, parts: list[str]) -> None:
        environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "DUOTI_QUIET": "1"}
        command = [sys.executable, __file__, str(folder), "--serve", "--only", ",".join(parts)]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def answer(self) -> Any:
        assert self.process.stdout
        if not (line := self.process.stdout.readline()):
            raise SystemExit(f"{self.process.args} ended with {self.process.wait()}")
        return json.loads(line)

    def ask(self, case: str) -> Any:
        assert self.process.stdin
        print(case, file=self.process.stdin, flush=True)
        return self.answer()

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def main() -> bool:
    parser = argparse.ArgumentParser(description="Another version of duoti against this one.")
    parser.add_argument("before", type=Path, help="a checkout of the other version")
    parser.add_argument("rounds", nargs="?", type=int, default=15)
    parser.add_argument("--only", default=",".join(PARTS), help=f"which of {', '.join(PARTS)}")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    parts = given.only.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    if given.serve:
        serve(given.before, parts)
        return True
    versions = [Version(folder, parts) for folder in (given.before.resolve(), Path(__file__).resolve().parents[1])]
    cases, known = versions[0].answer(), versions[1].answer()
    assert cases == known
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors at the beginning; {given.rounds} rounds")
    print(f"{'':44} {'before':>11} {'now':>11} {'ratio':>7} {'of best':>8}   errors")
    ok = True
    for case in cases:
        errors = [version.ask(case)["error"] for version in versions]
        times: list[list[float]] = [[], []]
        for k in range(given.rounds):
            for i in (0, 1) if k % 2 else (1, 0):
                times[i].append(versions[i].ask(case)["seconds"])
        before, now = (min(each) for each in times)
        ratio = median(a / b for a, b in zip(*times, strict=True))
        fine = max(ratio, before / now) * LIMIT >= 1.0
        told = "" if errors[0] is None else f"{errors[0]:9.1e} {errors[1]:9.1e}"
        ok &= fine
        verdict = "" if fine else "  SLOWER"
        print(
            f"{case:44} {1e6 * before:8.2f} us {1e6 * now:8.2f} us {ratio:7.2f} {before / now:8.2f}  {told}{verdict}",
            flush=True,
        )
    for version in versions:
        version.close()
    return ok


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
