"""Manoeuvres by which cars are judged, and what is measured in them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.linear.root_locus import RootLocus, root_locus
from duoti.analyses.simulate.simulate import simulate
from duoti.model.event import Event
from duoti.model.model import Model
from duoti.results.plot.plots import new_figure
from duoti.spatial.axes import is_finite_number
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.vehicle.axles import command
from duoti.vehicle.car import running
from duoti.vehicle.driver import follow_path, hold_speed
from duoti.vehicle.parts_of import CarNames, names_of_car, wheels_in_the_air

if TYPE_CHECKING:
    from matplotlib.figure import Figure

G = 9.80665
RTOL = 1e-6
UNSTEADY = 0.1  # part of the steady yaw rate by which it may change in the last tenth of a step steer


@dataclass(frozen=True, eq=False)
class Manoeuvre:
    """What a manoeuvre showed."""

    name: str
    result: Any
    """The simulation."""
    measures: Mapping[str, float]
    """Numbers by name, in SI units (`units`)."""
    units: Mapping[str, str]
    """Unit of each number."""
    ok: bool
    """Whether the simulation is to be trusted, and the manoeuvre came to its end."""
    reason: str = ""
    """Why not."""
    curves: Sequence[tuple[str, Reals, str, Reals]] = field(default_factory=list)
    """What is drawn: label and values of abscissa and ordinate."""

    def __getitem__(self, name: str) -> float:
        return self.measures[name]

    def __str__(self) -> str:
        width = max(map(len, self.measures), default=0)
        lines = [f"  {name:{width}}  {value:.5g} {self.units[name]}" for name, value in self.measures.items()]
        return "\n".join([f"{self.name}{'' if self.ok else ': ' + self.reason}", *lines])

    def plot(self) -> Figure:
        """The curves of the manoeuvre."""
        figure = new_figure(8.0, 2.5 * max(1, (len(self.curves) + 1) // 2), layout="constrained")
        axes: Any = figure.subplots((len(self.curves) + 1) // 2, 2, squeeze=False)
        for ax, (x_label, x, y_label, y) in zip(axes.flat, self.curves, strict=False):
            ax.plot(x, y)
            ax.set_xlabel(x_label)
            ax.set_ylabel(y_label)
            ax.grid(alpha=0.3)
        for ax in axes.flat[len(self.curves) :]:
            ax.remove()
        figure.suptitle(self.name)
        return figure


@dataclass(frozen=True, eq=False)
class Motion:
    """The motion of a car over time, in the axes of ISO 8855 that stay level (intermediate axes)."""

    t: Reals
    x: Reals
    y: Reals
    speed: Reals
    yaw: Reals
    yaw_rate: Reals
    sideslip: Reals
    lateral_acceleration: Reals
    longitudinal_acceleration: Reals
    roll: Reals
    pitch: Reals
    wheel_angle: Reals
    """Mean angle of the front wheels to the car, positive to the left [rad]."""
    rear_angle: Reals
    """That of the rear wheels."""


def motion_of(result: Any, names: CarNames) -> Motion:
    """The motion of a car in a result."""
    place, velocity = result[f"{names.air}.position"], result[f"{names.air}.velocity"]
    forward, left = result[f"{names.chassis}.axis_x"], result[f"{names.chassis}.axis_y"]
    acceleration = result[f"{names.air}.acceleration"]
    yaw = np.unwrap(np.arctan2(forward[:, 1], forward[:, 0]))
    c, s = np.cos(yaw), np.sin(yaw)
    along, across = c * velocity[:, 0] + s * velocity[:, 1], c * velocity[:, 1] - s * velocity[:, 0]
    angles: list[Reals] = []
    for end in ("front", "rear"):
        axes = [result[f"{hub}.axis_y"] for hub in names.hubs(end)]
        headings = [np.arctan2(-(c * a[:, 0] + s * a[:, 1]), c * a[:, 1] - s * a[:, 0]) for a in axes]
        angles.append(0.5 * (headings[0] + headings[1]))
    return Motion(
        t=result.t, x=place[:, 0], y=place[:, 1], speed=np.hypot(along, across), yaw=yaw,
        yaw_rate=result[f"{names.chassis}.angular_velocity"][:, 2],
        sideslip=np.arctan2(across, np.maximum(along, 1e-3)),
        lateral_acceleration=c * acceleration[:, 1] - s * acceleration[:, 0],
        longitudinal_acceleration=c * acceleration[:, 0] + s * acceleration[:, 1],
        roll=np.arcsin(left[:, 2]), pitch=-np.arcsin(forward[:, 2]), wheel_angle=angles[0], rear_angle=angles[1],
    )  # fmt: skip


UNITS = {
    "understeer_gradient": "rad s2/m", "understeer_gradient_deg_per_g": "deg/g", "roll_gradient": "rad s2/m",
    "sideslip_gradient": "rad s2/m", "largest_lateral_acceleration": "m/s2", "characteristic_speed": "m/s",
    "yaw_gain": "1/s", "steady_yaw_rate": "rad/s", "steady_lateral_acceleration": "m/s2", "response_time": "s",
    "peak_time": "s", "overshoot": "1", "largest_deviation": "m", "largest_yaw_rate": "rad/s", "largest_roll": "rad",
    "largest_wheel_angle": "rad", "clearance": "m", "distance": "m", "duration": "s", "mean_deceleration": "m/s2",
    "largest_deceleration": "m/s2", "largest_pitch": "rad", "rms_vertical_acceleration": "m/s2",
    "rms_pitch_acceleration": "rad/s2", "rms_roll_acceleration": "rad/s2", "largest_vertical_acceleration": "m/s2",
    "speed": "m/s",
}  # fmt: skip


def _made(name: str, result: Any, measures: dict[str, float], curves: Any, why_not: str = "") -> Manoeuvre:
    ok = bool(result.ok) and not why_not
    reason = why_not or ("" if result.ok else str(getattr(result, "reason", "") or "see the result"))
    return Manoeuvre(name, result, measures, {each: UNITS[each] for each in measures}, ok, reason, curves)


def _car_to_test(model: Model, speed: float = 1.0) -> CarNames:
    """The names of a car that something holds on the road, at a speed that makes sense."""
    names = names_of_car(model)
    faults = []
    if bare := wheels_in_the_air(model, names):
        faults.append(
            f"nothing acts between {', '.join(bare)} and a road: give car(road=dt.Road.flat()), or add forces of tyres"
        )
    if not (is_finite_number(speed) and speed > 0.0):
        faults.append(f"speed is {speed!r}; give a speed above zero [m/s]")
    if faults:
        raise ValueError("; ".join(faults))
    return names


def _steered(model: Model, names: CarNames, law: str) -> Model:
    if names.command("steer") not in model.parameters:
        raise ValueError("the car has no steering: its front axle needs a steering_ratio")
    return command(model, {names.command("steer"): law})


@explained
def steady_state_cornering(
    model: Model,
    speed: float = 25.0,
    lateral_acceleration: float = 4.0,
    handwheel_rate: float = 0.05,
    solver: Any = None,
    rtol: float = RTOL,
) -> Manoeuvre:
    r"""Turn the handwheel slowly at constant speed (ISO 4138, constant speed).

    $$\delta = \frac{l\, a_y}{v^2} + K a_y$$

    The understeer gradient $K$ is the slope between a tenth and four tenths of the given acceleration. The angle
    $\delta$ is the mean of those of the front wheels, less that of the rear wheels.

    Parameters
    ----------
    model:
        A car with tyres.
    speed:
        Speed [m/s].
    lateral_acceleration:
        Where the manoeuvre ends [m/s^2].
    handwheel_rate:
        Rate of the handwheel [rad/s].
    solver, rtol:
        As in `dt.simulate`.
    """
    names = _car_to_test(model, speed)
    made = running(_steered(hold_speed(model, speed), names, f"{handwheel_rate!r}*max(0, t - 0.5)"), speed)
    rate = f"{names.chassis}.angular_velocity.z*{names.air}.local_velocity.x"
    made.add_event("manoeuvre", Event(f"{rate} - {lateral_acceleration!r}", terminal=True))
    duration = 0.5 + 6.0 * names.steering_ratio * 0.2 / handwheel_rate
    r = simulate(made, duration, outputs=0.02, solver=solver, rtol=rtol)
    m = motion_of(r, names)
    a = m.speed * m.yaw_rate
    angle = m.wheel_angle - m.rear_angle
    part = (a > 0.1 * lateral_acceleration) & (a < 0.4 * lateral_acceleration) & (m.t > 1.0)
    measures: dict[str, float] = {}
    if np.count_nonzero(part) > 2:
        slopes = [np.polyfit(a[part], each[part], 1)[0] for each in (
            angle - names.wheelbase * a / m.speed**2, m.roll, m.sideslip)]  # fmt: skip
        K = float(slopes[0])
        measures["understeer_gradient"] = K
        measures["understeer_gradient_deg_per_g"] = math.degrees(K) * G
        measures["roll_gradient"], measures["sideslip_gradient"] = float(slopes[1]), float(slopes[2])
        if K > 0.0:
            measures["characteristic_speed"] = math.sqrt(names.wheelbase / K)
    measures["largest_lateral_acceleration"] = float(np.max(a))
    reached = measures["largest_lateral_acceleration"] > 0.999 * lateral_acceleration
    curves = [
        ("lateral acceleration [m/s²]", a, "wheel angle [deg]", np.degrees(angle)),
        ("lateral acceleration [m/s²]", a, "roll [deg]", np.degrees(m.roll)),
        ("lateral acceleration [m/s²]", a, "sideslip [deg]", np.degrees(m.sideslip)),
        ("x [m]", m.x, "y [m]", m.y),
    ]
    why = "" if reached else f"the car reaches {measures['largest_lateral_acceleration']:.3g} m/s2 only"
    return _made("steady-state cornering", r, measures, curves, why)


@explained
def step_steer(
    model: Model,
    speed: float = 25.0,
    angle: float = 0.5,
    rise_time: float = 0.1,
    duration: float = 4.0,
    solver: Any = None,
    rtol: float = RTOL,
) -> Manoeuvre:
    """Turn the handwheel quickly to an angle and hold it (ISO 7401).

    Parameters
    ----------
    model:
        A car with tyres.
    speed:
        Speed [m/s].
    angle:
        Angle of the handwheel [rad], positive to the left.
    rise_time:
        Time in which it is turned [s], from 0.5 s on.
    duration:
        Time after the start [s].
    solver, rtol:
        As in `dt.simulate`.
    """
    names = _car_to_test(model, speed)
    start = 0.5
    law = f"{angle!r}*clip((t - {start!r})/{rise_time!r}, 0, 1)"
    made = running(_steered(hold_speed(model, speed), names, law), speed)
    r = simulate(made, start + duration, outputs=0.005, solver=solver, rtol=rtol)
    m = motion_of(r, names)
    w, a = m.yaw_rate, m.speed * m.yaw_rate
    steady = float(np.mean(w[m.t > m.t[-1] - 0.1 * duration]))
    half = start + 0.5 * rise_time  # ISO 7401 counts from where the handwheel has half its angle
    spread = float(np.ptp(w[m.t > m.t[-1] - 0.1 * duration]))
    why = ""
    if spread > UNSTEADY * abs(steady) + 1e-6:
        why = f"the yaw rate is not steady at the end: it changes by {spread:.3g} rad/s, a spin or too short a duration"
    above = np.flatnonzero(np.abs(w) >= 0.9 * abs(steady))
    peak = int(np.argmax(np.abs(w)))
    bend = float(np.mean((m.wheel_angle - m.rear_angle)[m.t > m.t[-1] - 0.1 * duration]))
    measures = {
        "steady_yaw_rate": steady,
        "yaw_gain": steady / bend if bend else math.nan,
        "steady_lateral_acceleration": float(np.mean(a[m.t > m.t[-1] - 0.1 * duration])),
        "response_time": float(m.t[above[0]] - half) if len(above) else math.nan,
        "peak_time": float(m.t[peak] - half),
        "overshoot": float(np.abs(w[peak]) / abs(steady) - 1.0) if steady else math.nan,
        "largest_roll": float(np.max(np.abs(m.roll))),
    }
    return _made("step steer", r, measures, [
        ("time [s]", m.t, "yaw rate [deg/s]", np.degrees(w)),
        ("time [s]", m.t, "lateral acceleration [m/s²]", m.lateral_acceleration),
        ("time [s]", m.t, "sideslip [deg]", np.degrees(m.sideslip)),
        ("time [s]", m.t, "roll [deg]", np.degrees(m.roll)),
    ], why)  # fmt: skip


LANE_OFFSET = 3.5
"""Lateral distance of the lanes of the double lane change [m] (ISO 3888-1)."""


def lanes(width: float, start: float = 30.0) -> list[tuple[float, float, float, float]]:
    """The lanes of ISO 3888-1 for a car of this width: (begin, end, right edge, left edge) of each [m]."""
    first, second, third = 1.1 * width + 0.25, 1.2 * width + 0.25, 1.3 * width + 0.25
    right = -0.5 * first
    return [
        (start, start + 15.0, right, right + first),
        (start + 45.0, start + 70.0, right + LANE_OFFSET, right + LANE_OFFSET + second),
        (start + 95.0, start + 125.0, right, right + third),
    ]


def lane_path(width: float, start: float = 30.0) -> str:
    """A path through the middle of the lanes, an expression of x: cosines from lane to lane."""
    (_, e1, r1, l1), (b2, e2, r2, l2), (b3, _, r3, l3) = lanes(width, start)
    y1, y2, y3 = 0.5 * (r1 + l1), 0.5 * (r2 + l2), 0.5 * (r3 + l3)

    def ramp(a: float, b: float) -> str:
        return f"0.5*(1 - cos(pi*clip((x - {a!r})/{b - a!r}, 0, 1)))"

    return f"{y1!r} + {y2 - y1!r}*{ramp(e1, b2)} + {y3 - y2!r}*{ramp(e2, b3)}"


@explained
def double_lane_change(
    model: Model,
    speed: float = 22.0,
    width: float = 1.8,
    preview: float = 0.5,
    gain: float = 2.5,
    solver: Any = None,
    rtol: float = RTOL,
) -> Manoeuvre:
    """Change to the lane on the left and back (ISO 3888-1), steered by a driver that looks ahead.

    `clearance` is the smallest distance between the corners of the car and the edges of the lanes. It is negative if
    it leaves them: the manoeuvre is then not `ok`.

    Parameters
    ----------
    model:
        A car with tyres.
    speed:
        Speed [m/s].
    width:
        Width of the car, to which the lanes are fitted [m].
    preview, gain:
        Of the driver, see `follow_path`.
    solver, rtol:
        As in `dt.simulate`.
    """
    names = _car_to_test(model, speed)
    path = lane_path(width)
    made = running(follow_path(model, path, speed, preview, gain), speed)
    end = lanes(width)[-1][1] + 5.0
    made.add_event("manoeuvre", Event(f"{names.air}.position.x - {end!r}", terminal=True))
    r = simulate(made, 2.0 * end / speed, outputs=0.01, solver=solver, rtol=rtol)
    m = motion_of(r, names)
    clearance = _clearance(m, width, 0.5 * names.wheelbase + 0.8)
    wanted = np.array([_path_value(path, x) for x in m.x])
    measures = {
        "clearance": clearance,
        "largest_deviation": float(np.max(np.abs(m.y - wanted))),
        "largest_lateral_acceleration": float(np.max(np.abs(m.lateral_acceleration))),
        "largest_yaw_rate": float(np.max(np.abs(m.yaw_rate))),
        "largest_roll": float(np.max(np.abs(m.roll))),
        "largest_wheel_angle": float(np.max(np.abs(m.wheel_angle))),
        "speed": float(m.speed[-1]),
    }
    why = "" if clearance > 0.0 else f"the car leaves the lanes by {-clearance:.2f} m"
    if m.x[-1] < end - 0.1:
        why = f"the car gets to x = {m.x[-1]:.1f} m only, of {end:.0f} m"
    return _made("double lane change", r, measures, [
        ("x [m]", m.x, "y [m]", m.y),
        ("time [s]", m.t, "lateral acceleration [m/s²]", m.lateral_acceleration),
        ("time [s]", m.t, "yaw rate [deg/s]", np.degrees(m.yaw_rate)),
        ("time [s]", m.t, "wheel angle [deg]", np.degrees(m.wheel_angle)),
    ], why)  # fmt: skip


def _path_value(path: str, x: float) -> float:
    def clip(v: float, low: float, high: float) -> float:
        return min(max(v, low), high)

    return float(eval(path, {"__builtins__": {}}, {"x": x, "cos": math.cos, "pi": math.pi, "clip": clip}))


def _clearance(m: Motion, width: float, half_length: float) -> float:
    """Smallest distance of the four corners of the car from the edges of the lane in which each of them is."""
    least = math.inf
    for along in (-half_length, half_length):
        for across in (-0.5 * width, 0.5 * width):
            x = m.x + along * np.cos(m.yaw) - across * np.sin(m.yaw)
            y = m.y + along * np.sin(m.yaw) + across * np.cos(m.yaw)
            for begin, end, right, left in lanes(width):
                inside = (x >= begin) & (x <= end)
                if np.any(inside):
                    least = min(least, float(np.min(np.minimum(left - y, y - right)[inside])))
    return least


@explained
def braking(
    model: Model,
    speed: float = 27.8,
    torque: float = 4000.0,
    rise_time: float = 0.2,
    steady_time: float = 0.5,
    solver: Any = None,
    rtol: float = RTOL,
) -> Manoeuvre:
    """Brake in a straight line to walking pace, with a given torque of all brakes.

    Distance and time count from the moment at which the brakes are applied down to 1 m/s, with the rest at the mean
    deceleration added.

    Parameters
    ----------
    model:
        A car with tyres.
    speed:
        Initial speed [m/s].
    torque:
        Torque of all brakes [N m].
    rise_time:
        Time in which it rises [s].
    steady_time:
        Time before the brakes are applied [s].
    solver, rtol:
        As in `dt.simulate`.
    """
    names = _car_to_test(model, speed)
    law = f"{torque!r}*clip((t - {steady_time!r})/{rise_time!r}, 0, 1)"
    drive = f"if(t < {steady_time!r}, 5000*({speed!r} - {names.air}.local_velocity.x), 0)"
    made = running(command(model, {names.command("brake"): law, names.command("drive"): drive}), speed)
    made.add_event("manoeuvre", Event(f"{names.air}.local_velocity.x - 1", terminal=True, direction="falling"))
    r = simulate(made, steady_time + 20.0 * speed / G, outputs=0.01, solver=solver, rtol=rtol)
    m = motion_of(r, names)
    v0 = float(np.interp(steady_time, m.t, m.speed))
    time, way = float(m.t[-1]) - steady_time, float(m.x[-1] - np.interp(steady_time, m.t, m.x))
    v1 = float(m.speed[-1])
    mean = (v0 * v0 - v1 * v1) / (2.0 * way)
    measures = {
        "distance": way + 0.5 * v1 * v1 / mean,
        "duration": time + v1 / mean,
        "mean_deceleration": mean,
        "largest_deceleration": float(-np.min(m.longitudinal_acceleration)),
        "largest_pitch": float(np.max(np.abs(m.pitch))),
    }
    why = "" if v1 < 1.01 else f"the car still runs at {v1:.3g} m/s"
    return _made("braking", r, measures, [
        ("time [s]", m.t, "speed [m/s]", m.speed),
        ("time [s]", m.t, "deceleration [m/s²]", -m.longitudinal_acceleration),
        ("time [s]", m.t, "pitch [deg]", np.degrees(m.pitch)),
        ("x [m]", m.x, "speed [m/s]", m.speed),
    ], why)  # fmt: skip


@explained
def ride(
    model: Model,
    speed: float = 20.0,
    duration: float = 10.0,
    settling: float = 1.0,
    solver: Any = None,
    rtol: float = 1e-5,
) -> Manoeuvre:
    """Drive straight on over the road of the tyres at constant speed.

    Parameters
    ----------
    model:
        A car with tyres on an uneven road.
    speed:
        Speed [m/s].
    duration:
        Time [s].
    settling:
        Time at the start that does not count [s].
    solver, rtol:
        As in `dt.simulate`.
    """
    names = _car_to_test(model, speed)
    made = running(hold_speed(model, speed), speed)
    r = simulate(made, duration, outputs=0.005, solver=solver, rtol=rtol)
    m, count = motion_of(r, names), r.t >= settling
    vertical = r[f"{names.air}.acceleration"][:, 2]
    turning = r[f"{names.chassis}.angular_acceleration"]

    def rms(values: Any) -> float:
        return float(np.sqrt(np.mean(np.square(values[count]))))

    measures = {
        "rms_vertical_acceleration": rms(vertical),
        "largest_vertical_acceleration": float(np.max(np.abs(vertical[count]))),
        "rms_pitch_acceleration": rms(turning[:, 1]),
        "rms_roll_acceleration": rms(turning[:, 0]),
        "speed": float(m.speed[-1]),
    }
    return _made("ride", r, measures, [
        ("time [s]", m.t, "vertical acceleration [m/s²]", vertical),
        ("time [s]", m.t, "pitch [deg]", np.degrees(m.pitch)),
        ("time [s]", m.t, "roll [deg]", np.degrees(m.roll)),
        ("time [s]", m.t, "speed [m/s]", m.speed),
    ])  # fmt: skip


@explained
def straight_running(model: Model, speeds: ArrayLike) -> RootLocus:
    """Eigenvalues of straight running over the speed.

    The car is linearised in its design position, the wheels rolling: sideslip and yaw, steering, ride and wheel hop.
    Eigenvalues that are zero belong to the place and the heading of the car.

    Parameters
    ----------
    model:
        A car with tyres.
    speeds:
        Speeds [m/s], above zero.
    """
    import copy

    _car_to_test(model)
    values = np.asarray(speeds, dtype=float).reshape(-1)
    if not len(values) or np.any(values <= 0.0):
        raise ValueError("speeds: give speeds above zero; tyres do not roll at standstill")
    return root_locus(lambda v: running(copy.deepcopy(model), v), "speed", values, about="start")
