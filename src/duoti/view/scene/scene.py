"""A model as the page wants it: bodies with their parts, joints with their axes, springs, markers, topology."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.formats.mesh.mesh import MeshError, read_mesh
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND, JointElement, Reference, name_of
from duoti.model.forces.base import Force, JointElementForce, LineElement
from duoti.model.forces.reeving import Reeving, plane_axes
from duoti.model.forces.rope import Rope
from duoti.model.joints import Joint
from duoti.model.mechanism.choose_tree import relative_tree
from duoti.model.mechanism.joint_motions import motions_of
from duoti.model.mechanism.placement import Placement, place_bodies
from duoti.model.model import Model
from duoti.model.sheave import Sheave
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.spatial import Shape
from duoti.system.compile.flexible_bodies import FlexibleLayout
from duoti.system.system import FrameKey, System
from duoti.topology import Topology
from duoti.view.scene.beams_and_cables import nodes_of, slender_document
from duoti.view.scene.bond_graphs import graph_document
from duoti.view.scene.channels import coordinate_labels
from duoti.view.scene.contacts import contact_document, contact_shapes
from duoti.view.scene.parts import Drawing, numbers_of

Array = NDArray[np.float64]
MOST_TRIANGLES = 200_000  # of one mesh; a page with more would be slow to open and to draw


def load_mesh(shape: Shape, folders: Sequence[Path] | None = None) -> tuple[dict[str, str], Array, Array] | str:
    """Triangles of a shape's file [m], with their lower and upper corner, or why there are none.

    A page holds what it draws, and is passed on: of a model from a file only meshes below these folders are read.
    """
    try:
        real = Path(shape.file).resolve()
        if folders is not None and not any(real.is_relative_to(folder.resolve()) for folder in folders):
            return (
                f"mesh not drawn: {shape.file} is outside the folder of the file that names it; allow_outside=True "
                "(--allow-outside) allows that"
            )
        triangles = read_mesh(Path(shape.file))
    except (MeshError, OSError, RuntimeError, ValueError) as error:
        return f"mesh not drawn: {error}"
    if len(triangles) > MOST_TRIANGLES:
        return f"mesh not drawn: {shape.file} has {len(triangles)} triangles; the page draws up to {MOST_TRIANGLES}"
    scale = np.array([shape["scale_x"], shape["scale_y"], shape["scale_z"]])
    corners = (triangles * scale).reshape(-1, 3)
    if np.prod(scale) < 0:  # a mirror turns the triangles inside out
        corners = corners.reshape(-1, 3, 3)[:, ::-1].reshape(-1, 3)
    data: dict[str, Any] = {"corners": base64.b64encode(corners.astype("<f4").tobytes()).decode("ascii")}
    return data, corners.min(axis=0), corners.max(axis=0)


MOST_NUMBERS = 6_000_000  # of one body: nodes times modes times components; a page with more would be slow to open
SIDES = 6  # of the prism that a line is drawn as
THICKNESS = 0.012  # of it, as a part of the body's length


def flexible_part(layout: FlexibleLayout) -> tuple[dict[str, Any], Array] | None:
    """A part for the page, and points that enclose it; None of a body without nodes.

    Positions of nodes (nodes, 3), triangles, displacements (modes, nodes, 3) and stresses (modes, nodes, 6) of unit
    modal coordinates, as 32-bit numbers in this order.
    """
    shown = layout.reduced.display
    if shown is None or not len(shown.faces):
        return None
    if shown.faces.shape[1] == 2:
        nodes, faces, modes = tube(shown.nodes, shown.faces, shown.modes, THICKNESS * layout.reduced.length)
        stresses = None
    else:
        used, faces = np.unique(shown.faces, return_inverse=True)
        nodes, modes = shown.nodes[used], shown.modes[used]
        stresses = None if shown.stresses is None else shown.stresses[used]
    data: dict[str, Any] = {
        "nodes": _numbers(nodes),
        "faces": base64.b64encode(faces.astype("<u4").tobytes()).decode("ascii"),
        "modes": _numbers(np.moveaxis(modes, 2, 0)),
    }
    if stresses is not None and stresses.size <= MOST_NUMBERS:
        data["stresses"] = _numbers(np.moveaxis(stresses, 2, 0))
    part = {"kind": "flexible", "pose": [0.0] * 3 + [1.0] + [0.0] * 3, "size": {"length": layout.reduced.length}}
    return part | {"flexible": data}, nodes


def _numbers(values: Array) -> str:
    return base64.b64encode(np.ascontiguousarray(values).astype("<f4").tobytes()).decode("ascii")


def tube(nodes: Array, lines: NDArray[np.int64], modes: Array, radius: float) -> tuple[Array, NDArray[np.int64], Array]:
    """Lines as thin prisms along x, whose corners move as their nodes do."""
    angle = 2.0 * np.pi * np.arange(SIDES) / SIDES
    ring = radius * np.column_stack([np.zeros(SIDES), np.cos(angle), np.sin(angle)])
    corners = (nodes[:, None] + ring).reshape(-1, 3)
    k, after = np.arange(SIDES), (np.arange(SIDES) + 1) % SIDES
    a, b = lines[:, :1] * SIDES, lines[:, 1:] * SIDES
    first = np.stack([a + k, b + k, a + after], axis=2)
    second = np.stack([a + after, b + k, b + after], axis=2)
    return corners, np.concatenate([first, second]).reshape(-1, 3)[:, ::-1].copy(), np.repeat(modes, SIDES, axis=0)


BOUNDS_FRAMES = 200  # instants from which the size of the scene is taken
SURROUNDINGS = 0.25  # of surfaces beside what moves that are in the picture, as part of its size
MOST_TEXT = 160  # characters of an element's numbers
MOST_IN_DIAGRAM = 400  # bodies up to which the topology is drawn


@dataclass(frozen=True)
class Scene:
    """What the page needs of a model, and what the motion needs of it here."""

    document: dict[str, Any]
    points: dict[str, Array]
    """By body: points that enclose what is drawn of it, in its frame."""
    surfaces: Array
    """[n, 8, 3] corners of the boxes around the surfaces of the ground, which `points` leave out."""


def scene_of(system: System) -> Scene:
    """Describe a model for the page."""
    model = system.model
    placement = place_bodies(model)
    bodies = [GROUND, *model.bodies]
    index = {name: i for i, name in enumerate(bodies)}

    def mesh_of(shape: Shape) -> tuple[dict[str, str], Array, Array] | str:
        return load_mesh(shape, model.mesh_folders)

    touching = contact_shapes(model)
    drawings = {
        name: Drawing(
            model,
            placement,
            name,
            model.ground if name == GROUND else model.bodies[name],
            mesh_of,
            flexible_part(system.flexible[name]) if name in system.flexible else None,
            touching.of(name),
        )
        for name in bodies
    }
    nodes = nodes_of(model)
    topo = system.topology or relative_tree(model)
    cut = {name: k for k, name in enumerate(topo.cut_joints)}
    document = {
        "name": model.name,
        "gravity": np.asarray(model.gravity, dtype=float).tolist(),
        "bodies": [_body(model, name, drawings[name], name in nodes) for name in bodies],
        "joints": [
            _joint(
                element,
                index,
                cut.get(name),
                numbers_of(placement.on_parent[name]),
                numbers_of(placement.on_child[name]),
            )
            for name, element in model.joints.items()
        ],
        "markers": [
            {"name": name, "body": index[model.body_name(name)], "pose": numbers_of(marker.pose)}
            for name, marker in model.markers.items()
        ],
        "slender": slender_document(model, index),
        "contacts": contact_document(model, touching, index),
        "graphs": graph_document(model),
        "forces": [
            _force(model, name, force, placement, index)
            for name, force in model.forces.items()
            if not force.kind.startswith("contact_")
        ],
        "constraints": [
            {"name": name, "kind": each.kind, "ends": _ends(model, each.markers(), index), "text": _text(each)}
            for name, each in model.constraints.items()
        ],
        "states": [{"name": name, "unit": state.unit} for name, state in model.states.items()],
        "topology": _topology(topo),
        "notes": [note for drawing in drawings.values() for note in drawing.notes],
    }
    points = {name: drawing.points for name, drawing in drawings.items()}
    return Scene(document, points, drawings[GROUND].surfaces)


def _body(model: Model, name: str, drawing: Drawing, is_node: bool) -> dict[str, Any]:
    inertia = None if name == GROUND else model.bodies[name].inertia
    found: dict[str, Any] = {"node": True} if is_node else {}
    return found | {
        "name": name,
        "mass": None if inertia is None else float(inertia.mass),
        "com": [0.0, 0.0, 0.0] if inertia is None else [float(x) for x in inertia.com],
        "parts": drawing.parts,
        "links": drawing.links,
    }


def _joint(
    element: JointElement, index: dict[str, int], loop: int | None, on_parent: list[float], on_child: list[float]
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": element.name,
        "kind": element.kind,
        "parent": index[element.parent],
        "child": index[element.child],
        "onParent": on_parent,
        "onChild": on_child,
        "parts": [_part(part) for part in element.joint.parts],
        "motions": motion_numbers(element.joint),
        "loop": loop,
        "labels": coordinate_labels(element.joint),
    }
    if element.limits is not None:
        found["limits"] = [[float(low), float(high)] for low, high in element.limits]
    return found


def _part(joint: Joint) -> dict[str, Any]:
    """A simple joint: its kind, the rotation to the frame in which its axis is z, its coordinates."""
    return {
        "kind": joint.kind,
        "law": [float(x) for x in joint.frame().quaternion],
        "coordinates": [
            {"name": c.name, "rate": c.rate, "unit": c.unit, "rateUnit": c.rate_unit, "nq": c.nq, "nv": c.nv,
             "quaternion": c.quaternion}
            for c in joint.coordinates
        ],
    }  # fmt: skip


def motion_numbers(joint: Joint) -> list[dict[str, Any]] | None:
    """The elementary motions from which the page computes the joint's pose; None if it is not made of such."""
    motions = motions_of(joint)
    return None if motions is None else [{"at": m.at, "twist": m.twist and list(m.twist)} for m in motions]


