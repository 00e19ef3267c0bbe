"""What is drawn of a body: its shapes, or those of its inertia, and thin links to joints that they do not reach."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.elements import Body
from duoti.model.mechanism.placement import Placement
from duoti.model.model import Model
from duoti.model.pairs.profiles import VARIABLES, outline
from duoti.model.shapes import SMOOTH_SHAPES, surface_points
from duoti.spatial import Pose, Shape
from duoti.spatial.shape import heightfield_triangles
from duoti.spatial.track import frame_at, track_table

# Faces of surfaces of revolution, extrusions, height fields and smooth shapes, for pictures and for the page.


Array = NDArray[np.float64]
FEW, FINEST = 48, 384  # points of a profile
SEEN = 0.01  # distance from the profile, as part of its height
STATIONS = 200  # of a rail
PIECES = 16  # of an extrusion along its length
SOLE = 0.1  # height of an extrusion below the lowest point of its profile, as part of its width or length


def revolved(profile: Array, around: int) -> Array:
    """Faces (n, 4, 3) of a profile of points (r, z) turned about z, counter-clockwise seen from outside if z grows."""
    turn = np.linspace(0.0, 2.0 * np.pi, around + 1)
    r, z = np.asarray(profile, dtype=float).T
    ring = np.stack([np.outer(r, np.cos(turn)), np.outer(r, np.sin(turn)), np.outer(z, np.ones_like(turn))], axis=-1)
    return np.stack([ring[:-1, :-1], ring[:-1, 1:], ring[1:, 1:], ring[1:, :-1]], axis=2).reshape(-1, 4, 3)


def _drawn(shape: Shape) -> Array:
    """Points (x, height) of a profile, as few as show it to a part of its height; bumps of a long road need many."""
    fine = outline(shape, FINEST)
    height = float(np.ptp(fine[:, 1]))
    for many in (FEW, 2 * FEW, 4 * FEW):
        few = outline(shape, many)
        if np.max(np.abs(np.interp(fine[:, 0], few[:, 0], few[:, 1]) - fine[:, 1])) <= SEEN * height:
            return few
    return fine


def profile_faces(shape: Shape, around: int) -> Array:
    """Faces (n, 4, 3) of a shape with a profile, in its frame, counter-clockwise seen from outside, since the page
    draws no others; none of one that is no curve (`dt.check` says why)."""
    if shape.kind in SMOOTH_SHAPES:
        return _smooth_faces(shape, around)
    if shape.kind == "ribbon":  # rows of points (x, y, z) along a road, from right to left
        rows = np.array(shape.profile).reshape(len(shape.profile), -1, 3)
        return np.stack([rows[:-1, :-1], rows[1:, :-1], rows[1:, 1:], rows[:-1, 1:]], axis=2).reshape(-1, 4, 3)
    if shape.kind == "heightfield":
        triangles = heightfield_triangles(shape)
        return np.concatenate([triangles, triangles[:, 2:]], axis=1)
    try:
        curve = _drawn(shape)
    except ValueError:
        return np.zeros((0, 4, 3))
    if shape.kind == "revolution":
        ends = curve[[0, -1]] * [1.0, 0.0]  # on the axis: the sides are closed
        return revolved(np.concatenate([ends[:1], curve, ends[1:]])[:, ::-1], around)
    if shape.kind == "rail":
        return _rail_faces(shape, curve)
    width, length = float(curve[-1, 0] - curve[0, 0]), shape["length"]
    bottom = float(np.min(curve[:, 1])) - SOLE * (min(width, length) or width)
    foot = np.stack([curve[::-1, 0], np.full(len(curve), bottom)], axis=1)  # as fine: pictures sort faces by distance
    loop = np.concatenate([curve, foot, curve[:1]])
    y = np.linspace(-0.5, 0.5, (PIECES if len(curve) <= 2 * FEW else PIECES // 2) + 1) * shape["length"]
    side = np.stack([np.broadcast_to(loop[:, :1], (len(loop), len(y))), np.broadcast_to(y, (len(loop), len(y))),
                     np.broadcast_to(loop[:, 1:], (len(loop), len(y)))], axis=-1)  # fmt: skip
    faces = [np.stack([side[:-1, :-1], side[1:, :-1], side[1:, 1:], side[:-1, 1:]], axis=2).reshape(-1, 4, 3)]
    for end, order in ((y[0], 1), (y[-1], -1)):
        top = np.stack([curve[:, 0], np.full(len(curve), end), curve[:, 1]], axis=1)
        down = np.stack([curve[:, 0], np.full(len(curve), end), np.full(len(curve), bottom)], axis=1)
        faces.append(np.stack([down[:-1], down[1:], top[1:], top[:-1]], axis=1)[:, ::order])
    return np.concatenate(faces)


def _rail_faces(shape: Shape, curve: Array) -> Array:
    """The profile along the track, as a strip that is seen from above."""
    table = track_table(shape.track)
    stations = table[::2, 0][np.unique(np.linspace(0, len(table) // 2 - 1, STATIONS).astype(int))]
    rows: list[Array] = []
    for s in stations:
        R, p = frame_at(table, float(s))
        beside = np.stack([np.zeros(len(curve)), shape["left"] - curve[:, 0], shape["up"] + curve[:, 1]], axis=1)
        rows.append(beside @ R.T + p)
    strip = np.array(rows)
    return np.stack([strip[:-1, :-1], strip[:-1, 1:], strip[1:, 1:], strip[1:, :-1]], axis=2).reshape(-1, 4, 3)


def _smooth_faces(shape: Shape, around: int) -> Array:
    """Faces between the points with the normals of a ball."""
    turn = np.linspace(-np.pi / 2, np.pi / 2, around // 2 + 1)
    ball = revolved(np.stack([np.cos(turn), np.sin(turn)], axis=1), around)
    normals, number = ball.reshape(-1, 3), list(SMOOTH_SHAPES).index(shape.kind)
    points = np.empty_like(normals)
    surface_points(number, np.array(SMOOTH_SHAPES[shape.kind].sizes(dict(shape.dimensions))), normals, points)
    return points.reshape(-1, 4, 3)


def profile_mesh(shape: Shape, around: int = 64) -> tuple[dict[str, str], Array, Array] | str:
    """Triangles for the page as `meshes.load_mesh` gives them, or why there are none."""
    faces = profile_faces(shape, around)
    if not len(faces):
        return f"{shape.kind} not drawn: its profile is no curve"
    corners = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]]).reshape(-1, 3)
    data = {"corners": base64.b64encode(corners.astype("<f4").tobytes()).decode("ascii")}
    return data, corners.min(axis=0), corners.max(axis=0)


AS_TRIANGLES = tuple(kind for kind in SMOOTH_SHAPES if kind != "ellipsoid")  # which the page can draw
SURFACES = (
    "extrusion",
    "heightfield",
    "ribbon",
    "rail",
)  # of the ground: what bodies move on, perhaps much larger than they


def numbers_of(pose: Pose) -> list[float]:
    """Position and quaternion (scalar first) of a pose."""
    return [*map(float, pose.position), *map(float, pose.rotation.quaternion)]


def shapes_of(body: Body) -> Sequence[Shape]:
    """The shapes to draw; none for a body of which only mass and inertia are known."""
    if body.shapes:
        return body.shapes
    return body.inertia.shapes if body.inertia is not None else ()


def half_sizes(shape: Shape) -> tuple[Array, Array]:
    """Lower and upper corner of a simple shape in its own frame [m]."""
    d = dict(shape.dimensions)
    radius = d.get("radius", d.get("outer_radius", 0.0))
    if shape.kind == "box":
        high = np.array([d["size_x"], d["size_y"], d["size_z"]]) / 2
    elif shape.kind == "ellipsoid":
        high = np.array([d["semi_x"], d["semi_y"], d["semi_z"]])
    elif shape.kind == "torus":
        ring = d["ring_radius"] + d["tube_radius"]
        high = np.array([ring, ring, d["tube_radius"]])
    elif shape.kind == "cone":
        return np.array([-radius, -radius, -d["height"] / 4]), np.array([radius, radius, 3 * d["height"] / 4])
    elif shape.kind in ("sphere", "shell"):
        high = np.full(3, radius)
    else:  # rod, cylinder, hollow cylinder, capsule
        high = np.array([radius, radius, d.get("length", 0.0) / 2 + (radius if shape.kind == "capsule" else 0.0)])
    return -high, high


def corners(low: Array, high: Array) -> Array:
    """The eight corners of a box."""
    return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])


class Drawing:
    """The parts of one body, ready for the page, and points that enclose them (in the body's frame)."""

    def __init__(
        self, model: Model, placement: Placement, name: str, body: Body, meshes: Any, more: Any = None,
        touching: Sequence[tuple[Shape, bool]] = (),
    ):  # fmt: skip
        """touching: shapes of contacts, with whether they are drawn thinly."""
        self.parts: list[dict[str, Any]] = []
        self.notes: list[str] = []
        clouds: list[Array] = []
        surfaces: list[Array] = []
        for shape, faint in [*((each, False) for each in shapes_of(body)), *touching]:
            if shape.kind == "plane":  # has no size; contacts draw theirs
                continue
            part: dict[str, Any] = {"kind": shape.kind, "pose": numbers_of(shape.pose), "size": dict(shape.dimensions)}
            if faint:
                part["faint"] = True
            if shape.cavity:
                part["cavity"] = True
            if shape.colour:
                part["colour"] = shape.colour
            if shape.kind in ("mesh", "heightfield", "ribbon", *VARIABLES, *AS_TRIANGLES):
                mesh = meshes(shape) if shape.kind == "mesh" else profile_mesh(shape)
                part["kind"] = "mesh"
                if isinstance(mesh, str):
                    self.notes.append(f'body "{name}": {mesh}')
                    continue
                part["mesh"], low, high = mesh
            else:
                low, high = half_sizes(shape)
            surface = body.inertia is None and shape.kind in SURFACES
            if surface:
                part["surface"] = True
            (surfaces if surface else clouds).append(shape.pose @ corners(low, high))
            self.parts.append(part)
        if more is not None:  # a part that is not made of shapes, and points that enclose it
            self.parts.append(more[0])
            clouds.append(more[1])
        com = np.zeros(3) if body.inertia is None else np.asarray(body.inertia.com, dtype=float)
        joints = attachment_points(model, placement, name)
        self.links = self._links(com, joints, clouds, is_ground=body.inertia is None)
        self.surfaces = np.array(surfaces, dtype=float).reshape(-1, 8, 3)
        """Corners of the boxes around roads, rails and terrain, which `points` do not enclose."""
        self.points = np.concatenate([*clouds, joints, com[None] if body.inertia is not None else np.zeros((0, 3))])

    @staticmethod
    def _links(com: Array, joints: Array, clouds: list[Array], is_ground: bool) -> list[list[float]]:
        """Lines from the middle of the body to joints outside its shapes."""
        if is_ground:
            return []
        if not clouds:
            return [[*com.tolist(), *p.tolist()] for p in joints if np.linalg.norm(p - com) > 0]
        cloud = np.concatenate(clouds)
        low, high = cloud.min(axis=0), cloud.max(axis=0)
        margin = 0.02 * float(np.max(high - low))
        middle = (low + high) / 2
        outside = [p for p in joints if np.any(p < low - margin) or np.any(p > high + margin)]
        return [[*middle.tolist(), *p.tolist()] for p in outside]


def attachment_points(model: Model, placement: Placement, name: str) -> Array:
    """Points of a body where its joints are, in its frame; those of free joints are nowhere in particular."""
    points = [placement.on_child[j].position for j, e in model.joints.items() if e.child == name and e.nv < 6]
    points += [placement.on_parent[j].position for j, e in model.joints.items() if e.parent == name and e.nv < 6]
    return np.array(points, dtype=float).reshape(-1, 3)
