"""`kinematics`: motions by the constraints alone; `coupler_curve`: the path of a point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.instant.derivatives import displace
from duoti.analyses.instant.energy_flow import energy_flow
from duoti.analyses.kinematics.motions import law_model, read_drives
from duoti.analyses.simulate.outputs import output_times
from duoti.analyses.states.assemble import loop_joints
from duoti.analyses.states.consistent import constraint_jacobian, state_of
from duoti.analyses.states.supported import as_model, refuse_reaction_feedback
from duoti.dynamics.close_loops import CLOSED, LONGEST
from duoti.dynamics.workspace import add_residual, new_workspace
from duoti.kernel import one_blas_thread, run_entry
from duoti.model.element_id import ElementId
from duoti.model.elements import Body, JointElement, Marker, name_of
from duoti.model.errors import ChannelError, ModelError, did_you_mean
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.results.records import Reason, Stats
from duoti.results.required_forces_result import DrivenResult
from duoti.strict import explained
from duoti.system.arrays import ENERGY_ACCUMULATORS, Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.compile.copy_model import own_copy
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# Positions, velocities and accelerations by the constraints alone, where these leave no freedom.
#
# At each time Newton's method closes g(q, t) = 0 from a prediction by the velocities and accelerations before; then
# G v = -dg/dt and G a = gamma. Steps between outputs are halved where the correction shows that another branch might be
# near. All solutions are by least squares: redundant equations do no harm.


ITERATIONS = 30
SINGULAR = 1e-9  # singular values below this part of the largest are none: a dead point
NEAR_DEAD = 3e-3  # below this part a minimum is reported
SMALLEST = 2.0**-20  # part of the interval between outputs below which steps are not halved
SURE = 0.2  # correction beyond this part of the predicted step, or ...
SMALL = 1e-3  # ... this [rad or m], whichever is larger, asks for smaller steps

Values = Callable[[float], Sequence[tuple[float, float, float]]]
"""Value and two derivatives of each placeholder row at a time."""


class DeadPoint(NamedTuple):
    """A position in which the motion is not determined: time [s], how near (smallest over largest singular value), the
    joints that can move there all the same, and whether the mechanism may have changed its branch in passing."""

    t: float
    nearness: float
    joints: tuple[str, ...]
    branch_change: bool


class Followed(NamedTuple):
    """Times as far as it went, q, v and a in rows, why it ended, and dead points on the way."""

    t: Reals
    q: Reals
    v: Reals
    a: Reals
    reason: Reason
    dead_points: tuple[DeadPoint, ...]


class CannotFollowError(Exception):
    """The motion cannot be followed beyond a time."""


class Follower:
    """A system whose motion is prescribed; `rows` are those whose values the caller gives as functions of the time."""

    def __init__(self, system: System, rows: Sequence[int], values: Values):
        self.system, self.rows, self._values = system, list(rows), values
        self._known: tuple[float, Sequence[tuple[float, float, float]]] = (np.nan, ())
        refuse_reaction_feedback(system, "a prescribed motion", forces_only=True)
        self.work = new_workspace(system, ydot=True)
        add_residual(self.work)

    # ---------------------------------------------------------------------------------------------------- evaluation

    def values(self, t: float) -> Sequence[tuple[float, float, float]]:
        """What the caller prescribes at a time; asked for once."""
        if self._known[0] != t:
            self._known = t, self._values(t)
        return self._known[1]

    def look(self, t: float, q: Reals, v: Reals, part: float = 1.0, origin: Reals | None = None) -> Reals:
        """Evaluate the closures; returns G. part: how far the given values have come from `origin`."""
        w, nq, nv = self.work, self.system.nq, self.system.nv
        for k, (r, (x, rate, second)) in enumerate(zip(self.rows, self.values(t), strict=True)):
            w.values[r] = x if origin is None else origin[k] + part * (x - origin[k]), rate, second
        w.y[:nq], w.y[nq : nq + nv], w.clock[0] = q, v, t
        run_entry(w.calls[0].residual, w.at[0].system)  # an entry: its arguments are packed already
        return dense_jacobian(self.system.closures, nv, w.G)

    def freedoms(self, t: float, q: Reals) -> int:
        """How many directions are not prescribed."""
        G = self.look(t, q, np.zeros(self.system.nv))
        sigma = np.linalg.svd(G, compute_uv=False)
        return self.system.nv - int(np.sum(sigma > SINGULAR * np.max(sigma, initial=1e-300)))

    def rates(self, t: float, q: Reals) -> tuple[Reals, Reals, Reals]:
        """v, a and G in a closed position."""
        zero, w, nq, nv = np.zeros(self.system.nv), self.work, self.system.nq, self.system.nv
        G = self.look(t, q, zero)
        v = np.linalg.lstsq(G, -w.gdot, rcond=SINGULAR)[0]
        limit = 1e-7 * max(1.0, float(np.max(np.abs(v), initial=0.0)))
        self.look(t, q, v)
        wrong = self._worst(np.abs(w.gdot), limit)
        if wrong:
            raise CannotFollowError(f"{wrong} cannot move at the rate that is asked: a dead point")
        w.y[:nq], w.y[nq : nq + nv], w.clock[0] = q, v, t
        run_entry(w.calls[0].ydot, w.at[0].system)
        a = np.linalg.lstsq(G, w.gamma, rcond=SINGULAR)[0]
        return v, a, G

    def close(self, t: float, q: Reals, part: float = 1.0, origin: Reals | None = None) -> tuple[Reals, Reals]:
        """The closed position near q at a time, and the way there."""
        w, zero = self.work, np.zeros(self.system.nv)
        way, best = np.zeros(self.system.nv), np.inf
        for _ in range(ITERATIONS):
            G = self.look(t, q, zero, part, origin)
            size = float(np.max(np.abs(w.g), initial=0.0))
            if size <= self.system.closures.tolerance or (size <= CLOSED and size > 0.25 * best):
                return q, way
            best = min(best, size)
            step = np.linalg.lstsq(G, -w.g, rcond=SINGULAR)[0]
            step *= min(1.0, LONGEST / max(float(np.max(np.abs(step))), 1e-300))
            q = displace(self.system, q, step)
            way = way + step
        if best <= CLOSED:
            return q, way
        raise CannotFollowError(f"{self._worst(np.abs(w.g), CLOSED) or 'it'} cannot be closed: no position meets it")

    def _worst(self, residual: Reals, limit: float) -> str:
        """The closure with the largest residual above a limit, with its joints; "" if there is none."""
        if not len(residual) or float(np.max(residual)) <= limit:
            return ""
        closures = self.system.closures
        closure: ElementId = self.system.closure_names[int(closures.equation_closure[int(np.argmax(residual))])]
        return f"{closure} (joints {', '.join(loop_joints(self.system, closure))})"

    # -------------------------------------------------------------------------------------------------------- motion

    def start(self, t: float, q: Reals) -> Reals:
        """The position at the first time, led there from q in steps, so that the mechanism stays on its branch.

        Raises ValueError if there is no way.
        """
        try:
            return self._led(t, q)
        except CannotFollowError as error:
            raise ValueError(
                f"the motion cannot begin at t = {t:.6g} s: {error}. Give initial values (q0) that are nearer to where "
                "the motion begins, and no dead point"
            ) from None

    def _led(self, t: float, q: Reals) -> Reals:
        origin = self._present(t, q)
        part, step = 0.0, 1.0
        while part < 1.0:
            step = min(step, 1.0 - part)
            try:
                trial, way = self.close(t, q, part + step, origin)
                sure = float(np.max(np.abs(way), initial=0.0)) <= 0.5
            except CannotFollowError:
                if step < SMALLEST:
                    raise
                trial, sure = q, False
            if sure or step < SMALLEST:
                q, part = trial, part + step
                step *= 2.0
            else:
                step *= 0.5
        return self.close(t, q)[0]

    def _present(self, t: float, q: Reals) -> Reals:
        """Values that the placeholder rows have in a position: the residuals with values of zero."""
        zero = np.zeros(len(self.rows))
        self.look(t, q, np.zeros(self.system.nv), 0.0, zero)
        return self.work.g[self.rows].copy()

    def follow(self, times: Reals, q: Reals) -> Followed:
        """States at all times, from a position near that at the first."""
        t0 = float(times[0])
        found: list[tuple[float, Reals, Reals, Reals]] = []
        watch = _Watch(self.system)
        reason = Reason("end-time", "end time reached")
        t = t0
        q = self.start(t0, q)
        try:
            v, a, G = self.rates(t0, q)
            watch.see(t0, G)
            found.append((t0, q, v, a))
            for end in times[1:]:
                t, q, v, a = self._advance(t, float(end), q, v, a, watch)
                found.append((t, q, v, a))
        except CannotFollowError as error:
            reason = Reason("no-convergence", f"the motion cannot be followed beyond t = {t:.6g} s: {error}")
        if not found:
            raise ValueError(f"the motion cannot begin at t = {t0:.6g} s: {reason.text.split(': ', 1)[1]}")
        each = [np.array(x) for x in zip(*found, strict=True)]
        return Followed(each[0], each[1], each[2], each[3], reason, watch.found())

    def _advance(
        self, t: float, end: float, q: Reals, v: Reals, a: Reals, watch: _Watch
    ) -> tuple[float, Reals, Reals, Reals]:
        whole = end - t
        h = whole
        while t < end:
            h = min(h, end - t)
            ahead = end if h >= end - t else t + h
            step = h * v + 0.5 * h * h * a
            try:
                trial, way = self.close(ahead, displace(self.system, q, step))
                allowed = max(SMALL, SURE * float(np.max(np.abs(step), initial=0.0)))
                sure = float(np.max(np.abs(way), initial=0.0)) <= allowed
                if not sure and h <= SMALLEST * whole:
                    raise CannotFollowError(f"it jumps by {float(np.max(np.abs(way))):.4g} rad or m")
                if sure:
                    v, a, G = self.rates(ahead, trial)
                    watch.see(ahead, G)
                    t, q = ahead, trial
                    h *= 2.0
                    continue
            except CannotFollowError:
                if h <= SMALLEST * whole:
                    raise
            h *= 0.5
        return t, q, v, a


class _Watch:
    """Looks for dead points: minima of the smallest singular value of G, and changes of the sign of its determinant."""

    def __init__(self, system: System):
        self.system = system
        self.seen: list[tuple[float, float, Reals, float]] = []
        self.rows: np.ndarray | None = None

    def see(self, t: float, G: Reals) -> None:
        """Take note of a position."""
        if self.rows is None:
            from scipy.linalg import qr

            factors: Any = qr(G.T, mode="r", pivoting=True)
            self.rows = np.sort(factors[1][: G.shape[1]])
        _, sigma, Vt = np.linalg.svd(G, full_matrices=False)
        sign = float(np.linalg.slogdet(G[self.rows])[0])
        self.seen.append((t, float(sigma[-1] / sigma[0]) if len(sigma) else 1.0, Vt[-1], sign))

    def found(self) -> tuple[DeadPoint, ...]:
        """Dead points that were passed, in the order of time."""
        points: list[DeadPoint] = []
        n = len(self.seen)
        for k, (t, nearness, direction, sign) in enumerate(self.seen):
            changed = k > 0 and sign != self.seen[k - 1][3]
            least = nearness < NEAR_DEAD and all(nearness <= self.seen[j][1] for j in (k - 1, k + 1) if 0 <= j < n)
            if changed or (least and not (k + 1 < n and self.seen[k + 1][3] != sign)):
                before = self.seen[k - 1] if changed else self.seen[k]
                part = before[1] / max(before[1] + nearness, 1e-300) if changed else 0.0
                at = before[0] + part * (t - before[0])
                points.append(DeadPoint(at, min(nearness, before[1]), self._movers(direction), changed))
        return tuple(points)

    def _movers(self, direction: Reals) -> tuple[str, ...]:
        largest = float(np.max(np.abs(direction), initial=0.0))
        return tuple(
            name
            for name, layout in self.system.joints.items()
            if len(layout.v) and float(np.max(np.abs(direction[layout.v]))) > 0.1 * largest
        )


def initial_guess(model: Model, system: System, t: float) -> Reals:
    """The model's own initial position in the coordinates of the driven system, as far as its loops close."""
    try:
        free = compile_model(model)
        q, _ = state_of(free, t=t)
    except (ModelError, ValueError):
        return system.initial_state()[0]
    made = system.initial_state()[0]
    for name, layout in system.joints.items():
        there = free.joints[name]
        if layout.closure < 0 and there.closure < 0:
            made[layout.q] = q[there.q]
    return made


