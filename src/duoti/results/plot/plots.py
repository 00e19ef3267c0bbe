"""Plots of channels over time, with names and units."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.errors import ChannelError, MissingPackageError, did_you_mean
from duoti.model.mechanism.placement import place_bodies
from duoti.model.plot_requests import ENERGY, WHOLE, is_whole
from duoti.model.quantities import ends_in, find_quantity
from duoti.results.evaluate.channels import chosen_channels
from duoti.results.plot.fonts import use_fonts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from duoti.results.result import Result

Array = NDArray[np.float64]
# colours that are told apart by colour-blind readers too (Okabe & Ito 2008)
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#999933")
STYLES = ("-", "--", ":", "-.", (0, (7, 1.5)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 2.5)), (0, (7, 2, 2, 2)))
"""Of the channels in a panel where colours tell the runs."""
RESIDUAL = "J (residual)"
MIXED = "mixed"  # unit of a channel whose components have different ones
Others = Mapping[str, "Result"] | None
Panels = dict[str, list[tuple[str, Array]]]


def new_figure(width: float, height: float, **options: Any) -> Figure:
    """An empty figure [inches]; it needs no display, a notebook shows it, and `savefig` writes PNG, PDF or SVG.

    Its texts are drawn with fonts that have their characters.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingPackageError('plots need matplotlib: pip install "duoti[plot]"') from None

    class NotebookFigure(Figure):
        """A notebook shows only figures of pyplot by itself, and these not without its magic command."""

        def _repr_png_(self) -> bytes:
            data = io.BytesIO()
            self.savefig(data, format="png", dpi=100)
            return data.getvalue()

        def draw(self, renderer: Any) -> None:
            use_fonts(self)
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from")  # there was one warning already
                super().draw(renderer)

    options.setdefault("layout", "constrained")
    return NotebookFigure(figsize=(width, height), **options)


def columns(result: Result, name: str) -> list[tuple[str, Array]]:
    """The columns of a channel with their names."""
    values = result[name]
    if values.ndim == 1:
        return [(name, values)]
    ends = component_ends(result, name, values.shape[1])
    return [(f"{name} {end.strip('.[]')}", values[:, i]) for i, end in enumerate(ends)]


def component_ends(result: Result, name: str, n: int) -> list[str]:
    """What follows the name of a channel in those of its columns: ".x", or "[0]"."""
    if result.has_model:
        with contextlib.suppress(ChannelError):
            return ends_in(result.model, name)
    letters = {3: "xyz", 4: "wxyz"}.get(n, "") if not name.endswith((".q", ".v", ".a")) else ""
    return [f".{letter}" for letter in letters] or [f"[{i}]" for i in range(n)]


def _series(result: Result, names: Sequence[str]) -> Panels:
    """Lines by unit."""
    panels: Panels = {}
    for name in names:
        if name == ENERGY:
            e = result.energy
            lines = [("kinetic", e.kinetic), ("potential", e.potential), ("total", e.total)]
            panels.setdefault("J", []).extend(lines)
            panels.setdefault(RESIDUAL, []).append(("energy residual", e.residual))
        else:
            lines, panel = columns(result, name), panel_of(result, name)
            if panel == MIXED:  # transformers and gyrators have other units at each bond
                ends = component_ends(result, name, len(lines))
                for end, line in zip(ends, lines, strict=True):
                    panels.setdefault(panel_of(result, f"{name}{end}"), []).append(line)
            else:
                panels.setdefault(panel, []).extend(lines)
    return panels


def panel_of(result: Result, name: str) -> str:
    """The unit of a channel; of quantities of bond graphs whose domain is not known, what they are."""
    if (unit := result.unit(name)) or not result.has_model:
        return unit
    quantity = find_quantity(result.model, name)
    if quantity.kind == "graph":
        return quantity.what
    state = result.model.states.get(quantity.item)
    return quantity.item.rpartition(".")[2] if state is not None and state.by_graph else unit


