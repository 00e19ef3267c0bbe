"""Pictures of `EnergyFlow`: time series, and bands whose width is the energy that takes this way (Sankey 1898)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.results.plot.plots import COLOURS, dress, new_figure
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from duoti.results.energy_flow import EnergyFlow

SMALL = 0.004  # parts and bands below this part of the largest are not drawn
MOST_LINES = 8  # in a panel
BAND = {
    "body": COLOURS[0], "joint": "#7F7F7F", "force": COLOURS[1], "constraint": COLOURS[2], "bond_graph": COLOURS[3],
    "store": COLOURS[5],
}  # fmt: skip
GAP, NODE = 0.1, 0.16  # between the nodes of a column, width of a node, in parts of the height and of a column
STORES = {"kinetic": "kinetic energy", "gravity": "gravity", "elastic": "springs"}
SUPPLIED, DISSIPATED, ERROR = "supplied", "dissipated", "numerical"


def plot_flow(flow: EnergyFlow) -> Figure:
    """Panels over time: power supplied less dissipated, energies of the parts, numerical energy, residual."""
    figure = new_figure(8.0, 9.6)
    axes = figure.subplots(4, 1, sharex=True)
    parts = list(flow.parts.values())
    _lines(axes[0], flow.t, ((p.name, p.supplied - p.dissipated) for p in parts), "supplied - dissipated, W")
    _lines(axes[1], flow.t, ((p.name, p.stored - p.stored[:1]) for p in parts), "stored since the start, J")
    _lines(axes[2], flow.t, [("numerical", flow.numerical)], "added by the integration, J")
    largest = flow.largest or 1.0
    axes[3].semilogy(
        flow.t, np.maximum(flow.residual / largest, 1e-20), linewidth=1.2, color=COLOURS[0], label="residual"
    )
    dress(axes[3], "residual / largest power")
    axes[3].set_ylim(1e-18, 1e-8)
    axes[3].set_xlabel("t in s")
    axes[0].set_title(flow.model, loc="left", fontsize=11)
    return figure


def _lines(axis: Any, t: Reals, series: Iterable[tuple[str, Reals]], label: str) -> None:
    """The largest of some series."""
    found = sorted(((float(np.max(np.abs(x), initial=0.0)), name, x) for name, x in series), key=lambda each: -each[0])
    drawn = [each for each in found if each[0] > 0.0][:MOST_LINES] or found[:1]
    for i, (_, name, x) in enumerate(drawn):
        axis.plot(t, x, label=name, linewidth=1.3, color=COLOURS[i % len(COLOURS)])
    dress(axis, label)


# ---------------------------------------------------------------------------------------------------------- the bands


class Band(NamedTuple):
    """Energy [J] or power [W] that goes from one node to another."""

    source: str
    target: str
    size: float


def bands(flow: EnergyFlow, t: float | None) -> tuple[list[Band], dict[str, str]]:
    """All bands, with positive sizes, and the kind of each node. Energies that parts keep go to and from stores."""
    if t is None:
        last = lambda power: float(flow.work(power)[-1])  # noqa: E731
        kept = lambda stored, _: float(stored[-1] - stored[0])  # noqa: E731
        lost = -float(flow.numerical[-1])
    else:
        k = int(np.argmin(np.abs(flow.t - t)))
        last = lambda power: float(power[k])  # noqa: E731
        kept = lambda _, rate: float(rate[k])  # noqa: E731
        lost = 0.0
    kinds = {name: part.kind for name, part in flow.parts.items()}
    found = [Band(f.source, f.target, last(f.power)) for f in flow.flows]
    for name, part in flow.parts.items():
        found.append(Band(SUPPLIED, name, last(part.supplied)))
        found.append(Band(name, DISSIPATED, last(part.dissipated)))
        found.append(Band(name, STORES["kinetic"], kept(part.kinetic, part.kinetic_rate)))
        where = STORES["gravity"] if part.kind == "body" else STORES["elastic"]
        found.append(Band(name, where, kept(part.potential, part.potential_rate)))
    found.append(Band(SUPPLIED, ERROR, lost))
    turned = [b if b.size >= 0.0 else Band(b.target, b.source, -b.size) for b in found]
    limit = SMALL * max((b.size for b in turned), default=0.0)
    return [b for b in turned if b.size > limit], kinds


def draw_sankey(flow: EnergyFlow, t: float | None) -> Figure:
    """Energies (or powers) as bands from left to right; stores that give stand on the left, those that take on the
    right."""
    if t is not None:
        flow._index(t)  # pyright: ignore[reportPrivateUsage]
    found, kinds = bands(flow, t)
    found = [_ends(b, kinds) for b in found]
    unit, what = ("J", f"energy until t = {flow.t[-1]:.4g} s") if t is None else ("W", f"power at t = {t:.4g} s")
    columns = _columns(found, kinds)
    count = 1 + max(columns.values(), default=0)
    figure = new_figure(max(7.0, 1.7 * count), 6.2)
    axis = figure.add_subplot()
    axis.set_axis_off()
    axis.set_title(f"{flow.model}: {what}", loc="left", fontsize=11)
    if not found:
        axis.text(0.5, 0.5, "no energy flows", ha="center")
        return figure
    places = _places(found, columns)
    _draw(axis, found, places, columns, kinds, unit)
    axis.set_xlim(-0.25, count - 1 + NODE + 0.75)
    axis.set_ylim(-0.03, 1.08)
    return figure


def _ends(band: Band, kinds: dict[str, str]) -> Band:
    """A store, or the world outside, that gives is another node than one that takes."""
    source = band.source if band.source in kinds else f"from {band.source}" if band.source != SUPPLIED else SUPPLIED
    target = band.target if band.target in kinds else f"to {band.target}" if band.target != DISSIPATED else DISSIPATED
    if band.target == SUPPLIED:
        target = "taken out"
    return Band(source, target, band.size)


def _columns(found: list[Band], kinds: dict[str, str]) -> dict[str, int]:
    """Column of each node: one to the right of all that feed it; bands that run in a circle are not counted."""
    nodes = list(dict.fromkeys(name for b in found for name in (b.source, b.target)))
    into: dict[str, list[str]] = {name: [] for name in nodes}
    for b in sorted(found, key=lambda b: -b.size):
        if not _reaches(into, b.target, b.source):
            into[b.target].append(b.source)
    columns: dict[str, int] = {}

    def column(name: str) -> int:
        if name not in columns:
            columns[name] = 0
            columns[name] = max((column(source) + 1 for source in into[name]), default=0)
        return columns[name]

    last = max(column(name) for name in nodes) if nodes else 0
    ends = {b.target for b in found if b.target not in kinds}
    out = {name: min((columns[b.target] for b in found if b.source == name), default=1) for name in nodes}
    return {
        name: last if name in ends else max(0, out[name] - 1) if name not in kinds else at
        for name, at in columns.items()
    }


def _reaches(into: dict[str, list[str]], source: str, target: str) -> bool:
    """Whether there is a way from source to target along what is in `into` already."""
    seen, todo = set[str](), [target]
    while todo:
        name = todo.pop()
        if name == source:
            return True
        if name not in seen:
            seen.add(name)
            todo += into[name]
    return False


class NodePlace(NamedTuple):
    """Where a node stands: its column, lower end and height."""

    column: int
    low: float
    height: float


def _sizes(found: list[Band]) -> dict[str, float]:
    """Of each node: what it takes or gives, whichever is more."""
    taken, given = dict[str, float](), dict[str, float]()
    for b in found:
        given[b.source] = given.get(b.source, 0.0) + b.size
        taken[b.target] = taken.get(b.target, 0.0) + b.size
    return {name: max(taken.get(name, 0.0), given.get(name, 0.0)) for name in (*taken, *given)}


def _places(found: list[Band], columns: dict[str, int]) -> dict[str, NodePlace]:
    """Nodes of a column above each other, near what feeds them."""
    size = _sizes(found)
    count = 1 + max(columns.values())
    members = [[n for n in columns if columns[n] == k] for k in range(count)]
    scale = min((1.0 - GAP * (len(each) - 1)) / sum(size[n] for n in each) for each in members if each)
    centre = dict.fromkeys(columns, 0.5)
    for _ in range(4):  # towards the middle of what each node is joined with
        for each in members:
            for n in each:
                joined = [(b.size, b.source if b.target == n else b.target) for b in found if n in (b.source, b.target)]
                centre[n] = sum(s * centre[other] for s, other in joined) / sum(s for s, _ in joined)
            _spread(sorted(each, key=lambda n: centre[n]), size, scale, centre)
    return {n: NodePlace(columns[n], centre[n] - 0.5 * scale * size[n], scale * size[n]) for n in columns}


def _spread(ordered: list[str], size: dict[str, float], scale: float, centre: dict[str, float]) -> None:
    """Move the nodes of a column apart, in their order, within 0 and 1."""
    low = 0.0
    for n in ordered:
        low = max(low, centre[n] - 0.5 * scale * size[n])
        centre[n] = low + 0.5 * scale * size[n]
        low += scale * size[n] + GAP
    high = 1.0
    for n in reversed(ordered):
        centre[n] = min(centre[n], high - 0.5 * scale * size[n])
        high = centre[n] - 0.5 * scale * size[n] - GAP


def _draw(
    axis: Any,
    found: list[Band],
    places: dict[str, NodePlace],
    columns: dict[str, int],
    kinds: dict[str, str],
    unit: str,
) -> None:
    from matplotlib.patches import PathPatch, Rectangle
    from matplotlib.path import Path

    middle = {name: place.low + 0.5 * place.height for name, place in places.items()}
    leaving, arriving = ({name: place.low for name, place in places.items()} for _ in range(2))
    size = _sizes(found)
    tallest = max(places, key=lambda n: size[n])
    scale = places[tallest].height / size[tallest]
    start: dict[Band, float] = {}
    for b in sorted(found, key=lambda b: middle[b.target]):
        start[b] = leaving[b.source]
        leaving[b.source] += scale * b.size
    for b in sorted(found, key=lambda b: middle[b.source]):
        x0, x1 = columns[b.source] + NODE, columns[b.target]
        y0, y1, h = start[b], arriving[b.target], scale * b.size
        arriving[b.target] += h
        bend = 0.5 * abs(x1 - x0) if x1 > x0 else 0.6
        corners = [
            (x0, y0), (x0 + bend, y0), (x1 - bend, y1), (x1, y1),
            (x1, y1 + h), (x1 - bend, y1 + h), (x0 + bend, y0 + h), (x0, y0 + h), (x0, y0),
        ]  # fmt: skip
        codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
        colour = BAND[kinds.get(b.source, kinds.get(b.target, "store"))]
        axis.add_patch(PathPatch(Path(corners, codes), facecolor=colour, alpha=0.35, linewidth=0))  # pyright: ignore[reportArgumentType]
    for name, place in places.items():
        axis.add_patch(Rectangle((place.column, place.low), NODE, place.height, color=BAND[kinds.get(name, "store")]))
        through = place.height / scale
        axis.text(place.column + 0.5 * NODE, place.low + place.height + 0.006, f"{name}\n{through:.3g} {unit}",
                  ha="center", va="bottom", fontsize=8, linespacing=1.2)  # fmt: skip