METHOD = "kinematics by the constraints"


@renamed_arguments
@explained
def kinematics(
    model: Model | System,
    duration: float,
    motions: Mapping[Any, Any] | None = None,
    outputs: ArrayLike | None = None,
    *,
    t: float = 0.0,
) -> DrivenResult:
    r"""Positions, velocities and accelerations of a mechanism whose motions leave it no freedom.

    $$g(q, t) = 0, \qquad G\, v = -g_t, \qquad G\, a = \gamma$$

    Nothing is integrated. Initial values `q0` choose the branch. `r.dead_points` lists positions in which the motion
    was not determined. A motion that cannot continue ends there, with `r.ok` and `r.reason`. Reactions are those of the
    driven motion; bodies need mass only for these.

    Parameters
    ----------
    duration:
        Time to compute [s].
    motions:
        Joint → motion, as in `required_forces`; or the model has `JointMotion` or `MarkerMotion` already.
    outputs:
        Times, or the step between them [s].
    t:
        Time at the beginning [s].
    """
    model = as_model(model)
    if model.states:
        raise ValueError(
            f"first-order states ({', '.join(model.states)}) do not follow from constraints; give dt.simulate the "
            "model with its motions as constraints (dt.JointMotion)"
        )
    plan = output_times(duration, outputs, t)
    if plan is None:
        raise ValueError('outputs="steps": there are no steps; give times or a step in seconds')
    times = plan.between(0, plan.count)
    driven = law_model(model, read_drives(model, motions), times) if motions is not None else own_copy(model)
    for name in driven.joints:  # the motions hold; initial values only tell the branch
        driven.joints[name].q0 = driven.joints[name].v0 = None
    system = compile_model(driven)
    follower, start = Follower(system, [], lambda _: ()), float(times[0])
    q = follower.start(start, initial_guess(model, system, start))
    if follower.freedoms(start, q):
        free = constraint_jacobian(system, q, t=start, must_close=False).free_names
        raise ValueError(
            f"the motions leave {len(free)} freedom{'s' * (len(free) > 1)}: {', '.join(free)} can still be chosen. "
            "Give motions for these, or simulate the model (dt.simulate, dt.required_forces)"
        )
    with one_blas_thread():
        f = follower.follow(times, q)
    y = np.array([system.whole_state(*each) for each in zip(f.q, f.v, strict=True)])
    if system.lacking is None:  # with masses: the works of the drives and dampers
        flow = energy_flow(_result(system, f, y.copy()))
        for k, power in enumerate((flow.total.supplied, flow.total.dissipated)):
            y[:, k - ENERGY_ACCUMULATORS] = flow.work(power)
    return _result(system, f, y)


