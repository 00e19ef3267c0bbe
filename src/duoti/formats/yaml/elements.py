"""The elements of a model file, made of what could be read of them.

An element with faults is made, too, if it can be, with stand-ins for what it lacks (`given`): then the check of the
model finds what else is wrong with it. Nobody gets such a model.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from duoti.formats.errors import Faults
from duoti.formats.key_path import KeyPath
from duoti.formats.yaml import sections as schema
from duoti.formats.yaml.nodes import Table, Text
from duoti.formats.yaml.partial_values import Given, made_of, refusal
from duoti.formats.yaml.simple_values import BAD
from duoti.formats.yaml.units import resolved
from duoti.formats.yaml.values import Values, maker_of
from duoti.model.constructor_schema import Field, fields_of
from duoti.model.element_id import KINDS, ElementId
from duoti.model.joints import Joint
from duoti.model.joints.base import Coordinate
from duoti.model.joints.composite import Composite
from duoti.model.joints.revolute import Revolute
from duoti.model.model import Model
from duoti.model.sections import ALL, Section

if TYPE_CHECKING:
    from duoti.formats.yaml.read import Reader

TURNING = frozenset(("rad", "rad/s", "N m", "N m/rad", "N m s/rad", "kg m^2"))


def fields_for_joint(model: Model, table: Table, fields: Mapping[str, Field]) -> dict[str, Field]:
    """The fields of an element of a file with the units of the coordinate that it acts on, if that is known."""
    name = table.entries.get("joint")
    element = model.joints.get(name.value) if isinstance(name, Text) else None
    if element is None or "joint" not in fields:
        return dict(fields)
    node = table.entries.get("coordinate")
    number = resolved(node.value) if isinstance(node, Text) else None
    return with_units_of(element.joint, fields, number if isinstance(number, int) else None)


def with_units_of(joint: Joint | type[Joint], fields: Mapping[str, Field], coordinate: int | None) -> dict[str, Field]:
    """The fields with the units of a coordinate, or of all if none is meant; unchanged if they are of both kinds."""
    coordinates: Any = joint.coordinates  # of the class of composite joints, a property
    coordinates = coordinates if isinstance(coordinates, tuple) else ()
    turning = [c.rate_unit == "rad/s" for c in coordinates for _ in range(c.nv)]
    if coordinate is not None and 0 <= coordinate < len(turning):
        turning = [turning[coordinate]]
    if len(set(turning)) != 1:
        return dict(fields)
    return {name: _narrowed(field, turning[0]) for name, field in fields.items()}


def _narrowed(field: Field, turning: bool) -> Field:
    units = tuple(unit for unit in field.units if (unit in TURNING) == turning)
    return replace(field, units=units) if units and len(field.units) > 1 else field


def add_simple(reader: Reader, model: Model, name: str, table: Table, path: KeyPath) -> None:
    """Add a body, marker, beam, cable, state, event, ..."""
    section = ALL[str(path[0])]
    fields = schema.simple_sections()[section.name]
    keep = reader.keep(model, (section.name, name), fields)
    given = reader.values.given(table, path, fields, section.title, keep)
    if section.refuses:
        _add_looked_at(reader, model, section, name, given, table, path)
        return
    if not given.sound:
        _note_sound_keys(reader, path, given)
    kind = schema.element_type(section.name)
    if kind is None:
        if (values := given.completed()) is not None:
            getattr(model, section.method)(name, **values)
    elif (element := made_of(kind, given)) is not None:
        model.add_event(name, element) if section.element is None else model.add_element(section.kind, name, element)
    elif given.sound and section.element is not None and (refused := refusal(kind, given)):
        reader.values.fault(table, path, refused)


def _add_looked_at(
    reader: Reader, model: Model, section: Section, name: str, given: Given, table: Table, path: KeyPath
) -> None:
    """Add what the model refuses if it is wrong; it becomes bodies, joints, forces or states, with the same line."""
    method = section.method
    ends = [given.values[side] for side in ("start", "end") if section.name == "cables" and side in given.values]
    spoiled = {element.name for element in reader.context.faults.spoiled if element.kind in ("body", "marker")}
    if any(isinstance(end, str) and end in spoiled for end in ends):
        return  # its start is unknown
    if section.name == "controllers" and not given.sound:
        _note_outputs(reader, table)
    if not given.sound:
        if not ends and (refused := refusal(lambda **values: getattr(Model(), method)(name, **values), given)):
            reader.values.fault(table, path, refused)
        return
    if section.name == "fmus" and reader.values.folder is not None:  # as files of meshes: beside the model
        given.values["file"] = os.path.abspath(reader.values.folder / given.values["file"])
    before = {kind: set(getattr(model, kind)) for kind in ("bodies", "joints", "forces", "states", "events")}
    made = reader.values.call(
        lambda **values: getattr(model, method)(name, **values), given.values, table.location, path
    )
    if section.name == "controllers" and made is BAD:
        _note_outputs(reader, table)
    for kind, known in before.items():
        new = (each for each in getattr(model, kind) if each not in known)
        model.source_locations.update({(kind, each): table.location for each in new})


def _note_outputs(reader: Reader, table: Table) -> None:
    """Remember the states that a faulty controller does not make: nobody is to blame for reading them."""
    for key in ("function", "outputs"):
        if isinstance(node := table.entries.get(key), Table):
            reader.context.faults.spoiled |= {ElementId("state", output) for output in node.entries}


def add_typed(reader: Reader, model: Model, name: str, table: Table, path: KeyPath) -> None:
    """Add a joint, force, constraint or contact."""
    section = str(path[0])
    of, types, extra = schema.TYPED[section]
    fields: dict[str, Field] = {}

    def fields_with(cls: Any) -> Mapping[str, Field]:
        """The keys of a type, in the units of the joint that it is or acts on, and those that all types have."""
        if section == "joints":
            fields.update({**({} if cls is None else fields_of(cls)), **_with_units(reader, table, extra, cls)})
        else:
            fields.update({**({} if cls is None else fields_for_joint(model, table, fields_of(cls))), **extra})
        return fields

    keep = reader.keep(model, (section, name), fields)
    cls, given = reader.values.read_typed(table, path, types, of, fields_with, keep)
    own, others = given.parted(extra)
    if given.sound:
        item = reader.values.call(maker_of(cls), own.values, table.location, path)
        if item is not BAD:
            _add(model, section, name, item, others.values)
        return
    _note_sound_keys(reader, path, given)
    if cls is not None and (refused := refusal(maker_of(cls), own)):
        reader.values.fault(table, path, refused)
    item = made_of(maker_of(cls), own) if cls is not None else None
    item = Revolute("z") if item is None and section == "joints" else item
    if item is not None and (rest := others.completed()) is not None:
        _add(model, section, name, item, {**rest, "separate": False} if section == "contacts" else rest)


def _add(model: Model, section: str, name: str, item: Any, others: Mapping[str, Any]) -> None:
    rest = dict(others)
    if section == "joints":
        parent, child = rest.pop("between")
        model.add_joint(name, item, parent, child, **rest)
    elif section == "contacts":
        a, b = rest.pop("between")
        (model.add_contacts if rest.pop("separate", False) else model.add_contact)(name, item, a, b, **rest)
    elif section == "forces":
        model.add_force(name, item)
    else:
        model.add_constraint(name, item)


def _note_sound_keys(reader: Reader, path: KeyPath, given: Given) -> None:
    """Remember which keys of a faulty element were read: what a check says about these is news."""
    element = ElementId(KINDS[str(path[0])], str(path[1]))
    reader.context.faults.sound_keys[element] = frozenset(given.values)
    reader.context.faults.spoiled.add(element)


def _with_units(reader: Reader, table: Table, extra: Mapping[str, Field], cls: Any) -> dict[str, Field]:
    """The keys of a joint, with the units that its coordinates have."""
    if cls is None:
        return {"between": extra["between"]}
    coordinates = cls.coordinates if isinstance(cls.coordinates, tuple) else _of_parts(reader, table)
    positions = [(c.name, (c.unit,), c.nq) for c in coordinates]
    rates = [(c.rate, (c.rate_unit,), c.nv) for c in coordinates]
    given = dict(extra)
    for key, numbers in (("q0", positions), ("v0", rates), ("limits", positions)):
        units = tuple(dict.fromkeys(unit for _, (unit,), _ in numbers))
        each = tuple(unit for _, unit, count in numbers for _ in range(count))
        named = tuple((name, unit) for name, unit, _ in numbers)
        given[key] = replace(extra[key], units=units, each=each, named=named)
    units = with_units_of(cls, given, None)
    return {**given, **{key: units[key] for key in ("rotor_inertia", "effort_limit", "velocity_limit")}}


def _of_parts(reader: Reader, table: Table) -> tuple[Coordinate, ...]:
    """The coordinates of a composite joint, none if its parts cannot be read; their faults are reported later."""
    if "joints" not in table.entries:
        return ()
    quiet = Values(Faults("parts"), reader.values.parameters, None)
    parts = quiet.value(table.entries["joints"], KeyPath(("joints",)), Field("joints", "parts"))
    return () if parts is BAD else Composite(*parts).coordinates
