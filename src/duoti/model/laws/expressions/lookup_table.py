"""Curves through points, for expressions: a road, a torque curve, a measured motion. `road(t)` reads one.

A table becomes pieces of cubic polynomials, numbers that stand beside the constants of a program and that the kernel
`look_up` reads. Its derivatives are those of the polynomials, exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.kernel import for_kernels, overloaded
from duoti.model.element_id import Fault

DEGREES = {"linear": 1, "cubic": 3, "monotone": 3, "previous": 0}
"""The kinds of curves, and the highest derivative that is not zero everywhere."""

EXTRAPOLATIONS = ("error", "hold", "linear", "repeat")

BEYOND = 1e-9  # of the width: so far a table without a value beyond its ends goes on, for round-off of the time
FEWEST = {"previous": 1, "linear": 2, "monotone": 2, "cubic": 3}  # points
LARGEST = 1_000_000  # points


class Table:
    """A curve y(x) through points with increasing x.

    kind: "linear" (straight between the points), "cubic" (a spline whose second derivative is continuous), "monotone"
    (cubic without overshoot: Fritsch & Carlson 1980, as in SciPy's PCHIP) or "previous" (each value holds until the
    next point). extrapolation says what is beyond the ends: "error" (no value: a simulation that comes there ends with
    a message), "hold" (the values at the ends), "linear" (straight on) or "repeat" (the table is one period).

    A cubic spline has no curvature at its ends (a natural spline); with "hold" it has no slope there, with "repeat" it
    is as smooth there as everywhere. So the slopes of "cubic" and "monotone" curves never jump.
    """

    def __init__(
        self, name: str, x: Sequence[float], y: Sequence[float], kind: str = "linear", extrapolation: str = "error"
    ):
        self.name, self.x, self.y = name, x, y
        self.kind, self.extrapolation = kind, extrapolation

    @property
    def smooth(self) -> bool:
        """Whether its slope never jumps, so that it may be a motion: velocities are then finite everywhere."""
        return self.degree == 3

    @property
    def degree(self) -> int:
        """The highest derivative that is not zero everywhere."""
        return DEGREES.get(self.kind, 3)  # an unknown kind is a fault of the table, not of expressions that read it

    def faults(self) -> list[Fault]:
        """What is wrong, in words."""
        found: list[Fault] = []
        for key, value, known in (
            ("kind", self.kind, tuple(DEGREES)),
            ("extrapolation", self.extrapolation, EXTRAPOLATIONS),
        ):
            if value not in known:
                found.append(Fault(f"{key} is {value!r}; it is one of {', '.join(known)}", key))
        try:
            x, y = self._points
        except (TypeError, ValueError, OverflowError):
            return [*found, Fault("it has entries that are not numbers", "x")]
        fewest = max(FEWEST.get(str(self.kind), 2), 2 if self.extrapolation == "repeat" else 1)
        if x.ndim != 1 or x.shape != y.shape or not fewest <= len(x) <= LARGEST:
            text = f"it needs as many x as y, from {fewest} to {LARGEST} of each; it has {x.size} and {y.size}"
            found.append(Fault(text, "x"))
        elif not (np.all(np.isfinite(x)) and np.all(np.isfinite(y))):
            entry = int(np.argmin(np.isfinite(x) & np.isfinite(y)))
            found.append(Fault(f"point {entry + 1} is ({x[entry]:g}, {y[entry]:g}), which is not finite", "x"))
        elif np.any(np.diff(x) <= 0.0):
            n = int(np.argmax(np.diff(x) <= 0.0)) + 1
            found.append(Fault(f"x must increase; point {n + 1} has {x[n]:g} after {x[n - 1]:g}", "x"))
        elif self.extrapolation == "repeat" and self.kind != "previous" and y[0] != y[-1]:
            text = f"a table that repeats must end with the value with which it begins: {y[0]:g} and {y[-1]:g}"
            found.append(Fault(text, "y"))
        return found

    @property
    def _points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.asarray(self.x, dtype=float), np.asarray(self.y, dtype=float)

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """Count of pieces, period (0 for none), where each piece begins, and (x, c0, c1, c2, c3) of each.

        Piece i is c0 + c1 s + c2 s² + c3 s³ with s = x - x_i. The first and the last piece are what is beyond the ends.
        """
        x, y = self._points
        slopes, curvatures = self._derivatives(x, y)
        pieces = np.zeros((len(x) + 1, 5))
        pieces[1:, 0], pieces[1:, 1] = x, y
        width = np.diff(x)
        if self.smooth:  # cubics from the values and slopes at both ends of each piece
            secant = np.diff(y) / width
            pieces[1:-1, 2] = slopes[:-1]
            pieces[1:-1, 3] = (3.0 * secant - 2.0 * slopes[:-1] - slopes[1:]) / width
            pieces[1:-1, 4] = (slopes[:-1] + slopes[1:] - 2.0 * secant) / width**2
            if curvatures is not None:
                pieces[1:-1, 3] = 0.5 * curvatures[:-1]
                pieces[1:-1, 4] = np.diff(curvatures) / (6.0 * width)
        elif self.kind == "linear":
            pieces[1:-1, 2] = np.diff(y) / width
        pieces[0, :2] = x[0], y[0]
        starts = np.concatenate([[-np.inf], x])
        if self.extrapolation == "error":
            margin = BEYOND * (x[-1] - x[0])
            starts[1], starts[-1] = x[0] - margin, x[-1] + margin
            pieces[[0, -1], 1:] = math.nan
        elif self.extrapolation == "linear" or (self.extrapolation == "repeat" and self.kind != "previous"):
            pieces[0, 2], pieces[-1, 2] = slopes[0], slopes[-1]
        period = x[-1] - x[0] if self.extrapolation == "repeat" else 0.0
        return np.concatenate([[len(starts), period], starts, pieces.ravel()])

    def _derivatives(
        self, x: NDArray[np.float64], y: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Slopes at the points, and second derivatives of a spline."""
        if self.kind == "previous":
            return np.zeros(len(x)), None
        if self.kind == "linear":
            slopes = np.diff(y) / np.diff(x)
            return np.append(slopes, slopes[-1]), None
        from scipy.interpolate import CubicSpline, PchipInterpolator

        if self.kind == "cubic":
            ends: Any = {"hold": "clamped", "repeat": "periodic"}.get(self.extrapolation, "natural")
            spline = CubicSpline(x, y, bc_type=ends)
            return spline(x, 1), spline(x, 2)
        if self.extrapolation == "repeat":  # with one point of the neighbouring periods the end is like any other
            period = x[-1] - x[0]
            wide_x = np.concatenate([[x[-2] - period], x, [x[1] + period]])
            wide_y = np.concatenate([[y[-2]], y, [y[1]]])
            return PchipInterpolator(wide_x, wide_y).derivative()(x), None
        slopes = PchipInterpolator(x, y).derivative()(x) if len(x) > 2 else np.repeat(np.diff(y) / np.diff(x), 2)
        if self.extrapolation == "hold":
            slopes[[0, -1]] = 0.0
        return slopes, None

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        x, y = np.array(self.x, dtype=float), np.array(self.y, dtype=float)
        return Table(self.name, x, y, self.kind, self.extrapolation)  # pyright: ignore[reportArgumentType]

    def __repr__(self) -> str:
        return f"<table {self.name!r}, {self.kind}: {np.size(self.x)} points>"


