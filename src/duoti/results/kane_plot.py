"""A picture of labelled arrays: partial velocities, generalised inertia, generalised forces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.results.plots import COLOURS, new_figure
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
