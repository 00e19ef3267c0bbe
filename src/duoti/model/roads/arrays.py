"""The numbers of a road that kernels read (`duoti.elements.roads`): nodes with slopes, bins, cells of the plane."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
INTERPOLATIONS = ("cubic", "monotone", "linear")
OUTSIDE = ("keep", "repeat", "straight", "zero")
FLAT, GRID, CURVED = range(3)
EVEN = 1e-9  # part of a distance up to which distances are equal
MOST_CELLS = 200_000
INTEGERS = (
    "scratch", "numbers", "lists", "kind", "smooth", "nodes_u", "nodes_v", "bins_u", "bins_v", "outside_u", "outside_v",
    "friction_grid", "line", "closed", "cells_x", "cells_y",
)  # fmt: skip
NUMBERS = ("height", "friction", "x", "y", "cos", "sin", "per_u", "per_v", "cell_x", "cell_y", "per_cell")


@dataclass(frozen=True)
class Line:
    """The reference line of a curved road: stations u [m], places x, y [m] and tangents dx/du, dy/du."""

    u: Array
    x: Array
    y: Array
    dx: Array
    dy: Array
    closed: bool = False


@dataclass(frozen=True)
class Grid:
    """Heights over u and v, and what is around them.

    u: increasing places along the road; v: across; z: heights [u, v]; friction: a number or an array of this shape.
    start: (x, y, heading) of u = v = 0, without a reference line.
    """

    u: Array
    v: Array
    z: Array
    friction: float | Array = 1.0
    interpolation: str = "cubic"
    outside_u: str = "keep"
    outside_v: str = "keep"
    start: tuple[float, float, float] = (0.0, 0.0, 0.0)
    line: Line | None = None
    v_linear: bool = field(default=False)


def flat_arrays(height: float, friction: float) -> tuple[Ints, Array]:
    """The block of a horizontal plane."""
    return _header({"kind": FLAT}), _numbers({"height": height, "friction": friction})


def grid_arrays(grid: Grid) -> tuple[Ints, Array]:
    """The block of a grid, straight or along a reference line."""
    smooth = grid.interpolation != "linear"
    bins_u, per_u = _bins(grid.u)
    bins_v, per_v = _bins(grid.v) if len(grid.v) > 1 else (np.zeros(0, np.int64), 1.0)
    integers = {
        "kind": GRID if grid.line is None else CURVED, "smooth": int(smooth), "nodes_u": len(grid.u),
        "nodes_v": len(grid.v), "bins_u": len(bins_u), "bins_v": len(bins_v),
        "outside_u": OUTSIDE.index(grid.outside_u), "outside_v": OUTSIDE.index(grid.outside_v),
        "friction_grid": int(np.ndim(grid.friction) > 0),
    }  # fmt: skip
    x, y, heading = grid.start
    numbers = {"x": x, "y": y, "cos": np.cos(heading), "sin": np.sin(heading), "per_u": per_u, "per_v": per_v}
    # the first knot is where pieces are counted from
    nodes = nodes_with_slopes(grid) if smooth else grid.z
    tail: list[Any] = [grid.u, grid.v, nodes.reshape(-1)]
    if np.ndim(grid.friction):
        tail.append(np.asarray(grid.friction, dtype=float).reshape(-1))
    else:
        numbers["friction"] = float(np.asarray(grid.friction))
    cells = np.zeros(0, np.int64)
    if grid.line is not None:
        line = grid.line
        cells, shape, corner, per = _cells(line, float(np.max(np.abs(grid.v))))
        integers |= {"line": len(line.u), "closed": int(line.closed), "cells_x": shape[0], "cells_y": shape[1]}
        numbers |= {"cell_x": corner[0], "cell_y": corner[1], "per_cell": per}
        tail.append(np.stack([line.u, line.x, line.y, line.dx, line.dy], axis=1).reshape(-1))
    block = np.concatenate([_header(integers), bins_u, bins_v, cells]).astype(np.int64)
    return block, np.concatenate([_numbers(numbers), *tail])


def _header(given: Mapping[str, int]) -> Ints:
    return np.array([given.get(name, 0) for name in INTEGERS], np.int64)


def _numbers(given: Mapping[str, float]) -> Array:
    return np.array([given.get(name, 0.0) for name in NUMBERS], dtype=float)


def _bins(knots: Array) -> tuple[Ints, float]:
    """For each bin the last piece that begins before it; none if all pieces are equally long. And bins per metre."""
    steps = np.diff(knots)
    mean = float(knots[-1] - knots[0]) / len(steps)
    if np.all(np.abs(knots - np.linspace(knots[0], knots[-1], len(knots))) <= EVEN * mean):
        return np.zeros(0, np.int64), 1.0 / mean
    count = 2 * len(steps)
    width = float(knots[-1] - knots[0]) / count
    begin = knots[0] + width * np.arange(count) * (1.0 - 1e-12)
    return np.clip(np.searchsorted(knots, begin, side="right") - 1, 0, len(steps) - 1).astype(np.int64), 1.0 / width


def nodes_with_slopes(grid: Grid) -> Array:
    """(z, dz/du, dz/dv, d2z/dudv) at the nodes [u, v, 4]."""
    nodes = np.zeros((*grid.z.shape, 4))
    monotone = grid.interpolation == "monotone"
    nodes[..., 0] = grid.z
    nodes[..., 1] = slopes(grid.u, grid.z, monotone, grid.outside_u == "repeat")
    if len(grid.v) > 1:
        nodes[..., 2] = slopes(grid.v, grid.z.T, monotone, grid.outside_v == "repeat").T
        if not monotone:  # a twist could overshoot
            nodes[..., 3] = slopes(grid.u, nodes[..., 2], monotone, grid.outside_u == "repeat")
    return nodes


def slopes(x: Array, y: Array, monotone: bool, repeats: bool) -> Array:
    """Slopes of the columns of y at x: of the spline with free ends (or closed), or of Fritsch and Carlson's curve."""
    from scipy.interpolate import CubicSpline, PchipInterpolator

    if not monotone:
        return CubicSpline(x, y, bc_type="periodic" if repeats else "natural")(x, 1)
    if not repeats:
        return PchipInterpolator(x, y).derivative()(x)
    period, n = x[-1] - x[0], len(x) - 1
    times = np.concatenate([x[:-1] - period, x[:-1], x + period])
    return PchipInterpolator(times, np.concatenate([y[:-1], y[:-1], y])).derivative()(times[n : 2 * n + 1])


def _cells(line: Line, half_width: float) -> tuple[Ints, tuple[int, int], tuple[float, float], float]:
    """Square cells of the plane around a reference line: of each the piece that is nearest to its centre."""
    from scipy.spatial import KDTree

    margin = half_width + 5.0
    low = np.array([line.x.min(), line.y.min()]) - margin
    size = np.array([line.x.max(), line.y.max()]) + margin - low
    step = max(0.5 * margin, 2.0 * float(np.median(np.diff(line.u))), float(np.sqrt(size[0] * size[1] / MOST_CELLS)))
    shape = tuple(int(n) for n in np.ceil(size / step))
    centres = [low[k] + step * (np.arange(shape[k]) + 0.5) for k in range(2)]
    x, y = np.meshgrid(*centres, indexing="ij")
    middle = np.stack([0.5 * (line.x[1:] + line.x[:-1]), 0.5 * (line.y[1:] + line.y[:-1])], axis=1)
    _, nearest = KDTree(middle).query(np.stack([x.reshape(-1), y.reshape(-1)], axis=1))
    return np.asarray(nearest, np.int64), (shape[0], shape[1]), (float(low[0]), float(low[1])), 1.0 / step
