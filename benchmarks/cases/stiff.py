"""Stiff problems: against Exudyn's generalised-alpha method and against IDA, at equal error.

    python benchmarks/stiff.py [rounds]

The models are told in `stiff_models` and `stiff_ida`. The error is the largest one of the compared positions at the
end: the slider of the governor after 10 s and both masses of the car axis after 3 s, against the reference cases; the
centres of all 100 links of the chain after 1 s, against Radau with tight tolerances (two of them, and Exudyn's errors
must fall with the square of its step: an independent check of model and reference).

Exudyn runs with given steps. Of its forms (rigid bodies by rotation vectors or Euler parameters; index 3 with the
spectral radii 0.9 and 0.6, index 2 with Newmark's parameters; modified Newton; sparse matrices for the chain), the one
with the least time * error^(1/2) is taken, which is the same for all steps of a method of order 2. IDA gets the best of
three scalings of its tolerances, and the errors that are asked of it are 1e-4, 1e-6 and 1e-7.

duoti gets the loosest tolerance from which on all tighter ones have no larger error, so that no lucky hit counts;
likewise IDA. Shown are the fastest implicit solver (Radau; Rodas; generalised-alpha by tolerance; or generalised-alpha
with a constant step, which then stands under rtol) and DOPRI5 (for the chain with its loosest tolerance only: its step
is limited by stability); what counts for the target is the faster one. The ratio is the median over the rounds, in
which both sides run one after the other.

Timed, in processor time of the whole process, are `SolveDynamic`, `IDA.solve` and the whole `dt.simulate` of a compiled
system, which also closes loops and sets up the solver. Not timed are building, `Assemble`, `dt.compile`, consistent
starts for IDA and compilation of kernels. IDA calls its compiled functions through Python; scikit-sundae has no other
way.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import exudyn as exu
import numpy as np
from stiff_ida import Problem, car_axis_problem, governor_problem
from stiff_models import Exudyn, ExudynCarAxis, ExudynChain, ExudynGovernor, car_axis, chain, governor

import duoti as dt

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "reference"))
from cases import case

EXUDYN, IDA = 5.0, 3.0  # targets
LINKS = 100
Run = Callable[[], Any]
FORMS = ((3, 0.9), (3, 0.6), (2, 1.0))
NODES = (exu.NodeType.RotationRotationVector, exu.NodeType.RotationEulerParameters)


def timed(run: Run) -> float:
    began = process_time()
    run()
    return process_time() - began


class Duoti:
    """A compiled model with what is compared at the end."""

    def __init__(self, model: dt.Model, end: float, found: Callable[[dt.Result], Any], finest: int) -> None:
        self.system, self.end, self.found = dt.compile(model), end, found
        self.exact: Any = None
        self.tolerances = 10.0 ** -np.arange(2, finest + 0.1, 0.5)
        self.explicit = self.tolerances
        self.steps = end / np.round(end / (4e-3 * 2.0 ** (-np.arange(7) / 2)))
        self.errors: dict[str, list[float]] = {}

    def solver(self, name: str, tol: float) -> Any:
        if name == "fixed step":
            return dt.GeneralisedAlpha(step=tol)
        return getattr(dt, name)(tol, 0.01 * tol)

    def run(self, solver: Any) -> dt.Result:
        result = dt.simulate(self.system, self.end, outputs=[self.end], solver=solver, progress=False)
        assert result.ok, result.reason
        return result

    def error(self, solver: Any) -> float:
        """Infinite where a run fails: a step too long for Newton's iteration, a tolerance that loses the energy."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dt.SimulationWarning)
            result = dt.simulate(self.system, self.end, outputs=[self.end], solver=solver, progress=False)
        return float(np.max(np.abs(self.found(result) - self.exact))) if result.ok else np.inf

    def choose(self, name: str, allowed: float) -> tuple[float, float] | None:
        """The loosest tolerance whose error, and that of all tighter ones, is allowed; its error."""
        if name not in self.errors:
            self.errors[name] = [self.error(self.solver(name, tol)) for tol in self.tolerances_of(name)]
        good = [error <= allowed for error in self.errors[name]]
        if not good[-1]:
            return None
        k = len(good) - next((i for i, ok in enumerate(good[::-1]) if not ok), len(good))
        return float(self.tolerances_of(name)[k]), self.errors[name][k]

    def tolerances_of(self, name: str) -> Any:
        return {"DOPRI5": self.explicit, "fixed step": self.steps}.get(name, self.tolerances)


def compare(label: str, ours: Duoti, peer: Callable[[], Run], error: float, target: float, rounds: int) -> float:
    """peer makes what is to be run, as often as it is to be run; returns the better ratio."""
    implicit = []
    for name in ("Radau", "Rodas", "GeneralisedAlpha", "fixed step"):
        chosen = ours.choose(name, error)
        if chosen:
            solver = ours.solver(name, chosen[0])
            implicit.append((min(timed(lambda s=solver: ours.run(s)) for _ in range(3)), name, solver, chosen[1]))
    rows = [min(implicit, key=lambda each: each[0])[1:]] if implicit else []
    explicit = ours.choose("DOPRI5", error)
    if explicit:
        rows.append(("DOPRI5", ours.solver("DOPRI5", explicit[0]), explicit[1]))
    best = 0.0
    for name, solver, reached in rows:
        pairs = [(timed(peer()), timed(lambda s=solver: ours.run(s))) for _ in range(rounds)]
        ratio = median(a / b for a, b in pairs)
        theirs, mine = (min(each) * 1e3 for each in zip(*pairs, strict=True))
        our_part = f"{name:>17s} {solver.fixed_step or solver.rtol:8.1e} {mine:8.2f} {reached:8.1e}"
        print(f"{label:34s} {theirs:9.1f} {error:8.1e} {our_part} {ratio:7.1f}")
        best = max(best, ratio)
    print(f"{'':34s} {'PASS' if best >= target else 'FAIL'}: {best:.1f}, target {target:g}", flush=True)
    return best / target