def _ends(model: Model, references: tuple[Reference, ...], index: dict[str, int]) -> list[dict[str, Any]]:
    """Points of bodies that an element holds on to; none for an element between coordinates."""
    markers = [model.marker(each) for each in references]
    points: list[dict[str, Any]] = [
        {"body": index[name_of(m.body)], "at": [float(x) for x in m.pose.position]} for m in markers if m is not None
    ]
    return [] if len({(p["body"], *p["at"]) for p in points}) < len(points) else points


def rope_path(model: Model, force: Rope | Reeving, placement: Placement, index: dict[str, int]) -> list[dict[str, Any]]:
    """Where a rope runs: centres of sheaves in their bodies, axes in their planes, radii and sides."""
    points = force.points() if isinstance(force, Reeving) else [Sheave(each, 0.0) for each in force.through]
    sides = force.sides(lambda each: placement.of(model, each)) if isinstance(force, Reeving) else [1] * len(points)
    found: list[dict[str, Any]] = []
    for point, side in zip(points, sides, strict=True):
        marker = model.marker(point.marker)
        if marker is None:
            return []
        ex, ey = (np.asarray(marker.pose.rotation.matrix) @ axis for axis in plane_axes(point)[:2])
        found.append({"body": index[name_of(marker.body)], "at": [float(x) for x in marker.pose.position],
                      "ex": ex.tolist(), "ey": ey.tolist(), "radius": float(point.radius), "side": side})  # fmt: skip
    return found


