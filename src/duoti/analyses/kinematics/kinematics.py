"""`kinematics`: motions by the constraints alone; `coupler_curve`: the path of a point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.instant.energy_flow import energy_flow
from duoti.analyses.kinematics.motions import law_model, read_drives
from duoti.analyses.kinematics.position_analysis import DeadPoint, Followed, Follower, initial_guess
from duoti.analyses.simulate.outputs import output_times
from duoti.analyses.states.consistent import constraint_jacobian
from duoti.analyses.states.supported import as_model
from duoti.kernel import one_blas_thread
from duoti.model.elements import Body, JointElement, Marker, name_of
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.results.records import Stats
from duoti.results.required_forces_result import DrivenResult
from duoti.strict import explained
from duoti.system.arrays import WORKS, Reals
from duoti.system.build.compiler import compile_model
from duoti.system.build.copy_model import own_copy
from duoti.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
    """Positions, velocities and accelerations of a mechanism whose motions leave it no freedom.

    They follow by the constraints alone; nothing is integrated: every output is found by itself, from the one before.
    motions: as in `required_forces`; or the model has them as constraints (`JointMotion`, `MarkerMotion`) already.
    Which branch of several a mechanism begins on follows from the initial values (q0) of its joints. `r.dead_points`
    lists positions in which the motion was not determined, and where the mechanism may have changed its branch; a
    motion that cannot go on ends there (`r.ok`, `r.reason`).
    Reactions are those of the driven motion, `r.multipliers(...)` the drives; bodies without mass will do for all else.
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
            y[:, k - WORKS] = flow.work(power)
    return _result(system, f, y)


def _result(system: System, f: Followed, y: Reals) -> DrivenResult:
    ok = f.reason.code == "end-time"
    return DrivenResult(
        system, f.t, y, ok, f.reason, Stats(METHOD, len(f.t), 0, 0, 0.0), (), METHOD,
        status="finished" if ok else "failed", drives={}, dead_points=f.dead_points, accelerations=f.a,
    )  # fmt: skip


@dataclass(frozen=True)
class CouplerCurve:
    """The path of a point while a joint is driven: value of the joint [rad or m], points [m] and their velocities per
    unit of the joint's rate, dead points on the way (their time is the joint's value)."""

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
    """The path of a marker or body while a joint is turned or moved from `start` to `end`.

    By default a whole turn from the joint's initial value on. All else must follow from the loops.
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
