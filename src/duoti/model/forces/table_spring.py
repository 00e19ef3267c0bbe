"""Nonlinear spring by a table, along the line between two points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from duoti.elements.wrenches import add_tension_tangent, apply_tension, line_between
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import MARKER_A, MARKER_B, Compiler, LineElement, number_faults

INTEGERS = (*LineElement.INTEGERS, "first", "last")
FIRST, LAST = range(2, len(INTEGERS))  # rows of its table
REALS = ("damping", "rest_length")
DAMPING, REST_LENGTH = range(len(REALS))


@helper
def _piece(tables, first, last, stretch):
    """Row of the table whose piece holds the stretch, and how far in; rows: x, c0, c1, c2, c3, potential at x."""
    i = first
    while i + 1 < last and stretch.real >= tables[i + 1, 0].real:
        i += 1
    return i, stretch - tables[i, 0]


@helper
def _table_spring(f, t, q, v, loads, w):
    integers, reals, tables = loads.forces.integers, loads.forces.reals, loads.forces.tables
    a, b, first, last = integers[f, MARKER_A], integers[f, MARKER_B], integers[f, FIRST], integers[f, LAST]
    d, rest = reals[f, DAMPING], reals[f, REST_LENGTH]
    length, speed, n, arm_a, arm_b = line_between(loads, w, a, b)
    i, s = _piece(tables, first, last, length - rest)
    c0, c1, c2, c3 = tables[i, 1], tables[i, 2], tables[i, 3], tables[i, 4]
    tension = c0 + s * (c1 + s * (c2 + s * c3))
    potential = tables[i, 5] + s * (c0 + s * (c1 / 2.0 + s * (c2 / 3.0 + s * c3 / 4.0)))
    apply_tension(loads, w, a, b, arm_a, arm_b, n, tension + d * speed)
    return potential, 0.0 * speed, d * speed * speed


@helper
def _table_spring_tangent(f, t, q, v, tree, loads, w, tan, path):
    integers, reals, tables = loads.forces.integers, loads.forces.reals, loads.forces.tables
    a, b, first, last = integers[f, MARKER_A], integers[f, MARKER_B], integers[f, FIRST], integers[f, LAST]
    d, rest = reals[f, DAMPING], reals[f, REST_LENGTH]
    length, speed, _, _, _ = line_between(loads, w, a, b)
    i, s = _piece(tables, first, last, length - rest)
    c0, c1, c2, c3 = tables[i, 1], tables[i, 2], tables[i, 3], tables[i, 4]
    tension = c0 + s * (c1 + s * (c2 + s * c3)) + d * speed
    slope = c1 + s * (2.0 * c2 + s * 3.0 * c3)
    add_tension_tangent(tree, loads, w, tan, path, a, b, tension, slope, d, np.int64(0))


class TableSpring(LineElement):
    r"""Spring with a characteristic from a table, and a damper.

    $$T = T_{\mathrm{table}}(\ell - \ell_0) + c\,\dot\ell$$

    Between the points the curve is monotone cubic without overshoot, or straight. Outside the table it continues with
    the slopes at its ends.

    Parameters
    ----------
    marker_a, marker_b:
        Ends of the spring.
    stretch:
        Increasing values of $\ell - \ell_0$.
    tension:
        Tension at each of them.
    damping:
        Damping coefficient $c$.
    rest_length:
        Length $\ell_0$ without stretch.
    smooth:
        `True`: monotone cubic curve. `False`: straight lines between the points.

    References
    ----------
    F. N. Fritsch, R. E. Carlson, Monotone piecewise cubic interpolation, SIAM Journal on Numerical Analysis 17 (1980)
    238-246.
    """

    kind = "table_spring"
    mirrored: ClassVar[Mapping[str, str]] = {"stretch": "same", "tension": "same"}
    units: ClassVar = {"damping": "N s/m"}
    INTEGERS, REALS = INTEGERS, REALS
    law = staticmethod(_table_spring)
    tangent = staticmethod(_table_spring_tangent)

    def __init__(
        self,
        marker_a: Reference,
        marker_b: Reference,
        stretch: Sequence[float],
        tension: Sequence[float],
        damping: float = 0.0,
        rest_length: float = 0.0,
        smooth: bool = True,
    ):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.stretch, self.tension = stretch, tension
        self.damping, self.rest_length, self.smooth = damping, rest_length, smooth

    def faults(self) -> list[Fault]:
        found = number_faults(positive_damping=self.damping, positive_rest_length=self.rest_length)
        x, y = np.asarray(self.stretch, dtype=float), np.asarray(self.tension, dtype=float)
        if x.ndim != 1 or x.shape != y.shape or len(x) < 2:
            text = f"the table needs as many stretches as tensions, at least two; it has {x.size} and {y.size}"
            found.append(Fault(text, "stretch"))
        elif not (np.all(np.isfinite(x)) and np.all(np.isfinite(y))):
            found.append(Fault("the table has entries that are not finite", "stretch"))
        elif np.any(np.diff(x) <= 0):
            entry = int(np.argmax(np.diff(x) <= 0)) + 1
            found.append(Fault(f"the stretches must increase; entry {entry} does not", "stretch"))
        return found

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        first, last = compiler.table(self._rows())
        return {**super().integers(compiler), "first": first, "last": last}

    def _rows(self) -> NDArray[np.float64]:
        """Rows (x, c0..c3, potential at x) of the pieces, with a straight piece at either end."""
        x, y = np.asarray(self.stretch, dtype=float), np.asarray(self.tension, dtype=float)
        width, rise = np.diff(x), np.diff(y)
        if self.smooth:
            from scipy.interpolate import PchipInterpolator

            slope = PchipInterpolator(x, y).derivative()(x)
        else:
            slope = np.append(rise / width, rise[-1] / width[-1])
        rows = np.zeros((len(x) + 1, 6))
        rows[1:, 0], rows[1:, 1], rows[1:, 2] = x, y, slope
        if self.smooth:
            rows[1:-1, 3] = (3 * rise / width - 2 * slope[:-1] - slope[1:]) / width
            rows[1:-1, 4] = (slope[:-1] + slope[1:] - 2 * rise / width) / width**2
        rows[0] = rows[1]
        rows[0, 3:] = 0.0  # before the first point: straight, expanded about the same point
        for i in range(1, len(x)):
            s = width[i - 1]
            c0, c1, c2, c3 = rows[i, 1:5]
            rows[i + 1, 5] = rows[i, 5] + s * (c0 + s * (c1 / 2 + s * (c2 / 3 + s * c3 / 4)))
        return rows