def dress(axis: Any, label: str, **legend: Any) -> None:
    """Grid, unit and legend of a panel; legend: other handles than those of the lines."""
    axis.set_ylabel(label)
    axis.grid(alpha=0.3, linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=9, **legend)


def draw_panels(result: Result, runs: Sequence[tuple[str, Array, Panels]]) -> Figure:
    """One panel for each unit; each run (name, times, lines by unit), if there are several, in a colour of its own."""
    units = list(runs[0][2])
    figure = new_figure(8.0, 1.2 + 2.3 * max(len(units), 1))
    axes = np.atleast_1d(figure.subplots(max(len(units), 1), 1, sharex=True))
    for axis, unit in zip(axes, units, strict=False):
        for k, (run, t, panels) in enumerate(runs):
            for i, (label, values) in enumerate(panels.get(unit, ())):
                legend = f"{label} ({run})" if run else label
                width = 2.4 if len(runs) > 1 and k == 0 else 1.4  # the first is seen below others that agree with it
                axis.plot(t, values, label=legend, linewidth=width, **line_style(i, k, len(runs)))
        dress(axis, unit, **_short_legend([run for run, _, _ in runs], [name for name, _ in runs[0][2][unit]]))
    axes[-1].set_xlabel("t in s")
    axes[0].set_title(result.model.name, loc="left", fontsize=11)
    return figure


def _short_legend(runs: Sequence[str], channels: Sequence[str]) -> dict[str, Any]:
    """Where several channels of several runs are drawn: the runs by their colours, the channels by their styles."""
    if len(runs) < 2 or len(channels) < 2:
        return {}
    from matplotlib.lines import Line2D

    n = len(runs)
    entries = [Line2D([], [], label=run, color=line_style(0, k, n)["color"]) for k, run in enumerate(runs)]
    entries += [
        Line2D([], [], label=name, color="#555555", linestyle=line_style(i, 0, n)["linestyle"])
        for i, name in enumerate(channels)
    ]
    return {"handles": entries}


def line_style(channel: int, run: int, runs: int) -> dict[str, Any]:
    """Channels have colours; where runs are compared, runs have colours and channels have line styles."""
    if runs == 1:
        return {"color": COLOURS[channel % len(COLOURS)], "linestyle": "-"}
    style = STYLES[channel % len(STYLES)]
    if runs <= len(COLOURS):
        return {"color": COLOURS[run], "linestyle": style}
    from matplotlib import colormaps

    return {"color": colormaps["viridis"](run / (runs - 1)), "linestyle": style}


def with_others(result: Result, others: Others) -> list[tuple[str, Result]]:
    """This result, and those compared with it, with names for the legend.

    This one has the name under which it is among the others, or that of its model.
    """
    if not others:
        return [("", result)]
    own = next((name for name, each in others.items() if each is result), None)
    rest = [(name, each) for name, each in others.items() if each is not result]
    if own is None:
        own = result.model.name if result.model.name not in others else f"{result.model.name}, this one"
    return [(own, result), *rest]


def plot(result: Result, names: Sequence[str], others: Others = None) -> Figure:
    """One panel for each unit, lines labelled by channel."""
    if not names:
        names = [
            f"{joint}.{c.name}" for joint in result.system.joints for c in result.model.joints[joint].joint.coordinates
        ]
        names = [*dict.fromkeys(names), *result.system.state_names]
    names = chosen_channels(result, names)
    return draw_panels(result, [(run, each.t, _series(each, names)) for run, each in with_others(result, others)])


def draw_asked(result: Result, asked: Any) -> Figure:
    """A plot as model files and commands ask for it (`model.plot_requests`): channels, or a plot of the whole run."""
    if not is_whole(asked):
        return plot(result, [asked] if isinstance(asked, str) else asked)
    ((kind, names),) = asked.items() if isinstance(asked, Mapping) else ((asked, ()),)
    pair = kind == "phase" and names
    return getattr(result, WHOLE[kind])(*([tuple(names)] if pair else names))


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
