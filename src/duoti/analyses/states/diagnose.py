"""Why a simulation cannot start, or ended early: in the names of the model."""

from __future__ import annotations

from typing import Literal

import numpy as np

from duoti.analyses.states.assemble import concerned, loop_joints
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.dynamics.tree.forward import force_state
from duoti.dynamics.tree.states import NEARLY_SOLVED
from duoti.dynamics.workspace import new_workspace
from duoti.integrate import state as S
from duoti.kernel import run_entry
from duoti.model.checks.findings import Findings
from duoti.model.element_id import ElementId
from duoti.model.errors import ModelError
from duoti.model.laws.expressions import Program
from duoti.model.laws.reaction_feedback import feedback_names
from duoti.results.evaluate.observe import STATE_RATES, observe
from duoti.results.records import Reason
from duoti.system.arrays import Reals, Work, by_mass_matrix
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.flexible_arrays import elimination_pays
from duoti.system.system import System

# One force element by itself: what it alone does in a given state.


class SingleForce:
    """The force element number `f` of a system, without the others."""

    def __init__(self, system: System, f: int):
        self.system = system.with_one_force(f)
        self.work = new_workspace(self.system)

    def at(self, t: float, y: Reals) -> Work:
        """The workspace after the element alone was evaluated at t [s] in the state y.

        F_ext: wrenches (N m, N) on the bodies in their own axes; tau: generalised forces; X_WB: poses.
        """
        nq, nv = self.system.nq, self.system.nv
        self.work.y[: len(y)] = y
        force_state(self.system.tree, self.system.loads, self.work, t, y[:nq].copy(), y[nq : nq + nv].copy())
        return self.work


LOOK_AHEAD = (0.0, 0.125, 0.25, 0.5, 0.75, 1.0, 1.1)  # parts of the failing step at which forces are looked at
IMPOSSIBLE = 1e-6  # part of the accelerations of the closures that nothing can meet, above round-off and open loops
NO_INERTIA = 1e-15  # pivot, relative to the largest of its kind, that is only round-off


VANISHING = 1e-8  # part of the duration: no step that a user gives is as short
TIGHT = 1e-9  # rtol below which implicit solvers may meet the round-off of multipliers first


def owner_of(system: System, index: int, what: Literal["q", "v"]) -> tuple[ElementId, str]:
    """What a coordinate or rate belongs to, a joint or, in absolute coordinates, a body; and the body that it moves."""
    for name, layout in system.joints.items():
        if index in getattr(layout, what):
            return ElementId("joint", name), _moved(system, name)
    body = next(body for body, layout in system.virtual.items() if index in getattr(layout, what))
    return ElementId("body", body), body


def _moved(system: System, joint: str) -> str:
    """The body that a joint of the tree moves: its outboard body, whichever end the user named first."""
    element = system.model.joints[joint]
    return element.parent if system.joints[joint].reversed else element.child


def refuse_missing_inertia(system: System, work: Work) -> None:
    """Raise ModelError if nothing resists the motion of some joint in the initial state (after forward dynamics)."""
    by_body = elimination_pays(system.tree, system.flex)
    packed = system.closures.rows or (by_mass_matrix(system.tree) and not by_body)
    packed = packed or (len(work.M) > 0 and not work.D.any())  # event-driven impacts need the mass matrix in any tree
    if not packed and len(work.D) and NO_INERTIA * work.D.max() < work.D.min() < np.inf:  # as below, of the inverses
        return
    with np.errstate(divide="ignore", invalid="ignore"):
        pivots = 1.0 / (work.M[system.tree.M_row + system.tree.depth] ** 2 if packed else work.D)
    refuse_pivots(system, pivots)


