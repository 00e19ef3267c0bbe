"""Profiles of surfaces of revolution and extrusions as tables of knots that kernels read.

Between two knots the curve is the polynomial of fifth degree with their heights, slopes and second derivatives, so that
curvature is continuous. An expression has its own derivatives at many knots; through points runs the cubic spline with
free ends, which such polynomials are exactly.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from duoti.model.laws.expressions import ExpressionError, Program, derivatives
from duoti.spatial import Shape
from duoti.spatial.track import track_table

Array = NDArray[np.float64]
KNOTS = 257  # of an expression
WIDTH = 6  # columns of a table of the compiled model
X, HEIGHT, SLOPE, SECOND = range(4)  # columns
VARIABLES = {"revolution": "z", "extrusion": "x", "rail": "x"}
"""Kinds of shapes with a profile, and what it is a function of."""


def profile_rows(shape: Shape) -> Array:
    """Rows (x, height, slope, second derivative, 0, 0) of a shape's profile; raises ValueError that says why not."""
    return _rows(shape.kind, shape.profile, shape.dimensions)


def table_rows(shape: Shape) -> Array:
    """All rows of a shape for kernels: of a rail, its place beside the track and the track come behind the profile."""
    rows = profile_rows(shape)
    return rows if shape.kind != "rail" else _with_track(shape)


@lru_cache(maxsize=16)
def _with_track(shape: Shape) -> Array:
    place = np.array([[shape["left"], shape["up"], 0.0, 0.0, 0.0, 0.0]])
    return np.concatenate([profile_rows(shape), place, track_table(shape.track)])


@lru_cache(maxsize=64)
def _rows(
    kind: str, profile: str | tuple[tuple[float, float], ...], dimensions: tuple[tuple[str, float], ...]
) -> Array:
    rows = _of_expression(kind, profile, dict(dimensions)) if isinstance(profile, str) else _of_points(profile)
    if not np.all(np.isfinite(rows)):
        where = rows[np.argmax(~np.all(np.isfinite(rows), axis=1)), X]
        raise ValueError(
            f"{kind}: the profile {profile!r} has no finite height, slope and curvature at {VARIABLES[kind]} = "
            f"{where:g} m; narrow its limits"
        )
    if kind == "revolution" and np.min(rows[:, HEIGHT]) <= 0.0:
        at = rows[int(np.argmin(rows[:, HEIGHT])), X]
        raise ValueError(f"revolution: the radius is not positive at z = {at:g} m; narrow the profile")
    rows.setflags(write=False)
    return rows


def _of_points(points: tuple[tuple[float, float], ...]) -> Array:
    from scipy.interpolate import CubicSpline

    x, y = np.array(points).T
    rows = np.zeros((len(x), WIDTH))
    curve = CubicSpline(x, y, bc_type="natural")
    rows[:, X], rows[:, HEIGHT], rows[:, SLOPE], rows[:, SECOND] = x, y, curve(x, 1), curve(x, 2)
    return rows


def _of_expression(kind: str, text: str, limits: dict[str, float]) -> Array:
    name = VARIABLES[kind]
    try:
        programs = derivatives(text, name, 2, known=(name,))
    except ExpressionError as error:
        raise ValueError(f"{kind}: the profile is no expression of {name}: {error}") from None
    rows = np.zeros((KNOTS, WIDTH))
    rows[:, X] = np.linspace(limits["low"], limits["high"], KNOTS)
    for column, program in zip((HEIGHT, SLOPE, SECOND), programs, strict=True):
        rows[:, column] = [_value(program, name, x) for x in rows[:, X]]
    return rows


def _value(program: Program, name: str, x: float) -> float:
    return float(program.evaluate({name: x} if program.inputs else {}))


def outline(shape: Shape, most: int = 48) -> Array:
    """Points (x, height) along the profile, for drawings."""
    rows = profile_rows(shape)
    x = np.linspace(rows[0, X], rows[-1, X], most)
    i = np.clip(np.searchsorted(rows[:, X], x, side="right") - 1, 0, len(rows) - 2)
    return np.stack([x, height_at(rows, i, x)], axis=1)


def height_at(rows: Array, i: NDArray[np.int64], x: Array) -> Array:
    """Height at x in the pieces i; the formula of `pairs.profile_kernels.curve` in NumPy."""
    h = rows[i + 1, X] - rows[i, X]
    s = (x - rows[i, X]) / h
    c0, c1, c2 = rows[i, HEIGHT], h * rows[i, SLOPE], h * h * rows[i, SECOND] / 2
    d = rows[i + 1, HEIGHT] - c0 - c1 - c2
    e = h * rows[i + 1, SLOPE] - c1 - 2 * c2
    g = h * h * rows[i + 1, SECOND] - 2 * c2
    return c0 + s * (
        c1 + s * (c2 + s * (10 * d - 4 * e + g / 2 + s * (7 * e - 15 * d - g + s * (6 * d - 3 * e + g / 2))))
    )
