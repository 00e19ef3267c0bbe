"""Shaded solids and springs in a flat picture: faces of shapes, sorted by depth (the painter's algorithm)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.formats.mesh.mesh import MeshError, read_mesh
from duoti.model.elements import Body
from duoti.spatial import Pose, Shape
from duoti.view.scene.parts import profile_faces, revolved, shapes_of

Array = NDArray[np.float64]
AZIMUTH, ELEVATION = np.radians(-58.0), np.radians(20.0)
AROUND = 28  # faces around an axis
MOST_TRIANGLES = 50_000  # of one mesh
MANY_POINTS = 500  # of an outline: from so many on, a compiled algorithm is worth its import
COILS, COIL_SHARE = 7, 0.6  # of a drawn spring; share of its length that is coiled


class View:
    """From world points to the plane of the picture.

    A motion in a coordinate plane is seen at right angles to it, any other from above and in front, unless a camera is
    given: azimuth and elevation [rad]. distance: of the eye from the middle [m]; without it, sight is parallel.
    Points on a line are seen along that coordinate axis about which most turns (3).
    """

    def __init__(
        self,
        points: Array,
        camera: tuple[float, float] | None = None,
        distance: float | None = None,
        turns: Array | None = None,
    ):
        self.low, self.high = points.min(axis=0), points.max(axis=0)
        self.size = float(np.max(self.high - self.low)) or 1.0
        flat = [k for k in (1, 0, 2) if self.high[k] - self.low[k] < 1e-6 * self.size]
        if turns is not None:
            flat.sort(key=lambda k: -round(float(turns[k]), 6))
        self.flat = bool(flat) and camera is None
        self.unit = 1.0 if self.size < 1e4 else 1e3  # of the labels [m]
        self.distance = distance
        if self.flat:
            keep = [k for k in range(3) if k != flat[0]]
            self.plane = np.eye(3)[keep]
            self.labels = [f"{'xyz'[k]} in {'m' if self.unit == 1.0 else 'km'}" for k in keep]
        else:
            a, e = camera or (AZIMUTH, ELEVATION)
            self.plane = np.array(
                [[-np.sin(a), np.cos(a), 0.0], [-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)]]
            )
        self.toward = np.cross(*self.plane)

    def __call__(self, points: Array) -> Array:
        """Points (..., 3) of the world in the picture (..., 2) [m]."""
        if self.distance is None:
            return points @ self.plane.T
        middle = (self.low + self.high) / 2
        nearer = (points - middle) @ self.toward / self.distance
        return middle @ self.plane.T + (points - middle) @ self.plane.T / (1.0 - nearer)[..., None]


def _revolved(profile: Sequence[tuple[float, float]]) -> Array:
    return revolved(np.array(profile), AROUND)


def _arc(radius: float, first: float, last: float, r0: float = 0.0, z0: float = 0.0) -> list[tuple[float, float]]:
    angles = np.linspace(first, last, 1 + AROUND // 2)
    return [(max(r0 + radius * np.cos(a), 0.0), z0 + radius * np.sin(a)) for a in angles]


def _box(s: Shape) -> Array:
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    half = np.array([s["size_x"], s["size_y"], s["size_z"]]) / 2
    sides = []
    for axis in range(3):
        for sign in (-1, 1):
            sides.append([np.roll([sign, *pair], axis) * half for pair in corners[::sign]])
    return np.array(sides, dtype=float)


def _tube(r: float, R: float, length: float) -> Array:
    a = length / 2
    return _revolved([(r, -a), (R, -a), (R, a), (r, a)] + ([(r, -a)] if r > 0 else []))


def _capsule(s: Shape) -> Array:
    r, a = s["radius"], s["length"] / 2
    return _revolved(_arc(r, -np.pi / 2, 0.0, z0=-a) + _arc(r, 0.0, np.pi / 2, z0=a))


def _ball(radius: float) -> Array:
    return _revolved(_arc(radius, -np.pi / 2, np.pi / 2))


def _mesh(s: Shape) -> Array:
    """Nothing for a file that cannot be read, or that is too large to be drawn here."""
    try:
        triangles = read_mesh(s.file) * np.array([s["scale_x"], s["scale_y"], s["scale_z"]])
    except (MeshError, OSError):
        triangles = np.zeros((0, 3, 3))
    if len(triangles) > MOST_TRIANGLES:
        triangles = triangles[:0]
    return np.concatenate([triangles, triangles[:, 2:]], axis=1)


# faces of a shape; `thin` is the radius of what has none
_FACES: dict[str, Callable[[Shape, float], Array]] = {
    "box": lambda s, thin: _box(s),
    "rod": lambda s, thin: _tube(0.0, thin, s["length"]),
    "cylinder": lambda s, thin: _tube(0.0, s["radius"], s["length"]),
    "disc": lambda s, thin: _tube(0.0, s["radius"], 0.0),
    "hollow_cylinder": lambda s, thin: _tube(s["inner_radius"], s["outer_radius"], s["length"]),
    "sphere": lambda s, thin: _ball(s["radius"]),
    "shell": lambda s, thin: _ball(s["radius"]),
    "ellipsoid": lambda s, thin: _ball(1.0) * np.array([s["semi_x"], s["semi_y"], s["semi_z"]]),
    "cone": lambda s, thin: _revolved(
        [(0, -s["height"] / 4), (s["radius"], -s["height"] / 4), (0, 0.75 * s["height"])]
    ),
    "torus": lambda s, thin: _revolved(_arc(s["tube_radius"], 0.0, 2 * np.pi, r0=s["ring_radius"])),
    "capsule": lambda s, thin: _capsule(s),
    "mesh": lambda s, thin: _mesh(s),
    "rail": lambda s, thin: profile_faces(s, 2 * AROUND),
    "ribbon": lambda s, thin: profile_faces(s, 2 * AROUND),
    "heightfield": lambda s, thin: profile_faces(s, 2 * AROUND),
    "revolution": lambda s, thin: profile_faces(s, 2 * AROUND),
    "extrusion": lambda s, thin: profile_faces(s, 2 * AROUND),
}


def _smooth(shape: Shape, thin: float) -> Array:
    del thin
    return profile_faces(shape, 2 * AROUND)


def faces_of(body: Body, thin: float) -> list[tuple[Array, str]]:
    """Faces (n, 4, 3) in the body's frame with the colour that the user chose ("" if none)."""
    return faces_of_shapes(shapes_of(body), thin)