def _result(system: System, f: Followed, y: Reals) -> DrivenResult:
    ok = f.reason.code == "end-time"
    return DrivenResult(
        system, f.t, y, ok, f.reason, Stats(METHOD, len(f.t), 0, 0, 0.0), (), METHOD,
        status="finished" if ok else "failed", drives={}, dead_points=f.dead_points, accelerations=f.a,
    )  # fmt: skip


@dataclass(frozen=True)
class CouplerCurve:
    """The path of a point while a joint is driven.

    It holds the values of the joint [rad or m], the points [m], their velocities per unit of the joint's velocity, and
    dead points on the way.
    """

    marker: str
    joint: str
    values: Reals
    points: Reals
    tangents: Reals
    dead_points: tuple[DeadPoint, ...]
    complete: bool
    """Whether the joint went all the way."""
    reason: str

    @property
    def ok(self) -> bool:
        """The same as `complete`."""
        return self.complete

    @property
    def length(self) -> float:
        """Length of the path [m], by Simpson's rule on the tangents."""
        from scipy.integrate import simpson

        return float(abs(simpson(np.linalg.norm(self.tangents, axis=1), x=self.values)))

    def plot(self) -> Figure:
        """The path in the plane in which it extends most, with the value of the joint at some points."""
        from duoti.results.plot.analyses import plot_path

        title = f"path of {self.marker}, {self.joint} from {self.values[0]:.3g} to {self.values[-1]:.3g}"
        dead = [self.points[int(np.argmin(np.abs(self.values - p.t)))] for p in self.dead_points]
        return plot_path(title, self.points, self.values, self.joint, dead)

    def __str__(self) -> str:
        reach = np.ptp(self.points, axis=0)
        lines = [f"path of {self.marker}: {self.length:.6g} m long, {reach[0]:.4g} x {reach[1]:.4g} x {reach[2]:.4g} m"]
        if not self.complete:
            lines.append(self.reason)
        for p in self.dead_points:
            change = ", and may have changed its branch" if p.branch_change else ""
            lines.append(f"dead point at {self.joint} = {p.t:.6g}: {', '.join(p.joints)} can move there{change}")
        return "\n".join(lines)


