"""A result in one picture: the mechanism at a few instants, its coordinates and its energies.

Bodies are drawn as lines from the joint that carries them to their other joints and markers, at several instants; or,
where there are closed loops, as solids at one instant. A motion in a coordinate plane is seen at right angles to it,
any other from above and in front, over a floor with a grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.examples.solids import draw_solids
from duoti.model.elements import GROUND, name_of
from duoti.model.errors import MissingPackageError
from duoti.model.placement import place_bodies
from duoti.results.plots import COLOURS

if TYPE_CHECKING:
    from duoti.results.result import Result

Array = NDArray[np.float64]

INSTANTS = 7
MOST_LABELS = 8
AZIMUTH, ELEVATION = np.radians(-58.0), np.radians(20.0)
TIME_COLOURS = "viridis"
GREY, LIGHT = "#444444", "#cfd4da"


def draw(
    result: Result,
    path: str | Path,
    tip: str | None = None,
    *,
    solid: bool | None = None,
    instant: float | None = None,
    camera: tuple[float, float] | None = None,
    channels: Sequence[str] = (),
    size: tuple[float, float] = (11.0, 5.4),
    dpi: int = 150,
) -> Path:
    """Write the picture.

    Parameters
    ----------
    tip:
        The marker whose path is drawn; the last marker of the model if left out.
    solid:
        Draw solids at one instant, not lines at several; by default for mechanisms with closed loops or constraints.
    instant:
        Time [s] at which solids are drawn; by default the end.
    camera:
        Azimuth and elevation of the view [rad]; by default at right angles to a plane motion, else from the front.
    channels:
        What the upper right panel shows; by default the coordinates.
    size, dpi:
        Of the picture [inch], and dots per inch.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingPackageError('pictures need matplotlib: pip install "duoti[plot]"') from None
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(2, 2, width_ratios=(1.15, 1.0), wspace=0.06, hspace=0.06)
    mechanism = figure.add_subplot(grid[:, 0])
    coordinates = figure.add_subplot(grid[0, 1])
    energies = figure.add_subplot(grid[1, 1], sharex=coordinates)
    solid = bool(result.system.closures.rows) if solid is None else solid
    if solid:
        last = len(result.t) - 1
        instants = np.array([last if instant is None else min(int(np.searchsorted(result.t, instant)), last)])
    else:
        instants = np.unique(np.linspace(0, len(result.t) - 1, INSTANTS).round().astype(int))
    followed = tip or (list(result.model.markers) or [""])[-1]
    _draw_mechanism(mechanism, result, followed, instants, solid, camera)
    if channels:
        _draw_channels(coordinates, result, channels)
    else:
        _draw_coordinates(coordinates, result, followed)
    _draw_energies(energies, result)
    colours = _time_colours(result.t)
    for axis in (coordinates, energies):
        for k in instants:
            axis.axvline(float(result.t[k]), color=colours(result.t[k]), linewidth=1.0, alpha=0.55, zorder=0)
        axis.spines[["top", "right"]].set_visible(False)
        axis.margins(x=0.01)
    coordinates.tick_params(labelbottom=False)
    _draw_clock(energies, result.t, colours)
    target = Path(path)
    figure.savefig(target, dpi=dpi, facecolor="white")
    return target


def _time_colours(t: Array) -> Any:
    """A function from time to colour."""
    import matplotlib
    from matplotlib.colors import Normalize

    scale, colours = Normalize(t[0], max(t[-1], t[0] + 1e-300)), matplotlib.colormaps[TIME_COLOURS]
    return lambda time: colours(0.92 * scale(time))


# ------------------------------------------------------------------------------------------------------- geometry


def _matrices(quaternions: Array) -> Array:
    """Rotation matrices of quaternions in rows."""
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def _lines(result: Result) -> list[Array]:
    """The lines of all bodies over time, each an array (times, 2, 3) from an inboard joint to another point."""
    model, placement = result.model, place_bodies(result.model)
    lines: list[Array] = []
    for name, body in model.bodies.items():
        inboard = [placement.on_child[j].position for j, e in model.joints.items() if e.child == name and e.nv < 6]
        others = [placement.on_parent[j].position for j, e in model.joints.items() if e.parent == name]
        others += [m.pose.position for m in model.markers.values() if name_of(m.body) == name]
        com = np.zeros(3) if body.inertia is None else np.asarray(body.inertia.com, dtype=float)
        starts = inboard or [com]
        ends = others or [com]
        positions, rotations = result[f"body:{name}.position"], _matrices(result[f"body:{name}.rotation"])
        for start in starts:
            for end in ends:
                lines.append(np.stack([positions + rotations @ start, positions + rotations @ end], axis=1))
    return lines


