"""Plots of channels over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from duoti.results.result import Result

# colours that are told apart by colour-blind readers too (Okabe & Ito 2008)
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#999933")
ENERGY = "energy"


def _series(result: Result, names: Sequence[str]) -> dict[str, list[tuple[str, Any]]]:
    """Lines by unit."""
    panels: dict[str, list[tuple[str, Any]]] = {}
    for name in names:
        if name == ENERGY:
            e = result.energy
            lines = [("kinetic", e.kinetic), ("potential", e.potential), ("total", e.total)]
            panels.setdefault("J", []).extend(lines)
            panels.setdefault("J (residual)", []).append(("energy residual", e.residual))
            continue
        values, unit = result[name], result.unit(name)
        if values.ndim == 1:
            panels.setdefault(unit, []).append((name, values))
        else:
            n = values.shape[1]
            ends = {3: "xyz", 4: "wxyz"}.get(n) if not name.endswith((".q", ".v", ".a")) else None
            panels.setdefault(unit, []).extend((f"{name} {(ends or range(n))[i]}", values[:, i]) for i in range(n))
    return panels


def plot(result: Result, names: Sequence[str]) -> Figure:
    """One panel for each unit, lines labelled by channel."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError('plots need matplotlib: pip install "duoti[plot]"') from None
    if not names:
        names = [
            f"{joint}.{c.name}" for joint in result.system.joints for c in result.model.joints[joint].joint.coordinates
        ]
        names = [*dict.fromkeys(names), *result.system.state_names]
    panels = _series(result, names)
    figure = Figure(figsize=(8.0, 1.2 + 2.3 * max(len(panels), 1)), layout="constrained")
    axes = np.atleast_1d(figure.subplots(max(len(panels), 1), 1, sharex=True))
    for axis, (unit, lines) in zip(axes, panels.items(), strict=False):
        for i, (label, values) in enumerate(lines):
            axis.plot(result.t, values, label=label, color=COLOURS[i % len(COLOURS)], linewidth=1.4)
        axis.set_ylabel(unit)
        axis.grid(alpha=0.3, linewidth=0.6)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=9)
    axes[-1].set_xlabel("t in s")
    axes[0].set_title(result.model.name, loc="left", fontsize=11)
    return figure
