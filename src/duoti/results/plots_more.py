"""Phase portraits, energies with the residual of their balance, reactions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from duoti.model.errors import ChannelError, did_you_mean
from duoti.results.plots import (
    COLOURS,
    RESIDUAL,
    STYLES,
    Others,
    Panels,
    columns,
    draw_panels,
    dress,
    new_figure,
    with_others,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from duoti.results.result import Result

MOST_JOINTS = 6  # in a plot of reactions where none are named


def plot_phase(result: Result, pairs: Sequence[tuple[str, str] | str], others: Others) -> Figure:
    """One square panel for each pair of channels; a circle marks the start."""
    wanted = _pairs(result, pairs)
    across = min(len(wanted), 3)
    down = -(-len(wanted) // across)
    figure = new_figure(4.2 * across + 0.4, 3.6 * down + 0.4)
    axes = np.atleast_1d(figure.subplots(down, across, squeeze=False)).ravel()
    for axis, (x, y) in zip(axes, wanted, strict=False):
        for k, (run, each) in enumerate(with_others(result, others)):
            pairs_of = zip(columns(each, x), columns(each, y), strict=True)
            for i, ((_, position), (label, rate)) in enumerate(pairs_of):
                style = {"color": COLOURS[(i + k) % len(COLOURS)], "linestyle": STYLES[k % len(STYLES)]}
                axis.plot(position, rate, linewidth=1.1, label=run or label, **style)
                axis.plot(position[0], rate[0], "o", markersize=4, color=style["color"])
        axis.set_xlabel(f"{x} in {result.unit(x)}")
        dress(axis, f"{y} in {result.unit(y)}")
        if not others and len(columns(result, x)) == 1:
            axis.get_legend().remove()
    for axis in axes[len(wanted) :]:
        axis.set_visible(False)
    figure.suptitle(result.model.name, x=0.01, ha="left", fontsize=11)
    return figure


def _pairs(result: Result, given: Sequence[tuple[str, str] | str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if not given:
        given = [name for name, e in result.model.joints.items() if e.joint.nq == e.joint.nv == 1]
        if not given:
            raise ValueError(
                'no joint has just one coordinate; name channels, as in ("tip.position.x", "tip.velocity.x")'
            )
    for each in given:
        if isinstance(each, str):
            if each not in result.model.joints:
                raise ChannelError(f'there is no joint "{each}".{did_you_mean(each, result.model.joints)}')
            found.append((f"joint:{each}.q", f"joint:{each}.v"))
        else:
            found.append(each)
    for x, y in found:
        if len(columns(result, x)) != len(columns(result, y)):
            raise ValueError(f"{x} and {y} have different numbers of components; name one of each")
    return found


def plot_energy(result: Result, others: Others) -> Figure:
    """Energies that are not zero throughout, and below them the residual."""
    runs = with_others(result, others)
    moving = [
        name
        for name in ("kinetic", "gravity", "elastic", "supplied", "dissipated")
        if any(np.any(getattr(each.energy, name) != 0) for _, each in runs)
    ]
    drawn: list[tuple[str, np.ndarray, Panels]] = []
    for run, each in runs:
        e = each.energy
        lines = [(name, getattr(e, name)) for name in (*moving, "total")]
        drawn.append((run, each.t, {"energy in J": lines, RESIDUAL: [("residual", e.residual)]}))
    return draw_panels(result, drawn)


def plot_reactions(result: Result, joints: Sequence[str], others: Others) -> Figure:
    """For each joint the components and the size of force and torque."""
    for name in joints:
        if name not in result.model.joints:
            raise ChannelError(f'there is no joint "{name}".{did_you_mean(name, result.model.joints)}')
    chosen = list(joints) or list(result.model.joints)[:MOST_JOINTS]
    drawn: list[tuple[str, np.ndarray, Panels]] = []
    for run, each in with_others(result, others):
        panels: Panels = {}
        for joint in chosen:
            for what, values, unit in zip(("force", "torque"), each.reaction(joint), ("N", "N m"), strict=True):
                lines = [(f"{joint} {what} {letter}", values[:, i]) for i, letter in enumerate("xyz")]
                lines.append((f"{joint} {what} size", np.linalg.norm(values, axis=1)))
                panels[f"{joint}: {what} in {unit}"] = lines
        drawn.append((run, each.t, panels))
    return draw_panels(result, drawn)
