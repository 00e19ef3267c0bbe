"""A model as its mirror image: a left suspension becomes a right one.

With S the reflection (diag(1, -1, 1) for the plane y = 0), the pose of every frame in every other becomes
(S R S, S p). So vectors change by S, and pseudovectors (axes of rotation, moments, angular velocities) by -S. Joints
keep their coordinates where their axes are mirrored as what they are: an axis of rotation as a pseudovector, a
direction as a vector. `Joint.mirrored` and `mirrored` of forces and constraints say how their parameters change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from duoti.flexible.body import Flexible
from duoti.model.constructor_schema import arguments_of, fields_of
from duoti.model.contacts.element import ContactElement
from duoti.model.elements import JointElement, initial_values, name_of
from duoti.model.errors import ChannelError
from duoti.model.laws.expressions import RESERVED, ExpressionError
from duoti.model.laws.expressions.parser import tokenize
from duoti.model.laws.law import Function, parameter_names
from duoti.model.model import Model
from duoti.model.quantities import AXES, find_quantity
from duoti.model.sections import further_sections
from duoti.model.sheave import Sheave
from duoti.spatial import Inertia, Pose, Shape
from duoti.spatial.axes import LETTERS
from duoti.spatial.reflection import Reflection

NEUTRAL = ("marker or body", "markers or bodies", "body", "joint", "true or false", "whole number", "text", "number")
"""Kinds of parameters that a mirror image has, too."""
_PSEUDO = ("angular_velocity", "angular_acceleration", "local_angular_velocity", "reaction_torque", "moment")
_POLAR = ("position", "velocity", "acceleration", "local_velocity", "reaction_force", "force", "point")


class MirrorError(ValueError):
    """An element has no mirror image here."""


def mirrored(model: Model, normal: str) -> Model:
    """The mirror image of a model about the plane through the origin with this normal: "x", "y" or "z".

    Raises ValueError that names the elements which cannot be mirrored, all at once.
    """
    if normal not in tuple(LETTERS):
        raise ValueError(f'mirror is {normal!r}; give the normal of the plane: "x", "y" or "z"')
    image = _Image(model, Reflection(LETTERS.index(normal)))
    made = image.make()
    if image.refused:
        raise MirrorError(f'model "{model.name}" has no mirror image:\n  ' + "\n  ".join(image.refused))
    return made


@dataclass
class _Signs:
    """Of the numbers in q and in v of a joint: 1 where the image has the same number, -1 the opposite one."""

    q: tuple[float, ...]
    v: tuple[float, ...]

    @property
    def kept(self) -> bool:
        """Whether all numbers are the same."""
        return min((*self.q, *self.v), default=1.0) > 0.0


class _Image:
    """Makes a mirrored copy; `refused` says what it cannot do."""

    def __init__(self, model: Model, reflection: Reflection):
        self.model, self.reflection = model, reflection
        self.refused: list[str] = []
        self.signs: dict[str, _Signs] = {}

    def refuse(self, kind: str, name: str, why: str) -> None:
        """Note an element that has no image."""
        self.refused.append(f'{kind} "{name}": {why}')

    def make(self) -> Model:
        model = self.model
        made = Model(model.name, self.reflection.vector(model.gravity), model.parameters)
        made.tables.update(model.tables)
        made.sources.update(model.sources)
        made.source_locations.update(model.source_locations)
        for section in (*("beams", "bond_graphs", "fmus"), *(each.name for each in further_sections())):
            for name in vars(model).get(section, {}):
                self.refuse(section, name, "elements of this section cannot be mirrored")
        made.ground.shapes += self.shapes("ground", model.ground.shapes)
        for name, body in model.bodies.items():
            self.body(made, name, body)
        for name, marker in model.markers.items():
            pose = self.reflection.pose(Pose(marker.rotation, marker.position))
            made.add_marker(name, name_of(marker.body), pose.position, pose.rotation, marker.interface)
        for name, element in model.joints.items():
            self.joint(made, name, element)
        for name, force in model.forces.items():
            own = {key for _, _, names, _ in force.values() for key in names}
            if (copy := self.element("force", name, force, own)) is not None:
                made.add_force(name, copy)
        for name, constraint in model.constraints.items():
            if (copy := self.element("constraint", name, constraint, ())) is not None:
                made.add_constraint(name, copy)
        for name, contact in model.contacts.items():
            self.contact(made, name, contact)
        self.events_and_states(made)
        return made

    def events_and_states(self, made: Model) -> None:
        for name, event in self.model.events.items():
            if event.jump is not None:
                self.refuse("event", name, "its jump is a function of the whole state")
                continue
            sets = {names: self.law("event", name, value, ()) for names, value in event.assignments()}
            made.add_event(name, replace(event, value=self.law("event", name, event.value, ()), sets=sets or None))
        for name, state in self.model.states.items():
            rate = self.law("state", name, state.rate, ())
            made.add_state(name, rate, state.initial, state.unit, state.algebraic, state.switches)

    def body(self, made: Model, name: str, body: Any) -> None:
        inertia = body.inertia
        if isinstance(inertia, Flexible):
            self.refuse("body", name, "a flexible body cannot be mirrored; make the other one from its own mesh")
            return
        if inertia is not None:
            inertia = self.inertia(name, inertia)
        position, rotation = body.position, body.rotation
        if body.placed:
            pose = self.reflection.pose(body.pose)
            position, rotation = pose.position, pose.rotation
        made.add_body(name, inertia, position, rotation, self.shapes(name, body.shapes), body.q0, body.v0)

    def inertia(self, name: str, inertia: Inertia) -> Inertia:
        S = self.reflection.matrix
        com, matrix = S @ np.asarray(inertia.com), S @ np.asarray(inertia.matrix) @ S
        made = Inertia.as_given(inertia.mass, com, matrix)
        object.__setattr__(made, "shapes", tuple(self.shapes(name, inertia.shapes)))
        return made

    def shapes(self, name: str, shapes: Iterable[Shape]) -> list[Shape]:
        found: list[Shape] = []
        for shape in shapes:
            try:
                found.append(self.reflection.shape(shape))
            except ValueError as error:
                self.refuse("body", name, str(error))
        return found

    def joint(self, made: Model, name: str, element: JointElement) -> None:
        try:
            joint, q, v = element.joint.mirrored(self.reflection)
        except NotImplementedError as error:
            self.refuse("joint", name, str(error))
            return
        signs = self.signs[name] = _Signs(q, v)
        at = None if element.at is None else self.reflection.vector(element.at)
        q0, v0 = (
            given if given is None else self.initial(element, given, rates)
            for given, rates in ((element.q0, False), (element.v0, True))
        )
        limits = element.limits
        if limits is not None and not signs.kept:
            limits = [
                pair if sign > 0.0 or pair is None else [x if x is None else -x for x in reversed(pair)]
                for pair, sign in zip(limits, signs.q, strict=True)
            ]
        made.add_joint(
            name, joint, name_of(element.parent_reference), name_of(element.child_reference), at, q0, v0, limits,
            element.rotor_inertia, element.effort_limit, element.velocity_limit,
        )  # fmt: skip

    def initial(self, element: JointElement, given: Any, rates: bool) -> Any:
        """Initial coordinates or rates of the image; those that were not given stay so."""
        signs = self.signs[element.name]
        if signs.kept:
            return given
        numbers = initial_values(element.joint, given, rates) * np.array(signs.v if rates else signs.q)
        if not isinstance(given, Mapping):
            return numbers.tolist()
        found: dict[str, Any] = {}
        start = 0
        for c in element.joint.coordinates:
            name, size = (c.rate, c.nv) if rates else (c.name, c.nq)
            if name in given:
                found[name] = numbers[start : start + size].tolist()
            start += size
        return found

    def contact(self, made: Model, name: str, contact: ContactElement) -> None:
        sides = [[*map(name_of, s)] if isinstance(s, list | tuple) else name_of(s) for s in (contact.a, contact.b)]
        shapes = None if contact.shapes is None else self.shapes(name, contact.shapes)
        if any(isinstance(value, str) for key, value in vars(contact.law).items() if key != "method"):
            self.refuse("contact", name, "its law has expressions")
        made.add_contact(name, contact.law, sides[0], sides[1], shapes)

    # ------------------------------------------------------------------------------------------ forces, constraints

    def element(self, kind: str, name: str, item: Any, own: Iterable[str]) -> Any:
        """The image of a force or constraint, or None if it was refused."""
        fields, declared = fields_of(type(item)), type(item).mirrored
        before = len(self.refused)
        changed: dict[str, Any] = {}
        for key, value in arguments_of(item, fields).items():
            how, of = declared.get(key, ""), fields[key].kind
            changed[key] = value
            if value is None or how == "same":
                continue
            if how:
                changed[key] = self.declared(kind, name, key, how, value, item, own)
            elif of == "joint":
                self.needs_kept(kind, name, value)
            elif of == "law":
                changed[key] = self.law(kind, name, value, own)
            elif of == "coefficients":
                changed[key] = {joint: c * self.coefficient_sign(joint) for joint, c in value.items()}
            elif of == "sheaves":
                changed[key] = [self.sheave(each) for each in value]
            elif of == "end of a rope":
                changed[key] = self.sheave(value) if isinstance(value, Sheave) else value
            elif of not in NEUTRAL:
                self.refuse(kind, name, f"{item.kind} does not say how {key} changes in a mirror (`mirrored`)")
        if len(self.refused) > before:
            return None
        return type(item)(**{key: _by_name(value, fields[key].kind) for key, value in changed.items()})

    def declared(self, kind: str, name: str, key: str, how: str, value: Any, item: Any, own: Iterable[str]) -> Any:
        """A parameter whose change its type declares."""
        if how == "symmetric":  # of a joint: the law is the same for either direction of its coordinates
            return value
        if how == "z axis":
            if self.reflection.normal == 2:
                self.refuse(kind, name, f"{item.kind} counts along the z axis of {key}, which this mirror turns round")
            return value
        if how in ("vector", "pseudovector") and fields_of(type(item))[key].kind == "axis":
            return getattr(self.reflection, f"{how}_axis")(value)
        if how == "matrix":
            return self.reflection.six_by_six(value)
        signs = self.reflection.signs(how)
        if fields_of(type(item))[key].kind == "laws":
            return self.laws(kind, name, value, signs, own)
        return self.reflection.numbers(value, signs)

    def needs_kept(self, kind: str, name: str, joint: Any) -> None:
        signs = self.signs.get(name_of(joint))
        if signs is not None and not signs.kept:
            text = f'the image of joint "{name_of(joint)}" counts some coordinates the other way'
            self.refuse(kind, name, f"{text}; use joints of one coordinate")

    def coefficient_sign(self, joint: Any) -> float:
        of, k = joint if isinstance(joint, tuple) else (joint, 0)
        signs = self.signs.get(name_of(of))
        return 1.0 if signs is None else signs.q[k]

    def sheave(self, sheave: Sheave) -> Sheave:
        return replace(
            sheave, marker=name_of(sheave.marker), axis=self.reflection.pseudovector_axis(sheave.axis)
        )  # the rope runs around the mirrored axis on the same side

    # ---------------------------------------------------------------------------------------------------------- laws

    def laws(self, kind: str, name: str, value: Any, signs: Sequence[float], own: Iterable[str]) -> Any:
        """Components of a vector as laws."""
        if callable(value) or isinstance(value, Function):
            inner = self.law(kind, name, value, own)
            function, inputs = (inner.function, inner.inputs) if isinstance(inner, Function) else (inner, None)

            def image(*given: Any) -> list[Any]:
                return [s * x for s, x in zip(signs, function(*given), strict=True)]

            return Function(image, tuple(parameter_names(function)) if inputs is None else inputs)
        found: list[Any] = []
        for each, sign in zip(value, signs, strict=True):
            law = None if each is None else self.law(kind, name, each, own)
            if law is None or sign > 0.0:
                found.append(law)
            elif isinstance(law, str):
                found.append(f"-({law})")
            elif callable(law) or isinstance(law, Function):
                self.refuse(kind, name, "a component is a function; give one that returns the vector, or expressions")
            else:
                found.append(-law)
        return found

    def law(self, kind: str, name: str, value: Any, own: Iterable[str]) -> Any:
        """A law in which the quantities of the image stand for those of the model."""
        local = {"t", *own}
        if isinstance(value, str):
            return self.expression(kind, name, value, local)
        if callable(value) or isinstance(value, Function):
            inputs = value.inputs if isinstance(value, Function) else parameter_names(value)
            signs = [self.quantity_sign(kind, name, each, local)[1] for each in inputs]
            if min(signs, default=1.0) > 0.0:
                return value
            function: Callable[..., Any] = value.function if isinstance(value, Function) else value
            return Function(lambda *x: function(*(s * each for s, each in zip(signs, x, strict=True))), tuple(inputs))
        return value

    def expression(self, kind: str, name: str, text: str, local: set[str]) -> str:
        try:
            tokens = tokenize(text)
        except ExpressionError:
            return text
        found, end = "", 0
        for token in tokens:
            if token.kind == "name" and token.text not in RESERVED:
                new, sign = self.quantity_sign(kind, name, token.text, local)
                found += text[end : token.start] + (new if sign > 0.0 else f"(-{new})")
                end = token.stop
        return found + text[end:]

    def quantity_sign(self, kind: str, name: str, quantity: str, local: set[str]) -> tuple[str, float]:
        """The quantity of the image, and its sign: how the law of an element reads it."""
        model = self.model
        if quantity in local or quantity in model.parameters or quantity in model.tables or quantity in model.states:
            return quantity, 1.0
        try:
            found = find_quantity(model, quantity)
        except ChannelError:
            return quantity, 1.0
        i, sort = found.component or 0, found.what
        if found.kind == "joint" and sort not in ("reaction_force", "reaction_torque"):
            return self.joint_sign(quantity, found.item, sort, i)
        if found.size == 1 and found.kind != "sensor":
            return quantity, 1.0
        if sort in _POLAR:
            return quantity, self.reflection.signs("vector")[i]
        if sort in _PSEUDO:
            return quantity, self.reflection.signs("pseudovector")[i]
        if sort in AXES:
            s = self.reflection.signs("vector")
            return quantity, s[AXES.index(sort)] * s[i]
        if sort == "rotation":
            return quantity, self.reflection.signs("quaternion")[i]
        self.refuse(kind, name, f'its law reads "{quantity}", whose mirror image is not known')
        return quantity, 1.0

    def joint_sign(self, quantity: str, item: str, sort: str, i: int) -> tuple[str, float]:
        """A coordinate or rate of a joint, by its number, since letters follow its axes."""
        signs = self.signs.get(item)
        if signs is None:
            return quantity, 1.0
        joint = self.model.joints[item].joint
        places: list[float] = []
        q = v = 0
        for c in joint.coordinates:
            places += signs.q[q : q + c.nq] if sort == c.name else signs.v[v : v + c.nv] if sort == c.rate else ()
            q, v = q + c.nq, v + c.nv
        places = list(signs.q) if sort == "q" else list(signs.v) if sort in ("v", "a") else places
        spelled = quantity if len(places) == 1 else f"{item}.{sort}[{i}]"
        return spelled, places[i]


def _by_name(value: Any, kind: str) -> Any:
    """References by name, so that the copy refers to its own elements."""
    if value is None or isinstance(value, Sheave):
        return value
    if kind in ("marker or body", "body", "joint", "end of a rope"):
        return name_of(value)
    if kind == "markers or bodies":
        return [name_of(each) for each in value]
    if kind == "coefficients":
        return {(name_of(k[0]), k[1]) if isinstance(k, tuple) else name_of(k): c for k, c in value.items()}
    return value
