"""The course of a beam in the reference configuration: where its nodes are, and how its sections are turned there."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.beams.lobatto import lobatto
from duoti.model.laws.expressions import compile_expression
from duoti.spatial import axis_vector

Array = NDArray[np.float64]
Line = Callable[[float], Array]
SAMPLES = 512  # of a curve, for its length and tangents by a spline of fourth order
ALONG = 1e-6  # sine of the angle below which `up` is along the axis
SHORT = 0.5**0.5  # length of short end elements, in lengths of the others
STEEP = 0.1  # sine of the angle between axis and `up` below which `up` no longer says where z is


def line_of(centreline: Any) -> tuple[Line, Array | None]:
    """A function of 0..1, and the parameters of the points if the line is given by points.

    centreline: a function, three expressions of `s` (0..1), or points (n, 3), through which a cubic spline runs.
    """
    if callable(centreline):
        return lambda s: np.asarray(centreline(float(s)), dtype=float), None
    if isinstance(centreline, Sequence) and len(centreline) == 3 and any(isinstance(x, str) for x in centreline):
        programs = [compile_expression(x) for x in centreline]
        if unknown := sorted({name for p in programs for name in p.inputs} - {"s"}):
            raise ValueError(f"centreline: {unknown[0]!r} is unknown; its expressions are of s, from 0 to 1")
        return lambda s: np.array([p.evaluate({"s": s} if p.inputs else {}) for p in programs], dtype=float), None
    points = np.asarray(centreline, dtype=float)
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2 or not np.all(np.isfinite(points)):
        raise ValueError("centreline: give points as an array (n, 3), a function of 0..1, or three expressions of s")
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if np.any(steps == 0.0):
        raise ValueError("centreline: two neighbouring points coincide")
    at = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
    if len(points) == 2:
        return lambda s: points[0] + s * (points[1] - points[0]), at
    from scipy.interpolate import CubicSpline

    closed = bool(np.linalg.norm(points[-1] - points[0]) < 1e-9 * steps.sum())
    if closed:
        points = np.concatenate([points[:-1], points[:1]])
    spline = CubicSpline(at, points, bc_type="periodic" if closed else "not-a-knot")
    return lambda s: spline(s), at


class Course:
    """Positions and directions of a line by the part of its length, 0..1."""

    def __init__(self, centreline: Any):
        from scipy.interpolate import CubicSpline

        self.line, self.points_at = line_of(centreline)
        s = np.linspace(0.0, 1.0, SAMPLES + 1)
        points = np.array([self.line(float(x)) for x in s])
        if points.shape != (SAMPLES + 1, 3) or not np.all(np.isfinite(points)):
            raise ValueError("centreline: the function must return three finite numbers for all of 0..1")
        size = float(np.ptp(points, axis=0).max())
        if size == 0.0:
            raise ValueError("the beam has no length: its line does not leave its first point")
        self.closed = bool(np.linalg.norm(points[-1] - points[0]) < 1e-9 * size)
        if self.closed:
            points[-1] = points[0]
        smooth = self.closed and self._closes_smoothly(points)
        self.spline = CubicSpline(s, points, bc_type="periodic" if smooth else "not-a-knot")
        gauss, weights = np.polynomial.legendre.leggauss(4)
        inner = s[:-1, None] + np.diff(s)[:, None] * (gauss + 1.0) / 2.0
        speed = np.linalg.norm(self.spline(inner, 1), axis=-1)
        if np.any(speed < 1e-9 * speed.max()):
            raise ValueError("centreline: the line stops on its way; its derivative vanishes")
        self.cumulated = np.concatenate([[0.0], np.cumsum((speed * weights).sum(axis=1) * np.diff(s) / 2.0)])
        self.length = float(self.cumulated[-1])
        self.parameter = CubicSpline(self.cumulated / self.length, s)

    @staticmethod
    def _closes_smoothly(points: Array) -> bool:
        first, last = points[1] - points[0], points[-1] - points[-2]
        return float(first @ last) > 0.9 * float(np.linalg.norm(first) * np.linalg.norm(last))

    def stations_of_points(self) -> Array:
        """Parts of the length at which the given points lie."""
        assert self.points_at is not None
        s = np.linspace(0.0, 1.0, SAMPLES + 1)
        return np.interp(self.points_at, s, self.cumulated / self.length)

    def at(self, part: float) -> tuple[Array, Array]:
        """Position and unit tangent."""
        s = 0.0 if part <= 0.0 else 1.0 if part >= 1.0 else float(self.parameter(part))
        d = self.spline(s, 1)
        return self.line(s), d / np.linalg.norm(d)

    def frames(self, parts: Array, up: Any, twist: Callable[[float], float]) -> tuple[Array, Array]:
        """Positions (n, 3) and rotation matrices (n, 3, 3) with x along the line and z towards `up`.

        Where the line comes close to the direction of `up` anywhere, z is towards `up` at its start only, and is
        carried along from there without twist (parallel transport).
        """
        towards = axis_vector(up)
        fine = np.unique(np.concatenate([parts, np.linspace(0.0, 1.0, 4 * len(parts) + 1)]))
        tangents = np.array([self.at(float(x))[1] for x in fine])
        steep = np.linalg.norm(np.cross(tangents, towards), axis=1).min() < STEEP
        positions, rotations = np.zeros((len(parts), 3)), np.zeros((len(parts), 3, 3))
        z = across(tangents[0], towards)
        k = 0
        for i, part in enumerate(fine):
            x = tangents[i]
            if steep and i:
                z = _transported(tangents[i - 1], x, z)
            elif not steep:
                z = across(x, towards)
            if k < len(parts) and part == parts[k]:
                positions[k] = self.at(float(part))[0]
                y = np.cross(z, x)
                a = twist(float(part))
                c, s = np.cos(a), np.sin(a)
                rotations[k] = np.column_stack([x, c * y + s * z, c * z - s * y])
                k += 1
        return positions, rotations


def is_along(x: Array, towards: Array) -> bool:
    """Whether a direction is that of the unit vector x, or its opposite."""
    return bool(np.linalg.norm(towards - (towards @ x) * x) < ALONG)


def across(x: Array, towards: Array) -> Array:
    """The unit vector across x that is nearest to a direction, or to another one if that is along x."""
    z = towards - (towards @ x) * x
    if is_along(x, towards):
        other = np.eye(3)[int(np.argmin(np.abs(x)))]
        z = other - (other @ x) * x
    return z / np.linalg.norm(z)


def _transported(x0: Array, x1: Array, z: Array) -> Array:
    """z turned by the smallest rotation from x0 to x1."""
    axis = np.cross(x0, x1)
    turned = z + np.cross(axis, z) + np.cross(axis, np.cross(axis, z)) / (1.0 + x0 @ x1)
    return across(x1, turned)


def stations(elements: int, places: Sequence[float], short_ends: bool = False) -> Array:
    """Parts of the length at which nodes lie: equal pieces between the ends and the given places.

    short_ends: the first and the last of three or more such pieces are shorter, by SHORT (see `node_weights`).
    """
    breaks = sorted({0.0, 1.0, *map(float, places)})
    found: list[float] = [0.0]
    for a, b in itertools.pairwise(breaks):
        n = max(1, round(elements * (b - a)))
        if short_ends and n >= 3:
            h = (b - a) / (n - 2 + 2.0 * SHORT)
            found += [a + (SHORT + k) * h for k in range(n - 1)] + [b]
        else:
            found += [a + (b - a) * k / n for k in range(1, n)] + [b]
    return np.array(found)


def with_inner_nodes(boundaries: Array, order: int) -> Array:
    """Parts of the length of all nodes: the ends of elements, and for higher orders Lobatto's points between them."""
    if order == 1:
        return boundaries
    inner = 0.5 * (lobatto(order)[0] + 1.0)
    found = [a + (b - a) * inner[:-1] for a, b in itertools.pairwise(boundaries)]
    return np.concatenate([*found, boundaries[-1:]])
