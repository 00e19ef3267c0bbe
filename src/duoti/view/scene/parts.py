"""What is drawn of a body: its shapes, or those of its inertia, and thin links to joints that they do not reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.elements import Body
from duoti.model.mechanism.placement import Placement
from duoti.model.model import Model
from duoti.model.pairs.profiles import VARIABLES
from duoti.model.shapes import SMOOTH_SHAPES
from duoti.spatial import Pose, Shape
from duoti.view.scene.profile_faces import profile_mesh

Array = NDArray[np.float64]
AS_TRIANGLES = tuple(kind for kind in SMOOTH_SHAPES if kind != "ellipsoid")  # which the page can draw
SURFACES = ("extrusion", "heightfield")  # of the ground: what bodies move on, perhaps much larger than they


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
            if shape.kind in ("mesh", "heightfield", *VARIABLES, *AS_TRIANGLES):
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
