"""Beams of a model: nodes, joints and elements; and which nodes need a joint of their own."""

from __future__ import annotations

from copy import copy

import numpy as np

from duoti.model.beams.beam import BeamPart
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.course import across, is_along, line_of
from duoti.model.elements import GROUND, JointElement
from duoti.model.forces.base import Force
from duoti.model.forces.beam_element import BeamElement
from duoti.model.forces.bushing import Bushing
from duoti.model.forces.spectral_beam_element import SpectralBeamElement
from duoti.model.joints.free import Free
from duoti.model.model import Model
from duoti.spatial import Pose, Rotation, axis_vector


def add_beam(model: Model, part: BeamPart) -> BeamPart:
    """Add the nodes of a beam as bodies on free joints, and its elements as forces between them."""
    inertias, shapes = part.node_inertias(), part.node_shapes()
    for k, (name, inertia) in enumerate(zip(part.node_names(), inertias, strict=True)):
        rotation = Rotation.from_matrix(part.rotations[k])
        position = tuple(part.positions[k].tolist())
        part.nodes.append(model.add_body(name, inertia, position, rotation, shapes[k]))
        part.joint_names.append(f"{name}.free")
        model.add_joint(f"{name}.free", Free(), model.ground, part.nodes[-1], v0=part.rates(k))
    for e in range(len(part.element_beams)):
        name = f"{part.name}.element{e + 1}"
        part.element_names.append(name)
        model.add_force(name, _element(part, e))
    for k, node in enumerate(part.nodes):
        c = part.beam_at(float(part.stations[k])).mass_damping * inertias[k].mass
        if c > 0.0:
            part.force_names.append(f"{node.name}.drag")
            model.add_force(part.force_names[-1], Bushing(model.ground, node, (0.0,) * 6, (c, c, c, 0.0, 0.0, 0.0)))
    return part


def _element(part: BeamPart, e: int) -> Force:
    nodes, (beam, taper) = [part.nodes[k] for k in part.nodes_of(e)], part.element_beams[e]
    if part.order == 1:
        return BeamElement(nodes[0], nodes[1], beam, taper=taper)
    element = SpectralBeamElement(nodes, beam)
    if not isinstance(part.beam, Beam) or part.taper is not None:
        at_nodes = part.stations[e * part.order : (e + 1) * part.order + 1]
        element.vary(part.point_beams(e), [part.beam_at(float(s)) for s in at_nodes])
    return element


def with_needed_joints(model: Model) -> Model:
    """The model with free joints only where nodes of beams need them: itself, or a copy with other joints.

    Nodes that the user's joints hold, directly or through other bodies, need none: a clamped start is a part of ground,
    not a free body with a loop. Of several nodes that are joined with each other, but not with ground, one has a free
    joint. What is checked and compiled is this model; what is left out follows from the user's joints alone.
    """
    parts = [part for part in model.beams.values() if isinstance(part, BeamPart)] if model.beams else []  # pyright: ignore[reportUnnecessaryIsInstance]
    own = {name: node.name for part in parts for name, node in zip(part.joint_names, part.nodes, strict=True)}
    if not own:
        return model
    above: dict[str, str] = {}

    def root(body: str) -> str:
        while above.get(body, body) != body:
            above[body] = above.get(above[body], above[body])
            body = above[body]
        return body

    for name, element in model.joints.items():
        if name not in own:
            above[root(element.child)] = root(element.parent)
    held = {root(GROUND)}
    kept: dict[str, JointElement] = {}
    for part in parts:
        for name, node in zip(part.joint_names, part.nodes, strict=True):
            if root(node.name) in held:
                continue
            held.add(root(node.name))
            rates = part.rates(part.nodes.index(node)) if name not in model.joints else None
            kept[name] = model.joints.get(name) or JointElement(
                name, Free(), model.ground, node, v0=rates, body_name=model.body_name
            )
    if set(kept) == own.keys() & model.joints.keys():
        return model
    made = copy(model)
    users = {name: element for name, element in model.joints.items() if name not in own}
    made.joints = {name: copy(element) for name, element in {**users, **kept}.items()}
    for element in made.joints.values():
        element.body_name = made.body_name
    return made


def generated_names(model: Model) -> dict[str, set[str]]:
    """Names of bodies, joints and forces that belong to beams, by section."""
    parts = model.beams.values()
    return {
        "bodies": {node.name for part in parts for node in part.nodes},
        "joints": {name for part in parts for name in part.joint_names},
        "forces": {name for part in parts for name in (*part.element_names, *part.force_names)},
    }


def add_moved_beam(model: Model, name: str, part: BeamPart, pose: Pose | None) -> None:
    """Add a beam of another model, moved by a pose."""
    line, start, end, up = part.centreline, part.start_point, part.end_point, part.up
    velocity, angular_velocity = part.velocity, part.angular_velocity
    if pose is not None:
        R = np.asarray(pose.rotation.matrix)
        if line is not None:
            course, points = line_of(line)
            given = None if points is None else np.asarray(line, dtype=float) @ R.T + pose.position
            line = (lambda s: R @ course(s) + pose.position) if given is None else given
        start, end = (None if p is None else R @ np.asarray(p, dtype=float) + pose.position for p in (start, end))
        towards, x = axis_vector(up), part.rotations[0][:, 0]
        if line is None and is_along(x, towards):  # `up` was left out: the section moves with the beam
            towards = across(x, towards)
        up = tuple((R @ towards).tolist())
        velocity, angular_velocity = (
            None if v is None else R @ np.asarray(v, dtype=float) for v in (velocity, angular_velocity)
        )
    model.add_beam(
        name, part.beam, start, end, up, part.elements, line, part.twist, part.taper, part.places, velocity,
        angular_velocity, part.short_ends, part.order,
    )  # fmt: skip
