"""Pictures of paths and of points that can be reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.results.plots import COLOURS, new_figure
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARKS = 9  # values written along a path


def best_plane(points: Reals) -> tuple[int, int]:
    """The two axes along which points spread most."""
    order = np.argsort(-np.ptp(points, axis=0), kind="stable")[:2]
    return int(min(order)), int(max(order))


def _axes(figure: Figure, points: Reals, title: str) -> tuple[Any, int, int]:
    i, j = best_plane(points)
    axis = figure.add_subplot()
    axis.set_aspect("equal", adjustable="datalim")
    axis.set_xlabel(f"{'xyz'[i]} in m")
    axis.set_ylabel(f"{'xyz'[j]} in m")
    axis.grid(alpha=0.3, linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)
    axis.set_title(title, loc="left", fontsize=11)
    return axis, i, j


def plot_path(title: str, points: Reals, values: Reals, name: str, dead: Sequence[Reals]) -> Figure:
    """A path, with values of what drives it along it; crosses are dead points."""
    figure = new_figure(6.4, 5.6)
    axis, i, j = _axes(figure, points, title)
    axis.plot(points[:, i], points[:, j], color=COLOURS[0], linewidth=1.6)
    closed = len(points) > 2 and np.linalg.norm(points[-1] - points[0]) < 1e-3 * np.max(np.ptp(points, axis=0))
    for k in np.linspace(0, len(points) - 1, MARKS).astype(int)[: -1 if closed else None]:
        axis.plot(points[k, i], points[k, j], "o", markersize=3.5, color=COLOURS[1])
        axis.annotate(f"{values[k]:.2f}", points[k, [i, j]], textcoords="offset points", xytext=(5, 4), fontsize=8)
    for point in dead:
        axis.plot(point[i], point[j], "x", markersize=9, color=COLOURS[3], label="dead point")
    axis.plot([], [], "o", markersize=3.5, color=COLOURS[1], label=f"value of {name}")
    axis.legend(frameon=False, fontsize=9)
    return figure


def plot_cloud(title: str, points: Reals, colour: Reals, label: str) -> Figure:
    """Points that can be reached, coloured by a number."""
    figure = new_figure(7.0, 5.6)
    axis, i, j = _axes(figure, points, title)
    drawn = axis.scatter(points[:, i], points[:, j], c=colour, s=5, cmap="viridis", linewidths=0)
    figure.colorbar(drawn, ax=axis, label=label, shrink=0.8)
    return figure
