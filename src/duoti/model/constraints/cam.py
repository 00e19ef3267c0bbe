"""A cam by a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.model.constraints.base import Constraint, ConstraintEquation
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement


class Cam(Constraint):
    """The coordinate of a follower is a function of that of a driver, given by a table.

    $$q_f = s(q_d)$$

    Between the points $s$ is a cubic spline with continuous second derivative and natural ends. A periodic table spans
    one period of the driver and repeats. Otherwise the curve continues straight outside the table.

    Parameters
    ----------
    driver:
        Joint that drives: its first coordinate is $q_d$.
    follower:
        Joint that follows: its first coordinate is $q_f$.
    angles:
        Increasing values of the driver's coordinate.
    lifts:
        Values of the follower's coordinate.
    periodic:
        Whether the table is one period that repeats.
    """

    kind = "cam"
    mirrored: ClassVar[Mapping[str, str]] = {"angles": "same", "lifts": "same"}

    def __init__(
        self,
        driver: JointElement | str,
        follower: JointElement | str,
        angles: Sequence[float],
        lifts: Sequence[float],
        periodic: bool = False,
    ):
        self.driver, self.follower = driver, follower
        self.angles, self.lifts, self.periodic = angles, lifts, periodic

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("cam", terms=((self.follower, 0, 1.0), (self.driver, 0, 1.0))),)

    def parameter(self) -> float:
        """The period, 0 for none."""
        return float(self.angles[-1] - self.angles[0]) if self.periodic else 0.0

    def table(self) -> Any:
        """Rows (x, c0, c1, c2, c3, -) of the pieces, with a straight piece at either end."""
        from scipy.interpolate import CubicSpline

        x, y = np.asarray(self.angles, dtype=float), np.asarray(self.lifts, dtype=float)
        spline = CubicSpline(x, y, bc_type="periodic" if self.periodic else "natural")
        rows = np.zeros((len(x) + 1, 6))
        rows[1:-1, 0] = x[:-1]
        rows[1:-1, 1:5] = spline.c[::-1].T
        rows[-1, :3] = x[-1], y[-1], spline(x[-1], 1)
        rows[0, :3] = x[0], y[0], spline(x[0], 1)
        return rows

    def faults(self) -> list[Fault]:
        try:
            x, y = np.asarray(self.angles, dtype=float), np.asarray(self.lifts, dtype=float)
        except (TypeError, ValueError, OverflowError):
            return [Fault("the table has entries that are not numbers", "angles")]
        if x.ndim != 1 or x.shape != y.shape or len(x) < 3:
            text = f"the table needs as many angles as lifts, at least three; it has {x.size} and {y.size}"
            return [Fault(text, "angles")]
        if not (np.all(np.isfinite(x)) and np.all(np.isfinite(y))):
            return [Fault("the table has entries that are not finite", "angles")]
        if np.any(np.diff(x) <= 0):
            entry = int(np.argmax(np.diff(x) <= 0)) + 1
            return [Fault(f"the angles must increase; entry {entry} does not", "angles")]
        if self.periodic and abs(y[0] - y[-1]) > 1e-12 * max(1.0, float(np.max(np.abs(y)))):
            return [Fault(f"a periodic table must end where it begins: {y[0]} and {y[-1]}", "lifts")]
        return []
