"""Lines in space with cant, from a table of curvature over arc length: railway tracks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
COLUMNS = ("arc length", "curvature", "cant", "height")
SPACING = 1.0  # m between knots, at most
BEND = 0.02  # rad between knots, at most
MOST_KNOTS = 100_000
GAUSS = np.polynomial.legendre.leggauss(6)


def checked_track(track: Any) -> tuple[tuple[float, ...], ...]:
    """Rows (arc length, curvature, cant, height) of a track; raises ValueError that says what is wrong."""
    try:
        rows: Array = np.asarray(track, dtype=float)
    except (TypeError, ValueError, OverflowError):
        rows = np.zeros((0, 0))
    if rows.ndim != 2 or len(rows) < 2 or not 2 <= rows.shape[1] <= 4 or not np.all(np.isfinite(rows)):
        raise ValueError(
            "rail: track= needs two rows or more of finite numbers [arc length, curvature, cant, height]; cant and "
            "height may be left out"
        )
    rows = np.hstack([rows, np.zeros((len(rows), 4 - rows.shape[1]))])
    if np.any(np.diff(rows[:, 0]) <= 0.0):
        entry = int(np.argmax(np.diff(rows[:, 0]) <= 0.0)) + 1
        raise ValueError(f"rail: the arc lengths of the track must increase; row {entry} does not")
    return tuple(map(tuple, rows.tolist()))


def knots_of(track: tuple[tuple[float, ...], ...]) -> Array:
    """Knots (s, x, y, z, heading, cant), close enough for a cubic spline: the heading is the integral of the curvature,
    which is linear between the rows, as of clothoids; cant and height are linear as well, rounded by the spline.
    """
    s, curvature, cant, height = np.array(track).T
    bend = np.maximum(np.abs(curvature[1:]), np.abs(curvature[:-1]))
    steps = [max(2, int(np.ceil(max(h / SPACING, h * k / BEND)))) for h, k in zip(np.diff(s), bend, strict=True)]
    if sum(steps) > MOST_KNOTS:
        raise ValueError(f"rail: the track needs {sum(steps)} knots, more than {MOST_KNOTS}; divide it")
    at = np.concatenate([np.linspace(a, b, n + 1)[:-1] for a, b, n in zip(s[:-1], s[1:], steps, strict=True)])
    at = np.append(at, s[-1])
    turned = np.concatenate([[0.0], np.cumsum(0.5 * (curvature[1:] + curvature[:-1]) * np.diff(s))])

    def heading(u: Array) -> Array:
        i = np.clip(np.searchsorted(s, u, side="right") - 1, 0, len(s) - 2)
        d = u - s[i]
        rate = (curvature[i + 1] - curvature[i]) / (s[i + 1] - s[i])
        return turned[i] + d * (curvature[i] + 0.5 * rate * d)

    half, middle = 0.5 * np.diff(at), 0.5 * (at[1:] + at[:-1])
    psi = heading(middle[:, None] + half[:, None] * GAUSS[0])
    slope = np.diff(np.interp(at, s, height)) / np.diff(at)
    level = np.sqrt(1.0 - np.clip(slope, -0.9, 0.9) ** 2)
    x = np.concatenate([[0.0], np.cumsum(level * half * (np.cos(psi) @ GAUSS[1]))])
    y = np.concatenate([[0.0], np.cumsum(level * half * (np.sin(psi) @ GAUSS[1]))])
    z = np.interp(at, s, height)
    return np.stack([at, x, y, z, heading(at), np.interp(at, s, cant)], axis=1)


def track_table(track: tuple[tuple[float, ...], ...]) -> Array:
    """Two rows for each knot: (s, x, y, z, heading, cant) and (0, their slopes over s)."""
    from scipy.interpolate import CubicSpline

    knots = knots_of(track)
    table = np.zeros((2 * len(knots), 6))
    table[::2] = knots
    clamped: Any = (
        (1, np.array([*_direction(knots[0], knots[1])])),
        (1, np.array([*_direction(knots[-1], knots[-2])])),
    )
    table[1::2, 1:4] = CubicSpline(knots[:, 0], knots[:, 1:4], bc_type=clamped)(knots[:, 0], 1)
    table[1::2, 4:] = CubicSpline(knots[:, 0], knots[:, 4:], bc_type="natural")(knots[:, 0], 1)
    return table


def _direction(end: Array, inner: Array) -> tuple[float, float, float]:
    rise = (inner[3] - end[3]) / (inner[0] - end[0])
    level = float(np.sqrt(max(1.0 - rise * rise, 0.0)))
    return level * float(np.cos(end[4])), level * float(np.sin(end[4])), float(rise)


def frame_at(table: Array, s: float) -> tuple[Array, Array]:
    """Rotation matrix (x along the track, y to the left, z upwards, turned by the cant) and place at s."""
    knots = table[::2, 0]
    i = int(np.clip(np.searchsorted(knots, s, side="right") - 1, 0, len(knots) - 2))
    a, b, da, db = table[2 * i], table[2 * i + 2], table[2 * i + 1], table[2 * i + 3]
    h = b[0] - a[0]
    u = (np.clip(s, knots[0], knots[-1]) - a[0]) / h
    w = u * u * (3.0 - 2.0 * u)
    found = (1.0 - w) * a + w * b + h * u * (1.0 - u) * ((1.0 - u) * da - u * db)
    e = 6.0 * u * (1.0 - u) / h
    slope = e * (b - a) + (1.0 - u) * (1.0 - 3.0 * u) * da + u * (3.0 * u - 2.0) * db
    forward = slope[1:4] / np.linalg.norm(slope[1:4])
    left = np.array([-forward[1], forward[0], 0.0])
    left /= np.linalg.norm(left)
    up = np.cross(forward, left)
    c, n = np.cos(found[5]), np.sin(found[5])
    R = np.stack([forward, c * left + n * up, c * up - n * left], axis=1)
    return R, found[1:4] + (s - np.clip(s, knots[0], knots[-1])) * forward
