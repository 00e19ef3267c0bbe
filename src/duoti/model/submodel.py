"""One model as a part of another: a leg that is used four times."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.model.beams.add_beam import add_moved_beam, generated_names
from duoti.model.checks.findings import Report
from duoti.model.constructor_schema import arguments_of, fields_of
from duoti.model.contacts.element import ALL, shapes_of_body
from duoti.model.element_id import KINDS
from duoti.model.elements import GROUND, Body, JointElement, Marker, name_of
from duoti.model.errors import ModelError
from duoti.model.file_source import Source
from duoti.model.laws.expressions import RESERVED, ExpressionError
from duoti.model.laws.expressions.parser import tokenize
from duoti.model.laws.law import Function, parameter_names
from duoti.model.mechanism.placement import Placement, place_bodies
from duoti.model.model import Model
from duoti.model.parameters import names_in_data
from duoti.model.quantities import known_signal
from duoti.model.sections import ALL as ALL_SECTIONS
from duoti.model.sections import further_sections
from duoti.model.sheave import Sheave
from duoti.spatial import Pose, Rotation, Shape

INCOMPLETE = ("no-bodies", "unattached", "massless-end", "gap")
"""Findings that a part of a model may have without being wrong."""

_PLACED_ANEW = ("self", "name", "joint", "parent", "child", "at")


def add_submodel(
    model: Model,
    prefix: str,
    other: Model,
    position: ArrayLike | None,
    rotation: Any,
    mirror: str | None = None,
    ground: Any = None,
) -> None:
    """See `Model.add_submodel`."""
    from duoti.model.checks.structure import check_structure

    report = check_structure(other)
    wrong = tuple(f for f in report.errors if f.code not in INCOMPLETE)
    if wrong:
        raise ModelError(Report(other.name, wrong))
    for name, event in other.events.items():
        if event.jump is not None:
            raise ValueError(
                f'event "{name}" of the sub-model has a jump, which sees the state of the whole model, not of a part: '
                "add the event to the whole model"
            )
    if mirror is not None:
        from duoti.model.mirror import mirrored

        other = mirrored(other, mirror)
    _Part(model, prefix, other, position, rotation, ground).add()


class _Part:
    """A model that is added to another under a prefix, at a pose."""

    def __init__(self, model: Model, prefix: str, other: Model, position: ArrayLike | None, rotation: Any, ground: Any):
        self.model, self.prefix, self.other = model, prefix, other
        self.base = GROUND if ground is None else name_of(ground)
        """The body that is the ground of the part."""
        self.X_BW = self._inverse_of_base()
        self.moved = position is not None or rotation is not None or self.base != GROUND
        self.turned = rotation is not None
        self.pose = Pose(Rotation.from_any(rotation), np.zeros(3) if position is None else np.asarray(position, float))
        self.known = known_signal(other, feedback=True, forces=True, contacts=True)
        self.ground = f"{prefix}.{GROUND}" if self.moved else GROUND

    def _inverse_of_base(self) -> Pose:
        """The world in the frame of the body that is the part's ground."""
        if self.base == GROUND:
            return Pose.identity()
        body = self.model.bodies.get(self.base)
        if body is None:
            raise ValueError(
                f'sub-model "{self.prefix}": its ground "{self.base}" is no body of the model; add the body first'
            )
        return (body.pose if body.placed else place_bodies(self.model).bodies[self.base]).inverse()

    def on_base(self, pose: Pose) -> Pose:
        """A pose in the part's ground, in the body that takes its place."""
        return self.X_BW @ self.pose @ pose

    def name(self, name: str) -> str:
        return f"{self.prefix}.{name}"

    def switched(self, name: str) -> str:
        """The name by which a state switches a force or constraint."""
        element = self.other.switched(name)
        return self.name(name) if element is None else f"{element.kind}:{self.name(element.name)}"

    def reference(self, reference: Any) -> str:
        name = name_of(reference)
        return self.ground if name == GROUND else self.name(name)

    def side(self, side: Any) -> Any:
        """One side of a contact; "all" means all of the part."""
        if isinstance(side, str) and side == ALL:
            named = [name for name, body in self.other.bodies.items() if shapes_of_body(body)]
            return [*map(self.name, named), *([self.base] if self.other.ground.shapes else [])]
        return self.reference(side)

    def add(self) -> None:
        """Add its elements, with the lines of the files that they come from."""
        before = {section: set(vars(self.model)[section]) for section in KINDS if section in vars(self.model)}
        self.add_elements()
        for path, source in self.other.sources.items():  # numbers that its file has computed from its parameters
            if used := sorted(names_in_data(source.written) & self.other.parameters.keys()):
                written = [f"={self.name(name)}" for name in used]
                self.model.sources["submodels", self.prefix, *path] = Source(written, None)
        places = self.other.source_locations
        for section, known in before.items():
            for name in getattr(self.model, section).keys() - known:
                own = name.removeprefix(f"{self.prefix}.")
                while (section, own) not in places and "." in own:  # "A.parent" is a marker of joint "A"
                    own = own.rpartition(".")[0]
                sections = (section, "joints", *(each.name for each in ALL_SECTIONS.values() if each.refuses))
                line = next((places[of, own] for of in sections if (of, own) in places), None)
                if line is not None:
                    self.model.source_locations.setdefault((section, name), line)
        for (section, *path), line in places.items():
            if section in before and len(path) > 1 and self.name(path[0]) in getattr(self.model, section):
                self.model.source_locations.setdefault((section, self.name(path[0]), *path[1:]), line)

    def add_elements(self) -> None:
        model, other = self.model, self.other
        model.parameters.update({self.name(name): value for name, value in other.parameters.items()})
        for name, table in other.tables.items():
            model.add_table(self.name(name), table.x, table.y, table.kind, table.extrapolation)
        placement = place_bodies(other) if self.moved else None
        if self.moved:
            X = self.on_base(Pose.identity())
            model.add_marker(self.ground, self.base, X.position, X.rotation)
        base = model.ground if self.base == GROUND else model.bodies[self.base]
        if other.ground.shapes:
            base.shapes = [*(shapes_of_body(base)), *self.shapes(other.ground.shapes)]
        of_beams = generated_names(other)
        for name, part in other.beams.items():
            add_moved_beam(model, self.name(name), part, self.pose if self.moved else None)
        for name, body in other.bodies.items():
            if name in of_beams["bodies"]:
                continue
            self.add_body(name, body, placement)
        for name, marker in other.markers.items():
            self.add_marker(name, marker)
        for name, element in other.joints.items():
            if name in of_beams["joints"]:
                continue
            self.add_joint(name, element, placement)
        for name, force in other.forces.items():
            if name in of_beams["forces"]:
                continue
            own = {key for _, _, names, _ in force.values() for key in names}
            model.add_force(self.name(name), self.copied(force, own))
        for name, constraint in other.constraints.items():
            model.add_constraint(self.name(name), self.copied(constraint, ()))
        for name, contact in other.contacts.items():
            a, b = (
                [self.reference(each) for each in side] if isinstance(side, list | tuple) else self.side(side)
                for side in (contact.a, contact.b)
            )
            model.add_contact(self.name(name), contact.law, a, b, contact.shapes)
        for name, event in other.events.items():
            sets = {tuple(map(self.name, names)): self.law(value, ()) for names, value in event.assignments()}
            changed = replace(event, value=self.law(event.value, ()), sets=sets or None)
            model.add_event(self.name(name), changed)
        for name, state in other.states.items():
            model.add_state(
                self.name(name), self.law(state.rate, ()), state.initial, state.unit, state.algebraic,
                [self.switched(each) for each in state.switches],
            )  # fmt: skip
        for section in further_sections():
            for name, item in section.of(other).items():
                model.add_element(section.kind, self.name(name), self.copied(item, ()))
        for name, coupled in other.bond_graphs.items():
            model.bond_graphs[self.name(name)] = coupled.renamed(
                self.name(name), self.renaming(frozenset()), lambda joint: self.name(name_of(joint)), self.reference
            )
        for (section, *rest), line in other.source_locations.items():
            if rest:
                model.source_locations[(section, self.name(rest[0]), *rest[1:])] = line

    def add_body(self, name: str, body: Body, placement: Placement | None) -> None:
        position, rotation = body.position, body.rotation
        if placement is not None:
            X_WB = self.pose @ placement.bodies[name]
            position, rotation = X_WB.position, X_WB.rotation if self.turned else rotation
            if rotation is None:
                rotation = X_WB.rotation
        self.model.add_body(self.name(name), body.inertia, position, rotation, body.shapes, body.q0, body.v0)

    def shapes(self, shapes: Iterable[Shape]) -> list[Shape]:
        return [shape.moved(self.on_base(Pose.identity())) if self.moved else shape for shape in shapes]

    def add_marker(self, name: str, marker: Marker) -> None:
        body = name_of(marker.body)
        if body == GROUND and self.moved:
            X = self.on_base(marker.pose)
            self.model.add_marker(self.name(name), self.base, X.position, X.rotation)
        else:
            there = GROUND if body == GROUND else self.name(body)
            self.model.add_marker(self.name(name), there, marker.position, marker.rotation, marker.interface)

    def add_joint(self, name: str, element: JointElement, placement: Placement | None) -> None:
        """Joints at world points keep their axes: in a part that is turned, they are placed by markers instead."""
        sides = (element.parent_reference, element.child_reference)
        explicit = any(name_of(side) in self.other.markers for side in sides)
        parent, child = (self.base if name_of(side) == GROUND else self.name(name_of(side)) for side in sides)
        at = element.at
        if self.turned and not explicit:
            assert placement is not None
            poses = (placement.on_parent[name], placement.on_child[name])
            parent, child = (
                self.joint_marker(name, side, body, X)
                for side, body, X in zip(("parent", "child"), (parent, child), poses, strict=True)
            )
            at = None
        elif self.moved and at is not None:
            at = self.pose.position + np.asarray(at, dtype=float)
        others = {key: getattr(element, key) for key in fields_of(Model.add_joint) if key not in _PLACED_ANEW}
        self.model.add_joint(self.name(name), element.joint, parent, child, at, **others)

    def joint_marker(self, name: str, side: str, body: str, X: Pose) -> str:
        if body == self.base:
            X = self.on_base(X)
        marker = self.name(f"{name}.{side}")
        self.model.add_marker(marker, body, X.position, X.rotation)
        return marker

    def copied(self, item: Any, own: Iterable[str]) -> Any:
        """A force or constraint with its references and laws renamed."""
        fields = fields_of(type(item))
        changed: dict[str, Any] = {}
        for key, value in arguments_of(item, fields).items():
            kind = fields[key].kind
            if value is None:
                pass  # of a parameter that may be left out
            elif kind in ("marker or body", "body"):
                value = self.reference(value)
            elif kind == "markers or bodies":
                value = [self.reference(each) for each in value]
            elif kind == "sheaves":
                value = [self._sheave(each) for each in value]
            elif kind == "end of a rope":
                value = self._sheave(value) if isinstance(value, Sheave) else self.reference(value)
            elif kind == "joint":
                value = self.name(name_of(value))
            elif key == "beam" and isinstance(value, str):
                value = self.name(value)
            elif key == "contact":
                value = self.name(value) if isinstance(value, str) else [*map(self.name, value)]
            elif kind == "law":
                value = self.law(value, own)
            elif kind == "laws":
                value = self.law(value, own) if callable(value) or isinstance(value, Function) else [
                    self.law(each, own) for each in value]  # fmt: skip
            elif kind == "coefficients":
                value = {
                    (self.name(name_of(k[0])), k[1]) if isinstance(k, tuple) else self.name(name_of(k)): c
                    for k, c in value.items()
                }
            changed[key] = value
        return type(item)(**changed)

    def _sheave(self, sheave: Sheave) -> Sheave:
        return replace(sheave, marker=self.reference(sheave.marker))

    def law(self, value: Any, own: Iterable[str]) -> Any:
        """A law with its names renamed."""
        rename = self.renaming(frozenset(own))
        if isinstance(value, str):
            return renamed(value, rename)
        if isinstance(value, Function):
            return Function(value.function, tuple(map(rename, value.inputs)))
        if callable(value):
            names = parameter_names(value)
            return value if [*map(rename, names)] == [*names] else Function(value, tuple(map(rename, names)))
        return value

    def renaming(self, own: frozenset[str]) -> Callable[[str], str]:
        def rename(name: str) -> str:
            if name in self.other.parameters or name in self.other.tables:
                return self.name(name)
            return name if name == "t" or name in own or not self.known(name) else self.name(name)

        return rename


def renamed(expression: str, rename: Callable[[str], str]) -> str:
    """An expression with its names replaced; one that cannot be read is left as it is."""
    try:
        tokens = tokenize(expression)
    except ExpressionError:
        return expression
    found, end = "", 0
    for token in tokens:
        if token.kind in ("name", "text") and token.text not in RESERVED:
            quote = token.text[0] if token.kind == "text" else ""  # of table("road", t)
            found += expression[end : token.start] + quote + rename(token.text.strip("\"'")) + quote
            end = token.stop
    return found + expression[end:]