def _force(model: Model, name: str, force: Force, placement: Placement, index: dict[str, int]) -> dict[str, Any]:
    found: dict[str, Any] = {"name": name, "kind": force.kind, "text": _text(force)}
    if isinstance(force, LineElement) or force.kind == "bushing":
        found["ends"] = _ends(model, tuple(reference for _, reference in force.markers()), index)
        found["damped"] = bool(np.any(np.asarray(getattr(force, "damping", 0.0), dtype=float)))
        rest = getattr(force, "rest_length", 0.0)
        found["rest"] = float(rest) if isinstance(rest, int | float) else 0.0
    elif isinstance(force, Rope | Reeving):
        found["path"] = rope_path(model, force, placement, index)
        found["closed"] = isinstance(force, Reeving) and force.closed
    elif markers := list(force.markers()):
        found["ends"] = _ends(model, (markers[0][1],), index)
    if joints := [name_of(joint) for _, joint in force.joints()]:  # pyright: ignore[reportArgumentType]
        found["joint"] = joints[0]
    if isinstance(force, JointElementForce):
        found["at"] = _place_in_q(model.joints[found["joint"]].joint, force.coordinate or 0)
    return found


def _place_in_q(joint: Joint, rate: int) -> int:
    """Number of the coordinate whose rate has this number; -1 for an angular velocity, which has none."""
    quaternions = [c.quaternion for c in joint.coordinates for _ in range(c.nv)]
    return -1 if quaternions[rate] else rate + sum(quaternions[:rate]) // 3


