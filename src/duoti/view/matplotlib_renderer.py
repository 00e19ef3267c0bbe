"""The scene as matplotlib draws it, for machines without a browser: outlines of bodies, links, traces, a floor."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.elements import GROUND, name_of
from duoti.model.errors import MissingPackageError
from duoti.results.result import Result
from duoti.view.motion import MOST_FRAMES, at_instants, finite_count, thinned
from duoti.view.parts import corners, half_sizes, shapes_of
from duoti.view.scene import bounds_of, frames_of, scene_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
COLOURS = ("#5b84b1", "#d98c4a", "#6aa37a", "#b9748f", "#8479b8", "#bfa24a", "#4fa0a8", "#a67c63")
ROUND = 14  # sides of what is round
ANGLES = {"iso": (24.0, -58.0), "front": (0.0, -90.0), "right": (0.0, 0.0), "top": (90.0, -90.0)}  # elevation, azimuth
DPI = 100.0


def faces(kind: str, low: Array, high: Array) -> list[Array]:
    """Faces of a simple shape, its axis along z, as lists of corners; round ones by their outline."""
    middle, half = (low + high) / 2, (high - low) / 2
    if kind == "box":
        c = corners(low, high)
        return [
            c[list(f)] for f in ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))
        ]
    angle = np.linspace(0, 2 * np.pi, ROUND + 1)
    if kind in ("sphere", "shell", "ellipsoid"):
        rings = [(np.cos(a), np.sin(a)) for a in np.linspace(-np.pi / 2, np.pi / 2, ROUND // 2 + 1)]
    elif kind == "cone":
        rings = [(0.0, -1.0), (1.0, -1.0), (0.0, 1.0)]
    else:
        rings = [(0.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.0, 1.0)]
    curves = [np.column_stack([r * np.cos(angle), r * np.sin(angle), np.full(ROUND + 1, z)]) for r, z in rings]
    found = [np.array([a[k], a[k + 1], b[k + 1], b[k]]) for a, b in pairwise(curves) for k in range(ROUND)]
    return [middle + face * half for face in found]


class MatplotlibRenderer:
    """Draws a result at any instant."""

    def __init__(self, result: Result):
        self.result = at_instants(result, thinned(finite_count(result), MOST_FRAMES))
        system = self.result.system
        self.names = list(system.model.bodies)
        self.scene = scene_of(system)
        self.frames = frames_of(system, self.result.t, self.result.states, self.names)
        self.centre, half = bounds_of(system, self.scene.points, self.frames, self.names)
        self.size = 2.0 * float(np.max(half)) or 1.0
        self.shapes = {name: self._faces(name) for name in self.names}
        links = {body["name"]: body["links"] for body in self.scene.document["bodies"]}
        self.links = {name: np.array(links[name], dtype=float).reshape(-1, 2, 3) for name in self.names}

    def _faces(self, name: str) -> list[Array]:
        found: list[Array] = []
        thin = 0.006 * self.size
        for shape in shapes_of(self.result.model.bodies[name]):
            if shape.cavity or shape.kind == "mesh":
                continue
            low, high = half_sizes(shape)
            flat = high - low < thin
            low, high = np.where(flat, (low + high - thin) / 2, low), np.where(flat, (low + high + thin) / 2, high)
            found += [shape.pose @ face for face in faces(shape.kind, low, high)]
        return found

    def frame(self, t: float) -> Array:
        """Frames of the bodies at the output nearest to t."""
        return self.frames[int(np.argmin(np.abs(self.result.t - t)))]

    def figure(self, t: float, size: tuple[int, int], clock: bool, camera: str, dark: bool) -> Figure:
        """The scene at an instant."""
        try:
            from matplotlib.figure import Figure
            from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection
        except ImportError:
            raise MissingPackageError('pictures without a browser need matplotlib: pip install "duoti[plot]"') from None
        back, text = ("#171b21", "#98a3b3") if dark else ("#f6f7f9", "#667080")
        figure = Figure(figsize=(size[0] / DPI, size[1] / DPI), dpi=DPI, facecolor=back)
        axes: Any = figure.add_axes((-0.5, -0.5, 2, 2), projection="3d", facecolor=back, computed_zorder=True)
        axes.set_axis_off()
        axes.set_proj_type("persp", focal_length=2.0)
        axes.view_init(*ANGLES[camera])
        frames = self.frame(t)
        for k, name in enumerate(self.names):
            R, p = frames[k, :9].reshape(3, 3), frames[k, 9:12]
            colour = COLOURS[k % len(COLOURS)]
            if self.shapes[name]:
                solid = Poly3DCollection([face @ R.T + p for face in self.shapes[name]], shade=True, facecolors=colour)
                axes.add_collection3d(solid)
            lines = list(self.links[name] @ R.T + p)
            if lines:
                axes.add_collection3d(Line3DCollection(lines, colors=colour, linewidths=2.0))
            if not self.shapes[name]:
                body = self.result.model.bodies[name]
                com = R @ (np.zeros(3) if body.inertia is None else np.asarray(body.inertia.com)) + p
                axes.plot(*com[:, None], "o", color=colour, markersize=5)
        self._traces(axes, t)
        self._floor(axes, text)
        half = 0.58 * self.size
        for set_limits, middle in zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), self.centre, strict=True):
            set_limits(middle - half, middle + half)
        axes.set_box_aspect((1, 1, 1), zoom=0.68)
        if clock:
            figure.text(0.02, 0.02, f"{self.result.model.name}   t = {t:.3f} s", color=text)
        return figure

    def _traces(self, axes: Any, t: float) -> None:
        until = self.result.t <= t
        for marker in self.result.model.markers.values():
            name = name_of(marker.body)
            if name == GROUND or np.count_nonzero(until) < 2:
                continue
            frames = self.frames[until, self.names.index(name)]
            way = frames[:, 9:12] + frames[:, :9].reshape(-1, 3, 3) @ np.asarray(marker.position, dtype=float)
            axes.plot(*way.T, color="#2b7bb9", linewidth=1.2, alpha=0.7)

    def _floor(self, axes: Any, colour: str) -> None:
        lowest = min(float(self.frames[..., 11].min(initial=0.0)), 0.0) - 0.05 * self.size
        across = np.linspace(-0.55, 0.55, 9) * self.size
        for x in across:
            ends = np.array([across[0], across[-1]])
            axes.plot(
                np.full(2, self.centre[0] + x), self.centre[1] + ends, lowest, color=colour, linewidth=0.4, alpha=0.4
            )
            axes.plot(
                self.centre[0] + ends, np.full(2, self.centre[1] + x), lowest, color=colour, linewidth=0.4, alpha=0.4
            )


def pictures(
    result: Result, times: list[float], size: tuple[int, int], clock: bool, options: dict[str, Any]
) -> Iterator[bytes]:
    """PNG of the scene at each of the times."""
    renderer = MatplotlibRenderer(result)
    for t in times:
        figure = renderer.figure(t, size, clock, options.get("camera", "iso"), options.get("theme") == "dark")
        data = io.BytesIO()
        figure.savefig(data, format="png", dpi=DPI, facecolor=figure.get_facecolor())
        yield data.getvalue()