def faces_of_shapes(shapes: Sequence[Shape], thin: float) -> list[tuple[Array, str]]:
    """The same of shapes."""
    from duoti.model.shapes import SMOOTH_SHAPES

    found: list[tuple[Array, str]] = []
    for shape in shapes:
        drawn = _FACES.get(shape.kind, _smooth if shape.kind in SMOOTH_SHAPES else None)
        if drawn is not None and not shape.cavity:
            pose = shape.pose
            faces = drawn(shape, thin)
            if len(faces):
                found.append((faces @ pose.rotation.matrix.T + pose.position, shape.colour))
    return found


def points_of(faces: Array) -> Array:
    """Corners (n, 3) of faces; those of meshes, which stand in many faces, once."""
    points = faces.reshape(-1, 3)
    return np.unique(points, axis=0) if len(points) > MANY_POINTS else points


def draw_faces(axis: Any, faces: list[tuple[Array, str]], view: View, zorder: float = 5) -> None:
    """Shaded faces (n, 4, 3) in the world, those of each group in one colour."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgb

    if not faces:
        return
    right, above = view.plane
    light = 0.35 * right + 0.55 * above + 0.75 * view.toward
    light /= np.linalg.norm(light)
    shades: list[Array] = []
    for world, colour in faces:
        normal = np.cross(world[:, 2] - world[:, 0], world[:, 3] - world[:, 1])
        normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
        bright = 0.62 + 0.38 * np.abs(normal @ light)
        base = 0.8 * np.array(to_rgb(colour)) + 0.2  # softer than lines need
        shades.append(np.clip(bright[:, None] * base, 0, 1))
    world = np.concatenate([each for each, _ in faces])
    order = np.argsort(np.mean(world @ view.toward, axis=1), kind="stable")
    colours = np.concatenate(shades)[order]
    polygons: Any = view(world[order])  # an array is taken as a whole, a list one by one
    axis.add_collection(PolyCollection(polygons, facecolors=colours, edgecolors=colours, linewidths=0.3, zorder=zorder))


def draw_outline(axis: Any, points: Array, view: View, colour: Any, strength: float = 1.0, zorder: float = 5.2) -> None:
    """The outline of a convex part, and faintly what is in it; points (n, 3) of it in the world."""
    from matplotlib.patches import Polygon

    outline = hull(view(points))
    axis.add_patch(Polygon(outline, closed=True, fill=True, facecolor=colour, alpha=0.14 * strength, zorder=zorder))
    axis.add_patch(
        Polygon(outline, closed=True, fill=False, edgecolor=colour, alpha=strength, linewidth=1.1, zorder=zorder + 0.1)
    )


def hull(points: Array) -> Array:
    """Corners of the convex hull of points (n, 2), in turn: by Andrew (1979), of many points by Qhull."""
    if len(points) > MANY_POINTS:
        from scipy.spatial import ConvexHull, QhullError

        try:
            return points[ConvexHull(points).vertices]
        except QhullError:  # they lie on a line
            points = points[[*np.argmin(points, axis=0), *np.argmax(points, axis=0)]]
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]

    def half(each: Array) -> list[Array]:
        chain: list[Array] = []
        for p in each:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0.0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return np.array([*half(ordered), *half(ordered[::-1])] or [ordered[0]])


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def plane_patch(pose: Pose, middle: Array, half: float) -> Array:
    """A square piece (4, 3) of the plane z = 0 of a frame, about the foot of a point."""
    x, y, z = pose.rotation.matrix.T
    foot = middle - z * float(z @ (middle - np.asarray(pose.position)))
    return np.array([foot + half * (i * x + j * y) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def draw_spring(axis: Any, a: Array, b: Array, view: View, colour: str, zorder: float = 6) -> None:
    """A zigzag between two points of the world."""
    share = np.linspace(0, 1, 2 * COILS + 1)
    first = (1 - COIL_SHARE) / 2
    p, q = view(a), view(b)
    along = q - p
    length = float(np.linalg.norm(along)) or 1.0
    aside = np.array([-along[1], along[0]]) / length * min(0.07 * length, 0.025 * view.size)
    coil = p + np.outer(first + COIL_SHARE * share, along)
    coil[1:-1] += np.outer(np.where(np.arange(2 * COILS - 1) % 2, -1.0, 1.0), aside)
    axis.plot(*np.vstack([p, coil, q]).T, color=colour, linewidth=1.3, zorder=zorder)
