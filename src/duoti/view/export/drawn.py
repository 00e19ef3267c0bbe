"""What other programs draw of a motion: surfaces of bodies, flexible bodies, beams and cables, springs, in metres.

Surfaces of rigid bodies stand in the body's frame; so do those of flexible bodies, with the displacements of unit modal
coordinates. A beam or cable is a chain of stations whose frames move, and lines of its section at each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation as Turn

from duoti.formats.mesh.mesh import MeshError, read_mesh
from duoti.formats.mesh.polygons import triangulated
from duoti.model.elements import GROUND, name_of
from duoti.model.forces.beam_element import BeamElement
from duoti.model.forces.spectral_beam_element import SpectralBeamElement
from duoti.model.mechanism.placement import place_bodies
from duoti.results.result import Result
from duoti.spatial import Shape
from duoti.view.images.matplotlib_renderer import COLOURS, PLANE, SOIL, SPRINGS, THIN
from duoti.view.images.solids import AROUND, faces_of_shapes, plane_patch, revolved
from duoti.view.scene.beams_and_cables import Slender, ends_of, marked, nodes_of, section_lines, slender_of
from duoti.view.scene.contacts import contact_shapes
from duoti.view.scene.motion import at_instants, finite_count
from duoti.view.scene.parts import Drawing, shapes_of
from duoti.view.scene.scene import bounds_of, frames_of, scene_of, tube

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
PIECES = 4
"""Into which the arc between two nodes of a beam is divided."""
CABLE_SIDES = 8
GREY = "#6b7280"
FLAT = 1e-20  # [m^2] twice the area of a triangle that is none


def rows_at(result: Result, rate: float | None) -> NDArray[np.int64]:
    """Outputs to write: all, or those nearest to `rate` instants in a second; the first and the last among them."""
    count = finite_count(result)
    if rate is None or count < 2:
        return np.arange(count)
    if not rate > 0.0:
        raise ValueError(f"rate={rate!r}: give a positive number of instants per second, or None for all outputs")
    t = result.t[:count]
    wanted = np.append(np.arange(t[0], t[-1], 1.0 / rate), t[-1])
    after = np.clip(np.searchsorted(t, wanted), 1, count - 1)
    return np.unique(np.where(wanted - t[after - 1] <= t[after] - wanted, after - 1, after))


@dataclass(frozen=True)
class Surface:
    """Triangles [n, 3, 3] in the frame of a body, with a colour; thinly drawn if faint."""

    triangles: Array
    colour: str
    faint: bool = False


@dataclass(frozen=True)
class FlexibleSkin:
    """A flexible body: points and triangles, or pairs of points of lines, in its frame; `modes` [N, 3, n]."""

    nodes: Array
    faces: Integers
    modes: Array
    stresses: Array | None
    eta: Array
    """[time, n] modal coordinates,"""
    eta_rate: Array
    """and their rates."""
    cells: tuple[str, Integers] | None
    """The elements of the mesh if it is known: the kind and the nodes of each."""


@dataclass(frozen=True)
class Chain:
    """A beam or cable."""

    part: Slender
    frames: Array
    """[time, station, 12] rotation matrix (x along the chain) and position of each station,"""
    velocities: Array
    """[time, station, 6] their angular velocity and velocity in world axes;"""
    pieces: tuple[tuple[int, int], ...]
    """first and last station of each piece between two nodes;"""
    lines: tuple[tuple[tuple[Array, ...], tuple[Array, ...]], ...]
    """closed lines (y, z) of the section at both ends of each piece: the outer one, then holes."""


class DrawnMotion:
    """A result at some of its times, as it is drawn."""

    def __init__(self, result: Result, rate: float | None = None):
        self.result = at_instants(result, rows_at(result, rate))
        self.system, self.model = self.result.system, self.result.model
        self.t = self.result.t
        self.names = list(self.model.bodies)
        self.frames = frames_of(self.system, self.t, self.result.states, self.names)
        scene = scene_of(self.system)
        centre, half = bounds_of(self.system, scene, self.frames, self.names)
        self.centre, self.size = centre, 2.0 * float(np.linalg.norm(half)) or 1.0
        self.notes: list[str] = []

    def motion(self, name: str) -> Array:
        """[time, 18] rotation matrix, position, angular velocity and velocity of a body or of ground."""
        if name == GROUND:
            return np.broadcast_to(np.concatenate([np.eye(3).ravel(), np.zeros(9)]), (len(self.t), 18))
        return self.frames[:, self.names.index(name)]

    def colour_of(self, name: str) -> str:
        """A body's own colour in the picture."""
        return SOIL if name == GROUND else COLOURS[self.names.index(name) % len(COLOURS)]

    # ----------------------------------------------------------------------------------------------- rigid bodies

    @cached_property
    def surfaces(self) -> dict[str, list[Surface]]:
        """Surfaces by body, ground among them; none of nodes of beams."""
        touching, placement, nodes = contact_shapes(self.model), place_bodies(self.model), nodes_of(self.model)
        found: dict[str, list[Surface]] = {}
        for name in [GROUND, *self.names]:
            if name in nodes:
                continue
            body = self.model.ground if name == GROUND else self.model.bodies[name]
            flexible = name in self.system.flexible and self._skin_of(name) is not None
            own = [] if flexible else self._of_shapes(name, list(shapes_of(body)))
            own += self._of_shapes(name, touching.solid.get(name, []))
            for each in self._of_shapes(name, touching.faint.get(name, [])):
                own.append(Surface(each.triangles, each.colour, faint=True))
            for where, pose in touching.planes:
                if where == name:
                    patch = plane_patch(pose, self.centre if name == GROUND else pose.position, PLANE * self.size)
                    own.append(Surface(_halved(patch[None]), SOIL, faint=True))
            drawing = Drawing(self.model, placement, name, body, lambda _shape: "")
            links = [] if flexible or _has_mesh(body) else drawing.links
            for line in links:
                own.append(Surface(_rod(np.array(line), THIN * self.size), GREY))
            found[name] = own
        return found

    def _of_shapes(self, name: str, shapes: list[Shape]) -> list[Surface]:
        found: list[Surface] = []
        for shape in shapes:
            colour = shape.colour or self.colour_of(name)
            if shape.kind == "mesh" and not shape.cavity:
                triangles = self._mesh(name, shape)
            else:
                faces = faces_of_shapes([shape], THIN * self.size)
                triangles = np.concatenate([_halved(each) for each, _ in faces]) if faces else np.zeros((0, 3, 3))
            if len(triangles):
                found.append(Surface(triangles, colour))
        return found

    def _mesh(self, name: str, shape: Shape) -> Array:
        """Triangles of a mesh's file, all of them."""
        scale = np.array([shape["scale_x"], shape["scale_y"], shape["scale_z"]])
        try:
            triangles = read_mesh(shape.file) * scale
        except (MeshError, OSError, RuntimeError, ValueError) as error:
            self.notes.append(f'body "{name}": mesh not drawn: {error}')
            return np.zeros((0, 3, 3))
        if np.prod(scale) < 0:
            triangles = triangles[:, ::-1]
        found: Any = triangles @ shape.pose.rotation.matrix.T + np.asarray(shape.pose.position)
        return found

    # -------------------------------------------------------------------------------------------- flexible bodies

    @cached_property
    def skins(self) -> dict[str, FlexibleSkin]:
        """Flexible bodies whose nodes are known."""
        found = {name: self._skin_of(name) for name in self.system.flexible}
        return {name: skin for name, skin in found.items() if skin is not None}

    def _skin_of(self, name: str) -> FlexibleSkin | None:
        layout = self.system.flexible[name]
        shown = layout.reduced.display
        if shown is None or not len(shown.faces):
            return None
        inertia: object = self.model.bodies[name].inertia
        reduction = getattr(inertia, "reduction", None)
        mesh = getattr(getattr(reduction, "structure", None), "mesh", None)
        cells = None if mesh is None or len(mesh.nodes) != len(shown.nodes) else (str(mesh.kind), mesh.cells)
        return FlexibleSkin(
            shown.nodes, shown.faces, shown.modes, shown.stresses, self.result.q[:, layout.q],
            self.result.v[:, layout.v], cells,
        )  # fmt: skip

    def skin_triangles(self, name: str) -> tuple[Array, Integers, Array]:
        """Points, triangles and displacements [N, 3, n] of unit modal coordinates; lines are drawn as thin tubes."""
        skin = self.skins[name]
        if skin.faces.shape[1] == 2:
            return tube(skin.nodes, skin.faces, skin.modes, 2 * THIN * self.system.flexible[name].reduced.length)
        used, faces = np.unique(skin.faces, return_inverse=True)
        return skin.nodes[used], faces.reshape(skin.faces.shape), skin.modes[used]

    # ------------------------------------------------------------------------------------------- beams and cables

    @cached_property
    def chains(self) -> list[Chain]:
        """All beams and cables."""
        return [self._chain(part) for part in slender_of(self.model)]

    def _chain(self, part: Slender) -> Chain:
        ends = [end for name in part.elements for end in ends_of(self.model, self.model.forces[name])]
        moved = [marked(self.motion(body), pose) for body, pose in ends]
        speeds = [self._velocity(body, np.asarray(pose.position)) for body, pose in ends]
        bends = isinstance(self.model.forces[part.elements[0]], BeamElement | SpectralBeamElement)
        if bends:
            return self._beam(part, moved, speeds)
        points = np.stack([moved[0][:, 9:], *(each[:, 9:] for each in moved[1::2])], axis=1)
        velocities = np.stack([speeds[0], *speeds[1::2]], axis=1)
        count = points.shape[1]
        radius = THIN * self.size
        angle = 2.0 * np.pi * np.arange(CABLE_SIDES) / CABLE_SIDES
        line = (radius * np.column_stack([np.cos(angle), np.sin(angle)]),)
        pieces = tuple((k, k + 1) for k in range(count - 1))
        return Chain(part, along_curve(points), velocities, pieces, ((line, line),) * len(pieces))

    def _velocity(self, body: str, point: Array) -> Array:
        """[time, 6] angular velocity and velocity of a point of a body."""
        motion = self.motion(body)
        arm = np.einsum("tij,j->ti", motion[:, :9].reshape(-1, 3, 3), point)
        turned: Any = np.cross(motion[:, 12:15], arm)
        return np.concatenate([motion[:, 12:15], motion[:, 15:18] + turned], axis=1)

    def _beam(self, part: Slender, ends: list[Array], speeds: list[Array]) -> Chain:
        stations: list[Array] = []
        velocities: list[Array] = []
        pieces: list[tuple[int, int]] = []
        lines: list[tuple[tuple[Array, ...], tuple[Array, ...]]] = []
        for k in range(0, len(ends), 2):
            arc = between(ends[k], ends[k + 1])
            first = len(stations)
            if stations and np.array_equal(stations[-1], ends[k]):
                first -= 1
            for j in range(len(stations) - first, PIECES + 1):
                share = j / PIECES
                p = arc[:, j, 9:]
                stations.append(arc[:, j])
                carried = [
                    np.concatenate([s[:, :3], s[:, 3:] + np.cross(s[:, :3], p - end[:, 9:])], axis=1)
                    for s, end in ((speeds[k], ends[k]), (speeds[k + 1], ends[k + 1]))
                ]
                velocities.append((1.0 - share) * carried[0] + share * carried[1])
            pieces.append((first, len(stations) - 1))
            a, b = (tuple(section_lines(beam)) for beam in part.beams[k : k + 2])
            alike = [len(line) for line in a] == [len(line) for line in b]
            lines.append((a, b if alike else a))
        return Chain(part, np.stack(stations, axis=1), np.stack(velocities, axis=1), tuple(pieces), tuple(lines))

    # ---------------------------------------------------------------------------------------------------- springs

    @cached_property
    def springs(self) -> dict[str, Array]:
        """[time, 2, 3] ends of the springs between two points."""
        found: dict[str, Array] = {}
        drawn = {name for chain in slender_of(self.model) for name in chain.elements}
        for name, force in self.model.forces.items():
            markers = [self.model.marker(getattr(force, end, "")) for end in ("marker_a", "marker_b")]
            if force.kind in SPRINGS and name not in drawn and None not in markers:
                ends = [marked(self.motion(name_of(m.body)), m.pose)[:, 9:] for m in markers if m is not None]
                found[name] = np.stack(ends, axis=1)
        return found


