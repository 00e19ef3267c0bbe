"""Pictures of equilibria: the mechanism as lines, and paths of equilibria over a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.results.evaluate.observe import FRAMES, observe
from duoti.results.plot.analyses import best_plane
from duoti.results.plot.plots import COLOURS, new_figure
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from duoti.analyses.equilibrium.equilibrium import Equilibrium
    from duoti.analyses.equilibrium.path import EquilibriumPath
    from duoti.system.system import System


def skeleton(system: System, q: Reals, z: Reals) -> list[Reals]:
    """Lines [points, 3] of a position: for each row of bodies, from its joints and markers to their mean and back."""
    body = system.loads.markers.body
    states = system.whole_state(q, np.zeros(system.nv), z)[None]
    positions = observe(system, np.zeros(1), states, FRAMES, list(range(len(body)))).frames[0, :, 9:12]
    joints = sorted({m for layout in system.joints.values() for m in (layout.parent_marker, layout.child_marker)})
    lines: list[Reals] = []
    for row in range(1, system.tree.nb):
        points = positions[[m for m in joints if body[m] == row]]
        others = positions[[m for m in range(len(body)) if body[m] == row and m not in joints]]
        if len(points) > 1:
            lines.append(np.vstack([points, points[:1]]))
        hub = points[0] if len(points) else others[0]
        lines += [np.vstack([hub, point]) for point in others]
    return lines


def draw_skeleton(axes: Any, lines: Sequence[Reals], plane: tuple[int, int], **style: Any) -> None:
    """Lines seen along the third axis."""
    for line in lines:
        axes.plot(line[:, plane[0]], line[:, plane[1]], "-o", ms=3, **style)


def plot_path(path: EquilibriumPath, channel: str | None) -> Figure:
    """A channel over the parameter, and the mechanism at the beginning, at turning points and at the end."""
    figure = new_figure(10.5, 4.8)
    left, right = figure.subplots(1, 2, width_ratios=(1.3, 1))  # pyright: ignore[reportUnknownMemberType]
    if channel is None:
        most = int(np.argmax(np.ptp(path.q, axis=0)))
        channel, values = path.system.coordinate_names[most], path.q[:, most]
    else:
        values = path[channel]
    stable, ends = path.stable, path.turning_points
    for k in range(len(path) - 1):
        is_stable = stable[k] and stable[k + 1]
        style, colour = ("-", COLOURS[0]) if is_stable else ("--", COLOURS[1])
        left.plot(values[k : k + 2], path.values[k : k + 2], style, color=colour, lw=1.8)
    left.plot(values[ends], path.values[ends], "o", color="k", ms=5)
    for k in ends:
        left.annotate(f"{path.values[k]:.4g}", (values[k], path.values[k]), xytext=(6, 4), textcoords="offset points")
    left.set_xlabel(channel)
    left.set_ylabel(path.parameter)
    left.set_title(f"{path.system.model.name}: equilibria (broken: not stable)", fontsize=10)
    left.grid(True, lw=0.3)
    shown = [0, *ends, len(path) - 1]
    drawn = [skeleton(path.system, path.q[k], path.z[k]) for k in shown]
    plane = best_plane(np.vstack([line for lines in drawn for line in lines] or [np.zeros((1, 3))]))
    for k, (at, lines) in enumerate(zip(shown, drawn, strict=True)):
        draw_skeleton(right, lines, plane, color=COLOURS[k % len(COLOURS)], lw=1.5)
        right.plot([], [], color=COLOURS[k % len(COLOURS)], label=f"{path.parameter} = {path.values[at]:.4g}")
    right.set_aspect("equal", adjustable="datalim")
    right.set_xlabel(f"{'xyz'[plane[0]]} [m]")
    right.set_ylabel(f"{'xyz'[plane[1]]} [m]")
    right.legend(fontsize=8)
    return figure


def plot_equilibrium(*found: Equilibrium) -> Figure:
    """Equilibria beside each other: where the joints and markers are."""
    figure = new_figure(5.2 * min(len(found), 3), 4.8 * -(-len(found) // 3))
    grid: Any = figure.subplots(-(-len(found) // 3), min(len(found), 3), squeeze=False)  # pyright: ignore[reportUnknownMemberType]
    for axes in grid.ravel()[len(found) :]:
        axes.set_axis_off()
    for e, axes in zip(found, grid.ravel(), strict=False):
        start, here = skeleton(e.system, e.system.initial_state()[0], e.z), skeleton(e.system, e.q, e.z)
        plane = best_plane(np.vstack([*here, *start] or [np.zeros((1, 3))]))
        draw_skeleton(axes, start, plane, color="0.85", lw=1.0)
        draw_skeleton(axes, here, plane, color=COLOURS[0] if e.stable else COLOURS[1], lw=1.8)
        axes.set_aspect("equal", adjustable="datalim")
        axes.set_xlabel(f"{'xyz'[plane[0]]} [m]")
        axes.set_ylabel(f"{'xyz'[plane[1]]} [m]")
        axes.grid(True, lw=0.3)
        kind = "steady motion" if np.any(e.v) else "equilibrium"
        axes.set_title(f"{e.model.name}: {kind}, {'stable' if e.stable else 'not stable'}", fontsize=10)
    return figure