# ------------------------------------------------------------------------------------------------------ in kernels


@for_kernels
def _look_up_real(order, numbers, at, x):
    """Derivative of an order from 0 to 3 of the table that begins at numbers[at], which may be complex themselves."""
    count, period = int(numbers[at].real), numbers[at + 1]
    first = at + 2
    if period.real > 0.0:
        x = x - period * float(np.floor((x - numbers[first + 1].real) / period.real))
    low, high = 0, count  # the piece is among low, ..., high - 1
    while high - low > 1:
        middle = (low + high) // 2
        if x.real >= numbers[first + middle].real:
            low = middle
        else:
            high = middle
    row = first + count + 5 * low
    s = x - numbers[row]
    c1, c2, c3 = numbers[row + 2], numbers[row + 3], numbers[row + 4]
    if order == 0:
        return numbers[row + 1] + s * (c1 + s * (c2 + s * c3))
    if order == 1:
        return c1 + s * (2.0 * c2 + s * (3.0 * c3))
    if order == 2:
        return 2.0 * c2 + s * (6.0 * c3)
    return 6.0 * c3 + 0.0 * s


@for_kernels
def _look_up_complex(order, numbers, at, x):
    a, da = float(x.real), float(x.imag)
    value = _look_up_real(order, numbers, at, a)
    if da == 0.0 or order == 3:
        return complex(value.real, value.imag)
    return complex(value.real, value.imag + _look_up_real(order + 1, numbers, at, a).real * da)


def look_up(order, numbers, at, x):
    """Value or derivative of a table at x; `numbers` has those of the table from `at` on."""
    return _look_up_complex(order, numbers, at, x) if isinstance(x, complex) else _look_up_real(order, numbers, at, x)


overloaded(
    look_up,
    lambda order, numbers, at, x: _look_up_real(order, numbers, at, x),
    _look_up_complex,
    choose=lambda order, numbers, at, x: x,
)
