"""Motions that are asked of joints and markers: what users may give, and the model that is driven by them.

A motion is a number, an expression of the time, a table (t, x), a trajectory or spline (anything that can be called
with a time and has `derivative()`), or an earlier result, whose coordinates, velocities and accelerations are followed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.model.constraints.joint_motion import JointMotion
from duoti.model.constraints.marker_motion import MarkerMotion
from duoti.model.elements import Body, JointElement, Marker
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.laws.expressions.derivative import derivatives
from duoti.model.model import Model
from duoti.results.result import Result
from duoti.spelling import with_article
from duoti.system.arrays import Reals
from duoti.system.compile.copy_model import own_copy

SPLINE = 5  # degree of the spline through a table: its second derivative is smooth
NEAR_ENDS = 12  # points that are added to a table near each of its ends, see `add_curve`

Curve = Callable[[float], tuple[float, float, float]]
"""Value, first and second derivative at a time."""


@dataclass(frozen=True)
class Drive:
    """What is prescribed: a joint, or a marker or body; curves of its coordinates, None where one is free."""

    name: str
    of_joint: bool
    curves: tuple[Curve | None, ...]
    texts: tuple[float | str | None, ...]
    """The same as laws of a model, where it is one: numbers and expressions."""

    @property
    def constraint(self) -> str:
        """Name of the constraint that prescribes it in the driven model."""
        return f"motion of {self.name}"

    @property
    def moved(self) -> list[int]:
        """Which of its coordinates are prescribed."""
        return [i for i, curve in enumerate(self.curves) if curve is not None]


def read_drives(model: Model, motions: Any) -> list[Drive]:
    """What a user gave as `motions`; ValueError or ChannelError with all that is wrong with it."""
    if not isinstance(motions, Mapping) or not motions:
        raise TypeError(f'motions={motions!r}: give a mapping such as {{"A": "0.3*sin(2*t)"}}')
    found: list[Drive] = []
    faults: list[str] = []
    for key, motion in motions.items():
        name = key.name if isinstance(key, Body | Marker | JointElement) else key
        try:
            found.append(_drive(model, name, motion))
        except (ChannelError, ValueError, TypeError) as error:
            faults.append(str(error) if isinstance(error, ChannelError) else f'motion of "{name}": {error}')
    if faults:
        raise ValueError("\n".join(faults))
    return found


def _drive(model: Model, name: str, motion: Any) -> Drive:
    if name in model.joints:
        joint = model.joints[name].joint
        plain = [not c.quaternion for c in joint.coordinates for _ in range(c.nv)]
        if not all(plain):
            raise ValueError(
                f"{with_article(joint.kind)} joint turns by a quaternion, which no motion of coordinates prescribes; "
                "prescribe markers of the bodies that it moves, or write it as a composite of hinges"
            )
        return _made(model, name, True, len(plain), motion, [f"{name}.{what}" for what in "qva"])
    if name in model.markers or name in model.bodies:
        return _made(model, name, False, 3, motion, [f"{name}.{w}" for w in ("position", "velocity", "acceleration")])
    known = [*model.joints, *model.markers, *model.bodies]
    raise ChannelError(f'there is no joint, marker or body "{name}".{did_you_mean(str(name), known)}')


def _made(model: Model, name: str, of_joint: bool, size: int, motion: Any, channels: list[str]) -> Drive:
    if isinstance(motion, Result):
        each: Sequence[Any] = _followed(motion, channels, size)
    elif size == 1:
        each = [motion[0] if _is_list(motion) and len(motion) == 1 else motion]
    elif not _is_list(motion) or len(motion) != size:
        raise ValueError(f"{motion!r}, but {size} components are needed, None for those that are free")
    else:
        each = motion
    if all(one is None for one in each):
        raise ValueError("all its components are free")
    pairs = [(None, None) if one is None else curve_of(model, one) for one in each]
    return Drive(name, of_joint, tuple(p[0] for p in pairs), tuple(p[1] for p in pairs))


def _is_list(motion: Any) -> bool:
    """A list of components, not a table (t, x)."""
    return isinstance(motion, Sequence) and not isinstance(motion, str) and not _is_table(motion)


def _is_table(motion: Any) -> bool:
    listed = isinstance(motion, Sequence | np.ndarray) and not isinstance(motion, str)
    return listed and len(motion) == 2 and all(np.ndim(column) == 1 for column in motion)


def curve_of(model: Model, motion: Any) -> tuple[Curve, float | str | None]:
    """A motion as a curve, and as a law of a model where it is one."""
    if isinstance(motion, str | int | float | np.integer | np.floating) and not isinstance(motion, bool):
        law = motion if isinstance(motion, str) else float(motion)
        value, rate, second = derivatives(law, "t", order=2, constants=model.named_values, known=("t",))
        if rough := [table.name for table in value.tables if not table.smooth]:
            raise ValueError(f'it reads the table {rough[0]!r}, whose slope jumps; give the table kind="cubic"')
        programs = [(p, bool(p.inputs)) for p in (value, rate, second)]
        return (lambda t: tuple(p.evaluate(t=t) if timed else p.value for p, timed in programs)), law  # pyright: ignore
    if _is_table(motion):
        columns: Any = motion
        return _of_spline(_spline(np.asarray(columns[0], dtype=float), np.asarray(columns[1], dtype=float))), None
    if callable(motion) and hasattr(motion, "derivative"):
        return _of_spline(motion), None
    if callable(motion):
        raise TypeError(
            f"{motion!r} is a function without derivatives; give an expression of t, a table (t, x), or a spline such "
            "as scipy.interpolate.CubicSpline(t, x)"
        )
    raise TypeError(f"{motion!r} is no motion; give a number, an expression of t, a table (t, x), a spline or a result")


def _spline(t: Reals, x: Reals) -> Any:
    if t.shape != x.shape or len(t) < 3 or not np.all(np.isfinite([t, x])) or np.any(np.diff(t) <= 0.0):
        raise ValueError("a table needs at least three increasing times, and as many finite values")
    from scipy.interpolate import CubicSpline, make_interp_spline

    return make_interp_spline(t, x, k=SPLINE) if len(t) > SPLINE else CubicSpline(t, x)


def _of_spline(spline: Any) -> Curve:
    first, second = spline.derivative(), spline.derivative(2)

    def at(t: float) -> tuple[float, float, float]:
        return float(spline(t)), float(first(t)), float(second(t))

    return at


def _followed(result: Result, channels: list[str], size: int) -> list[Any]:
    """Polynomials of fifth degree between the outputs of a result, by values, rates and accelerations at both ends."""
    from scipy.interpolate import BPoly

    t, keep = np.unique(result.t, return_index=True)
    if len(t) < 2:
        raise ValueError("a result with at least two outputs is needed")
    x, v, a = (result[channel].reshape(len(result.t), -1)[keep] for channel in channels)
    if x.shape[1] != size:
        raise ValueError(f"the result has {x.shape[1]} coordinates for it, but it has {size}")
    return [BPoly.from_derivatives(t, np.stack([x[:, i], v[:, i], a[:, i]], axis=1)) for i in range(size)]


# ------------------------------------------------------------------------------------------------------ driven models


def placeholder_model(model: Model, drives: Sequence[Drive], actuators: Sequence[tuple[str, int]]) -> Model:
    """A copy with the constraints of the motions, whose values are zero: whoever uses it writes them into the arrays.

    The actuators' coordinates are kept in the tree by torques of zero.
    """
    driven = own_copy(model)
    for drive in drives:
        _prescribe(driven, drive, [0.0 if curve else None for curve in drive.curves])
    for joint, coordinate in actuators:
        driven.add_force(free_name(driven.forces, f"drive {joint}"), JointTorque(joint, 0.0, coordinate))
    return driven


def law_model(model: Model, drives: Sequence[Drive], times: Reals) -> Model:
    """A copy with the constraints of the motions as laws of the time; splines become tables that are fine enough."""
    driven = own_copy(model)
    fine = np.unique(np.concatenate([times, np.linspace(times[0], times[-1], 2000)]))
    for drive in drives:
        laws: list[float | str | None] = []
        for i, (curve, text) in enumerate(zip(drive.curves, drive.texts, strict=True)):
            if curve is not None and text is None:
                text = add_curve(driven, f"motion_{drive.name}_{i}", fine, np.array([curve(float(t))[0] for t in fine]))
            laws.append(text)
        _prescribe(driven, drive, laws)
    return driven


def _prescribe(driven: Model, drive: Drive, laws: Sequence[float | str | None]) -> None:
    if not drive.of_joint:
        driven.add_constraint(free_name(driven.constraints, drive.constraint), MarkerMotion(drive.name, laws))
        return
    for i, law in enumerate(laws):
        if law is not None:
            name = drive.constraint if len(laws) == 1 else f"{drive.constraint}[{i}]"
            driven.add_constraint(free_name(driven.constraints, name), JointMotion(drive.name, law, i))


def free_name(taken: Container[str], name: str, before_number: str = " ") -> str:
    """The name itself, or with a number behind it if it is taken."""
    each, n = name, 1
    while each in taken:
        n += 1
        each = f"{name}{before_number}{n}"
    return each


def add_curve(model: Model, name: str, t: Reals, x: Reals) -> str:
    """Add a table through points to a model; returns the expression that reads it.

    Tables have no curvature at their ends. So that this stays without effect, points of a spline without this property
    are added, ever closer to both ends.
    """
    name = free_name(model.named_values, re.sub(r"\W", "_", name), "_")
    t, keep = np.unique(t, return_index=True)
    x = x[keep]
    if len(t) < 4:
        model.add_table(name, [*t, t[-1] + 1.0] if len(t) < 2 else list(t), [*x, x[-1]] if len(t) < 2 else list(x),
                        kind="linear", extrapolation="linear")  # fmt: skip
        return f"{name}(t)"
    from scipy.interpolate import CubicSpline

    spline = CubicSpline(t, x)
    parts = 0.5 ** np.arange(1, NEAR_ENDS + 1)
    extra = np.concatenate([t[0] + parts * (t[1] - t[0]), t[-1] - parts * (t[-1] - t[-2])])
    all_t, first = np.unique(np.concatenate([t, extra]), return_index=True)
    all_x = np.concatenate([x, spline(extra)])[first]
    model.add_table(name, all_t.tolist(), all_x.tolist(), kind="cubic", extrapolation="linear")
    return f"{name}(t)"
