"""What is done to a model before it is compiled: a copy of its own, completed by what the user need not write."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

from duoti.flexible.body import Flexible
from duoti.model.beams.beam import BeamPart
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.cable import Cable
from duoti.model.beams.cross_section import Section
from duoti.model.beams.material import Material
from duoti.model.beams.segments import Segments
from duoti.model.constraints.base import Constraint
from duoti.model.contacts.base import ContactLaw
from duoti.model.contacts.element import ContactElement
from duoti.model.elements import REPLACED, Body, JointElement, Marker
from duoti.model.event import Event
from duoti.model.forces.base import Force
from duoti.model.joint_friction import add_element_states, add_friction_states
from duoti.model.joints import Joint
from duoti.model.laws.contact_readings import add_contact_readings
from duoti.model.laws.law import Function
from duoti.model.laws.reaction_feedback import add_reaction_feedback
from duoti.model.linear_oscillators import SecondOrderSystem
from duoti.model.model import Model, require_model
from duoti.model.roads.road import Road
from duoti.model.sections import further_sections
from duoti.model.sensors import add_sensor_states
from duoti.model.sheave import Sheave
from duoti.model.state import State
from duoti.model.tyres.tyre import Tyre
from duoti.spatial import Inertia, Pose, Rotation, Shape

PLAIN = frozenset(
    (
        str,
        float,
        int,
        bool,
        type(None),
        Inertia,
        Rotation,
        Pose,
        Shape,
        Function,
        Beam,
        Section,
        Material,
        Flexible,
        Road,
        Tyre,
    )
)
"""What cannot change, and need not be copied."""


ELEMENTS = (
    ContactElement, ContactLaw, BeamPart, Cable, Segments, SecondOrderSystem, Body, Marker, JointElement, Joint, Force,
    Constraint, Event, Sheave, State,
)  # fmt: skip
"""What is copied attribute by attribute, so that elements refer to the copies of each other."""
SHALLOW = ("source_locations", "sources", "parameters", "duplicates", "import_notes")
"""Parts of a model that hold nothing that could change."""


def own_copy(model: Model) -> Model:
    """A copy, so that what the user changes later does not reach the system; functions stay the user's own."""
    require_model(model)
    return _Copy(model).made


def complete(model: Model) -> None:
    """Give a copy the states and events of its joint friction laws and sensors, and states for reactions and forces of
    contacts that laws read; a second time too.
    """
    add_sensor_states(model)
    add_element_states(model)
    add_friction_states(model)
    add_reaction_feedback(model)
    add_contact_readings(model)


def _is_element(kind: type) -> bool:
    return _is_known(kind) or any(kind is section.element for section in further_sections())


@cache
def _is_known(kind: type) -> bool:
    return issubclass(kind, ELEMENTS)


@cache
def _has_parts(kind: type) -> bool:
    """Whether elements of a type are copied attribute by attribute."""
    return kind.__dictoffset__ != 0 and not hasattr(kind, "__deepcopy__")


class _Copy:
    """Copies a model, what its elements refer to among each other included."""

    def __init__(self, model: Model):
        self.model, self.made = model, object.__new__(type(model))
        vars(self.made).update(vars(model))
        self.replaced: dict[int, Any] = vars(self.made).pop(REPLACED, {})
        object.__setattr__(self.made, "_complete", True)
        self.elements: dict[int, Any] = {}  # copies by the identities of the originals
        for name, part in vars(model).items():
            if name == REPLACED:
                continue
            if type(part) is dict and not part:
                vars(self.made)[name] = {}
            elif type(part) not in PLAIN:
                vars(self.made)[name] = type(part)(part) if name in SHALLOW else self.value(part)

    def item(self, item: Any) -> Any:
        """A copy of an element, joint, force, ..."""
        if id(item) in self.replaced:
            _, section, name = self.replaced[id(item)]
            item = getattr(self.model, section)[name]
        if (known := self.elements.get(id(item))) is not None:
            return known
        if not _has_parts(type(item)):
            return deepcopy(item)
        made = self.elements[id(item)] = object.__new__(type(item))
        parts = made.__dict__
        parts.update(item.__dict__)
        for key, value in item.__dict__.items():
            if type(value) not in PLAIN:
                parts[key] = self.value(value)
        return made

    def value(self, value: Any) -> Any:
        """A copy of what an element holds."""
        kind = type(value)
        if kind in PLAIN or (kind is tuple and PLAIN.issuperset(map(type, value))):
            return value
        if _is_element(kind):
            return self.item(value)
        if callable(value):  # of a joint element, how the model finds the bodies of references; laws of the user's
            return getattr(self.made, value.__name__) if getattr(value, "__self__", None) is self.model else value
        if kind is list or kind is tuple:
            return kind(self.value(each) for each in value)
        if kind is dict:
            return {self.value(key): self.value(each) for key, each in value.items()}
        return deepcopy(value)
