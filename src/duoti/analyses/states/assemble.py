"""Initial assembly: positions and rates that close the loops, as near as possible to what the user gave.

Given values are held. The others follow by Gauss-Newton steps of least length, so that the branch nearest to the guess
is found; positions first, then rates.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from duoti.analyses.states.supported import as_system
from duoti.dynamics.close_loops import (
    CLOSED,
    OPEN,
    SINGULAR,
    Flags,
    LoopEquations,
    close,
    held_at_start,
    least_step,
    undeformed,
)
from duoti.model.checks.findings import Findings, Report
from duoti.model.element_id import ElementId
from duoti.model.errors import ModelError
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.strict import explained
from duoti.system.arrays import Reals, Work
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.constraint_units import amounts
from duoti.system.system import System


class NearlyClosedWarning(UserWarning):
    """Loops that no position closes exactly, because the numbers of the model are rounded; simulated as they are."""

    def __init__(self, text: str, closures: tuple[ElementId, ...] = ()):
        super().__init__(text)
        self.closures = closures


@dataclass(frozen=True)
class Assembly:
    """Coordinates and velocities that close the loops, and the largest residuals [m or rad] before and after.

    These are by the names of cut joints, and of constraints as "constraint:name".
    """

    q: Reals
    v: Reals
    before: dict[str, float]
    after: dict[str, float]


@renamed_arguments
@explained
def assemble(
    model: Model | System,
    q: Reals | None = None,
    v: Reals | None = None,
    t: float = 0.0,
    work: Work | None = None,
    held: tuple[Flags, Flags] | None = None,
) -> Assembly:
    r"""Close the loops of a system, or raise `ModelError` with the names of the joints that cannot meet.

    $$g(q, t) = 0, \qquad G\, v = -g_t$$

    Parameters
    ----------
    q, v:
        Where to begin; by default the initial values.
    t:
        Time [s].
    work:
        A workspace of the system that may be used.
    held:
        Flags of coordinates and of velocities that stay as they are; by default those that the model gives.
    """
    system = as_system(model)
    q0, v0 = system.initial_state()
    if q is not None or v is not None or held is not None:
        from duoti.analyses.states.special_cases import as_vector

        q = q if q is None else as_vector("q", q, system.nq).copy()
        v = v if v is None else as_vector("v", v, system.nv).copy()
        for flags in held or ():
            if np.shape(flags) != (system.nv,):
                raise ValueError(f"held needs {system.nv} flags for positions and as many for rates, got {held!r}")
    q, v = (q0 if q is None else q), (v0 if v is None else v)
    if not system.closures.rows:
        return Assembly(q, v, {}, {})
    held_q, held_v = held or held_at_start(system)
    loops = LoopEquations(system, t, work)
    loops.look(q, v)
    first = loops.g.copy()
    before = loops.by_link(first)
    if undefined := loops.undefined():
        raise ModelError(_undefined(system, undefined))
    start = q
    q, size = close(loops, start, v, undeformed(system, held_q))
    if system.flexible and size > CLOSED:
        q, size = close(loops, start, v, held_q)
    after = loops.by_link(loops.g)
    if size > OPEN:  # not even nearly: the loops do not close
        raise ModelError(_cannot_meet(system, loops, first))
    G, gdot = dense_jacobian(system.closures, system.nv, loops.work.G), loops.work.gdot.copy()
    step = least_step(G, gdot, undeformed(system, held_v))
    if system.flexible and np.abs(G @ step + gdot).max() > CLOSED * max(1.0, np.abs(gdot).max()):
        step = least_step(G, gdot, held_v)
    v = v + step
    loops.look(q, v)
    wrong = loops.by_link(loops.work.gdot)
    limit = max(1e-9, size) * max(1.0, float(np.max(np.abs(v), initial=0.0)))
    if max(wrong.values()) > limit:
        raise ModelError(_cannot_move(system, loops, wrong, limit))
    if size > CLOSED:
        still = {name: left for name, left in after.items() if left > CLOSED}
        listed = ", ".join(f"{name} by {amounts(system, name, loops.g, CLOSED)}" for name in still)
        text = f"loops stay open a little: {listed}; rounded numbers, or nearly a singular position"
        warnings.warn(NearlyClosedWarning(text, tuple(still)), stacklevel=3)
    return Assembly(q, v, _labelled(before), _labelled(after))


def _labelled(residuals: dict[ElementId, float]) -> dict[str, float]:
    return {name if kind == "joint" else f"{kind}:{name}": residual for (kind, name), residual in residuals.items()}


def moved_to(system: System, q: Reals, rate: int, value: float, longest: float, t: float = 0.0) -> tuple[Reals, bool]:
    """Coordinates with the one that belongs to `rate` brought from where it is to `value`, and whether it got there.

    In steps of `longest` at most [rad or m], each closed before the next, so that the mechanism stays on its branch.
    Where the loops cannot follow, it stops at the last closed position.
    """
    q = q.copy()
    k = int(system.tree.q_of_v[rate])
    steps = max(1, int(np.ceil(abs(value - q[k]) / longest)))
    if not system.closures.rows:
        q[k] = value
        return q, True
    loops, v, held = LoopEquations(system, t, None), np.zeros(system.nv), np.zeros(system.nv, dtype=bool)
    held[rate] = True
    for target in np.linspace(q[k], value, steps + 1)[1:]:
        trial = q.copy()
        trial[k] = target
        trial, left = close(loops, trial, v, held)
        if left > OPEN:
            return q, False
        q = trial
    return q, True


def loop_joints(system: System, closure: ElementId) -> tuple[str, ...]:
    """Joints of the loop that a cut joint closes, or on which a constraint works."""
    if closure.kind == "joint" and system.topology is not None:
        return tuple(
            j for j in system.topology.loops[closure.name].joints if j in system.joints
        )  # not the virtual ones
    closures, k = system.closures, system.closure_names.index(closure)
    rows = range(closures.first[k], closures.first[k + 1])
    rates = {int(i) for r in rows for i in closures.support_dofs[closures.support[r] : closures.support[r + 1]]}
    return tuple(joint for joint, layout in system.joints.items() if rates & set(layout.v.tolist()))


def concerned(closure: ElementId, joints: Iterable[str]) -> tuple[ElementId, ...]:
    """A closure and the joints that it works on, for findings."""
    return (closure, *(ElementId("joint", name) for name in joints))


def _around(system: System, closure: ElementId) -> str:
    joints = ", ".join(loop_joints(system, closure)) or "none"
    return f"around the loop {joints}" if closure.kind == "joint" else f"it works on joints {joints}"


def _undefined(system: System, closures: Iterable[ElementId]) -> Report:
    """Closures whose equations have no value where the model starts, such as a direction between two equal points."""
    found = Findings()
    for closure in closures:
        joints = loop_joints(system, closure)
        found.error(
            "undefined-equation", concerned(closure, joints), f"{closure} is not defined in the initial position",
            f"{_around(system, closure)}; its equations or their derivatives are no numbers there: a direction between "
            "points that coincide, a disc that lies flat on its plane, a root or quotient of zero",
            "begin beside this position: give q0 of a joint, or place the bodies otherwise",
        )  # fmt: skip
    return found.report(system.model.name, system.model.source_locations)


def _cannot_meet(system: System, loops: LoopEquations, first: Reals) -> Report:
    found = Findings()
    for closure, residual in loops.by_link(loops.g).items():
        if residual <= CLOSED:
            continue
        joints = loop_joints(system, closure)
        given = [j for j in joints if system.model.joints[j].q0 is not None]
        what = f"{closure} cannot be closed: {amounts(system, closure, loops.g, CLOSED)} are left"
        remedy = "correct the positions or lengths of the bodies of this loop, or begin nearer to a closed position"
        if closure.kind == "constraint":
            what = f"{closure} cannot be met: {amounts(system, closure, loops.g, CLOSED)} are left"
            remedy = "correct its numbers or the positions of the bodies, or begin nearer to a position that meets it"
        else:
            element = system.model.joints[closure.name]
            what += f' between "{element.parent}" and "{element.child}"'
        if given:
            remedy = f"the given q0 of {', '.join(given)} is held: leave one out or correct it; or " + remedy
        why = f"{_around(system, closure)}; it was {amounts(system, closure, first, CLOSED)} at the start"
        found.error("cannot-assemble", concerned(closure, joints), what, why, remedy)
    return found.report(system.model.name, system.model.source_locations)


def _stuck(system: System, G: Reals) -> list[str]:
    """Joints with a given rate that no motion has in this position: they are at a dead point."""
    _, sigma, Vt = np.linalg.svd(G)
    free = Vt[int(np.sum(sigma > SINGULAR * np.max(sigma, initial=0.0))) :]
    return [
        name
        for name, layout in system.joints.items()
        if system.model.joints[name].v0 is not None
        and len(layout.v)
        and np.max(np.abs(free[:, layout.v]), initial=0.0) < 1e-6
    ]


def _cannot_move(system: System, loops: LoopEquations, wrong: dict[ElementId, float], limit: float) -> Report:
    found, why = Findings(), ""
    remedy = "give v0 for as many joints as there are degrees of freedom; the others follow"
    if stuck := _stuck(system, loops.jacobian()):
        why = f"; {', '.join(stuck)} cannot move in this position, a dead point"
        remedy = f"give v0 to another joint than {', '.join(stuck)}, or begin a little beside this position"
    for closure, residual in wrong.items():
        if residual > limit:
            joints = loop_joints(system, closure)
            given = [j for j in joints if system.model.joints[j].v0 is not None]
            found.error(
                "inconsistent-rates",
                concerned(closure, joints),
                f"the initial velocities tear {closure} apart at "
                f"{amounts(system, closure, loops.work.gdot, limit, '/s')}",
                f"{_around(system, closure)}; v0 given for {', '.join(given) or 'no joint of it'}{why}",
                remedy,
            )
    return found.report(system.model.name, system.model.source_locations)
