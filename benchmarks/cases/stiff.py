"""Stiff problems: against Exudyn's generalised-alpha method and against IDA, at equal error.

The models are told in `benchmarks.peers`. The error is the largest one of the compared positions at the end: the slider
of the governor after 10 s and both masses of the car axis after 3 s, against the reference cases; the centres of all
100 links of the chain after 1 s, against Radau with tight tolerances.

Exudyn runs with a given step. Of its forms (rigid bodies by rotation vectors or Euler parameters; index 3 with the
spectral radii 0.9 and 0.6, index 2 with Newmark's parameters; modified Newton; sparse matrices for the chain), the one
with the least time * error^(1/2) is taken, which is the same for all steps of a method of order 2. IDA gets the best of
three scalings of its tolerances.

duoti gets the loosest tolerance from which on all tighter ones have no larger error, so that no lucky hit counts;
likewise IDA; of its solvers (Radau, Rodas, generalised-alpha by tolerance or with a constant step, DOPRI5) the fastest.

Timed, in processor time of the whole process, are `SolveDynamic`, `IDA.solve` and the whole `dt.simulate` of a compiled
system, which also closes loops and sets up the solver. IDA calls its compiled functions through Python; scikit-sundae
has no other way.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case, repeated
from benchmarks.reference import reference_case

exu: Any = Later("exudyn")
exudyn_models: Any = Later("benchmarks.peers.stiff_exudyn")
models: Any = Later("benchmarks.peers.stiff_models")
ida_models: Any = Later("benchmarks.peers.stiff_ida")
LINKS = 100
FORMS = ((3, 0.9), (3, 0.6), (2, 1.0))


def timed(run: Callable[[], Any]) -> float:
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
            warnings.simplefilter("ignore", dt.errors.SimulationWarning)
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


def our_side(ours: Duoti, allowed: float) -> Side:
    """The fastest solver whose error is allowed."""
    found: list[tuple[float, Side]] = []
    for name in ("Radau", "Rodas", "GeneralisedAlpha", "fixed step", "DOPRI5"):
        if chosen := ours.choose(name, allowed):
            solver = ours.solver(name, chosen[0])
            taken = min(timed(lambda s=solver: ours.run(s)) for _ in range(3))
            setting = f"{name}, {chosen[0]:.1e}"
            found.append((taken, Side(repeated(lambda s=solver: ours.run(s)), chosen[1], setting=setting)))
    return min(found, key=lambda each: each[0])[1]


def with_exudyn(ours: Duoti, forms: dict[str, Callable[[float], Any]], step: float, coarse: float) -> Pair:
    """`coarse`: the step at which the form is chosen."""

    def error_of(model: Any) -> float:
        found = model.positions()
        assert np.all(np.isfinite(found))
        return float(np.max(np.abs(found - ours.exact)))

    costs: dict[str, float] = {}
    for name, form in forms.items():
        try:
            model = form(coarse)
            took = timed(model.run)
        except exu.SolverError:  # Newton's iteration fails in some forms
            continue
        costs[name] = took * error_of(model) ** 0.5
    best = min(costs, key=lambda name: costs[name])
    model = forms[best](step)
    model.run()
    error = error_of(model)
    peer = Side(fresh=lambda: forms[best](step).run, error=error, setting=f"{best}, step {step:g} s")
    return Pair(our_side(ours, error), peer, unit="m", clock="process")


def with_ida(ours: Duoti, problem: Any, exact: Any, pick: Callable[[Any], Any], allowed: float) -> Pair:
    tolerances = 10.0 ** -np.arange(3, 10.1, 0.5)
    found: list[tuple[float, Side]] = []
    for speed in (1.0, 10.0, 100.0):
        errors = [float(np.max(np.abs(pick(problem.solve(problem.solver(tol, speed))) - exact))) for tol in tolerances]
        bad = [i for i, error in enumerate(errors) if error > allowed]
        k = bad[-1] + 1 if bad else 0
        if k < len(tolerances):
            solver = problem.solver(float(tolerances[k]), speed)
            taken = min(timed(lambda s=solver: problem.solve(s)) for _ in range(3))
            side = Side(repeated(lambda s=solver: problem.solve(s)), errors[k], setting=f"rtol {tolerances[k]:.1e}")
            found.append((taken, side))
    return Pair(our_side(ours, allowed), min(found, key=lambda each: each[0])[1], unit="m", clock="process")


# -------------------------------------------------------------------------------------------------------------- models


def governor() -> Duoti:
    c = reference_case("L04")
    ours = Duoti(models.governor(c.p), 10.0, lambda r: r["slider.position"][-1], 9)
    ours.exact = np.array([0.0, 0.0, c.table["s"][-1]])
    return ours


def car_axis() -> Duoti:
    c = reference_case("L06")
    exact = np.array(c.reference["own"][-1][1:5])
    found = lambda r: np.array([r[f"{n}.position"][-1] for n in ("left", "right")])  # noqa: E731
    ours = Duoti(models.car_axis(c.p), 3.0, found, 9)
    ours.exact = np.array([[*exact[:2], 0.0], [*exact[2:], 0.0]])
    return ours


def chain() -> Duoti:
    found = lambda r: np.array([r[f"link{i}.position"][-1] for i in range(LINKS)])  # noqa: E731
    ours = Duoti(models.chain(LINKS), 1.0, found, 5)
    ours.explicit = ours.tolerances[:1]  # its step is limited by stability: the error is the same for all
    ours.exact = ours.found(ours.run(dt.Radau(rtol=1e-7, atol=1e-9)))
    return ours


def governor_exudyn(step: float) -> Pair:
    p = reference_case("L04").p
    nodes = exu.NodeType.RotationRotationVector, exu.NodeType.RotationEulerParameters
    forms: dict[str, Any] = {
        f"{kind.name[8:14]} {index} {rho:g}": (
            lambda h, k=kind, i=index, r=rho: exudyn_models.ExudynGovernor(p, h, 10.0, i, r, k)
        )
        for kind in nodes
        for index, rho in FORMS
    }
    return with_exudyn(governor(), forms, step, 4e-3)


def car_axis_exudyn(step: float) -> Pair:
    p = reference_case("L06").p
    forms = {f"{i} {rho:g}": lambda h, i=i, r=rho: exudyn_models.ExudynCarAxis(p, h, 3.0, i, r) for i, rho in FORMS}
    return with_exudyn(car_axis(), forms, step, 1e-3)


def chain_exudyn(step: float) -> Pair:
    node = exu.NodeType.RotationEulerParameters  # by rotation vectors it takes half a minute
    forms: dict[str, Any] = {
        f"{rho:g}": lambda h, r=rho: exudyn_models.ExudynChain(LINKS, h, 1.0, 3, r, node) for rho in (0.9, 0.6)
    }
    return with_exudyn(chain(), forms, step, 2e-3)


def governor_ida(allowed: float) -> Pair:
    c = reference_case("L04")
    return with_ida(governor(), ida_models.governor_problem(c.p, 10.0), c.table["s"][-1], lambda q: q[1], allowed)


def car_axis_ida(allowed: float) -> Pair:
    c = reference_case("L06")
    exact = np.array(c.reference["own"][-1][1:5])
    return with_ida(car_axis(), ida_models.car_axis_problem(c.p, 3.0), exact, lambda q: q, allowed)


WITH_EXUDYN: dict[str, tuple[Callable[[float], Pair], tuple[float, ...]]] = {
    "flyball governor": (governor_exudyn, (4e-3, 1e-3)),
    "car axis": (car_axis_exudyn, (1e-3, 2.5e-4)),
    "chain of 100 bushings": (chain_exudyn, (2e-3, 1e-3)),
}
for label, (make, steps) in WITH_EXUDYN.items():
    for step in steps:
        shown = step == steps[0] and label != "car axis"
        case(f"{label}, error of Exudyn at {1e3 * step:g} ms", "Exudyn", 5.0, shown)(lambda m=make, h=step: m(h))
for label, make in (("flyball governor", governor_ida), ("car axis", car_axis_ida)):
    for allowed in (1e-4, 1e-6):
        shown = (label, allowed) == ("car axis", 1e-6)
        case(f"{label}, error {1e6 * allowed:g} µm", "IDA", 3.0, shown)(lambda m=make, e=allowed: m(e))
