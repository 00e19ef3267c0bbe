"""Initial assembly: positions and rates that close the loops, as near as possible to what the user gave.

Given values are held. The others follow by Gauss-Newton steps of least length, so that the branch nearest to the guess
is found; positions first, then rates.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.analyses.treatable import as_system
from duoti.dynamics.closures import closure_state
from duoti.dynamics.kinematics import position_rates
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import cold_kernel, one_blas_thread
from duoti.model.element_id import ElementId
from duoti.model.elements import given_numbers
from duoti.model.errors import ModelError
from duoti.model.findings import Findings, Report
from duoti.model.model import Model
from duoti.model.rows.dot_row import Dot
from duoti.renamed import renamed_arguments
from duoti.strict import explained
from duoti.system.arrays import Ints, Reals, Work
from duoti.system.closure_units import amounts
from duoti.system.closures import dense_jacobian
from duoti.system.system import System

Flags = NDArray[np.bool_]
ITERATIONS = 100
LONGEST = 0.5  # largest change of a coordinate in one step [rad or m]
SERIAL_BLAS_SIZE = 2000  # numbers in a matrix that no BLAS shares among threads
CLOSED = 1e-9  # residual [m or rad] up to which a loop is closed
OPEN = 1e-6  # beyond this it is open: far above what assembly and projection leave (1e-12), far below what changes a
# result that anybody looks at. In between are loops of files with rounded numbers, which no position closes better
SINGULAR = 1e-9  # directions below this part of the largest singular value are not used


class NearlyClosedWarning(UserWarning):
    """Loops that no position closes exactly, because the numbers of the model are rounded; simulated as they are."""

    def __init__(self, text: str, closures: tuple[ElementId, ...] = ()):
        super().__init__(text)
        self.closures = closures


@dataclass(frozen=True)
class Assembly:
    """Coordinates and rates that close the loops, and the largest residuals [m or rad] before and after.

    These are by the names of cut joints, and of constraints as "constraint:name".
    """

    q: Reals
    v: Reals
    before: dict[str, float]
    after: dict[str, float]


@cold_kernel("tree d1 d1 d1")
def shift(tree, q, dq, scratch):
    """q moved by dq, which counts like rates."""
    position_rates(tree, q, dq, scratch)
    for i in range(q.shape[0]):
        q[i] += scratch[i]
    for i in range(tree.quat_q.shape[0]):
        k = tree.quat_q[i]
        s = 1.0 / (q[k] ** 2 + q[k + 1] ** 2 + q[k + 2] ** 2 + q[k + 3] ** 2) ** 0.5
        for n in range(k, k + 4):
            q[n] = s * q[n]


class Loops:
    """The closures of a system in any position, ready for Gauss-Newton steps."""

    def __init__(self, system: System, t: float, work: Work | None):
        self.system, self.work, self.t = system, work or new_workspace(system), t
        self.names = system.closure_names
        first, kind = system.closures.first.tolist(), system.closures.row_kind
        axes = [number for number, each in enumerate(system.row_kinds) if each is Dot]
        rows = [np.flatnonzero(np.isin(kind[i:j], axes)) + i for i, j in pairwise(first)]
        self.turning = [(k, each) for k, each in enumerate(rows) if len(each) > 1 and self.names[k].kind == "joint"]

    def look(self, q: Reals, v: Reals) -> None:
        """Evaluate the closures; `g` and `jacobian()` are those of `work`, but for axes that are far from their place.

        An equation a . b = 0 also holds for an axis that points the wrong way. So where the axes of a cut joint make
        an angle x of more than a right angle with their place, sin x is replaced by x itself, which only vanishes where
        it should, and the row of the Jacobian, which is cos x times a direction, by the direction.
        """
        closure_state(self.work, self.t, q, v)
        self.g = self.work.g.copy()
        self.cosines: list[tuple[Ints, float]] = []
        for closure, rows in self.turning:
            R_A, R_B = (self._axes(int(m)) for m in self.system.closures.markers[closure])
            cosine = float(R_A[:, 2] @ R_B[:, 2]) if len(rows) == 2 else 0.5 * (float(np.sum(R_A * R_B)) - 1.0)
            if cosine < 0.0:
                sine = float(np.linalg.norm(self.g[rows]))
                direction = self.g[rows] / sine if sine > 1e-6 else np.eye(len(rows))[0]
                self.g[rows] = np.arctan2(sine, cosine) * direction
                self.cosines.append((rows, min(cosine, -0.1)))

    def jacobian(self) -> Reals:
        """Of `g`, where one looked last."""
        G = dense_jacobian(self.system.closures, self.system.nv, self.work.G)
        for rows, cosine in self.cosines:
            G[rows] /= cosine
        return G

    def undefined(self) -> list[ElementId]:
        """Closures whose equations or derivatives are no numbers, where one looked last."""
        sound = np.isfinite(self.g) & np.isfinite(self.jacobian()).all(axis=1)
        first = self.system.closures.first
        return [name for i, name in enumerate(self.names) if not sound[first[i] : first[i + 1]].all()]

    def _axes(self, marker: int) -> Reals:
        """Orientation of a marker in the world."""
        loads = self.system.loads
        R_WB = self.work.X_WB[loads.markers.body[marker], :9].reshape(3, 3)
        return R_WB @ loads.markers.X_BM[marker, :9].reshape(3, 3)

    def moved(self, q: Reals, dq: Reals) -> Reals:
        """q moved by dq, which counts like rates."""
        new = q.copy()
        shift(self.system.tree, new, dq, np.zeros_like(q))
        return new

    def by_link(self, residual: Reals) -> dict[ElementId, float]:
        """Largest residual of each closure."""
        first = self.system.closures.first
        return {
            closure: float(np.max(np.abs(residual[first[i] : first[i + 1]]), initial=0.0))
            for i, closure in enumerate(self.names)
        }


def held_rates(system: System, given: Mapping[str, Any], rates: bool) -> Flags:
    """Which rates belong to coordinates that are given; given: values (or, with `rates`, rates) by joint."""
    held = np.zeros(system.nv, dtype=bool)
    for name, value in given.items():
        joint, layout = system.model.joints[name].joint, system.joints[name]
        if layout.closure < 0:
            held[layout.v] = given_numbers(joint, value, rates, counted_like_rates=True)
    return held


def held_at_start(system: System) -> tuple[Flags, Flags]:
    """Which positions and rates, counted like rates, the model's initial values give."""
    joints = system.model.joints.items()
    held_q = held_rates(system, {name: element.q0 for name, element in joints}, rates=False)
    held_v = held_rates(system, {name: element.v0 for name, element in joints}, rates=True)
    for name, layout in system.flexible.items():
        body = system.model.bodies[name]
        for held, given in ((held_q, body.q0), (held_v, body.v0)):
            named = [int(mode) for mode in given] if isinstance(given, Mapping) else slice(None)
            held[layout.v[named]] = given is not None
    return held_q, held_v


