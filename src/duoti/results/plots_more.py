"""Phase portraits, energies with the residual of their balance, reactions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.placement import place_bodies
from duoti.results.plots import (
    RESIDUAL,
    Others,
    Panels,
    columns,
    draw_panels,
    dress,
    line_style,
    new_figure,
    with_others,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from duoti.results.result import Result

ROUND_OFF = 1e-9  # part of the largest reaction below which a component is not drawn
MOST_JOINTS = 6  # in a plot of reactions where none are named


def plot_phase(result: Result, pairs: Sequence[tuple[str, str] | str], others: Others) -> Figure:
    """One square panel for each pair of channels; a circle marks the start."""
    wanted, runs = _pairs(result, pairs), with_others(result, others)
    across = min(len(wanted), 3)
    down = -(-len(wanted) // across)
    figure = new_figure(4.2 * across + 0.4, 3.6 * down + 0.4)
    axes = np.atleast_1d(figure.subplots(down, across, squeeze=False)).ravel()
    for axis, (x, y) in zip(axes, wanted, strict=False):
        for k, (run, each) in enumerate(runs):
            pairs_of = zip(columns(each, x), columns(each, y), strict=True)
            for i, ((_, position), (label, rate)) in enumerate(pairs_of):
                style = line_style(i, k, len(runs))
                axis.plot(position, rate, linewidth=1.1, label=f"{label} ({run})" if run else label, **style)
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
    """For each joint the components and the size of force and torque, but for those that are round-off."""
    for name in joints:
        if name not in result.model.joints:
            raise ChannelError(f'there is no joint "{name}".{did_you_mean(name, result.model.joints)}')
    chosen = list(joints) or list(result.model.joints)[:MOST_JOINTS]
    runs = with_others(result, others)
    found = {(k, joint): each.reaction(joint) for k, (_, each) in enumerate(runs) for joint in chosen}
    kept = _above_round_off(result, chosen, found)
    drawn: list[tuple[str, np.ndarray, Panels]] = []
    for k, (run, each) in enumerate(runs):
        panels: Panels = {}
        for joint in chosen:
            for what, values, unit in zip(("force", "torque"), found[k, joint], ("N", "N m"), strict=True):
                axes = kept[joint, what]
                lines = [(f"{joint} {what} {'xyz'[i]}", values[:, i]) for i in axes]
                if len(axes) > 1:
                    lines.append((f"{joint} {what} size", np.linalg.norm(values, axis=1)))
                if lines:
                    panels[f"{joint}: {what} in {unit}"] = lines
        drawn.append((run, each.t, panels))
    figure = draw_panels(result, drawn)
    if gone := [f"{joint} {what} {_letters(axes)}" for (joint, what), axes in kept.items() if len(axes) < 3]:
        text = "left out, as round-off: " + ", ".join(gone)
        figure.supxlabel(fill(text, 100), x=0.01, ha="left", fontsize=8, color="#555555")
    return figure


def _letters(kept: Sequence[int]) -> str:
    return ", ".join(letter for i, letter in enumerate("xyz") if i not in kept)


def _above_round_off(
    result: Result, joints: Sequence[str], found: Mapping[tuple[int, str], tuple[np.ndarray, np.ndarray]]
) -> dict[tuple[str, str], list[int]]:
    """Components of each force and torque that are more than round-off in some run; all if none is.

    Forces are compared with the largest one drawn, torques with the largest one, or with that force at the size of the
    model.
    """

    def largest(joint: str, what: int) -> np.ndarray:
        return np.max([np.max(np.abs(each[what]), axis=0, initial=0.0)
                       for (_, name), each in found.items() if name == joint], axis=0)  # fmt: skip

    places = np.array([pose.position for pose in place_bodies(result.model).bodies.values()])
    size = float(np.max(np.ptp(places, axis=0), initial=0.0))
    force = max(float(np.max(largest(joint, 0))) for joint in joints)
    torque = max(size * force, *(float(np.max(largest(joint, 1))) for joint in joints))
    kept = {
        (joint, what): [i for i in range(3) if largest(joint, n)[i] > ROUND_OFF * scale]
        for joint in joints
        for n, (what, scale) in enumerate((("force", force), ("torque", torque)))
    }
    return kept if any(kept.values()) else {key: [0, 1, 2] for key in kept}
