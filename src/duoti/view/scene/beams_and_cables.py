"""Beams and cables for the page: nodes, sections, and what happens along them.

A beam is drawn as a body of its true section, swept along its axis; the page bends it between the nodes as its elements
are bent (along the arc of exponential coordinates, see `model.forces.beam_element`). A cable has no section: it is a
round line through its nodes, and a thin one has bending moments there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.beams.beam_section import Beam
from duoti.model.element_id import ElementId
from duoti.model.elements import name_of
from duoti.model.errors import ChannelError
from duoti.model.forces.beam_element import BeamElement
from duoti.model.forces.rope import Rope
from duoti.model.forces.spectral_beam_element import SpectralBeamElement
from duoti.model.forces.spring_damper import SpringDamper
from duoti.model.forces.thin_beam import ThinBeam
from duoti.model.model import Model
from duoti.results.evaluate.beam_fields import QUANTITIES, piece_forces
from duoti.results.evaluate.channels import seen_force
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.results.plot.beams import outline_of
from duoti.results.result import Result
from duoti.system.system import FrameKey
from duoti.view.scene.pack import pack, step_of
from duoti.view.scene.parts import numbers_of

Array = NDArray[np.float64]
SHOWN = {"axial_force": "axial_force", "shear_force": "shear_force", "torque": "torque",
         "bending_moment": "bending_moment", "normal_stress": "stress", "curvature": "curvature"}  # fmt: skip
"""Quantities along beams that the page can show, and their names in `result.along`."""
BITS = 15  # of their range: for colours
ROUND = 24  # points of the outline of a round beam of which only stiffnesses are known
ELEMENT = re.compile(r"(.+)\.element\d+")
DRAWN = (BeamElement, SpectralBeamElement, ThinBeam, Rope, SpringDamper)
SEVERAL = (SpectralBeamElement, ThinBeam)  # of these, an element may have several pieces


@dataclass(frozen=True)
class Slender:
    """A chain of elements; length [m] of its axis."""

    name: str
    kind: str  # "beam", "cable"
    elements: tuple[str, ...]
    length: float
    beams: tuple[Beam, ...]
    """At both ends of each element, two for each; none of a cable that does not resist bending."""


def slender_of(model: Model) -> list[Slender]:
    """All beams of a model, cables, and beam elements that stand by themselves."""
    found: list[Slender] = []
    taken: set[str] = set()
    for name, part in model.beams.items():
        at = [part.beam_at(float(s)) for s in part.stations]
        beams = tuple(beam for pair in pairwise(at) for beam in pair)
        found.append(Slender(name, "beam", tuple(part.element_names), part.length, beams))
        taken.update(part.element_names)
    chains: dict[str, list[str]] = {}
    for name, force in model.forces.items():
        if name in taken or not isinstance(force, DRAWN):
            continue
        match = ELEMENT.fullmatch(name)
        if isinstance(force, ThinBeam):
            chains.setdefault(name.removesuffix(".line"), []).append(name)
        elif match:
            chains.setdefault(match[1], []).append(name)
        elif isinstance(force, BeamElement | SpectralBeamElement):
            chains.setdefault(name, []).append(name)
    for name, elements in chains.items():
        if len({type(model.forces[each]) for each in elements}) == 1 and _linked(model, elements):
            found.append(_chain(model, name, elements))
    return found


def ends_of(model: Model, force: Any) -> list[tuple[str, Any]]:
    """Body, and pose in it, of both ends of an element; of one of higher order, of each piece between its nodes."""
    references = list(force.through) if isinstance(force, Rope) else [reference for _, reference in force.markers()]
    markers = [model.marker(each) for each in references]
    found = [(name_of(marker.body), marker.pose) for marker in markers if marker is not None]
    return [end for pair in pairwise(found) for end in pair] if isinstance(force, SEVERAL) else found


def pieces_of(model: Model, name: str) -> int:
    """How many pieces between nodes an element has."""
    force = model.forces[name]
    if isinstance(force, ThinBeam):
        return force.pieces
    return force.order if isinstance(force, SpectralBeamElement) else 1


def _linked(model: Model, elements: list[str]) -> bool:
    """Whether each element begins where the one before it ends."""
    ends = [ends_of(model, model.forces[name]) for name in elements]
    if any(len(each) != 2 * pieces_of(model, name) for each, name in zip(ends, elements, strict=True)):
        return False
    return all(a[-1][0] == b[0][0] for a, b in pairwise(ends))


def _chain(model: Model, name: str, elements: list[str]) -> Slender:
    forces: list[Any] = [model.forces[each] for each in elements]
    if isinstance(forces[0], BeamElement):
        length = float(sum(force.length or np.linalg.norm(force.rest_coordinates[3:]) for force in forces))
        return Slender(
            name, "beam", tuple(elements), length, tuple(force.beam_at(end) for force in forces for end in (0.0, 1.0))
        )
    if isinstance(forces[0], SpectralBeamElement):
        beams = [beam for force in forces for pair in pairwise(force.node_beams) for beam in pair]
        length = float(sum(force.rest.lengths.sum() for force in forces))
        return Slender(name, "beam", tuple(elements), length, tuple(beams))
    length = float(sum(force.rest.sum() if isinstance(force, ThinBeam) else force.rest_length for force in forces))
    return Slender(name, "cable", tuple(elements), length, ())


def slender_document(model: Model, index: dict[str, int]) -> list[dict[str, Any]]:
    """What the page draws of them; index: numbers of the bodies."""
    found: list[dict[str, Any]] = []
    for each in slender_of(model):
        sections: list[list[list[float]]] = []
        places: list[int] = []
        for beam in each.beams:
            lines = [np.round(line, 9).ravel().tolist() for line in section_lines(beam)]
            if lines not in sections:
                sections.append(lines)
            places.append(sections.index(lines))
        ends = [end for name in each.elements for end in ends_of(model, model.forces[name])]
        found.append(
            {
                "name": each.name, "kind": each.kind, "length": each.length,
                "elements": [name for name in each.elements for _ in range(pieces_of(model, name))],
                "ends": [{"body": index[body], "pose": numbers_of(pose)} for body, pose in ends],
                "sections": sections, "section": places,
            }
        )  # fmt: skip
    return found


def section_lines(beam: Beam) -> list[Array]:
    """Closed lines of the section: the outer one, then those of holes."""
    if beam.section is not None and beam.section.outline:
        return [np.array(line) for line in beam.section.outline]
    bending = np.diag(beam.matrix)[4:]
    if np.ptp(bending) <= 1e-9 * bending.max():  # round: the radius with this E I / E A
        radius = 2.0 * np.sqrt(bending[0] / beam.matrix[0, 0])
        angle = 2.0 * np.pi * np.arange(ROUND) / ROUND
        return [radius * np.column_stack([np.cos(angle), np.sin(angle)])]
    return [outline_of(beam)]


def nodes_of(model: Model) -> set[str]:
    """Bodies that are drawn as a part of a beam or cable: they hang only on its elements and on joints."""
    found: set[str] = set()
    for each in slender_of(model):
        for name in each.elements:
            found.update(body for body, _ in ends_of(model, model.forces[name]) if body.startswith(f"{each.name}."))
    return found


def along_columns(model: Model) -> int:
    """How many columns `along_numbers` will have, at most."""
    return sum(
        2 * pieces_of(model, name) * (len(SHOWN) if each.beams else 2)  # of a cable: axial force, bending moment
        for each in slender_of(model)
        for name in each.elements
    )


def along_numbers(result: Result) -> dict[str, Any] | None:
    """Quantities along all beams and cables at the times of a result, both ends of each element; None of none."""
    model = result.system.model
    heads: list[dict[str, Any]] = []
    columns: list[Array] = []
    for each in slender_of(model):
        for what, unit, values in _quantities(result, each):
            heads.append({"name": each.name, "what": what, "unit": unit, "size": values.shape[1]})
            columns.append(values)
    if not heads:
        return None
    steps = [np.full(values.shape[1], step_of(values, BITS).max(initial=0.0)) for values in columns]
    return {"heads": heads, "block": pack(np.concatenate(columns, axis=1), np.concatenate(steps))}


def _quantities(result: Result, part: Slender) -> list[tuple[str, str, Array]]:
    model = result.system.model
    forces: list[Any] = [model.forces[name] for name in part.elements]
    if not isinstance(forces[0], BeamElement | SpectralBeamElement):
        tension = np.column_stack([_channel(result, name, "tension") for name in part.elements])
        found = [("axial_force", "N", np.repeat(tension, 2, axis=1))]
        if isinstance(forces[0], ThinBeam):
            at_nodes = _channel(result, part.elements[0], "bending_moment").reshape(len(result.t), -1, 3)
            moments = np.repeat(np.linalg.norm(at_nodes, axis=2), 2, axis=1)[:, 1:-1]
            found.append(("bending_moment", "N m", moments))
        return found
    ends = [ends_of(model, force) for force in forces]
    bodies = list(dict.fromkeys(body for pair in ends for body, _ in pair))
    markers = [result.system.markers[FrameKey(ElementId("body", body))] for body in bodies]
    frames = observe(result.system, result.t, result.states, FRAMES, markers).frames
    F: list[tuple[Array, Beam]] = []
    for force, pairs in zip(forces, ends, strict=True):
        nodes = [*pairs[::2], pairs[-1]]
        seen = np.stack([marked(frames[:, bodies.index(body)], pose) for body, pose in nodes], axis=1)
        F += piece_forces(force, seen)
    found = list[tuple[str, str, Array]]()
    for what, name in SHOWN.items():
        unit, value = QUANTITIES[name]
        try:
            found.append((what, unit, np.column_stack([value(there, beam) for there, beam in F])))
        except ChannelError:  # stresses need a section
            continue
    return found


def marked(frames: Array, pose: Any) -> Array:
    """Rotation matrices and positions, [time, 12], of a marker on a body with these frames."""
    R, p = frames[:, :9].reshape(-1, 3, 3), frames[:, 9:12]
    turned = R @ np.asarray(pose.rotation.matrix)
    return np.concatenate([turned.reshape(-1, 9), p + R @ np.asarray(pose.position)], axis=1)


def _channel(result: Result, name: str, what: str) -> Array:
    """A channel of a force, [time, component]."""
    model = result.system.model
    read = model.forces[name].channels(model)[what].read
    seen = seen_force(result.system, list(model.forces).index(name), result.t, result.states)
    return np.asarray(read(seen)).reshape(len(result.t), -1)
