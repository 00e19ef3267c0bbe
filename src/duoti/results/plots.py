"""Plots of channels over time, with names and units."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.asked import ENERGY, WHOLE, is_whole
from duoti.model.errors import ChannelError, MissingPackageError
from duoti.model.names import ends_in, find_quantity
from duoti.results.fonts import use_fonts
from duoti.results.force_channels import chosen_channels

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
                warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from")  # it was said, once
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
                said = f"{label} ({run})" if run else label
                width = 2.4 if len(runs) > 1 and k == 0 else 1.4  # the first is seen below others that agree with it
                axis.plot(t, values, label=said, linewidth=width, **line_style(i, k, len(runs)))
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
    """A plot as model files and commands ask for it (`model.asked`): channels, or a plot of the whole run."""
    if not is_whole(asked):
        return plot(result, [asked] if isinstance(asked, str) else asked)
    ((kind, names),) = asked.items() if isinstance(asked, Mapping) else ((asked, ()),)
    pair = kind == "phase" and names
    return getattr(result, WHOLE[kind])(*([tuple(names)] if pair else names))
