"""Figures of constraint methods (drift of a four-bar linkage) and of analyses (what `plot()` of their result draws)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt

import duoti as dt
from reference_maker.examples import example_of
from reference_maker.registry import items, snake
from reference_maker.sketch import BLUE, GREY, INK, save

METHODS = tuple(item.name for item in items() if item.group == "constraint_methods")


@cache
def _runs() -> dict[str, Any]:
    example = example_of("constraint_methods", "projection")
    assert example is not None
    compared = dt.analyses.compare_constraint_methods(example.model, duration=10.0)
    return {snake(type(run.method).__name__): run for run in compared.runs}


def draw_method(name: str, path: Path) -> None:
    """Errors of the closure equations over time; those of the other methods in grey."""
    figure, panels = plt.subplots(1, 2, figsize=(6.6, 2.6), layout="constrained", sharex=True)
    for axes, what, title in zip(panels, ("drift", "rate_drift"), ("position error", "velocity error"), strict=True):
        for other, run in sorted(_runs().items(), key=lambda item: item[0] == name):
            values = np.maximum(np.asarray(getattr(run, what), float)[::2], 1e-17)
            own = other == name
            axes.semilogy(
                run.result.t[::2],
                values,
                color=BLUE if own else GREY,
                lw=1.4 if own else 0.6,
                alpha=1.0 if own else 0.5,
            )
        axes.set_title(f"{title} of the loop", fontsize=9, color=INK)
        axes.set_xlabel("time [s]", fontsize=9)
        axes.tick_params(labelsize=8, colors=INK)
        axes.spines[:].set_color(GREY)
    save(figure, path)


def _plot(variable: str) -> Callable[[dict[str, Any]], Any]:
    return lambda names: names[variable].plot()


ANALYSES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "simulate": lambda names: names["r"].plot("A.angle", "B.angle"),
    "coupler_curve": _plot("curve"),
    "workspace": _plot("w"),
    "root_locus": _plot("locus"),
    "equilibrium_path": _plot("path"),
    "linearise": _plot("lin"),
    "kinematics": lambda names: names["r"].plot("D.angle", "D.rate"),
    "required_forces": lambda names: names["r"].plot("pivot.drive"),
}
"""How the figure of an analysis follows from its example."""


def draw_analysis(name: str, path: Path) -> None:
    """What the example finds, drawn."""
    example = example_of("analyses", name)
    assert example is not None
    figure = ANALYSES[name](example.names)
    width, height = figure.get_size_inches()
    factor = min(1.0, 6.4 / width, 4.0 / height)
    figure.set_size_inches(width * factor, height * factor)
    save(figure, path)