def _step(G: Reals, residual: Reals, held: Flags) -> Reals:
    """Shortest change of what is not held that removes the residual to first order."""
    step = np.zeros(G.shape[1])
    with one_blas_thread() if G.size > SERIAL_BLAS_SIZE else nullcontext():
        step[~held] = np.linalg.lstsq(G[:, ~held], -residual, rcond=SINGULAR)[0]
    return step


def _undeformed(system: System, held: Flags) -> Flags:
    """The same with all modal coordinates held: joints move before bodies deform."""
    rigid = held.copy()
    for layout in system.flexible.values():
        rigid[layout.v] = True
    return rigid


def close(loops: Loops, q: Reals, v: Reals, held: Flags) -> tuple[Reals, float]:
    """Coordinates as near to q as the loops allow, by Gauss-Newton steps, and the residual that is left."""
    loops.look(q, v)
    size = float(np.max(np.abs(loops.g)))
    for _ in range(ITERATIONS):
        if size <= loops.system.closures.tolerance:
            break
        G = loops.jacobian()
        if not np.all(np.isfinite(G)):  # a position in which an equation has no derivative
            break
        step = _step(G, loops.g, held)
        step *= min(1.0, LONGEST / max(float(np.max(np.abs(step))), 1e-300))
        trial, trial_size, part = q, np.inf, 1.0
        while part > 1e-4:
            trial = loops.moved(q, part * step)
            loops.look(trial, v)
            trial_size = float(np.max(np.abs(loops.g)))
            if trial_size < size:
                break
            part *= 0.5
        if trial_size >= size:
            loops.look(q, v)
            break
        q, size = trial, trial_size
    return q, size


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
    """Close the loops of a system, or raise ModelError with the names of the joints that cannot meet.

    q, v: where to begin; the initial values by default. held: which of them stay as they are (a flag for each rate, for
    positions and for rates); by default those that the model's initial values give. work: a workspace of the system
    that may be used for it.
    """
    system = as_system(model)
    q0, v0 = system.initial_state()
    if q is not None or v is not None or held is not None:
        from duoti.analyses.instant_cases import as_vector

        q = q if q is None else as_vector("q", q, system.nq).copy()
        v = v if v is None else as_vector("v", v, system.nv).copy()
        for flags in held or ():
            if np.shape(flags) != (system.nv,):
                raise ValueError(f"held needs {system.nv} flags for positions and as many for rates, got {held!r}")
    q, v = (q0 if q is None else q), (v0 if v is None else v)
    if not system.closures.rows:
        return Assembly(q, v, {}, {})
    held_q, held_v = held or held_at_start(system)
    loops = Loops(system, t, work)
    loops.look(q, v)
    first = loops.g.copy()
    before = loops.by_link(first)
    if undefined := loops.undefined():
        raise ModelError(_undefined(system, undefined))
    start = q
    q, size = close(loops, start, v, _undeformed(system, held_q))
    if system.flexible and size > CLOSED:
        q, size = close(loops, start, v, held_q)
    after = loops.by_link(loops.g)
    if size > OPEN:  # not even nearly: the loops do not close
        raise ModelError(_cannot_meet(system, loops, first))
    G, gdot = dense_jacobian(system.closures, system.nv, loops.work.G), loops.work.gdot.copy()
    step = _step(G, gdot, _undeformed(system, held_v))
    if system.flexible and np.abs(G @ step + gdot).max() > CLOSED * max(1.0, np.abs(gdot).max()):
        step = _step(G, gdot, held_v)
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
    loops, v, held = Loops(system, t, None), np.zeros(system.nv), np.zeros(system.nv, dtype=bool)
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
    rates = {int(i) for r in rows for i in closures.support_rates[closures.support[r] : closures.support[r + 1]]}
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


def _cannot_meet(system: System, loops: Loops, first: Reals) -> Report:
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


def _cannot_move(system: System, loops: Loops, wrong: dict[ElementId, float], limit: float) -> Report:
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
                "inconsistent-rates", concerned(closure, joints),
                f"the initial rates tear {closure} apart at {amounts(system, closure, loops.work.gdot, limit, '/s')}",
                f"{_around(system, closure)}; v0 given for {', '.join(given) or 'no joint of it'}{why}", remedy,
            )  # fmt: skip
    return found.report(system.model.name, system.model.source_locations)
