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

from duoti.model.elements import GROUND, JointElement, name_of
from duoti.model.errors import MissingPackageError
from duoti.model.joints.revolute import Revolute
from duoti.model.mechanism.placement import place_bodies
from duoti.results.plot.plots import COLOURS, new_figure
from duoti.spatial import axis_vector
from duoti.view.images.matplotlib_renderer import GREY, MOST_OUTLINED, MatplotlibRenderer, draw_floor
from duoti.view.images.solids import View
from duoti.view.scene.beams_and_cables import nodes_of
from duoti.view.scene.parts import shapes_of

if TYPE_CHECKING:
    from duoti.results.result import Result

Array = NDArray[np.float64]

INSTANTS = 7
MOST_LABELS = 8
TIME_COLOURS = "viridis"


def draw(
    result: Result,
    path: str | Path,
    tip: str | None = None,
    *,
    solid: bool | None = None,
    instant: float | None = None,
    camera: tuple[float, float] | None = None,
    near: bool = False,
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
        Draw solids at one instant, not lines at several; by default for mechanisms with closed loops or constraints,
        for crowds of bodies with contacts, and for shapes that is not convex.
    instant:
        Time [s] at which solids are drawn; by default the end.
    camera:
        Azimuth and elevation of the view [rad]; by default at right angles to a plane motion, else from the front.
    near:
        Show solids from near, where they are at that instant, without the way that they go.
    channels:
        What the upper right panel shows; by default the coordinates.
    size, dpi:
        Of the picture [inch], and dots per inch.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
    except ImportError:
        raise MissingPackageError('pictures need matplotlib: pip install "duoti[plot]"') from None
    figure = new_figure(*size)
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(2, 2, width_ratios=(1.15, 1.0), wspace=0.06, hspace=0.06)
    mechanism = figure.add_subplot(grid[:, 0])
    coordinates = figure.add_subplot(grid[0, 1])
    energies = figure.add_subplot(grid[1, 1], sharex=coordinates)
    matplotlib_renderer = MatplotlibRenderer(result)
    if solid is None:
        crowd = bool(result.model.contacts) and len(result.model.bodies) > MOST_OUTLINED
        solid = bool(result.system.closures.rows) or (crowd and not matplotlib_renderer.nodes)
        solid |= bool(result.model.contacts) and _is_non_convex(matplotlib_renderer)
    result = matplotlib_renderer.result
    if solid:
        last = len(result.t) - 1
        instants = np.array([last if instant is None else min(int(np.searchsorted(result.t, instant)), last)])
    else:
        instants = np.unique(np.linspace(0, len(result.t) - 1, INSTANTS).round().astype(int))
    moving = [name for name, marker in result.model.markers.items() if name_of(marker.body) != GROUND]
    followed = tip or (moving or [""])[-1]
    _draw_mechanism(mechanism, matplotlib_renderer, followed, instants, solid, camera, near and solid)
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


def _is_non_convex(matplotlib_renderer: MatplotlibRenderer) -> bool:
    """Whether an outline would hide where bodies touch: in a gutter, on terrain, in a bowl."""
    model, touching = matplotlib_renderer.model, matplotlib_renderer.touching
    shapes = [shape for body in (model.ground, *model.bodies.values()) for shape in shapes_of(body)]
    shapes += [shape for those in (touching.solid, touching.faint) for each in those.values() for shape in each]
    return any(shape.kind in ("heightfield", "extrusion", "ribbon", "rail") or not shape.convex for shape in shapes)


def _time_colours(t: Array) -> Any:
    """A function from time to colour."""
    import matplotlib
    from matplotlib.colors import Normalize

    scale, colours = Normalize(t[0], max(t[-1], t[0] + 1e-300)), matplotlib.colormaps[TIME_COLOURS]
    return lambda time: colours(0.92 * scale(time))


def _draw_mechanism(
    axis: Any,
    matplotlib_renderer: MatplotlibRenderer,
    tip: str,
    instants: NDArray[np.int64],
    solid: bool,
    camera: tuple[float, float] | None,
    near: bool,
) -> None:
    from matplotlib.collections import LineCollection

    model, t, colours = (
        matplotlib_renderer.model,
        matplotlib_renderer.result.t,
        _time_colours(matplotlib_renderer.result.t),
    )
    trace = matplotlib_renderer.marker_path(tip) if tip in model.markers else None
    loose = {e.child for e in model.joints.values() if e.nv > 2 and e.child in matplotlib_renderer.nodes}
    placed = place_bodies(model).on_parent
    axes = [
        placed[j].rotation.matrix @ axis_vector(e.joint.axis)
        for j, e in model.joints.items()
        if isinstance(e.joint, Revolute)
    ]
    turns = np.abs(axes).sum(axis=0) if axes else None
    fixed = [placed[j].position for j, e in model.joints.items()
             if e.parent == GROUND and e.nv < 6 and e.child not in loose
             and e.kind not in ("planar", "translation") and (not solid or e.kind != "prismatic")]  # fmt: skip
    lines = [*matplotlib_renderer.lines, *matplotlib_renderer.slender]
    lines += [nodes for nodes, _ in matplotlib_renderer.flexible.values()]
    points = [*(line.reshape(-1, 3) for line in lines), *([trace] if trace is not None else [])]
    if fixed:
        points.append(np.reshape(fixed, (-1, 3)))
    if near:
        points = [each.reshape(-1, 3) for each, _ in matplotlib_renderer.solid_faces(int(instants[0]), 0.0, COLOURS)]
    view = View(np.concatenate(points), camera, turns=turns)
    if not view.flat and not near:
        shapes = [matplotlib_renderer.outlines(int(k)) for k in instants]
        view = View(np.concatenate([*points, *shapes]), camera, turns=turns)
    if not view.flat:
        draw_floor(axis, view, trace)
    if trace is not None:
        path = view(trace)
        pieces = np.stack([path[:-1], path[1:]], axis=1)
        shades = [colours(time) for time in t[:-1]]
        over = 7 if solid else 2
        axis.add_collection(LineCollection(list(pieces), colors=shades, linewidths=1.1, alpha=0.75, zorder=over))
    if solid:
        matplotlib_renderer.draw_solids(axis, int(instants[0]), view, 0.010 * view.size, COLOURS)
    else:
        matplotlib_renderer.draw_instants(axis, instants, view, [colours(t[k]) for k in instants])
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
    axis.set_title(model.name, loc="left", fontsize=14, pad=20)
    what = f"path of {tip}, and the mechanism" if trace is not None else "the mechanism"
    when = f"at t = {t[instants[0]]:.3g} s" if solid else f"at {len(instants)} instants, coloured by time"
    axis.annotate(f"{what} {when}", (0.0, 1.0), xycoords="axes fraction",
                  xytext=(0, 5), textcoords="offset points", fontsize=9, color=GREY, va="bottom")  # fmt: skip


def _draw_channels(axis: Any, result: Result, names: Sequence[str]) -> None:
    """Channels of one unit over time."""
    for i, name in enumerate(names):
        axis.plot(result.t, result[name], color=COLOURS[i % len(COLOURS)], linewidth=1.5, label=name)
    axis.set_ylabel(result.unit(names[0]))
    _legend(axis)


def _draw_coordinates(axis: Any, result: Result, tip: str) -> None:
    """Joint coordinates over time; positions of the tip where a joint turns freely in space."""
    import matplotlib

    nodes = nodes_of(result.model)
    joints = [e for e in result.model.joints.values() if e.nv > 0]
    joints = [e for e in joints if e.child not in nodes] or joints
    if any(_rotates_freely(e) for e in joints) and tip in result.model.markers:
        series = [(f"{tip} {letter}", result[f"marker:{tip}.position.{letter}"]) for letter in "xyz"]
        label = "position in m"
    elif free := [e.child for e in joints if e.nv > 2 and (e.child in nodes or _rotates_freely(e))]:
        letters = "xyz" if len(free) <= MOST_LABELS else "xyz"[int(np.argmax(np.abs(result.model.gravity)))]
        series = [(f"{name} {x}", result[f"body:{name}.position.{x}"]) for name in free for x in letters]
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


def _rotates_freely(element: JointElement) -> bool:
    return any(c.quaternion for c in element.joint.coordinates)


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