def _has_mesh(body: object) -> bool:
    return any(shape.kind == "mesh" for shape in getattr(body, "shapes", ()))


def _halved(faces: Array) -> Array:
    """Triangles of faces (n, 4, 3), without those that have no area."""
    triangles = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return triangles[np.linalg.norm(normal, axis=1) > FLAT]


def _rod(line: Array, radius: float) -> Array:
    """Triangles of a thin cylinder between two points (6 numbers)."""
    a, along = line[:3], line[3:] - line[:3]
    length = float(np.linalg.norm(along))
    profile = np.array([(0.0, 0.0), (radius, 0.0), (radius, length), (0.0, length)])
    frame = along_curve(np.array([[a, line[3:]]]))[0, 0, :9].reshape(3, 3)
    return _halved(revolved(profile, AROUND // 2)[..., [2, 0, 1]]) @ frame.T + a


def between(a: Array, b: Array) -> Array:
    """[time, PIECES + 1, 12] frames along the arc of exponential coordinates from one frame [time, 12] to another."""
    R_a, R_b = a[:, :9].reshape(-1, 3, 3), b[:, :9].reshape(-1, 3, 3)
    R_aT = np.swapaxes(R_a, 1, 2)
    theta = Turn.from_matrix(R_aT @ R_b).as_rotvec()
    p = np.einsum("tij,tj->ti", R_aT, b[:, 9:] - a[:, 9:])
    u = np.linalg.solve(_arc_matrix(theta), p[..., None])[..., 0]
    found: list[Array] = []
    for share in np.linspace(0.0, 1.0, PIECES + 1):
        R = R_a @ Turn.from_rotvec(share * theta).as_matrix()
        step = np.einsum("tij,tj->ti", _arc_matrix(share * theta), share * u)
        at = a[:, 9:] + np.einsum("tij,tj->ti", R_a, step)
        found.append(np.concatenate([R.reshape(-1, 9), at], axis=1))
    found[0], found[-1] = a, b
    return np.stack(found, axis=1)


def _arc_matrix(theta: Array) -> Array:
    """[n, 3, 3] mean of the rotations from none to exp(theta)."""
    angle = np.linalg.norm(theta, axis=1)[:, None, None]
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    b = np.where(small, 0.5 - angle**2 / 24.0, (1.0 - np.cos(safe)) / safe**2)
    c = np.where(small, 1.0 / 6.0 - angle**2 / 120.0, (safe - np.sin(safe)) / safe**3)
    W = np.zeros((len(theta), 3, 3))
    W[:, 0, 1], W[:, 0, 2], W[:, 1, 2] = -theta[:, 2], theta[:, 1], -theta[:, 0]
    W = W - np.swapaxes(W, 1, 2)
    return np.eye(3) + b * W + c * (W @ W)


def along_curve(points: Array) -> Array:
    """[time, n, 12] frames at points [time, n, 3] of a curve: x along it, turned about it as little as possible."""
    steps = np.diff(points, axis=1)
    steps = steps / np.maximum(np.linalg.norm(steps, axis=2, keepdims=True), 1e-300)
    x = np.concatenate([steps[:, :1], steps[:, :-1] + steps[:, 1:], steps[:, -1:]], axis=1)
    length = np.linalg.norm(x, axis=2, keepdims=True)
    x = np.where(length > 1e-9, x / np.maximum(length, 1e-300), np.concatenate([steps, steps[:, -1:]], axis=1))
    x[np.linalg.norm(x, axis=2) < 0.5] = (1.0, 0.0, 0.0)  # two points in one place
    y = np.empty_like(x)
    start = np.eye(3)[int(np.argmin(np.abs(x[0, 0])))]
    for k in range(len(x)):
        start = y[k, 0] = _across(start, x[k, 0])
    for s in range(1, x.shape[1]):
        turned = y[:, s - 1] - x[:, s] * np.sum(y[:, s - 1] * x[:, s], axis=1, keepdims=True)
        size = np.linalg.norm(turned, axis=1, keepdims=True)
        sharp = x[:, s - 1]  # a bend by a right angle: what was along is now across
        y[:, s] = np.where(size > 1e-6, turned / np.maximum(size, 1e-300), sharp)
    R = np.stack([x, y, np.cross(x, y)], axis=-1)
    return np.concatenate([R.reshape(*x.shape[:2], 9), points], axis=2)


def _across(vector: Array, axis: Array) -> Array:
    """A unit vector at right angles to the axis, as near to `vector` as possible."""
    found = vector - axis * float(vector @ axis)
    if np.linalg.norm(found) < 1e-6:
        found = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    unit: Any = found / np.linalg.norm(found)
    return unit


@dataclass(frozen=True)
class SweptSkin:
    """The surface of a chain: each point moves with one station."""

    station: Integers
    """[N] station of each point,"""
    local: Array
    """[N, 2] its place (y, z) in the section there,"""
    piece: Integers
    """[N] the piece between two nodes that it belongs to,"""
    triangles: Integers
    """and triangles of points."""


def swept_skin(chain: Chain) -> SweptSkin:
    """Points and triangles of the surface of a beam or cable, its ends closed."""
    station: list[Integers] = []
    local: list[Array] = []
    piece: list[Integers] = []
    triangles: list[Integers] = []
    count = 0
    for number, ((first, last), (a, b)) in enumerate(zip(chain.pieces, chain.lines, strict=True)):
        steps = last - first
        for hole, (line_a, line_b) in enumerate(zip(a, b, strict=True)):
            n = len(line_a)
            outward = (_area(line_a) > 0.0) != (hole > 0)
            share = np.repeat(np.linspace(0.0, 1.0, steps + 1), n)[:, None]
            local.append((1.0 - share) * np.tile(line_a, (steps + 1, 1)) + share * np.tile(line_b, (steps + 1, 1)))
            station.append(np.repeat(np.arange(first, last + 1), n))
            piece.append(np.full(n * (steps + 1), number))
            k = np.arange(n)
            ring = count + n * np.arange(steps)[:, None]
            here, there = ring + k, ring + (k + 1) % n
            sides = np.concatenate([np.stack([here, there, there + n], 2), np.stack([here, there + n, here + n], 2)])
            triangles.append((sides if outward else sides[..., ::-1]).reshape(-1, 3))
            count += n * (steps + 1)
    for number, end in ((0, 0), (len(chain.pieces) - 1, 1)):
        lines = chain.lines[number][end]
        points, faces = _cap(lines)
        local.append(points)
        station.append(np.full(len(points), chain.pieces[number][end]))
        piece.append(np.full(len(points), number))
        triangles.append(count + (faces if end else faces[:, ::-1]))
        count += len(points)
    return SweptSkin(np.concatenate(station), np.concatenate(local), np.concatenate(piece), np.concatenate(triangles))


def _cap(lines: tuple[Array, ...]) -> tuple[Array, Integers]:
    """Points (n, 2) and triangles, seen from +x, of a section; holes are joined to the outer line by bridges."""
    ring = list(_turned(lines[0], 1.0))
    for hole in lines[1:]:
        inner = _turned(hole, -1.0)
        start = int(np.argmax(inner[:, 0]))
        inner = np.roll(inner, -start, axis=0)
        near = int(np.argmin([float(np.sum((p - inner[0]) ** 2)) for p in ring]))
        ring = [*ring[: near + 1], *inner, inner[0], *ring[near:]]
    points = np.array(ring)
    flat = np.column_stack([points, np.zeros(len(points))])
    return points, triangulated(flat, [list(range(len(points)))])


def _area(line: Array) -> float:
    """Area inside a closed line, positive if it turns anticlockwise."""
    y, z = line.T
    return 0.5 * float(np.sum(y * np.roll(z, -1) - np.roll(y, -1) * z))


def _turned(line: Array, sign: float) -> Array:
    return line if _area(line) * sign > 0.0 else line[::-1]


def swept_points(chain: Chain, skin: SweptSkin, rows: slice | int = slice(None)) -> Array:
    """[time, N, 3] points of the surface in the world."""
    frames = chain.frames[rows][..., skin.station, :]
    R = frames[..., :9].reshape(*frames.shape[:-1], 3, 3)
    return frames[..., 9:] + np.einsum("...nij,nj->...ni", R[..., 1:], skin.local)
