"""A picture of derivatives by parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from duoti.results.plots import COLOURS, new_figure
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_RATES = 6


ACCELERATIONS = "change of the rate's derivative for one percent of the parameter, rad/s² or m/s²"


def plot_sensitivities(
    parameters: Sequence[str], values: Reals, rates: Sequence[str], slopes: Reals, what: str = ACCELERATIONS
) -> Figure:
    """Bars of value times derivative over 100, for the rates that change most; of zero values, the derivative."""
    scaled = slopes * np.where(values != 0.0, values, 1.0) / 100.0
    shown = np.sort(np.argsort(-np.max(np.abs(scaled), axis=1, initial=0.0))[:MOST_RATES])
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
