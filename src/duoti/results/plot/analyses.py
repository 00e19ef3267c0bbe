"""Plots of analyses: paths and reachable points, derivatives by parameters, Kane's arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.results.plot.plots import COLOURS, new_figure
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


MOST_DOFS = 6


ACCELERATIONS = "change of the rate's derivative for one percent of the parameter, rad/s² or m/s²"


def plot_sensitivities(
    parameters: Sequence[str], values: Reals, rates: Sequence[str], slopes: Reals, what: str = ACCELERATIONS
) -> Figure:
    """Bars of value times derivative over 100, for the rates that change most; of zero values, the derivative."""
    scaled = slopes * np.where(values != 0.0, values, 1.0) / 100.0
    shown = np.sort(np.argsort(-np.max(np.abs(scaled), axis=1, initial=0.0))[:MOST_DOFS])
    figure = new_figure(8.0, 1.4 + 0.16 * len(parameters) * (len(shown) + 1.5))
    axis = figure.add_subplot()
    wide = 0.85 / max(len(shown), 1)
    for n, i in enumerate(shown):
        at = np.arange(len(parameters)) + (n - 0.5 * (len(shown) - 1)) * wide
        axis.barh(at, scaled[i], height=wide, color=COLOURS[n % len(COLOURS)], label=rates[i])
    axis.set_yticks(range(len(parameters)), parameters, fontsize=9)
    axis.invert_yaxis()
    axis.axvline(0.0, color="black", linewidth=0.6)
    axis.set_xlabel(what)
    axis.grid(alpha=0.3, linewidth=0.6, axis="x")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


MOST_NUMBERS = 12  # rows and columns up to which entries are written out


def plot_arrays(
    title: str,
    bodies: Sequence[str],
    speeds: Sequence[str],
    sizes: Reals,
    turns: Reals,
    mass_matrix: Reals,
    forces: Mapping[str, Reals],
) -> Figure:
    """Sizes of V and W of each body by each speed, the mass matrix, and what contributes to the generalised forces."""
    side = 1.6 + 0.5 * len(speeds)
    figure = new_figure(min(16.0, max(9.0, 2 * side)), min(14.0, max(6.4, 0.9 * side + 0.4 * len(bodies) + 2.0)))
    axes = figure.subplots(2, 2)
    _matrix(axes[0, 0], sizes, bodies, speeds, "size of partial velocities V")
    _matrix(axes[0, 1], turns, bodies, speeds, "size of partial angular velocities W")
    _matrix(axes[1, 0], mass_matrix, speeds, speeds, "generalised inertia M")
    axis, at, low, high = axes[1, 1], np.arange(len(speeds)), np.zeros(len(speeds)), np.zeros(len(speeds))
    for i, (name, values) in enumerate(forces.items()):
        base = np.where(values >= 0.0, high, low)
        axis.barh(at, values, left=base, label=name, color=COLOURS[i % len(COLOURS)], height=0.7)
        high, low = high + np.maximum(values, 0.0), low + np.minimum(values, 0.0)
    axis.set_yticks(at, speeds, fontsize=8)
    axis.invert_yaxis()
    axis.axvline(0.0, color="black", linewidth=0.6)
    axis.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    axis.set_title("generalised forces", fontsize=10, loc="left")
    axis.spines[["top", "right"]].set_visible(False)
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure


def _matrix(axis: Any, values: Reals, rows: Sequence[str], columns: Sequence[str], title: str) -> None:
    largest = float(np.max(np.abs(values), initial=0.0)) or 1.0
    axis.imshow(values, cmap="RdBu_r", vmin=-largest, vmax=largest, aspect="auto")
    axis.set_yticks(range(len(rows)), rows, fontsize=8)
    axis.set_xticks(range(len(columns)), columns, fontsize=8, rotation=60, ha="right", rotation_mode="anchor")
    axis.set_title(title, fontsize=10, loc="left")
    if max(values.shape) <= MOST_NUMBERS:
        for i, j in np.argwhere(np.abs(values) > 1e-12 * largest):
            dark = abs(values[i, j]) > 0.6 * largest
            axis.text(
                j, i, f"{values[i, j]:.3g}", ha="center", va="center", fontsize=7, color="white" if dark else "black"
            )