def against_exudyn(
    label: str, ours: Duoti, forms: dict[str, Callable[[float], Exudyn]], steps: tuple[float, ...], rounds: int
) -> Iterator[float]:
    def error_of(model: Exudyn) -> float:
        found = model.positions()
        assert np.all(np.isfinite(found))
        return float(np.max(np.abs(found - ours.exact)))

    costs = {}
    for name, form in forms.items():
        try:
            model = form(steps[0])
            took = timed(model.run)
        except exu.SolverError:  # Newton's iteration fails in some forms
            continue
        costs[name] = took * error_of(model) ** 0.5
    best = min(costs, key=lambda name: costs[name])
    errors = []
    for step in steps:
        model = forms[best](step)
        model.run()
        errors.append(error_of(model))
        name = f"{label}, Exudyn {best}, {step:g} s"
        yield compare(name, ours, lambda h=step: forms[best](h).run, errors[-1], EXUDYN, rounds)
    for k in range(1, len(steps)):
        order = np.log(errors[k - 1] / errors[k]) / np.log(steps[k - 1] / steps[k])
        print(f"{'':34s} order of Exudyn's error against the reference: {order:.2f}")


def against_ida(label: str, ours: Duoti, problem: Problem, pick: Callable[[Any], Any], rounds: int) -> Iterator[float]:
    tolerances = 10.0 ** -np.arange(3, 10.1, 0.5)

    def error_of(tol: float, speed: float) -> float:
        return float(np.max(np.abs(pick(problem.solve(problem.solver(tol, speed))) - pick(None))))

    errors = {speed: [error_of(tol, speed) for tol in tolerances] for speed in (1.0, 10.0, 100.0)}
    for allowed in (1e-4, 1e-6, 1e-7):
        found = []
        for speed, all_errors in errors.items():
            bad = [i for i, error in enumerate(all_errors) if error > allowed]
            k = bad[-1] + 1 if bad else 0
            if k < len(tolerances):
                solver = problem.solver(float(tolerances[k]), speed)
                found.append((min(timed(lambda s=solver: problem.solve(s)) for _ in range(3)), all_errors[k], solver))
        if not found:
            print(f"{label}: IDA does not reach {allowed:g}")
            continue
        _, error, solver = min(found, key=lambda each: each[0])
        print(f"{label}: IDA's own error is {error:.1e}")
        name = f"{label}, IDA, {allowed:g}"
        yield compare(name, ours, lambda s=solver: lambda: problem.solve(s), allowed, IDA, rounds)


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"{rounds} rounds; times are the best ones, in ms of processor time, ratios are medians")
    print(f"{'':34s} {'peer ms':>9s} {'error':>8s} {'duoti':>17s} {'rtol':>8s} {'ms':>8s} {'error':>8s} {'ratio':>7s}")
    met: list[float] = []

    p, reference = case("L04").p, case("L04").table
    ours = Duoti(governor(p), 10.0, lambda r: r["slider.position"][-1], 9)
    ours.exact = np.array([0.0, 0.0, reference["s"][-1]])
    forms: dict[str, Any] = {
        f"{kind.name[8:14]} {index} {rho:g}": lambda h, k=kind, i=index, r=rho: ExudynGovernor(p, h, 10.0, i, r, k)
        for kind in NODES
        for index, rho in FORMS
    }
    met += against_exudyn("governor", ours, forms, (4e-3, 1e-3), rounds)
    height = reference["s"][-1]
    met += against_ida("governor", ours, governor_problem(p, 10.0), lambda q: height if q is None else q[1], rounds)

    p, exact = case("L06").p, np.array(case("L06").reference["own"][-1][1:5])
    ours = Duoti(car_axis(p), 3.0, lambda r: np.array([r[f"{n}.position"][-1] for n in ("left", "right")]), 9)
    ours.exact = np.array([[*exact[:2], 0.0], [*exact[2:], 0.0]])
    forms = {f"{i} {rho:g}": lambda h, i=i, rho=rho: ExudynCarAxis(p, h, 3.0, i, rho) for i, rho in FORMS}
    met += against_exudyn("car axis", ours, forms, (1e-3, 2.5e-4), rounds)
    met += against_ida("car axis", ours, car_axis_problem(p, 3.0), lambda q: exact if q is None else q, rounds)

    ours = Duoti(chain(LINKS), 1.0, lambda r: np.array([r[f"link{i}.position"][-1] for i in range(LINKS)]), 5)
    ours.explicit = ours.tolerances[:1]  # its step is limited by stability: the error is the same for all
    ours.exact = ours.found(ours.run(dt.Radau(rtol=1e-7, atol=1e-9)))
    differ = ours.error(dt.Radau(rtol=1e-6, atol=1e-8))
    print(f"chain: Radau at 1e-6 differs from the reference at 1e-7 by {differ:.1e}", flush=True)
    forms = {
        f"{NODES[1].name[8:14]} {rho:g}": lambda h, r=rho: ExudynChain(LINKS, h, 1.0, 3, r, NODES[1])
        for rho in (0.9, 0.6)
    }  # by rotation vectors it takes half a minute
    met += against_exudyn(f"chain of {LINKS}", ours, forms, (2e-3, 1e-3, 2.5e-4), rounds)
    return int(min(met) < 1.0)


if __name__ == "__main__":
    sys.exit(main())