@explained
def coupler_curve(
    model: Model | System,
    marker: Body | Marker | str,
    joint: JointElement | str,
    start: float | None = None,
    end: float | None = None,
    points: int = 361,
) -> CouplerCurve:
    r"""Path of a marker or body while one joint moves. All else must follow from the loops.

    $$r(q_d), \qquad \frac{dr}{dq_d}$$

    Parameters
    ----------
    marker:
        Marker or body.
    joint:
        Joint that is driven.
    start, end:
        Range of its coordinate [rad or m]; by default a whole turn from the initial value on.
    points:
        Number of points.
    """
    model = as_model(model)
    where, driver = name_of(marker), joint.name if isinstance(joint, JointElement) else joint
    if driver not in model.joints:
        raise ChannelError(f'there is no joint "{driver}".{did_you_mean(str(driver), model.joints)}')
    if where not in model.markers and where not in model.bodies:
        raise ChannelError(
            f'there is no marker or body "{where}".{did_you_mean(where, [*model.markers, *model.bodies])}'
        )
    given = model.joints[driver].q0
    first = float(start if start is not None else given if isinstance(given, int | float) else 0.0)
    last = first + 2.0 * np.pi if end is None else float(end)
    if points < 2 or first == last:
        raise ValueError(
            f"from {first} to {last} by {points} points: give two different values and at least two points"
        )
    size = last - first
    r = kinematics(model, abs(size), {driver: f"{first} + {np.sign(size)}*t"}, np.linspace(0, abs(size), points))
    kind = "marker" if where in model.markers else "body"
    values, sign = first + np.sign(size) * r.t, float(np.sign(size))
    dead = tuple(p._replace(t=first + sign * p.t) for p in r.dead_points)
    reason = r.reason if r.ok else r.reason.replace(f"t = {r.t[-1]:.6g} s", f"{driver} = {values[-1]:.6g}")
    position, velocity = r[f"{kind}:{where}.position"], r[f"{kind}:{where}.velocity"]
    return CouplerCurve(where, driver, values, position, sign * velocity, dead, r.ok, reason)
