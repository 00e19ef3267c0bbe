"""`Trajectory`: smooth motions between points, of joints or of a tool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.strict import explained_constructors
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LONGEST = 10_000  # characters of an expression


@explained_constructors
class Trajectory:
    """A motion of one or several numbers over time: piecewise polynomials, at rest before and after.

    `tr(t)` is the value, `tr.derivative(1)` its rate. `tr[i]` is one component, as `required_forces` takes it:
    `motions={"J1": tr[0], "J2": tr[1]}`.

    Parameters
    ----------
    breaks:
        Times between the pieces [s].
    coefficients:
        Coefficients of the pieces.
    """

    def __init__(self, breaks: ArrayLike, coefficients: ArrayLike):
        """breaks [n + 1] times; coefficients [degree + 1, n, components], highest power first, of (t - break)."""
        from scipy.interpolate import PPoly

        self._poly: Any = PPoly(np.asarray(coefficients, dtype=float), np.asarray(breaks, dtype=float))
        self._order = 0

    @property
    def start(self) -> float:
        """Time at which it begins [s]."""
        return float(self._poly.x[0])

    @property
    def end(self) -> float:
        """Time at which it ends [s]."""
        return float(self._poly.x[-1])

    @property
    def duration(self) -> float:
        """How long it takes [s]."""
        return self.end - self.start

    @property
    def size(self) -> int:
        """Number of components."""
        return int(np.prod(self._poly.c.shape[2:], dtype=int))

    def __call__(self, t: ArrayLike) -> Any:
        """Value at a time or at times; a number (or a column of them) if it has one component."""
        t = np.asarray(t, dtype=float)
        values = self._poly(np.clip(t, self.start, self.end))
        if self._order:  # beyond the ends it rests
            values = np.where(((t < self.start) | (t > self.end))[..., None], 0.0, values)
        return values[..., 0] if self.size == 1 else values

    def derivative(self, order: int = 1) -> Trajectory:
        """The rate of some order."""
        made = Trajectory.__new__(Trajectory)
        made._poly, made._order = self._poly.derivative(order), self._order + order
        return made

    def __getitem__(self, component: int) -> Trajectory:
        if not -self.size <= component < self.size:
            raise IndexError(f"component {component} of a trajectory with {self.size}")
        made = Trajectory.__new__(Trajectory)
        made._poly, made._order = type(self._poly)(self._poly.c[..., [component]], self._poly.x), self._order
        return made

    def __len__(self) -> int:
        return self.size

    def then(self, other: Trajectory) -> Trajectory:
        """This one, and the other one when it has ended; the other begins where this one ends."""
        if other.size != self.size or not np.allclose(self(self.end), other(other.start), rtol=0.0, atol=1e-9):
            raise ValueError(f"the second begins at {other(other.start)}, the first ends at {self(self.end)}")
        degree = max(self._poly.c.shape[0], other._poly.c.shape[0])
        parts = [
            np.concatenate([np.zeros((degree - p.c.shape[0], *p.c.shape[1:])), p.c]) for p in (self._poly, other._poly)
        ]
        shifted = other._poly.x[1:] - other.start + self.end
        return Trajectory(np.concatenate([self._poly.x, shifted]), np.concatenate(parts, axis=1))

    # ------------------------------------------------------------------------------------------------------- kinds

    @classmethod
    def quintic(cls, start: ArrayLike, end: ArrayLike, duration: float, start_time: float = 0.0) -> Trajectory:
        """From rest to rest in a given time, with accelerations that begin and end at zero.

        s = 10 x³ - 15 x⁴ + 6 x⁵ with x = t/duration (Flash and Hogan 1985: the path of least jerk).
        """
        a, b = _points(start), _points(end)
        _positive(duration=duration)
        powers = np.array([6.0, -15.0, 10.0, 0.0, 0.0, 0.0]) / duration ** np.arange(5, -1, -1)
        c = powers[:, None, None] * (b - a)
        c[-1, 0] = a
        return cls([start_time, start_time + duration], c)

    @classmethod
    def trapezoid(
        cls, start: ArrayLike, end: ArrayLike, speed: ArrayLike, acceleration: ArrayLike, start_time: float = 0.0
    ) -> Trajectory:
        """From rest to rest with constant acceleration, speed and deceleration; all components begin and end together.

        speed, acceleration: the most that is allowed, one number or one for each component. The slowest component
        determines the time; where the way is too short, the speed is not reached (a triangle).
        """
        a, b = _points(start), _points(end)
        way = np.abs(b - a)
        most, push = np.broadcast_to(_points(speed), way.shape), np.broadcast_to(_points(acceleration), way.shape)
        if np.any(most <= 0.0) or np.any(push <= 0.0):
            raise ValueError(f"speed={speed!r}, acceleration={acceleration!r}: give positive numbers")
        with np.errstate(divide="ignore"):
            v = float(np.min(np.where(way > 0.0, most / way, np.inf)))  # of the path parameter s in 0 ... 1
            p = float(np.min(np.where(way > 0.0, push / way, np.inf)))
        if not np.isfinite(v):
            raise ValueError("start and end are the same")
        v = min(v, np.sqrt(p))
        ramp, cruise = v / p, max(0.0, 1.0 / v - v / p)
        breaks = np.cumsum([start_time, ramp, *([cruise] if cruise > 1e-12 * ramp else []), ramp])
        pieces = [(0.5 * p, 0.0, 0.0), (0.0, v, 0.5 * v * ramp), (-0.5 * p, v, 1.0 - 0.5 * v * ramp)]
        if len(breaks) == 3:
            pieces = [pieces[0], (-0.5 * p, v, 0.5)]
        c = np.array(pieces).T[:, :, None] * (b - a)
        c[-1] += a
        return cls(breaks, c)

    @classmethod
    def spline(cls, times: ArrayLike, points: ArrayLike) -> Trajectory:
        """Through points at given times, from rest to rest; accelerations are continuous (a cubic spline)."""
        from scipy.interpolate import CubicSpline

        t, x = np.asarray(times, dtype=float), np.asarray(points, dtype=float)
        x = x[:, None] if x.ndim == 1 else x
        if t.ndim != 1 or len(t) != len(x) or len(t) < 2 or np.any(np.diff(t) <= 0.0) or not np.all(np.isfinite(x)):
            raise ValueError(f"{len(t)} times and {len(x)} points: give increasing times, and a finite point for each")
        made = CubicSpline(t, x, bc_type="clamped")
        return cls(t, made.c)

    def expression(self, component: int = 0) -> str:
        """One component as an expression of the time, for motions and laws: dt.JointMotion("A", tr.expression()).

        It goes into model files with them. ValueError if it would be too long, with more than some hundred pieces.
        """
        poly = self[component]._poly
        ends = (self[component](self.start), self[component](self.end))
        pieces = [
            _horner([float(c) for c in poly.c[:, k, 0]], f"(t - {float(x)!r})") for k, x in enumerate(poly.x[:-1])
        ]
        inside = _chosen(pieces, [float(x) for x in poly.x[1:-1]])
        before, after = (repr(float(x)) for x in (ends if not self._order else (0.0, 0.0)))
        text = f"if(t < {self.start!r}, {before}, if(t < {self.end!r}, {inside}, {after}))"
        if len(text) > LONGEST:
            raise ValueError(
                f"the expression would have {len(text)} characters, of at most {LONGEST}; add points of the trajectory "
                'as a table: model.add_table(name, t, tr(t), kind="cubic")'
            )
        return text

    def plot(self, names: Sequence[str] = ()) -> Figure:
        """Values, rates and second derivatives over time."""
        from duoti.results.plot.plots import COLOURS, dress, new_figure

        figure = new_figure(8.0, 6.4)
        t = np.linspace(self.start, self.end, 501)
        for axis, order, label in zip(
            figure.subplots(3, 1, sharex=True), range(3), ("value", "rate", "second"), strict=True
        ):
            values: Reals = (self.derivative(order) if order else self)(t).reshape(len(t), -1)
            for i in range(self.size):
                name = names[i] if i < len(names) else f"[{i}]"
                axis.plot(t, values[:, i], color=COLOURS[i % len(COLOURS)], label=name, linewidth=1.4)
            dress(axis, label)
            if order == 2:
                axis.set_xlabel("t in s")
        return figure

    def __repr__(self) -> str:
        return f"<trajectory of {self.size} from {self.start:g} to {self.end:g} s>"


def _horner(coefficients: list[float], x: str) -> str:
    """A polynomial, highest power first."""
    while len(coefficients) > 1 and coefficients[0] == 0.0:
        coefficients = coefficients[1:]
    text = repr(coefficients[0])
    for c in coefficients[1:]:
        text = f"({text})*{x} + {c!r}" if c else f"({text})*{x}"
    return text


def _chosen(pieces: list[str], breaks: list[float]) -> str:
    """The piece in which t is; breaks are between the pieces."""
    if len(pieces) == 1:
        return pieces[0]
    k = len(breaks) // 2
    return f"if(t < {breaks[k]!r}, {_chosen(pieces[: k + 1], breaks[:k])}, {_chosen(pieces[k + 1 :], breaks[k + 1 :])})"


def _points(given: ArrayLike) -> Reals:
    found = np.atleast_1d(np.asarray(given, dtype=float))
    if found.ndim != 1 or not np.all(np.isfinite(found)):
        raise ValueError(f"{given!r}: give a finite number or a list of them")
    return found


def _positive(**numbers: float) -> None:
    for name, value in numbers.items():
        if not 0.0 < value < np.inf:
            raise ValueError(f"{name}={value!r}: give a positive number")