class _View:
    """From world points to the plane of the picture."""

    def __init__(self, points: Array, camera: tuple[float, float] | None = None):
        low, high = points.min(axis=0), points.max(axis=0)
        self.size = float(np.max(high - low)) or 1.0
        flat = [k for k in (1, 0, 2) if high[k] - low[k] < 1e-6 * self.size]
        self.flat = bool(flat) and camera is None
        self.unit = 1.0 if self.size < 1e4 else 1e3  # of the labels [m]
        if self.flat:
            keep = [k for k in range(3) if k != flat[0]]
            self.plane = np.eye(3)[keep]
            self.labels = [f"{'xyz'[k]} in {'m' if self.unit == 1.0 else 'km'}" for k in keep]
        else:
            a, e = camera or (AZIMUTH, ELEVATION)
            self.plane = np.array(
                [[-np.sin(a), np.cos(a), 0.0], [-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)]]
            )
        self.low, self.high = low, high

    def __call__(self, points: Array) -> Array:
        return points @ self.plane.T


def _nice(size: float) -> float:
    """A round number not far from `size`."""
    power = 10.0 ** np.floor(np.log10(size))
    return float(power * min((1.0, 2.0, 5.0, 10.0), key=lambda k: abs(np.log(k * power / size))))


# ------------------------------------------------------------------------------------------------------- the panels


def _draw_mechanism(
    axis: Any, result: Result, tip: str, instants: NDArray[np.int64], solid: bool, camera: tuple[float, float] | None
) -> None:
    from matplotlib.collections import LineCollection

    t, colours = result.t, _time_colours(result.t)
    lines = _lines(result)
    trace = result[f"marker:{tip}.position"] if tip in result.model.markers else None
    fixed = [place_bodies(result.model).on_parent[j].position for j, e in result.model.joints.items()
             if e.parent == GROUND and e.nv < 6 and (not solid or e.kind != "prismatic")]  # fmt: skip
    points = [*(line.reshape(-1, 3) for line in lines), *([trace] if trace is not None else [])]
    if fixed:
        points.append(np.reshape(fixed, (-1, 3)))
    view = _View(np.concatenate(points), camera)
    if not view.flat:
        _draw_floor(axis, view, trace)
    if trace is not None:
        path = view(trace)
        pieces = np.stack([path[:-1], path[1:]], axis=1)
        shades = [colours(time) for time in t[:-1]]
        over = 7 if solid else 2
        axis.add_collection(LineCollection(list(pieces), colors=shades, linewidths=1.1, alpha=0.75, zorder=over))
    if solid:
        draw_solids(axis, result, int(instants[0]), view, _matrices)
    else:
        _draw_instants(axis, lines, view, t, instants, colours)
    for point in fixed:
        axis.plot(
            *view(np.asarray(point)), marker="s", color=GREY, markersize=4 if solid else 8, zorder=2.5 + 5 * solid
        )
    axis.set_aspect("equal", adjustable="datalim")
    axis.margins(0.06)
    if view.flat:
        axis.set_xlabel(view.labels[0])
        axis.set_ylabel(view.labels[1])
        if view.unit != 1.0:
            for each in (axis.xaxis, axis.yaxis):
                each.set_major_formatter(lambda value, _: f"{value / view.unit:g}")
        axis.grid(alpha=0.25, linewidth=0.6)
        axis.spines[["top", "right"]].set_visible(False)
    else:
        axis.set_axis_off()
    axis.set_title(result.model.name, loc="left", fontsize=14, pad=20)
    what = f"path of {tip}, and the mechanism" if trace is not None else "the mechanism"
    when = f"at t = {t[instants[0]]:.3g} s" if solid else f"at {len(instants)} instants, coloured by time"
    axis.annotate(f"{what} {when}", (0.0, 1.0), xycoords="axes fraction",
                  xytext=(0, 5), textcoords="offset points", fontsize=9, color=GREY, va="bottom")  # fmt: skip


def _draw_instants(
    axis: Any, lines: list[Array], view: _View, t: Array, instants: NDArray[np.int64], colours: Any
) -> None:
    """Bodies as lines, the later the stronger."""
    for order, k in enumerate(instants):
        strength = 0.45 + 0.55 * order / max(len(instants) - 1, 1)
        for line in lines:
            start, end = view(line[k])
            axis.plot(*np.stack([start, end], axis=1), color=colours(t[k]), linewidth=3.6, alpha=strength,
                      solid_capstyle="round", zorder=3 + order)  # fmt: skip
            axis.plot(*start, "o", color="white", markeredgecolor=colours(t[k]), markersize=5.0, alpha=strength,
                      markeredgewidth=1.2, zorder=3.5 + order)  # fmt: skip


