"""Bodies as shaded solids in a flat picture: faces of their shapes, sorted by depth (the painter's algorithm)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.formats.mesh import read_mesh
from duoti.model.elements import GROUND, name_of
from duoti.results.plots import COLOURS

if TYPE_CHECKING:
    from duoti.results.result import Result
    from duoti.spatial import Shape

Array = NDArray[np.float64]
AROUND = 28  # faces around an axis
COILS, COIL_SHARE = 7, 0.6  # of a drawn spring; share of its length that is coiled


def _revolved(profile: Sequence[tuple[float, float]]) -> Array:
    """Faces (n, 4, 3) of a profile of points (r, z) turned about z."""
    turn = np.linspace(0.0, 2.0 * np.pi, AROUND + 1)
    r, z = np.array(profile).T
    ring = np.stack([np.outer(r, np.cos(turn)), np.outer(r, np.sin(turn)), np.outer(z, np.ones_like(turn))], axis=-1)
    return np.stack([ring[:-1, :-1], ring[1:, :-1], ring[1:, 1:], ring[:-1, 1:]], axis=2).reshape(-1, 4, 3)


def _arc(radius: float, first: float, last: float, r0: float = 0.0, z0: float = 0.0) -> list[tuple[float, float]]:
    angles = np.linspace(first, last, 1 + AROUND // 2)
    return [(max(r0 + radius * np.cos(a), 0.0), z0 + radius * np.sin(a)) for a in angles]


def _box(s: Shape) -> Array:
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    half = np.array([s["size_x"], s["size_y"], s["size_z"]]) / 2
    sides = []
    for axis in range(3):
        for sign in (-1, 1):
            sides.append([np.roll([sign, *pair], axis) * half for pair in corners])
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
    triangles = read_mesh(s.file) * np.array([s["scale_x"], s["scale_y"], s["scale_z"]])
    return np.concatenate([triangles, triangles[:, 2:]], axis=1)


# faces of a shape; `thin` is the radius of what has none
_FACES: dict[str, Callable[[Shape, float], Array]] = {
    "box": lambda s, thin: _box(s),
    "rod": lambda s, thin: _tube(0.0, thin, s["length"]),
    "cylinder": lambda s, thin: _tube(0.0, s["radius"], s["length"]),
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
}


def shapes_of(body: Any) -> list[Shape]:
    """What to draw of a body."""
    return list(body.shapes) or list(body.inertia.shapes if body.inertia is not None else ())


def faces_of(body: Any, thin: float) -> list[tuple[Array, str]]:
    """Faces (n, 4, 3) in the body's frame with the colour that the user chose ("" if none)."""
    found: list[tuple[Array, str]] = []
    for shape in shapes_of(body):
        if shape.kind in _FACES and not shape.cavity:
            pose = shape.pose
            found.append((_FACES[shape.kind](shape, thin) @ pose.rotation.matrix.T + pose.position, shape.colour))
    return found


def draw_solids(axis: Any, result: Result, k: int, view: Any, rotations: Callable[[Array], Array]) -> None:
    """All bodies, bars between their joints, and springs, at output k."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgb

    right, above = view.plane
    toward = np.cross(right, above)
    light = 0.35 * right + 0.55 * above + 0.75 * toward
    light /= np.linalg.norm(light)
    faces: list[Array] = []
    shades: list[tuple[float, float, float]] = []
    for i, (name, body) in enumerate([*result.model.bodies.items(), (GROUND, result.model.ground)]):
        place, R = np.zeros(3), np.eye(3)
        if name != GROUND:
            place = result[f"body:{name}.position"][k]
            R = rotations(result[f"body:{name}.rotation"][k : k + 1])[0]
        for polygons, chosen in faces_of(body, thin=0.010 * view.size):
            world = polygons @ R.T + place
            normal = np.cross(world[:, 2] - world[:, 0], world[:, 3] - world[:, 1])
            normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
            bright = 0.62 + 0.38 * np.abs(normal @ light)
            base = np.array(to_rgb(chosen or COLOURS[i % len(COLOURS)]))
            base = 0.8 * base + 0.2  # softer than lines need
            faces.append(world)
            shades += [tuple(np.clip(base * b, 0, 1)) for b in bright]
    if faces:
        world = np.concatenate(faces)
        order = np.argsort(np.mean(world @ toward, axis=1), kind="stable")
        polygons = [view(world[j]) for j in order]
        colours = [shades[j] for j in order]
        axis.add_collection(PolyCollection(polygons, facecolors=colours, edgecolors=colours, linewidths=0.3, zorder=5))
    _draw_springs(axis, result, k, view)


def _draw_springs(axis: Any, result: Result, k: int, view: Any) -> None:
    """Elements that act along a line between two markers: a zigzag."""
    for force in result.model.forces.values():
        ends = [getattr(force, end, None) for end in ("marker_a", "marker_b")]
        if None in ends or force.kind not in ("spring_damper", "table_spring"):
            continue
        a, b = (_place(result, end, k) for end in ends)
        share = np.linspace(0, 1, 2 * COILS + 1)
        first = (1 - COIL_SHARE) / 2
        p, q = view(a), view(b)
        along = q - p
        length = float(np.linalg.norm(along)) or 1.0
        aside = np.array([-along[1], along[0]]) / length * min(0.07 * length, 0.025 * view.size)
        coil = p + np.outer(first + COIL_SHARE * share, along)
        coil[1:-1] += np.outer(np.where(np.arange(2 * COILS - 1) % 2, -1.0, 1.0), aside)
        axis.plot(*np.vstack([p, coil, q]).T, color="#555555", linewidth=1.3, zorder=6)


def _place(result: Result, reference: Any, k: int) -> Array:
    name = name_of(reference)
    if name == GROUND:
        return np.zeros(3)
    kind = "marker" if name in result.model.markers else "body"
    return result[f"{kind}:{name}.position"][k]