def refuse_pivots(system: System, pivots: Reals) -> None:
    """The same from the pivots of the mass matrix, factorised from its last row to its first."""
    if pivots.min(initial=np.inf) > NO_INERTIA * pivots.max(initial=0.0):  # never true of undefined ones
        return
    found = Findings()
    turning = system.tree.angular == 1
    missing: list[int] = []
    for kind in (turning, ~turning):
        largest = np.max(pivots[kind & np.isfinite(pivots)], initial=0.0)
        missing += np.flatnonzero(kind & ~(pivots > NO_INERTIA * largest)).tolist()
    if missing:  # the factorisation goes inward: what is undefined follows from what is missing
        missing = [i for i in missing if np.isfinite(pivots[i])] or [max(missing)]
    for i in missing:
        owner, body = owner_of(system, int(i), "v")
        motion = "turning about" if system.tree.angular[i] else "sliding along"
        rate = f" ({system.rate_names[i]})" if system.rate_names[i] else ""
        otherwise = 'use coordinates="relative"' if owner.kind == "body" else "make the joint fixed"
        loops = system.topology.loops if system.topology else ()
        if owner.kind == "joint" and any(owner.name in loop.joints for loop in loops):
            otherwise = "choose joints that do not leave it this motion"  # a fixed one could lock the loop
        if owner.kind == "joint" and system.model.joints[owner.name].kind == "free" and system.tree.angular[i]:
            otherwise = "let it slide only: dt.Translation()"
        found.error(
            "no-inertia", (owner, ElementId("body", body)),
            f"{owner}: nothing resists {motion} its axis in the initial state{rate}",
            f'body "{body}" and what it carries have no inertia for it: its acceleration is undefined',
            f'give "{body}" an inertia about this axis (a thin rod has none), or {otherwise}',
        )  # fmt: skip
    if found.found:
        raise ModelError(found.report(system.model.name, system.model.source_locations))


def refuse_unsolved_states(system: System, work: Work, t: float) -> None:
    """Raise ModelError if the equations of algebraic states were not solved at the start, or after a jump."""
    if not len(work.algebra):
        return
    corrections = work.algebra[:, -2]  # see `states.algebraic_entry`
    if has_reaction_feedback(system) and np.any(corrections != 0.0):
        raise ValueError(unsolved_reaction(feedback_names(system.model)[int(np.argmax(corrections))], t))
    names = [name for name, mass in zip(system.state_names, system.loads.laws.state_mass, strict=True) if not mass]
    found = Findings()
    for name, last in zip(names, corrections, strict=True):
        if not last <= NEARLY_SOLVED:
            found.error(
                "unsolved-state", (who := ElementId("state", name),),
                f'{who}: no value solves its equation 0 = rate at t = {t:.6g} s, as far as Newton\'s method '
                "can tell",
                "the equation has no solution, does not depend on the state itself, or the search began too far away",
                "correct the equation, or give `initial` a value nearer to the solution",
            )  # fmt: skip
    if found.found:
        raise ModelError(found.report(system.model.name, system.model.source_locations))


def refuse_impossible_velocities(system: System, run: S.Run, work: Work) -> None:
    """Raise ModelError if no accelerations keep the loops closed in the initial state (after forward dynamics).

    G a = gamma has no solution where the rates point along no motion: in a singular position, in which the equations of
    position and rates allow more than the mechanism can do.
    """
    closures, nq, nv = system.closures, system.nq, system.nv
    a, gamma = run.K[0, nq : nq + nv], work.gamma
    limit = IMPOSSIBLE * float(np.max(np.abs(gamma), initial=0.0)) + 1e-9
    rows = np.repeat(np.arange(closures.rows), np.diff(closures.support))
    wrong = np.abs(np.bincount(rows, work.G * a[closures.support_dofs], closures.rows) - gamma)
    if not np.max(wrong, initial=0.0) > limit or not np.all(np.isfinite(wrong)):
        return
    G = dense_jacobian(closures, nv, work.G)  # perhaps it is only a constraint method that is not exact
    wrong = np.abs(G @ np.linalg.lstsq(G, gamma, rcond=1e-6)[0] - gamma)
    if np.max(wrong) <= limit:
        return
    found = Findings()
    for k, closure in enumerate(system.closure_names):
        if np.max(wrong[closures.first[k] : closures.first[k + 1]], initial=0.0) > limit:
            joints = loop_joints(system, closure)
            found.error(
                "singular-start", concerned(closure, joints),
                f"{closure} is in a singular position from which its initial velocities lead nowhere",
                f"the equations of joints {', '.join(joints)} are not independent there: they allow these rates, "
                "but no motion has them",
                "begin a little beside the singular position, or with rates of one of the motions that meet there",
            )  # fmt: skip
    raise ModelError(found.report(system.model.name, system.model.source_locations))


