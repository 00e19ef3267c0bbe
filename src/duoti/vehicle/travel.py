"""How a wheel moves with its suspension: camber, toe, track and the rate of the wheel over its travel."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.kinematics.kinematics import kinematics
from duoti.model.constraints.joint_motion import JointMotion
from duoti.model.constraints.marker_motion import MarkerMotion
from duoti.model.model import Model
from duoti.results.plot.plots import new_figure
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.vehicle.axles import SIDES, is_axle

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class SuspensionTravel:
    """The left wheel of a suspension over its vertical travel; zero is the design position."""

    travel: Reals
    """Height of the wheel centre above the design position [m]; positive in bump."""
    camber: Reals
    """Camber [rad], positive where the top of the wheel leans out."""
    toe: Reals
    """Toe [rad], positive where the front of the wheel points in."""
    track_change: Reals
    """How far the point of the road below the wheel moves out [m]."""
    wheelbase_change: Reals
    """How far the wheel centre moves forward [m]."""
    spring_length: Reals
    """Length of the spring [m]."""
    wheel_rate: Reals
    """Vertical force on the wheel per travel that the spring gives [N/m]."""
    wheel_force: Reals
    """Vertical force on the wheel that balances the spring [N]."""
    half_track: float
    """Distance of the wheel from the middle of the car [m]; nan for a corner alone."""
    result: Any
    """The motion, for the viewer."""

    @property
    def motion_ratio(self) -> Reals:
        """Compression of the spring per travel of the wheel."""
        return -np.gradient(self.spring_length, self.travel, edge_order=2)

    @property
    def roll_centre(self) -> Reals:
        """Height of the roll centre above the road [m], of a symmetric axle; nan for a corner alone."""
        slope = np.gradient(self.track_change, self.travel, edge_order=2)
        return self.half_track * slope

    def at(self, travel: float, what: str) -> float:
        """A curve at a travel [m], such as at(0.0, "wheel_rate")."""
        return float(np.interp(travel, self.travel, getattr(self, what)))

    def plot(self) -> Figure:
        """Camber, toe, track and wheel rate."""
        figure = new_figure(8.0, 5.0, layout="constrained")
        axes: Any = figure.subplots(2, 2, sharex=True)
        drawn = (
            ("camber [deg]", np.degrees(self.camber)), ("toe-in [deg]", np.degrees(self.toe)),
            ("track change [mm]", 1e3 * self.track_change), ("wheel rate [N/mm]", 1e-3 * self.wheel_rate),
        )  # fmt: skip
        for ax, (label, values) in zip(axes.flat, drawn, strict=True):
            ax.plot(1e3 * self.travel, values)
            ax.set_ylabel(label)
            ax.grid(alpha=0.3)
        for ax in axes[1]:
            ax.set_xlabel("wheel travel [mm]")
        return figure


@explained
def suspension_travel(
    suspension: Model, bump: float = 0.08, rebound: float = 0.08, points: int = 81
) -> SuspensionTravel:
    """Move a wheel up and down: camber, toe, track change, spring and wheel rate.

    Parameters
    ----------
    suspension:
        A corner, or an axle, whose wheels then move together; the handwheel is held straight ahead.
    bump, rebound:
        Travel upwards and downwards [m].
    points:
        Number of positions.
    """
    bench = copy.deepcopy(suspension)
    both = is_axle(bench)
    prefix = "left." if both else ""
    for side in (f"{s}." for s in SIDES) if both else ("",):
        hub = f"{side}hub"
        x0 = float(_design(bench, hub)[2])
        height = f"{x0 - rebound!r} + {bump + rebound!r}*t"
        bench.add_constraint(f"{side}travel", MarkerMotion(hub, (None, None, height)))
        bench.add_constraint(f"{side}held", JointMotion(f"{side}bearing", 0.0))
    _hold_straight(bench)
    r = kinematics(bench, 1.0, outputs=1.0 / (points - 1))
    if not r.ok:
        raise ValueError(f"the suspension cannot move so far: {r.reason}")
    start, contact = _design(bench, f"{prefix}hub"), _design(bench, f"{prefix}contact")
    spring: Any = bench.forces[f"{prefix}spring"]
    hub, axis = r[f"{prefix}hub.position"], r[f"{prefix}hub.axis_y"]
    travel = hub[:, 2] - start[2]
    top, foot = (r[f"{getattr(end, 'name', end)!s}.position"] for end in (spring.marker_a, spring.marker_b))
    length = np.linalg.norm(top - foot, axis=1)
    force = -spring.stiffness * (spring.rest_length - length) * np.gradient(length, travel, edge_order=2)
    return SuspensionTravel(
        travel=travel,
        camber=-np.arcsin(axis[:, 2]),
        toe=np.arctan2(axis[:, 0], axis[:, 1]),
        track_change=r[f"{prefix}contact.position"][:, 1] - contact[1],
        wheelbase_change=hub[:, 0] - start[0],
        spring_length=length,
        wheel_rate=np.gradient(force, travel, edge_order=2),
        wheel_force=force,
        half_track=float(start[1]) if both else float("nan"),
        result=r,
    )


@explained
def roll_stiffness(suspension: Model, angle: float = 0.01) -> float:
    r"""Roll stiffness of an axle [N m/rad], of its springs and its anti-roll bar, in the design position.

    $$K = \frac{d^2 U}{d \varphi^2}$$

    One wheel is moved up and the other down, on a chassis that is held, while the energy $U$ of springs and bars is
    measured. The tyres are not part of it.

    Parameters
    ----------
    suspension:
        An axle. Load its springs first where this matters (`car` does).
    angle:
        Largest roll angle [rad].
    """
    if not is_axle(suspension):
        raise ValueError("roll_stiffness needs an axle: dt.vehicle.axle(corner)")
    bench = copy.deepcopy(suspension)
    track = float(np.linalg.norm(_design(bench, "left.hub") - _design(bench, "right.hub")))
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        height = f"{float(_design(bench, f'{side}.hub')[2])!r} + {sign * 0.5 * track * math.sin(angle)!r}*(t - 1)"
        bench.add_constraint(f"{side}.travel", MarkerMotion(f"{side}.hub", (None, None, height)))
        bench.add_constraint(f"{side}.held", JointMotion(f"{side}.bearing", 0.0))
    _hold_straight(bench)
    r = kinematics(bench, 2.0, outputs=0.1)
    if not r.ok:
        raise ValueError(f"the axle cannot roll so far: {r.reason}")
    energy = sum(r[f"force:{name}.energy"] for name in bench.forces)
    tilt = np.arcsin((r["left.hub.position"] - r["right.hub.position"])[:, 2] / track)
    return 2.0 * float(np.polyfit(tilt, energy, 4)[2])


def _hold_straight(bench: Model) -> None:
    if "rack" in bench.joints:
        bench.add_constraint("straight", JointMotion("rack", 0.0))
        del bench.forces["steering"]


def _design(model: Model, marker: str) -> Any:
    """Place of a marker in the design position."""
    m = model.markers[marker]
    body = str(getattr(m.body, "name", m.body))
    return (model.bodies[body].pose @ m.pose).position if body in model.bodies else m.pose.position
