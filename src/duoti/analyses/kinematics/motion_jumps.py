"""Jumps of prescribed motions: of a position or a velocity, either of which no finite force can bring about.

Between two times value, rate and second derivative at both ends must agree: x1 - x0 = h (v0 + v1)/2 - h² (a1 - a0)/12
and v1 - v0 = h (a0 + a1)/2, but for higher powers of h. Where they do not, the interval is halved towards the larger
difference until it is as short as numbers allow: what is left then is a jump.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from duoti.analyses.kinematics.motions import Curve, Drive, curve_of
from duoti.model.constraints.joint_motion import JointMotion
from duoti.model.constraints.marker_motion import MarkerMotion
from duoti.model.model import Model
from duoti.results.result import Result
from duoti.system.arrays import Reals

SAMPLES = 400  # intervals in which jumps are looked for, besides those of the outputs
AGREES = 1e-9  # part of the largest value, or rate, by which ends may disagree
SHORTEST = 1e-13  # part of the time at which halving ends
STEEP = 3.0  # times what accelerations before and after would change in an interval: more is a jump
SMOOTH = 100.0  # times what the rate would change in so short a time: more is a jump


class Jump(NamedTuple):
    """Time [s], "position" or "velocity", and both values."""

    t: float
    quantity: str
    before: float
    after: float


def refuse_jumps(model: Model, drives: Sequence[Drive], times: Reals) -> None:
    """ValueError if a motion, or one that the model itself prescribes, jumps: its name, the time and both values."""
    found: list[str] = []
    for drive in [*drives, *_own(model)]:
        for i, curve in enumerate(drive.curves):
            if curve is not None and (jump := first_jump(curve, times)) is not None:
                which = f'"{drive.name}"' if len(drive.curves) == 1 else f'"{drive.name}", component {i}'
                force = "force" if jump.quantity == "position" else "force (an impulse)"
                found.append(
                    f"motion of {which}: the {jump.quantity} jumps at t = {jump.t:.6g} s from {jump.before:.6g} to "
                    f"{jump.after:.6g}, which needs an infinite {force}"
                )
    if found:
        raise ValueError("; ".join(found) + ". Give a smooth motion: a table (t, x), a spline, or dt.Trajectory")


def _own(model: Model) -> list[Drive]:
    """Motions that constraints of the model prescribe as expressions of the time alone."""
    found: list[Drive] = []
    for name, constraint in model.constraints.items():
        laws = (
            [constraint.value]
            if isinstance(constraint, JointMotion)
            else constraint.position or []
            if isinstance(constraint, MarkerMotion)
            else []
        )
        for law in laws:
            if isinstance(law, str):
                with suppress(ValueError):  # it reads more than the time
                    curve, text = curve_of(model, law)
                    found.append(Drive(name, True, (curve,), (text,)))
    return found


def refuse_jumps_of_result(result: Result, v: Reals, a: Reals, names: Sequence[str]) -> None:
    """The same of rates that an event of a result, as when a joint comes to a stop, has changed between two outputs."""
    for event in result.events:
        k = int(np.searchsorted(result.t, event.t, side="right")) - 1
        if not 0 <= k < len(v) - 1:
            continue
        change, h = np.abs(v[k + 1] - v[k]), float(result.t[k + 1] - result.t[k])
        fast = float(np.max(np.abs(v[[k, k + 1]])))
        i = int(np.argmax(change))
        if change[i] > STEEP * h * np.max(np.abs(a[[k, k + 1]])) + AGREES * fast:
            raise ValueError(
                f'the velocity {names[i]} jumps at t = {event.t:.6g} s ("{event.name}") from {v[k, i]:.6g} to '
                f"{v[k + 1, i]:.6g}, which needs an infinite force (an impulse). Follow the result before or after it"
            )


def first_jump(curve: Curve, times: Reals) -> Jump | None:
    """The first jump of a motion between the first and the last of some times."""
    start, end = float(times[0]), float(times[-1])
    if end <= start:
        return None
    grid = np.unique(np.concatenate([times, np.linspace(start, end, SAMPLES + 1)]))
    seen = [curve(float(t)) for t in grid]
    values: Any = np.array(seen)
    largest = np.max(np.abs(np.where(np.isfinite(values), values, 0.0)), axis=0)
    jumps: list[Jump] = []
    for t0, t1, first, second in zip(grid[:-1], grid[1:], seen[:-1], seen[1:], strict=True):
        gaps = _disagreement(float(t1 - t0), first, second)
        for order, what in enumerate(("position", "velocity")):
            if not gaps[order] <= AGREES * (largest[order] + 1e-300):
                jump = _halved(curve, float(t0), float(t1), order, what, (start, end), largest)
                jumps += [] if jump is None else [jump]
        if jumps:
            return min(jumps, key=lambda each: (each.t, each.quantity))
    return None


def _disagreement(h: float, first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    (x0, v0, a0), (x1, v1, a1) = first, second
    return (
        abs(x1 - x0 - 0.5 * h * (v0 + v1) + h * h / 12.0 * (a1 - a0)),
        abs(v1 - v0 - 0.5 * h * (a0 + a1)),
    )


def _halved(
    curve: Curve, t0: float, t1: float, order: int, what: str, span: tuple[float, float], largest: Reals
) -> Jump | None:
    """The jump in an interval, or None if halving leaves nothing of the disagreement."""
    first, second = curve(t0), curve(t1)
    shortest = SHORTEST * max(abs(span[0]), abs(span[1]))
    while t1 - t0 > shortest:
        middle = 0.5 * (t0 + t1)
        if not t0 < middle < t1:
            break
        between = curve(middle)
        left = _disagreement(middle - t0, first, between)[order]
        right = _disagreement(t1 - middle, between, second)[order]
        if left > right or np.isnan(left):
            t1, second = middle, between
        else:
            t0, first = middle, between
        if not (left > AGREES * largest[order] or right > AGREES * largest[order] or np.isnan(left + right)):
            return None
    change = abs(second[order] - first[order])
    rate = max(abs(first[order + 1]), abs(second[order + 1]))
    if change > AGREES * largest[order] and not change <= SMOOTH * (t1 - t0) * rate:
        return Jump(t1, what, first[order], second[order])
    return None