def explain_failure(system: System, run: S.Run, status: int) -> Reason:
    """A sentence with the time, the joint and body concerned, the likely cause and what to try."""
    t = float(run.clock[0].t)
    if status == S.JUMPS_WITHOUT_END:
        name = [*system.model.events, *["(a contact)"] * len(run.watches)][run.counts[0].stopped_by]
        text = (
            f'the jumps of event "{name}" follow one another without end at t = {t:.9g} s (as bounces of a ball that '
            "comes to rest): let the jump hold the state there, or end the run by a terminal event before"
        )
        return Reason("jumps-without-end", text)
    if has_reaction_feedback(system) and status == S.NOT_FINITE and (name := _reaction(system, run)):
        return Reason("reactions-unsolved", unsolved_reaction(name, t))
    where = _equation(system, run) if status == S.NEWTON_FAILED else state_in_words(system, int(run.counts[0].where))
    at = f" at {where}" if where else ""
    culprits = _broken_laws(system, run)
    if culprits:
        by_force = where and any(owner.kind == "force" for owner, _ in culprits)  # an event does not act on a joint
        at = f" in {' and '.join(words for _, words in culprits)}" + (f", first seen at {where}" if by_force else "")
    if status == S.NOT_FINITE:
        touching = any(element.law.rigid for element in system.model.contacts.values())
        other = "for stiff forces dt.Moreau(step, implicit=True)" if touching else "an adaptive solver"
        remedy = "" if culprits else f"; try a smaller step or {other}, and look for forces that grow without bound"
        return Reason("not-finite", f"values became infinite or undefined after t = {t:.6g} s{at}{remedy}")
    if status == S.NEWTON_FAILED:
        step, span = float(run.clock[0].h), float(run.clock[0].t_end - run.clock[0].t_begin)
        remedy = "; try a smaller step, or leave it out so that the solver chooses"
        if step < VANISHING * span:  # the solver has tried all smaller steps
            remedy = "; if loops are in a singular position there, try an explicit solver such as dt.DOPRI5()"
        remedy = "" if culprits or (step < VANISHING * span and not system.closures.rows) else remedy
        text = f"the Newton iteration did not converge after t = {t:.6g} s (step {step:.3g} s); worst{at}{remedy}"
        return Reason("no-convergence", text)
    explicit = run.counts[0].unknowns == 0
    cause = "an explicit solver (an impact, a singularity or a stiff spring)"
    if not explicit:
        cause = "this solver (an impact or a singularity)"
    rtol, rows = float(run.clock[0].rtol), system.closures.rows
    noise = ""
    if not explicit and rows and rtol < TIGHT:
        noise = (
            f": {rows} equations of loops and constraints leave round-off in the multipliers that no shorter step "
            f"reduces, and rtol={rtol:g} asks for less; try rtol={TIGHT:g}, or an explicit solver such as dt.DOP853()"
        )
    return Reason(
        "step-too-small",
        f"the step became too small at t = {t:.6g} s{at}: the motion changes too fast there for {cause}, or the "
        f"tolerances are too tight{noise}",
    )


def unsolved_reaction(name: str, t: float) -> str:
    """What to say where no reaction fits the forces that depend on it."""
    return (
        f"no value of {name} was found at t = {t:.6g} s that fits the forces that depend on it: such forces may change "
        "it by more than they are changed by it, or jump. Let them grow less with it, or more smoothly, or read it "
        "through a state with a rate (a sensor with a time constant)"
    )


def _reaction(system: System, run: S.Run) -> str:
    """The reaction that laws read, in whose place a rate is undefined; empty if there is none."""
    z = int(run.counts[0].where) - system.nq - system.nv
    name = system.state_names[z] if 0 <= z < system.nz else ""
    return name if name in feedback_names(system.model) else ""


def state_in_words(system: System, where: int) -> str:
    """To what an entry of the state belongs, in words; empty for the works."""
    nq, nv = system.nq, system.nv
    if where < nq + nv:
        name = system.coordinate_names[where] if where < nq else system.rate_names[where - nq]
        owner, body = owner_of(system, where, "q") if where < nq else owner_of(system, where - nq, "v")
        return f'{owner} (body "{body}", {name})' if name else str(owner)
    return f'state "{system.state_names[where - nq - nv]}"' if where < nq + nv + system.nz else ""


