"""Whether a motion can be believed: its balance of energy, and how far its loops are open, looked at after the run.

The errors of a step are at most its tolerances d_i = atol + rtol |y_i|, so that energy is wrong by no more than
|dE/dy_i| d_i after each one, whatever the motion does; n steps add up to n times this. What is beyond ten times that
was not lost to the tolerances: the motion has left the equations, as in a singular position that a method cannot pass.
Event-driven impacts of rigid contacts are no exception: what each takes is booked to the last bit, and steps end there.
Constant steps promise nothing, but whatever the solver, a balance lost by a tenth of the energy exchanged is not that
of the model (`LOST`), nor is one that is lost by half during the run, as by steps that blow up: energy that comes from
nowhere is then all that is exchanged, and what is missing in the end is little beside it. For `dt.Moreau` the error in
the balance follows from its construction (`_energy_of_impulses`). No more than that is asked of implicit methods with
constant steps, which damp on purpose, of the semi-implicit Euler method, whose works are of order 1 (what is missing
may be as much as these), and of
prescribed motions with other than adaptive explicit solvers and `dt.Moreau`: a drive at constant speed is exact at any
step, and only these take steps over which its work is so, too. Where loops are open and feedback pulls them together,
its work is not counted, but it must be small. Outputs between steps are looked at near singular positions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.joint_friction.events import NO_SPEED
from duoti.dynamics.joint_friction.installation import has_joint_friction, joint_friction_of
from duoti.dynamics.loops.constraint_methods import Baumgarte, CoordinatePartitioning, Projection
from duoti.dynamics.loops.constraint_methods.base import ConstraintMethod, PenaltyMethod
from duoti.dynamics.loops.constraints import closure_state
from duoti.dynamics.tree.forward import forward_dynamics
from duoti.dynamics.workspace import new_workspace
from duoti.integrate import Solver, Tolerances
from duoti.integrate.state import Run
from duoti.results.evaluate.observe import ACCELERATIONS, ENERGIES, observe
from duoti.results.evaluate.singular_positions import drift, singularities
from duoti.results.records import Energy, Reason
from duoti.system.arrays import ENERGY_ACCUMULATORS, Ints, Reals, Work
from duoti.system.constraint_units import amounts
from duoti.system.system import System

ROUNDED = 1e-6  # rad, the rounding of an angle that is seen in positions; reached beyond 4.5e9 rad, 7e8 turns


def digits_lost(system: System, sampled: Sampled) -> Reason | None:
    """Which angle lost its digits, and where; None if all have kept them."""
    for name, layout in system.joints.items():
        if layout.closure >= 0:
            continue
        joint = system.model.joints[name].joint
        turning = np.array([c.unit == "rad" for c in joint.coordinates for _ in range(c.nq)], dtype=bool)
        angles = np.abs(sampled.y[:, layout.q[turning]]).max(axis=1, initial=0.0)
        lost = np.spacing(angles) > ROUNDED
        if lost.any():
            at = int(np.argmax(lost))
            return Reason(
                "lost-digits",
                f'joint "{name}" has turned by {angles.max():.3g} rad: from t = {sampled.t[at]:.6g} s on the rounding '
                f"of its angle is more than {ROUNDED:g} rad, so that positions are not known any more; is a stiffness "
                "negative, or does a law drive it without bound? dt.check(model) may tell",
            )
    return None


SAFETY = 10.0  # errors beyond tolerances that are still put down to them: they are estimates, and differ in size
ALWAYS_GOOD = 1e-7  # part of the energy exchanged
ROUND_OFF = 1e-12  # part of the energies themselves, whose differences the balance is made of
LOST, LOST_BY_TOLERANCE = (
    0.1,
    0.03,
)  # parts of the energy exchanged that none may miss, nor one that keeps to tolerances
LOST_MEANWHILE = 0.5  # part of the energy exchanged so far that may be missing during a run with constant steps
FIRST_STEPS = 4  # of `dt.Moreau`, between whose ends there is too little to compare with
EARLY = 0.05  # part of the usual energy exchanged, below which there is too little to compare with
COARSE = 1e-3  # rtol above which it is the first to be blamed
OPEN, DRIFTED = 1e-5, 0.05  # loops [m, rad]: of methods that close them, and of those that let them drift
SAMPLES = 64  # states at which energies are looked at
MOST_SAMPLES, AT_ONCE = 1024, 256  # that are kept during a run, and of one buffer of outputs
SUDDEN = 1e-3  # part of the energy exchanged that the works may miss where compliant contacts begin and end in a step
IMPULSES = (
    3.0  # times what the steps of Moreau's method miss by construction; of 135 random scenes one missed 1.2 times
)
# it (rates that jump in a chain whose masses turn meanwhile), all others up to 0.25 times
SEEN = 100.0  # its steps between two samples, from which on changes of rates between them are not seen
FED = 1e-6  # opening of loops [m, rad] from which on feedback does work that no one counts
FEEDBACK = 1e-3  # part of the energy exchanged that this work may be
BETWEEN = 3.0  # times the errors of one step that outputs within it may have, near singular positions
CLOSED = 1e-9  # m, rad
SMALL = 1e-4  # part of a state whose error is not worth a word
FEW = 8  # ... their derivatives, and loops
DIFFERENCE = 1e-6


class Sampled(NamedTuple):
    """Some outputs of a run in their order, the first one from its beginning."""

    t: Reals
    y: Reals


class Samples:
    """Takes some of the outputs while a run goes on."""

    def __init__(self) -> None:
        self.parts: list[Sampled] = []
        self.count = 0

    def take_here(self, run: Run) -> None:
        """The state where the run is now."""
        self.parts.append(Sampled(run.clock["t"].copy(), run.y[None].copy()))
        self.count += 1

    def take(self, run: Run, n: int) -> None:
        """Some of the first n outputs in the buffer; of too many, every second goes, but not the first."""
        if n:
            chosen = spread(n, AT_ONCE) if n > AT_ONCE else np.arange(n)
            self.parts.append(Sampled(run.out_t[chosen], run.out_y[chosen]))
            self.count += len(chosen)
        if self.count > MOST_SAMPLES:
            whole = self._whole()
            self.parts = [Sampled(whole.t[::2], whole.y[::2])]
            self.count = len(self.parts[0].t)

    def _whole(self) -> Sampled:
        if len(self.parts) > 1:
            t, y = (np.concatenate(each) for each in zip(*self.parts, strict=True))
            self.parts = [Sampled(t, y)]
        return self.parts[0]

    def taken(self) -> Sampled:
        """All of them; the end of a run, if it was an output, only once."""
        t, y = self._whole()
        if len(t) > 2 and t[-1] == t[-2] and np.array_equal(y[-1], y[-2]):
            return Sampled(t[:-1], y[:-1])
        return Sampled(t, y)


def thinned(sampled: Sampled, most: int) -> Sampled:
    """At most so many of them, first and last included."""
    if len(sampled.t) <= most:
        return sampled
    rows = spread(len(sampled.t), most)
    return Sampled(sampled.t[rows], sampled.y[rows])


@lru_cache(maxsize=64)
def spread(n: int, most: int) -> Ints:
    """So many of the indices below n, which are more, first and last included.

    They are more than 1 apart before they are rounded: none comes twice (`np.unique` would import numpy.ma).
    """
    return np.linspace(0, n - 1, most).round().astype(np.int64)


def what_was_lost(
    system: System,
    solver: Solver,
    method: ConstraintMethod,
    steps: int,
    sampled: Sampled,
    work: Work | None = None,
    unconverged: bool = False,
) -> Reason | None:
    """Why a run that came to its end is not to be believed; None if nothing speaks against it.

    work: that of the run, if it is no longer needed; unsettled: some evaluation left equations of closures unsolved.
    """
    if len(sampled.t) < 2 or not np.isfinite(sampled.y).all():
        return None
    if (rounded := digits_lost(system, sampled)) is not None:
        return rounded
    if not system.closures.rows:
        return _energy_lost(system, solver, method, steps, sampled, 0.0, work)
    few = thinned(sampled, FEW)
    nq, moving = system.nq, system.nq + system.nv
    gaps = drift(system, few.t, few.y[:, :nq], few.y[:, nq:moving], few.y[:, moving : moving + system.nz], work)[0]
    if gaps[0] > CLOSED >= gaps[-1]:  # a state that was given a little open is closed by the first steps
        closed = sampled.t >= few.t[np.argmax(gaps <= CLOSED)]
        sampled = Sampled(sampled.t[closed], sampled.y[closed])
    lost = _open_loops(system, solver, method, sampled, few, gaps)
    if unconverged and not lost and not solver.enforces_constraints:
        lost = _unconverged(system, method, few)
    if lost or (gaps[0] > FED and _feeds(solver, method)):  # given open: feedback is asked to do what it does
        return lost
    return _energy_lost(system, solver, method, steps, sampled, float(np.max(gaps)), work)


def _feeds(solver: Solver, method: ConstraintMethod) -> bool:
    """Whether open loops are pulled together by forces of their own."""
    return not solver.enforces_constraints and isinstance(method, (Baumgarte, PenaltyMethod))


def _open_loops(
    system: System, solver: Solver, method: ConstraintMethod, sampled: Sampled, few: Sampled, gaps: Reals
) -> Reason | None:
    closes = solver.enforces_constraints or isinstance(method, (Projection, CoordinatePartitioning))
    limit = OPEN if closes else DRIFTED
    if not np.max(gaps) > limit:
        return None
    at = float(few.t[int(np.argmax(gaps > limit))])
    how = "a tighter rtol or a smaller step" if closes else "dt.Projection(), a tighter rtol or a smaller step"
    return Reason(
        "loops-open",
        f"{_widest(system, few, int(np.argmax(gaps)))} (first seen at t = {at:.6g} s): the motion is not that of the "
        f"mechanism from there on{_singular_nearby(system, sampled, at)}; try {how}",
    )


def _widest(system: System, few: Sampled, n: int) -> str:
    """Which loop or constraint is open most in a state, and by how much."""
    work, nq, moving = new_workspace(system), system.nq, system.nq + system.nv
    work.y[moving : moving + system.nz] = few.y[n, moving : moving + system.nz]
    closure_state(work, float(few.t[n]), few.y[n, :nq].copy(), few.y[n, nq:moving].copy())
    row = int(np.argmax(np.abs(work.g)))
    closure = system.closure_names[int(np.searchsorted(system.closures.first, row, side="right")) - 1]
    return f"loops are open: {closure} by {amounts(system, closure, work.g)}"


def _unconverged(system: System, method: ConstraintMethod, few: Sampled) -> Reason | None:
    """Whether accelerations in the states of the motion, not only in a trial step, break the equations of closures."""
    work = new_workspace(system, ydot=True, constraints=method)
    observe(system, few.t, few.y, ACCELERATIONS, work=work)  # from now on the usual size of each equation is known
    for t, y in zip(few.t, few.y, strict=True):
        work.loops[0].unconverged = 0
        observe(system, np.array([t]), y[None], ACCELERATIONS, work=work)
        if work.loops[0].unconverged > 0:
            return Reason(
                "closures-unsolved",
                f"the forces that hold loops and constraints could not be found (first seen at t = {t:.6g} s): their "
                "equations are nearly dependent (links almost in line, joints that do almost the same), and stay so; "
                "try constraints=dt.NullSpace()",
            )
    return None


def _energies(system: System, t: Reals, y: Reals, work: Work | None = None) -> Energy:
    e, works = observe(system, t, y, ENERGIES, work=work).energies, y[:, -ENERGY_ACCUMULATORS:]
    return Energy(e[:, 0], e[:, 1], e[:, 2], works[:, 0], works[:, 1])


def _energy_lost(
    system: System, solver: Solver, method: ConstraintMethod, steps: int, sampled: Sampled, opened: float,
    work: Work | None,
) -> Reason | None:  # fmt: skip
    damps = solver.enforces_constraints and not solver.adaptive
    feeds = _feeds(solver, method)
    controlled = solver.adaptive and not solver.enforces_constraints  # the works of motions, too
    time_stepping = solver.explicit_impulses
    driven = bool(system.closures.rows and system.closures.timed) and not controlled and not time_stepping
    only_gross = solver.first_order or damps or driven
    passes = bool(system.closures.rows) and solver.adaptive and not solver.enforces_constraints
    step = (
        solver.fixed_step if time_stepping and solver.fixed_step else 0.0
    )  # of `dt.Moreau`, which is not imported for others
    wanted = MOST_SAMPLES if passes else SAMPLES
    if step:
        wanted = int(np.clip((sampled.t[-1] - sampled.t[0]) / (SEEN * step), SAMPLES, MOST_SAMPLES))
    some = thinned(sampled, wanted)
    energy = _energies(system, some.t, some.y, work)
    residual, largest = energy.residual, [float(each) for each in _largest(energy)]
    supplied, dissipated = largest[3:]
    exchanged = max(float(_exchanged(energy, largest)), _within_graphs(system, some.y))
    left = float(residual[-1])  # outputs between steps are less exact, and what comes back was not lost
    lost = abs(left)
    round_off = ROUND_OFF * sum(largest)  # all that there is of a body at rest
    # a joint that is held moves by round-off, and its force with it
    if has_joint_friction(system) and work is not None:
        jf = joint_friction_of(work)  # x is found by event-driven runs alone, bounds by time stepping, too
        round_off += NO_SPEED * float(np.abs(jf.x).sum() + jf.bound.sum()) * float(some.t[-1] - some.t[0])
    if solver.first_order:
        round_off += supplied + dissipated
    # a body that a stop holds is let go, and taken back, in each step
    if solver.fixed_step and float(np.abs(residual).max()) > round_off:
        round_off += ROUND_OFF * max(steps, 1) * _energy_of_forces(system, solver.fixed_step, some)
    seen = ~_within_first_steps(some.t, step) if step else np.ones(len(some.t), dtype=bool)
    if not solver.adaptive and (meanwhile := _lost_meanwhile(energy, round_off, seen)) is not None:
        return Reason(
            "energy-lost",
            f"the balance of energy is lost: at t = {some.t[meanwhile]:.6g} s {abs(residual[meanwhile]):.3g} J are not "
            f"accounted for, more than half of what was exchanged until then; {_remedy(solver, method, False)}",
        )
    good, worst = max(ALWAYS_GOOD * exchanged, round_off), int(np.argmax(np.abs(residual)))
    between = abs(float(residual[worst])) / BETWEEN if passes and not feeds else 0.0
    if not max(lost, between) > good:
        return None
    allowed, in_one_step = (LOST_BY_TOLERANCE if solver.adaptive and not only_gross else LOST) * exchanged, 0.0
    if only_gross:
        pass
    elif solver.adaptive and feeds and (opened > FED or isinstance(method, PenaltyMethod)):
        allowed = FEEDBACK * exchanged
    elif isinstance(solver, Tolerances) and solver.adaptive:
        by_tolerance = SAFETY * max(steps, 1) * solver.rtol * exchanged
        if max(lost, between) > by_tolerance:  # the quick estimate will not do
            in_one_step = _energy_of_tolerances(system, solver, some, work)
            by_tolerance = max(by_tolerance, SAFETY * max(steps, 1) * in_one_step)
        drifts = not solver.enforces_constraints and not isinstance(method, Projection)
        if system.closures.rows and drifts:
            by_tolerance *= SAFETY**2  # drift, rates that follow from others
        if any(not each.law.rigid for each in system.model.contacts.values()):
            by_tolerance = max(by_tolerance, SUDDEN * exchanged)  # forces that set in suddenly, within a step
        allowed = min(allowed, by_tolerance)
    elif step and np.max(np.diff(some.t)) < 2.0 * SEEN * step:
        allowed = min(allowed, max(SUDDEN * exchanged, IMPULSES * _energy_of_impulses(system, step, some)))
    if lost > max(allowed, good, in_one_step):  # a body at rest may have no other energy than that of a tolerance
        jump = int(np.argmax(np.abs(np.diff(residual))))
        begin, end = float(some.t[jump]), float(some.t[jump + 1])
        sudden = abs(float(residual[jump + 1] - residual[jump])) > 0.5 * lost
        where = f"; most of it between t = {begin:.6g} s and {end:.6g} s" if sudden else ""
        near = _singular_nearby(system, sampled, 0.5 * (begin + end), end - begin) if sudden else ""
        return Reason(
            "energy-lost",
            f"the balance of energy is lost: {lost:.3g} J of {exchanged:.3g} J exchanged are not accounted for, "
            f"{allowed:.2g} J could be put down to {'tolerances' if solver.adaptive else 'the steps'}{where}{near}; "
            + (_finer(system, solver, some) or _remedy(solver, method, bool(near))),
        )
    near = ""
    if (
        between > good
        and isinstance(solver, Tolerances)
        and between > SAFETY * (in_one_step or _energy_of_tolerances(system, solver, some, work))
    ):
        step = float(some.t[-1] - some.t[0]) / max(steps, 1)
        near = _singular_nearby(system, sampled, float(some.t[worst]), 2.0 * step)
    if not near:
        return None
    return Reason(
        "energy-lost",
        f"outputs between steps miss the balance of energy by {BETWEEN * between:.3g} J of {exchanged:.3g} J "
        f"exchanged, at t = {some.t[worst]:.6g} s{near}; the steps themselves do not: try outputs='steps', a tighter "
        "rtol or a max_step",
    )


def _energy_of_forces(system: System, step: float, some: Sampled) -> float:
    """Twice the largest energy, h a M a h, that forces and gravity give in one step to bodies that nothing holds.

    A stop, a contact or a loop takes it back in the same step: what stays of both is the round-off of their size,
    however little moves. Of flexible bodies nothing is added: `forward_dynamics` is that of rigid ones.
    """
    if system.tree.flexible:
        return 0.0
    few, work = thinned(some, FEW), new_workspace(system)
    nq, moving = system.nq, system.nq + system.nv
    let_go, a = few.y.copy(), np.zeros(system.nv)
    for n, (t, y) in enumerate(zip(few.t, few.y, strict=True)):
        work.y[: len(y)] = y
        forward_dynamics(system.tree, system.loads, work, float(t), y[:nq].copy(), y[nq:moving].copy(), a)
        let_go[n, nq:moving] = step * a
    kinetic = observe(system, few.t, let_go, ENERGIES).energies[:, 0]
    return 2.0 * float(np.max(kinetic, where=np.isfinite(kinetic), initial=0.0))


def _largest(energy: Energy) -> list[Any]:
    """The largest magnitude of each of the energies and works."""
    sizes = (energy.kinetic, energy.gravity, energy.elastic, energy.supplied, energy.dissipated)
    return [np.abs(each).max(axis=-1) for each in sizes]


def _exchanged(energy: Energy, largest: list[Any]) -> Any:
    """Energy that was exchanged, without that within bond graphs."""
    swing = energy.potential.max(axis=-1) - energy.potential.min(axis=-1)
    return np.maximum.reduce([largest[0], swing, largest[3], largest[4]])


def clearly_kept(energies: Reals, steps: Any, solver: Solver, one_step: Reals | None = None) -> Any:
    """For each of many runs, whether the balance of energy is so good that no more need be known of the run.

    energies: [runs, samples, 5] kinetic, gravity, elastic, supplied, dissipated; steps: [runs]. Explicit solvers;
    one_step: of closed loops kept by `Projection` what `_energy_of_tolerances` gives. `what_was_lost` says the same of
    these runs; of the others it may have to know more.
    """
    energy = Energy(*np.moveaxis(energies, -1, 0))
    largest = _largest(energy)
    exchanged, round_off = _exchanged(energy, largest), ROUND_OFF * np.sum(largest, axis=0)
    if solver.first_order:
        round_off = round_off + largest[3] + largest[4]
    size, good = np.abs(energy.residual), np.maximum(ALWAYS_GOOD * exchanged, round_off)
    if not isinstance(solver, Tolerances) or not solver.adaptive:
        kept = size[:, -1] <= np.maximum(LOST * exchanged, good)
        return kept & ~_missing_meanwhile(energy, round_off[:, None]).any(axis=-1)
    each = solver.rtol * exchanged if one_step is None else np.maximum(solver.rtol * exchanged, one_step)
    allowed = np.minimum(LOST_BY_TOLERANCE * exchanged, SAFETY * np.maximum(steps, 1) * each)
    kept = size[:, -1] <= np.maximum(allowed, good)
    if one_step is None:
        return kept
    return kept & (size.max(axis=-1) / BETWEEN <= np.maximum(good, SAFETY * one_step))


def _missing_meanwhile(energy: Energy, round_off: Any) -> Any:
    """Samples where most of the energy exchanged until then is not accounted for."""
    potential = energy.potential
    swing = np.maximum.accumulate(potential, axis=-1) - np.minimum.accumulate(potential, axis=-1)
    parts = (energy.kinetic, swing, np.abs(energy.supplied), np.abs(energy.dissipated))
    exchanged = np.maximum.accumulate(np.max(parts, axis=0), axis=-1)
    compared = LOST_MEANWHILE * np.maximum(exchanged, EARLY * np.median(exchanged, axis=-1, keepdims=True))
    return np.abs(energy.residual) > np.maximum(compared, round_off)


def _lost_meanwhile(energy: Energy, round_off: float, seen: Any) -> int | None:
    """The first of these samples, of those that are looked at (`seen`), if there is one."""
    wrong = _missing_meanwhile(energy, round_off) & seen
    return int(np.argmax(wrong)) if wrong.any() else None


def _within_first_steps(t: Reals, step: float) -> Any:
    """Samples between the ends of the first steps of `dt.Moreau`.

    States are straight lines over a step. In falling by h g they miss up to m (h g)^2 / 8 in its middle, which is as
    much as was exchanged at all as long as there were only a few steps.
    """
    done = (t - t[0]) / step
    return (done < FIRST_STEPS) & (np.abs(done - np.round(done)) > 1e-6)


def _within_graphs(system: System, y: Reals) -> float:
    """Energy that goes to and fro within bond graphs, whose sum alone is seen among the energies."""
    first, names = system.nq + system.nv, list(system.model.states)
    states = {name: y[:, first + k] for k, name in enumerate(names)}
    graphs = [force for force in system.model.forces.values() if force.kind == "bond_graph"]
    return max((graph.exchanged(states) for graph in graphs), default=0.0)  # pyright: ignore[reportAttributeAccessIssue]


def _energy_of_impulses(system: System, step: float, some: Sampled) -> float:
    """What the steps of Moreau and Jean's method do to the balance of energy, by their construction.

    Impulses, and forces that do not depend on rates, work on the mean of the velocities before and after a step, (v +
    v')/2, and this is booked exactly (`step_record`). Forces of inertia c and of dampers are those of v alone: each
    step misses c (v' - v) / 2 h, at most half the energy of the change of rates, 1/2 dv M dv, that they make in it.
    Over an interval T in which rates change by dv that is h/T times 1/2 dv M dv. Springs are taken at q + h v / 2 in
    place of the mean, which is q + h (v + v') / 4: the same again, with the other sign in the way back.
    """
    nq, nv = system.nq, system.nv
    intervals = np.diff(some.t)
    later = np.flatnonzero(intervals > 0.0)
    changes = some.y[1:].copy()
    changes[:, nq : nq + nv] = np.diff(some.y[:, nq : nq + nv], axis=0)
    kinetic = observe(system, some.t[1:][later], changes[later], ENERGIES).energies[:, 0]
    return float(np.sum(np.minimum(step / intervals[later], 1.0) * kinetic))


def _energy_of_tolerances(system: System, solver: Tolerances, some: Sampled, work: Work | None) -> float:
    """The largest error of energy that errors of the size of the tolerances make in one step."""
    few, work = thinned(some, FEW), work or new_workspace(system, ydot=True)
    n, found = system.nq + system.nv, 0.0
    for t, y in zip(few.t, few.y, strict=True):
        steps = DIFFERENCE * (1.0 + np.abs(y[:n]))
        moved = np.repeat(y[None], 2 * n, axis=0)
        moved[np.arange(n), np.arange(n)] += steps
        moved[np.arange(n, 2 * n), np.arange(n)] -= steps
        total = _energies(system, np.full(2 * n, t), moved, work).total
        slope = np.abs(total[:n] - total[n:]) / (2.0 * steps)
        found = max(found, float(slope @ (solver.atol + solver.rtol * np.abs(y[:n]))))
    return found


def _singular_nearby(system: System, sampled: Sampled, t: float, within: float = np.inf) -> str:
    """Words on the singular position nearest to a time, if there is one."""
    if not system.closures.rows or len(sampled.t) < 3:
        return ""
    later = np.flatnonzero(np.diff(sampled.t, prepend=-np.inf) > 0)  # begin, end and jumps are there twice
    passed = [each for each in singularities(system, sampled.t[later], sampled.y[later]) if abs(each.t - t) <= within]
    if not passed:
        return ""
    nearest = min(passed, key=lambda each: abs(each.t - t))
    return f", where the loop of {', '.join(nearest.joints)} passes a singular position (t = {nearest.t:.6g} s)"


def _finer(system: System, solver: Solver, some: Sampled) -> str:
    """A word where states are so small that `atol` leaves them without control: charges, volumes of oil."""
    if not (system.nz and isinstance(solver, Tolerances) and solver.adaptive):
        return ""
    first = system.nq + system.nv
    size = np.abs(some.y[:, first : first + system.nz]).max(axis=0)
    small = [k for k in range(system.nz) if 0.0 < size[k] * SMALL < solver.atol]
    if not small:
        return ""
    names = ", ".join(f"{system.state_names[k]} (at most {size[k]:.1g})" for k in small[:3])
    enough = 1e-8 * min(float(size[k]) for k in small)
    return f"states are small against atol={solver.atol:g}: {names}; give a smaller one, such as atol={enough:.0e}"


def _remedy(solver: Solver, method: ConstraintMethod, singular: bool) -> str:
    if not solver.adaptive and solver.enforces_constraints:
        return "such steps damp motions that they do not resolve: try a smaller one, or leave it out"
    if not solver.adaptive:
        return "try a smaller step, or an adaptive solver such as dt.DOPRI5()"
    drifts = singular and not solver.enforces_constraints and not isinstance(method, Projection)
    if drifts or _feeds(solver, method):
        return "try constraints=dt.Projection()"
    if singular:
        return "try other tolerances, or dt.DOP853(), and compare"
    if isinstance(solver, Tolerances) and solver.rtol > COARSE:
        return f"rtol={solver.rtol:g} is too coarse for this motion: give a smaller one"
    return (
        "look for forces that change suddenly (an event with a jump makes steps end there) or whose energy "
        "does not fit them (types of one's own), and try a max_step"
    )
