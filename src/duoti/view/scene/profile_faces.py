"""Faces of surfaces of revolution, extrusions, height fields and smooth shapes, for pictures and for the page."""

from __future__ import annotations

import base64

import numpy as np
from numpy.typing import NDArray

from duoti.model.pairs.profiles import outline
from duoti.model.shapes import SMOOTH_SHAPES, surface_points
from duoti.spatial import Shape
from duoti.spatial.shape import heightfield_triangles

Array = NDArray[np.float64]
FEW, FINEST = 48, 384  # points of a profile
SEEN = 0.01  # distance from the profile, as part of its height
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
