"""Shapes of roads: for contacts, and as ribbons that are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.roads.arrays import Grid
from duoti.spatial import Shape

if TYPE_CHECKING:
    from duoti.model.roads.road import Road

Array = NDArray[np.float64]
PER_STEP = 5  # samples between the nearest two points of a profile
MOST = 2_000_000  # samples of a shape
WIDTH = 6.0  # m, of a ribbon of a road that is as wide as one likes
LENGTH = 100.0  # m, of a ribbon of a flat road
MOST_ALONG, MOST_ACROSS = 400, 12  # pieces of a ribbon
PERIODS = 3  # that are drawn of a road that repeats


def shape_of_grid(
    road: Road, grid: Grid, x: Sequence[float] | None, y: Sequence[float] | None, step: float | None
) -> Shape:
    """The shape of a road that is not flat."""
    x, y = _range("x", x), _range("y", y)
    if step is not None and not step > 0.0:
        raise ValueError(f"shape: step={step!r}; give a positive distance [m]")
    straight = grid.line is None and grid.start == (0.0, 0.0, 0.0)
    if straight and len(grid.v) == 1:
        return _profile(road, grid, x, y, step)
    if x is None or y is None:
        if not straight or len(grid.v) == 1:
            raise ValueError("shape: this road needs x=(from, to) and y=(from, to) [m], the rectangle that is wanted")
        x, y = x or (float(grid.u[0]), float(grid.u[-1])), y or (float(grid.v[0]), float(grid.v[-1]))
    distance = step or float(min(np.diff(grid.u).min(), np.diff(grid.v).min()))
    counts = [round((high - low) / distance) + 1 for low, high in (x, y)]
    if min(counts) < 2 or counts[0] * counts[1] > MOST:
        raise ValueError(
            f"shape: {counts[0]} x {counts[1]} samples every {distance:g} m; a height field has 2 x 2 to {MOST} of "
            "them. Give another step=, or a smaller rectangle"
        )
    places = [np.linspace(low, high, count) for (low, high), count in zip((x, y), counts, strict=True)]
    z = road.height(*np.meshgrid(*places, indexing="ij"))
    middle = (0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1]), 0.0)
    return Shape.heightfield(z.tolist(), (x[1] - x[0], y[1] - y[0]), position=middle)


def _profile(
    road: Road, grid: Grid, x: tuple[float, float] | None, y: tuple[float, float] | None, step: float | None
) -> Shape:
    width, middle = (WIDTH, 0.0) if y is None else (y[1] - y[0], 0.5 * (y[0] + y[1]))
    own = (float(grid.u[0]), float(grid.u[-1]))
    low, high = x or own
    if grid.interpolation == "cubic" and grid.outside_u != "repeat" and step is None and (low, high) == own:
        points = np.stack([grid.u, grid.z[:, 0]], axis=1)
    else:
        distance = step or float(np.diff(grid.u).min()) / PER_STEP
        count = round((high - low) / distance) + 1
        if not 2 <= count <= MOST:
            raise ValueError(f"shape: {count} samples every {distance:g} m; there must be 2 to {MOST}")
        places = np.linspace(low, high, count)
        points = np.stack([places, road.height(places)], axis=1)
    return Shape.extrusion(points.tolist(), width, position=(0.0, middle, 0.0))


def _range(name: str, given: Any) -> tuple[float, float] | None:
    if given is None:
        return None
    try:
        low, high = map(float, given)
    except (TypeError, ValueError, OverflowError):
        low, high = 0.0, 0.0
    if not -np.inf < low < high < np.inf:
        raise ValueError(f"shape: {name}={given!r}; give two increasing numbers [m]")
    return low, high


def ribbon(road: Road) -> Array:
    """Points [along, across, 3] of the surface, as far as it is worth drawing."""
    grid = road.grid
    if grid is None:
        along, across = np.linspace(0.0, LENGTH, 2), np.linspace(-0.5 * WIDTH, 0.5 * WIDTH, 2)
        x, y = np.meshgrid(along, across, indexing="ij")
        return np.stack([x, y, road.height(x, y)], axis=-1)
    length = grid.u[-1] - grid.u[0]
    along = _places(grid.u, MOST_ALONG)
    if grid.outside_u == "repeat" and not (grid.line is not None and grid.line.closed):
        along = np.concatenate(
            [along[:-1] + k * length for k in range(PERIODS)] + [grid.u[-1:] + (PERIODS - 1) * length]
        )
    across = np.array([-0.5 * WIDTH, 0.5 * WIDTH]) if len(grid.v) == 1 else _places(grid.v, MOST_ACROSS)
    u, v = np.meshgrid(along, across, indexing="ij")
    if grid.line is None:
        x0, y0, heading = grid.start
        x = x0 + u * np.cos(heading) - v * np.sin(heading)
        y = y0 + u * np.sin(heading) + v * np.cos(heading)
    else:
        line = grid.line
        centre = [np.interp(along, line.u, each)[:, None] for each in (line.x, line.y, line.dx, line.dy)]
        size = np.hypot(centre[2], centre[3])
        x, y = centre[0] - v * centre[3] / size, centre[1] + v * centre[2] / size
    return np.stack([x, y, road.height(x, y)], axis=-1)


def _places(knots: Array, most: int) -> Array:
    return knots if len(knots) <= most else np.linspace(knots[0], knots[-1], most)