def _draw_floor(axis: Any, view: _View, trace: Array | None) -> None:
    """A grid below the mechanism, with the shadow of the path and the world's axes."""
    cell = _nice(view.size / 6)
    low, high = np.floor(view.low / cell) * cell, np.ceil(view.high / cell) * cell
    z = view.low[2] - 0.04 * view.size
    for k in range(round((high[0] - low[0]) / cell) + 1):
        x = low[0] + k * cell
        axis.plot(*view(np.array([[x, low[1], z], [x, high[1], z]])).T, color=LIGHT, linewidth=0.7, zorder=0)
    for k in range(round((high[1] - low[1]) / cell) + 1):
        y = low[1] + k * cell
        axis.plot(*view(np.array([[low[0], y, z], [high[0], y, z]])).T, color=LIGHT, linewidth=0.7, zorder=0)
    if trace is not None:
        shadow = trace.copy()
        shadow[:, 2] = z
        axis.plot(*view(shadow).T, color="#aab2bd", linewidth=0.9, zorder=1)
    corner = np.array([low[0], low[1], z])
    for direction, letter in zip(np.eye(3), "xyz", strict=True):
        tail, head = view(corner), view(corner + 0.8 * cell * direction)
        axis.annotate("", head, tail, arrowprops={"arrowstyle": "-|>", "color": GREY, "linewidth": 1.0}, zorder=1)
        axis.annotate(letter, view(corner + 1.05 * cell * direction), color=GREY, fontsize=9, ha="center", va="center")
    axis.annotate(f"grid {cell:g} m", view(np.array([high[0], low[1], z])), color=GREY, fontsize=9,
                  xytext=(0, -4), textcoords="offset points", ha="center", va="top")  # fmt: skip


def _draw_channels(axis: Any, result: Result, names: Sequence[str]) -> None:
    """Channels of one unit over time."""
    for i, name in enumerate(names):
        axis.plot(result.t, result[name], color=COLOURS[i % len(COLOURS)], linewidth=1.5, label=name)
    axis.set_ylabel(result.unit(names[0]))
    _legend(axis)


def _draw_coordinates(axis: Any, result: Result, tip: str) -> None:
    """Joint coordinates over time; positions of the tip where a joint turns freely in space."""
    import matplotlib

    joints = [e for e in result.model.joints.values() if e.nv > 0]
    if any(c.quaternion for e in joints for c in e.joint.coordinates) and tip in result.model.markers:
        series = [(f"{tip} {letter}", result[f"marker:{tip}.position.{letter}"]) for letter in "xyz"]
        label = "position in m"
    else:
        names = [(e.name, c.name, c.unit) for e in joints for c in e.joint.coordinates]
        columns = [(j, np.atleast_2d(result[f"joint:{j}.{c}"].T)) for j, c, _ in names]
        series = [(j if len(rows) == 1 else f"{j}[{i}]", row) for j, rows in columns for i, row in enumerate(rows)]
        units = sorted({unit for *_, unit in names})
        label = f"{names[0][1]} in {units[0]}" if len(units) == 1 else "coordinates in " + ", ".join(units)
    many = len(series) > MOST_LABELS
    shades = matplotlib.colormaps["cividis"](np.linspace(0.0, 0.9, len(series)))
    for i, (name, values) in enumerate(series):
        colour = shades[i] if many else COLOURS[i % len(COLOURS)]
        shown = name if not many or i in (0, len(series) - 1) else None
        axis.plot(result.t, values, color=colour, linewidth=1.0 if many else 1.5, label=shown)
    axis.set_ylabel(label)
    _legend(axis)


def _draw_energies(axis: Any, result: Result) -> None:
    e = result.energy
    shown = [("kinetic", e.kinetic, COLOURS[0]), ("gravity", e.gravity, COLOURS[2]), ("elastic", e.elastic, COLOURS[3]),
             ("supplied", e.supplied, COLOURS[4]), ("dissipated", e.dissipated, COLOURS[5])]  # fmt: skip
    span = max(float(np.ptp(values)) for _, values, _ in shown) or 1.0
    change = (
        float(np.max(np.abs([e.kinetic, e.gravity, e.elastic]))) > 5.0 * span
    )  # a constant part would hide the rest
    for name, values, colour in shown:
        if name in ("kinetic", "gravity") or np.ptp(values) > 1e-9 * span:
            axis.plot(result.t, values - change * values[0], color=colour, linewidth=1.5, label=name)
    axis.plot(result.t, e.total - change * e.total[0], color="black", linewidth=1.5, linestyle="--", label="total")
    axis.set_ylabel("change of energy in J" if change else "energy in J")
    _legend(axis)


def _draw_clock(axis: Any, t: Array, colours: Any) -> None:
    """The time axis, with a strip of the colours that stand for time."""
    strip = axis.inset_axes((0.0, -0.055, 1.0, 0.035), sharex=axis)
    times = np.linspace(t[0], t[-1], 256)
    shades = np.array([[colours(time) for time in times]])
    strip.imshow(shades, extent=(t[0], t[-1], 0, 1), aspect="auto")
    strip.set_axis_off()
    axis.spines["bottom"].set_visible(False)
    axis.tick_params(axis="x", length=0, pad=12)
    axis.set_xlabel("t in s")


def _legend(axis: Any) -> None:
    axis.grid(alpha=0.25, linewidth=0.6, axis="y")
    axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=9, handlelength=1.4)