def _equation(system: System, run: S.Run) -> str:
    """The equation of an implicit step that would not converge: of a joint, of a closure, or of a state."""
    nv, rows, nz = system.nv, system.closures.rows, system.nz
    where, n = int(run.counts[0].where), int(run.counts[0].unknowns)
    if where >= n - nz > 0 and nz:
        return f'the rate of state "{system.state_names[where - (n - nz)]}"'
    if where < nv:
        return f"the motion of {state_in_words(system, system.nq + where)}"
    closure = int(np.searchsorted(system.closures.first, (where - nv) % rows, side="right")) - 1
    kind, name = system.closure_names[closure]
    return f'the closure of {"cut joint" if kind == "joint" else kind} "{name}"'


def _broken_laws(system: System, run: S.Run) -> list[tuple[ElementId, str]]:
    """Forces, states and events whose functions failed, or that give values that are not finite about the end.

    Each with the words of a message.
    """
    found: list[tuple[ElementId, str]] = []
    callbacks = system.callbacks
    for owner, error in dict(callbacks.errors).items():
        found.append((owner, f"{owner} {_raised(error)}"))
    if found:
        return found
    with callbacks.listening():  # a function by Numba that raises does not say whose it is: each is tried alone
        found = _undefined_laws(system, run)
        if len(found) == 1 and callbacks.heard:
            (owner, words), error = found[0], callbacks.heard[-1]
            callbacks.errors.append((owner, error))
            found = [(owner, f"{words} {_raised(error)}")]
    return found


def _raised(error: BaseException) -> str:
    return f"(its function raised {type(error).__name__}: {error})"


def _undefined_laws(system: System, run: S.Run) -> list[tuple[ElementId, str]]:
    """Those that give values that are not finite at or shortly after the end."""
    found: list[tuple[ElementId, str]] = []
    t, h = float(run.clock[0].t), float(run.clock[0].h)
    ahead = np.where(np.isfinite(run.K[0]), run.K[0], 0.0)
    for part in LOOK_AHEAD:
        y = run.y + part * h * ahead
        if not np.all(np.isfinite(y)):
            continue
        for f, name in enumerate(system.model.forces):
            if not _force_is_finite(system, f, t + part * h, y):
                force = ElementId("force", name)
                found.append((force, f"{force}{_limited_tables(system, force)}"))
        found += _broken_motions(system, t + part * h)
        if system.nz:
            zdot = observe(system, np.array([t + part * h]), y[None], STATE_RATES).zdot[0]
            states = [ElementId("state", system.state_names[i]) for i in np.flatnonzero(~np.isfinite(zdot))]
            found += [(state, f"the rate of {state}{_limited_tables(system, state)}") for state in states]
        found += [(event, str(event)) for event in _undefined_events(system, t + part * h, y)]
        if found:
            return found
    return found


def _limited_tables(system: System, owner: ElementId) -> str:
    """The tables without values beyond their ends that the laws of an element read, in words."""
    laws = (law for law, whose in zip(system.laws, system.law_owners, strict=True) if whose == owner and law.program)
    tables = {id(table): table for law in laws if law.program for table in law.program.tables}
    return "".join(
        f' (table "{table.name}" has values from {table.x[0]:g} to {table.x[-1]:g} only; its extrapolation may be '
        "hold, linear or repeat)"
        for table in tables.values()
        if table.extrapolation == "error"
    )


def _at_time(program: Program, t: float) -> float:
    """The value of a law of the time alone."""
    return program.evaluate(dict.fromkeys(program.inputs, t))


def _broken_motions(system: System, t: float) -> list[tuple[ElementId, str]]:
    """Constraints whose values, functions of the time, are not finite."""
    found: dict[ElementId, str] = {}
    for law, owner in zip(system.laws, system.law_owners, strict=True):
        if owner.kind == "constraint" and law.program and not np.isfinite(_at_time(law.program, t)):
            found[owner] = f"the value of {owner}{_limited_tables(system, owner)}"
    return list(found.items())


def _undefined_events(system: System, t: float, y: Reals) -> list[ElementId]:
    """Events whose functions have no value in a state."""
    if not system.model.events:
        return []
    work = new_workspace(system, ydot=True)
    work.clock[0], work.y[: len(y)] = t, y
    run_entry(work.calls[0].events, work.at[0].system)
    return [ElementId("event", name) for name, g in zip(system.model.events, work.event, strict=True) if np.isnan(g)]


def _force_is_finite(system: System, f: int, t: float, y: Reals) -> bool:
    work = SingleForce(system, f).at(t, y)
    return bool(np.all(np.isfinite(work.F_ext)) and np.all(np.isfinite(work.tau)))