def _text(element: Any) -> str:
    """The numbers of an element in one line."""
    shown: list[str] = []
    for key, value in vars(element).items():
        if value is None or key.startswith(("marker", "joint", "_")):
            continue
        text = getattr(value, "__name__", None) or (value if isinstance(value, str) else repr(value))
        shown.append(f"{key} {text}")
    text = ", ".join(shown)
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 3] + "..."


def _topology(topo: Topology) -> dict[str, Any]:
    return {
        "tree": [{"joint": row.name, "inboard": row.inboard, "outboard": row.outboard, "virtual": row.virtual}
                 for row in topo.tree],
        "cut": list(topo.cut_joints),
        "loops": [{"cut": loop.cut, "joints": list(loop.joints)} for loop in topo.loops],
        "svg": topo.svg() if len(topo.bodies) <= MOST_IN_DIAGRAM else "",
    }  # fmt: skip


def frames_of(system: System, t: Array, y: Array, names: list[str]) -> Array:
    """Frames of bodies over time (times, bodies, 18): rotation matrix, position, angular velocity, velocity."""
    return observe(system, t, y, FRAMES, [system.markers[FrameKey(ElementId("body", name))] for name in names]).frames


def bounds_of(system: System, scene: Scene, frames: Array, names: list[str]) -> tuple[Array, Array]:
    """Middle, and half the edges of the box around all that is drawn, over the whole motion [m].

    Of roads and terrain, as much as there is about what moves: they would make it a dot.
    """
    points = scene.points
    few = frames[np.unique(np.linspace(0, len(frames) - 1, min(len(frames), BOUNDS_FRAMES)).astype(int))]
    clouds = [points[GROUND]]
    for k, name in enumerate(names):
        R, p = few[:, k, :9].reshape(-1, 3, 3), few[:, k, 9:12]
        clouds.append((np.einsum("nij,mj->nmi", R, points[name]) + p[:, None]).reshape(-1, 3))
    for element in system.model.markers.values():
        if name_of(element.body) == GROUND:
            clouds.append(np.asarray(element.position, dtype=float)[None])
    cloud = np.concatenate(clouds)
    surfaces = scene.surfaces.reshape(-1, 3)
    if not len(cloud) and not len(surfaces):
        return np.zeros(3), np.full(3, 0.5)
    low, high = (cloud if len(cloud) else surfaces).min(axis=0), (cloud if len(cloud) else surfaces).max(axis=0)
    if len(surfaces):
        about = SURROUNDINGS * float(np.max(high - low))
        low = np.minimum(low, np.maximum(surfaces.min(axis=0), low - about))
        high = np.maximum(high, np.minimum(surfaces.max(axis=0), high + about))
    return (low + high) / 2, (high - low) / 2
