"""Mechanisms as matplotlib draws them: solids or lines, springs, paths of markers, over a floor with a grid.

For the overview of a run (`duoti.view.images.overview`), and for pictures and films on machines without a browser.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.elements import GROUND, name_of
from duoti.model.forces.reeving import Reeving
from duoti.model.forces.rope import Rope
from duoti.model.mechanism.flexible_interfaces import flexible_bodies
from duoti.model.mechanism.placement import place_bodies
from duoti.results.plot.plots import new_figure
from duoti.results.result import Result
from duoti.view.images.rope_lines import Rim, rope_line
from duoti.view.images.solids import (
    View,
    draw_faces,
    draw_outline,
    draw_spring,
    faces_of,
    faces_of_shapes,
    plane_patch,
    points_of,
)
from duoti.view.scene.beams_and_cables import ends_of, nodes_of, slender_of
from duoti.view.scene.contacts import contact_shapes
from duoti.view.scene.motion import MOST_FRAMES, at_instants, finite_count, thinned
from duoti.view.scene.parts import corners
from duoti.view.scene.scene import bounds_of, frames_of, rope_path, scene_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
COLOURS = ("#5b84b1", "#d98c4a", "#6aa37a", "#b9748f", "#8479b8", "#bfa24a", "#4fa0a8", "#a67c63")
ANGLES = {"iso": (-58.0, 24.0), "front": (-90.0, 0.0), "right": (0.0, 0.0), "top": (-90.0, 90.0)}  # azimuth, elevation
DPI = 100.0
AWAY = 2.5  # distance of the eye, in sizes of the scene
NARROWEST = 0.4  # of the floor, in sizes of the scene
THIN = 0.006  # radius of rods, in sizes of the scene
MARGIN = 1.16  # of the picture around what moves
PLANE = 0.55  # half the edge of the piece that is drawn of a plane, in sizes of the scene
MOST_OUTLINED = 60  # bodies that are drawn with their shapes at several instants
SOIL = "#8a94a3"
SPRINGS = ("spring_damper", "table_spring")
GREY, LIGHT = "#444444", "#cfd4da"


class MatplotlibRenderer:
    """Draws the mechanism of a result on axes of matplotlib, at any of its outputs."""

    def __init__(self, result: Result):
        self.result = at_instants(result, thinned(finite_count(result), MOST_FRAMES))
        self.model = self.result.model
        self.names = list(self.model.bodies)
        self.frames = frames_of(self.result.system, self.result.t, self.result.states, self.names)
        self._faces: dict[float, dict[str, list[tuple[Array, str]]]] = {}
        self.touching = contact_shapes(self.model)

    def body_frames(self, name: str) -> tuple[Array, Array]:
        """Rotation matrices (times, 3, 3) and positions (times, 3) of a body, or of ground."""
        if name == GROUND:
            return np.broadcast_to(np.eye(3), (len(self.frames), 3, 3)), np.zeros((len(self.frames), 3))
        frames = self.frames[:, self.names.index(name)]
        return frames[:, :9].reshape(-1, 3, 3), frames[:, 9:12]

    def path(self, body: str, point: Array) -> Array:
        """Where a point of a body is over time (times, 3)."""
        R, p = self.body_frames(body)
        return p + R @ np.asarray(point, dtype=float)

    def marker_path(self, name: str) -> Array:
        """Where a marker is over time (times, 3)."""
        return self.result[f"marker:{name}.position"]

    @cached_property
    def lines(self) -> list[Array]:
        """The lines of all bodies over time, each an array (times, 2, 3) from an inboard joint to another point.

        Nodes of beams that carry nothing have none: the beams run through them (`slender`).
        """
        model, placement = self.model, place_bodies(self.model)
        nodes, flexible = self.nodes, set(flexible_bodies(model))
        found: list[Array] = []
        for name, body in model.bodies.items():
            inboard = [placement.on_child[j].position for j, e in model.joints.items() if e.child == name and e.nv < 6]
            others = [placement.on_parent[j].position for j, e in model.joints.items() if e.parent == name]
            others += [m.pose.position for m in model.markers.values() if name_of(m.body) == name]
            if (name in nodes and not others) or name in flexible:
                continue
            com = np.zeros(3) if body.inertia is None else np.asarray(body.inertia.com, dtype=float)
            for start in inboard or [com]:
                for end in others or [com]:
                    found.append(np.stack([self.path(name, start), self.path(name, end)], axis=1))
        return found

    @cached_property
    def slender(self) -> list[Array]:
        """Beams and cables through their nodes, lines of flexible bodies, over time: arrays (times, points, 3)."""
        found: list[Array] = []
        for part in slender_of(self.model):
            ends = [ends_of(self.model, self.model.forces[name]) for name in part.elements]
            along = [ends[0][0], *(end for each in ends for end in each[1::2])]  # pairs of each piece
            found.append(np.stack([self.path(body, pose.position) for body, pose in along], axis=1))
        for nodes, faces in self.flexible.values():
            if faces.shape[1] == 2:
                found += [nodes[:, pair] for pair in faces]
        return found

    @cached_property
    def nodes(self) -> set[str]:
        """Bodies that are drawn as a part of a beam or cable."""
        return nodes_of(self.model)

    @cached_property
    def flexible(self) -> dict[str, tuple[Array, NDArray[np.int64]]]:
        """Points (times, nodes, 3) of flexible bodies in the world, and the lines or triangles between them."""
        found: dict[str, tuple[Array, NDArray[np.int64]]] = {}
        for name, layout in self.result.system.flexible.items():
            shown = layout.reduced.display
            if shown is not None and len(shown.faces):
                R, p = self.body_frames(name)
                local = shown.nodes + np.einsum("nij,tj->tni", shown.modes, self.result.q[:, layout.q])
                found[name] = np.einsum("tij,tnj->tni", R, local) + p[:, None], shown.faces[:, :3]
        return found

    def _skins(self, k: int) -> dict[str, Array]:
        """Triangles of flexible bodies at output k, as faces (n, 4, 3)."""
        return {
            name: nodes[k][np.concatenate([faces, faces[:, 2:]], axis=1)]
            for name, (nodes, faces) in self.flexible.items()
            if faces.shape[1] == 3
        }

    # ------------------------------------------------------------------------------------------------ on the axes

    def draw_solids(
        self, axis: Any, k: int, view: View, thin: float, colours: Sequence[str], springs: str = "#555555"
    ) -> None:
        """All bodies with shapes, and springs, at output k; thin: radius of rods [m]."""
        self.draw_planes(axis, k, view)
        draw_faces(axis, self.solid_faces(k, thin, colours), view)
        for name, shapes in self.touching.faint.items():
            R, p = self.body_frames(name)
            for faces, chosen in faces_of_shapes(shapes, thin):
                draw_outline(axis, faces.reshape(-1, 3) @ R[k].T + p[k], view, chosen or springs, 0.8)
        for line in self.slender:
            axis.plot(*view(line[k]).T, color=springs, linewidth=2.5, solid_capstyle="round", zorder=5)
        for force in self.model.forces.values():
            ends = [getattr(force, end, None) for end in ("marker_a", "marker_b")]
            if None not in ends and force.kind in SPRINGS:
                a, b = (self._end(name_of(end))[k] for end in ends)  # pyright: ignore[reportArgumentType]
                draw_spring(axis, a, b, view, springs)
        for rims, closed in self.ropes:
            placed = [rim._replace(**{name: each[k] for name, each in path.items()}) for rim, path in rims]
            axis.plot(*view(rope_line(placed, closed)).T, color=springs, linewidth=1.6, zorder=6)

    @cached_property
    def ropes(self) -> list[tuple[list[tuple[Rim, dict[str, Array]]], bool]]:
        """Ropes by their sheaves and eyes, each with centres and axes over time; and whether they are closed."""
        names, placement = [GROUND, *self.model.bodies], place_bodies(self.model)
        index = {name: k for k, name in enumerate(names)}
        found: list[tuple[list[tuple[Rim, dict[str, Array]]], bool]] = []
        for force in self.model.forces.values():
            if not isinstance(force, Rope | Reeving):
                continue
            rims: list[tuple[Rim, dict[str, Array]]] = []
            for point in rope_path(self.model, force, placement, index):
                R, p = self.body_frames(names[point["body"]])
                places = {"centre": p + R @ point["at"], "ex": R @ point["ex"], "ey": R @ point["ey"]}
                first = (each[0] for each in places.values())
                rims.append((Rim(*first, radius=point["radius"], side=point["side"]), places))
            found.append((rims, isinstance(force, Reeving) and force.closed))
        return found

    def solid_faces(self, k: int, thin: float, colours: Sequence[str]) -> list[tuple[Array, str]]:
        """Faces (n, 4, 3) of all shapes in the world at output k, with their colours."""
        if thin not in self._faces:
            bodies = {**self.model.bodies, GROUND: self.model.ground}
            more = self.touching.solid
            self._faces[thin] = {
                name: faces_of(body, thin) + faces_of_shapes(more.get(name, ()), thin) for name, body in bodies.items()
            }
        faces: list[tuple[Array, str]] = []
        for i, (name, shapes) in enumerate(self._faces[thin].items()):
            R, p = self.body_frames(name)
            if name in self.nodes:
                continue
            colour = SOIL if name == GROUND else colours[i % len(colours)]
            faces += [(face @ R[k].T + p[k], chosen or colour) for face, chosen in shapes]
        for name, skin in self._skins(k).items():
            faces.append((skin, colours[self.names.index(name) % len(colours)]))
        return faces

    def _end(self, name: str) -> Array:
        return self.marker_path(name) if name in self.model.markers else self.path(name, np.zeros(3))

    @cached_property
    def outlined(self) -> dict[str, list[Array]]:
        """Points of the shapes of bodies that are drawn with them: those of models with contacts, and free ones."""
        free = {e.child for e in self.model.joints.values() if e.nv == 6}
        found: dict[str, list[Array]] = {}
        for name in self.names:
            own = [] if name in self.nodes else self._shown(name)
            faces = [*own, *faces_of_shapes(self.touching.faint.get(name, ()), 0.0)]
            if faces and (self.model.contacts or name in free):
                found[name] = [points_of(each) for each, _ in faces]
        if GROUND in self.touching.solid or self.model.contacts:
            found[GROUND] = [points_of(each) for each, _ in self._shown(GROUND)]
        return found if len(found) <= MOST_OUTLINED else {}

    def _shown(self, name: str) -> list[tuple[Array, str]]:
        body = self.model.ground if name == GROUND else self.model.bodies[name]
        return faces_of(body, 0.0) + faces_of_shapes(self.touching.solid.get(name, ()), 0.0)

    def outlines(self, k: int) -> Array:
        """Points of all that is outlined, at output k (n, 3)."""
        found = [np.zeros((0, 3))]
        for name, shapes in self.outlined.items():
            R, p = self.body_frames(name)
            found += [points @ R[k].T + p[k] for points in shapes]
        found += [nodes[k] for nodes, _ in self.flexible.values()]
        return np.concatenate(found)

    def draw_planes(self, axis: Any, k: int, view: View) -> None:
        """Planes of contacts, a piece of each."""
        from matplotlib.patches import Polygon

        cloud = np.concatenate([view.low[None], view.high[None], self.outlines(k)])
        low, high = cloud.min(axis=0), cloud.max(axis=0)
        size = float(np.max(high - low)) or 1.0
        for name, pose in self.touching.planes:
            R, p = self.body_frames(name)
            own = self._shown(name)
            if name == GROUND:
                middle, half = (low + high) / 2, PLANE * size
            elif own:
                cloud = np.concatenate([faces.reshape(-1, 3) for faces, _ in own])
                middle, half = cloud.mean(axis=0), float(np.max(np.ptp(cloud, axis=0))) / 2
            else:
                middle, half = np.asarray(pose.position, dtype=float), PLANE * size / 3
            piece = view(plane_patch(pose, middle, half) @ R[k].T + p[k])
            axis.add_patch(Polygon(piece, closed=True, facecolor=SOIL, alpha=0.25, zorder=0.5))
            axis.add_patch(Polygon(piece, closed=True, fill=False, edgecolor=SOIL, linewidth=1.0, zorder=0.6))

    def draw_instants(self, axis: Any, instants: NDArray[np.int64], view: View, colours: Sequence[Any]) -> None:
        """Bodies as lines at several outputs, the later the stronger; a colour for each."""
        from matplotlib.collections import PolyCollection

        self.draw_planes(axis, int(instants[-1]), view)
        for order, k in enumerate(instants):
            strength = 0.45 + 0.55 * order / max(len(instants) - 1, 1)
            for name, shapes in self.outlined.items():
                if name == GROUND and order:
                    continue
                R, p = self.body_frames(name)
                for points in shapes:
                    colour = GREY if name == GROUND else colours[order]
                    draw_outline(axis, points @ R[k].T + p[k], view, colour, strength, 2.5 + order)
            for skin in self._skins(k).values():
                axis.add_collection(
                    PolyCollection(
                        list(view(skin)), facecolors=[colours[order]], alpha=0.3 * strength, zorder=3 + order
                    )
                )
            for line in self.slender:
                axis.plot(*view(line[k]).T, color=colours[order], linewidth=3.6, alpha=strength,
                          solid_capstyle="round", zorder=3 + order)  # fmt: skip
            for line in self.lines:
                start, end = view(line[k])
                if self.outlined and np.allclose(line[k, 0], line[k, 1], rtol=0.0, atol=1e-12):
                    continue  # a dot in the middle of what is drawn
                axis.plot(*np.stack([start, end], axis=1), color=colours[order], linewidth=3.6, alpha=strength,
                          solid_capstyle="round", zorder=3 + order)  # fmt: skip
                axis.plot(*start, "o", color="white", markeredgecolor=colours[order], markersize=5.0, alpha=strength,
                          markeredgewidth=1.2, zorder=3.5 + order)  # fmt: skip

    # ---------------------------------------------------------------------------------------- a picture of its own

    @cached_property
    def _scene(self) -> tuple[Array, dict[str, Array]]:
        """Corners of the box around all that moves; links of the bodies to their joints."""
        scene = scene_of(self.result.system)
        centre, half = bounds_of(self.result.system, scene, self.frames, self.names)
        half[:2] = np.maximum(half[:2], NARROWEST * max(*half, 1e-300))  # a floor also below what moves in a plane
        bodies = scene.document["bodies"]
        links = {body["name"]: np.array(body["links"], dtype=float).reshape(-1, 2, 3) for body in bodies}
        return corners(centre - half, centre + half), links

    def figure(
        self, t: float, size: tuple[int, int], clock: bool, camera: str, dark: bool, zoom: float = 1.0
    ) -> Figure:
        """The scene at the output nearest to t; size in pixels, camera: one of `ANGLES`."""
        back, text, grid = ("#171b21", "#98a3b3", "#3a424d") if dark else ("#f6f7f9", "#667080", LIGHT)
        figure = new_figure(size[0] / DPI, size[1] / DPI, dpi=DPI, facecolor=back, layout=None)
        axis: Any = figure.add_axes((0, 0, 1, 1))
        axis.set_axis_off()
        box, links = self._scene
        azimuth, elevation = np.radians(ANGLES[camera])
        view = View(box, (azimuth, elevation), AWAY * (float(np.linalg.norm(np.ptp(box, axis=0))) or 1.0))
        k, thin = int(np.argmin(np.abs(self.result.t - t))), THIN * view.size
        floor = draw_floor(axis, view, None, grid, text)
        for name, marker in self.model.markers.items():
            if name_of(marker.body) != GROUND and k > 0:
                path = view(self.marker_path(name)[: k + 1])
                axis.plot(*path.T, color="#2b7bb9", linewidth=1.2, alpha=0.7, zorder=7)
        self.draw_solids(axis, k, view, thin, COLOURS, springs=text)
        for i, name in enumerate(self.names):
            colour = COLOURS[i % len(COLOURS)]
            R, p = self.body_frames(name)
            for line in links[name] @ R[k].T + p[k]:
                axis.plot(*view(line).T, color=colour, linewidth=2.0, solid_capstyle="round", zorder=4.5)
            body = self.model.bodies[name]
            if not self._faces[thin][name] and name not in self.nodes and name not in self.flexible:
                com = np.zeros(3) if body.inertia is None else np.asarray(body.inertia.com, dtype=float)
                axis.plot(*view(R[k] @ com + p[k]), "o", color=colour, markersize=5, zorder=6)
        _frame(axis, np.concatenate([view(box), view(floor)]), size, zoom)
        if clock:
            figure.text(0.02, 0.02, f"{self.model.name}   t = {t:.3f} s", color=text)
        return figure


def _frame(axis: Any, box: Array, size: tuple[int, int], zoom: float) -> None:
    """Limits that hold a box in a picture of this size, the same at all instants."""
    low, high = box.min(axis=0), box.max(axis=0)
    middle = (low + high) / 2
    scale = MARGIN * max((high - low) / np.array(size, dtype=float)) or 1.0 / max(size)
    half = scale * np.array(size) / 2 / zoom
    axis.set_xlim(middle[0] - half[0], middle[0] + half[0])
    axis.set_ylim(middle[1] - half[1], middle[1] + half[1])


def nice(size: float) -> float:
    """A round number not far from `size`."""
    power = 10.0 ** np.floor(np.log10(size))
    return float(power * min((1.0, 2.0, 5.0, 10.0), key=lambda k: abs(np.log(k * power / size))))


def draw_floor(axis: Any, view: View, trace: Array | None, grid: str = LIGHT, text: str = GREY) -> Array:
    """A grid below the mechanism, with the shadow of a path and the world's axes; returns its corners."""
    cell = nice(view.size / 6)
    low, high = np.floor(view.low / cell) * cell, np.ceil(view.high / cell) * cell
    z = view.low[2] - 0.04 * view.size
    for k in range(round((high[0] - low[0]) / cell) + 1):
        x = low[0] + k * cell
        axis.plot(*view(np.array([[x, low[1], z], [x, high[1], z]])).T, color=grid, linewidth=0.7, zorder=0)
    for k in range(round((high[1] - low[1]) / cell) + 1):
        y = low[1] + k * cell
        axis.plot(*view(np.array([[low[0], y, z], [high[0], y, z]])).T, color=grid, linewidth=0.7, zorder=0)
    if trace is not None:
        shadow = trace.copy()
        shadow[:, 2] = z
        axis.plot(*view(shadow).T, color="#aab2bd", linewidth=0.9, zorder=1)
    corner = np.array([low[0], low[1], z])
    for direction, letter in zip(np.eye(3), "xyz", strict=True):
        tail, head = view(corner), view(corner + 0.8 * cell * direction)
        axis.annotate("", head, tail, arrowprops={"arrowstyle": "-|>", "color": text, "linewidth": 1.0}, zorder=1)
        axis.annotate(letter, view(corner + 1.05 * cell * direction), color=text, fontsize=9, ha="center", va="center")
    axis.annotate(f"grid {cell:g} m", view(np.array([high[0], low[1], z])), color=text, fontsize=9,
                  xytext=(0, -4), textcoords="offset points", ha="center", va="top")  # fmt: skip
    return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1])])


def pictures(
    result: Result, times: list[float], size: tuple[int, int], clock: bool, options: dict[str, Any]
) -> Iterator[bytes]:
    """PNG of the scene at each of the times."""
    renderer = MatplotlibRenderer(result)
    for t in times:
        camera, dark = options.get("camera", "iso"), options.get("theme") == "dark"
        figure = renderer.figure(t, size, clock, camera, dark, options.get("zoom", 1.0))
        data = io.BytesIO()
        figure.savefig(data, format="png", dpi=DPI, facecolor=figure.get_facecolor())
        yield data.getvalue()
