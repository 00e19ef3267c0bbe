"""What a model file may hold. The keys of elements are the parameters of what makes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from duoti.model.constraints import CONSTRAINT_TYPES
from duoti.model.constructor_schema import Field, fields_of
from duoti.model.contacts import CONTACT_TYPES
from duoti.model.event import Event
from duoti.model.forces import FORCE_TYPES
from duoti.model.joints import JOINT_TYPES
from duoti.model.model import Model
from duoti.model.sections import ALL, HEAD, TASKS, further_sections

VERSION = 1


def section_names() -> tuple[str, ...]:
    """The sections of elements, in the order in which they are read and written."""
    return tuple(ALL)


def file_keys() -> tuple[str, ...]:
    """All keys of a file."""
    return (*HEAD, *ALL, *TASKS)


def _without(fields: dict[str, Field], *names: str) -> dict[str, Field]:
    return {name: field for name, field in fields.items() if name not in ("self", "name", *names)}


BODY = _without(fields_of(Model.add_body))
MARKER = _without(fields_of(Model.add_marker))
STATE = _without(fields_of(Model.add_state))
BEAM = _without(fields_of(Model.add_beam))
CABLE = {
    **_without(fields_of(Model.add_cable)),
    **{side: Field(side, "point, marker or body", units=("m",)) for side in ("start", "end")},
}
SEGMENTS = _without(fields_of(Model.add_segments))
SECOND_ORDER = _without(fields_of(Model.add_second_order_system))
SECOND_ORDER["forces"] = replace(SECOND_ORDER["forces"], kind="laws")
CONTROLLER = _without(fields_of(Model.add_controller), "inputs")  # expressions read quantities by name
CONTROLLER["function"] = replace(CONTROLLER["function"], kind="laws by name")
FMU = _without(fields_of(Model.add_fmu))
FMU["file"] = replace(FMU["file"], kind="text")
POINTS = _without(fields_of(Model.add_table))
"""What a table has in Python, and what `save` writes."""
TABLE = {
    **{name: replace(field, required=False) for name, field in POINTS.items()},
    "file": Field("file", "text", False, None),
    "columns": Field("columns", "data", False, (1, 2)),
    "units": Field("units", "data", False, None),
}
EVENT = _without(fields_of(Event), "jump")  # no file can hold a function
EVENT["sets"] = replace(EVENT["sets"], kind="laws by name")
GROUND = {"shapes": BODY["shapes"]}
JOINT = {
    "between": Field("between", "two bodies or markers"),
    **_without(fields_of(Model.add_joint), "joint", "parent", "child"),
}
"""Keys that joints of all types have."""
CONTACT = {
    "between": Field("between", "two sides"),
    **_without(fields_of(Model.add_contact), "law", "a", "b"),
    "separate": Field("separate", "true or false", False, False),
}
"""Keys that contacts of all laws have."""
SUBMODEL = {
    "file": Field("file", "text", False, None),
    "model": Field("model", "model", False, None),
    "part": Field("part", "part", False, None),
    "parameters": Field("parameters", "data", False, None),
    **_without(fields_of(Model.add_submodel), "prefix", "other"),
}

_SIMPLE: dict[str, dict[str, Field]] = {
    "bodies": BODY,
    "markers": MARKER,
    "beams": BEAM,
    "cables": CABLE,
    "segments": SEGMENTS,
    "tables": TABLE,
    "states": STATE,
    "second_order_systems": SECOND_ORDER,
    "events": EVENT,
    "controllers": CONTROLLER,
    "fmus": FMU,
    "submodels": SUBMODEL,
}
"""Sections whose elements all have the same keys, in the order of the list of sections."""


def simple_sections() -> dict[str, dict[str, Field]]:
    """Sections whose elements all have the same keys; of further ones, the parameters of the elements' type."""
    return _SIMPLE | {each.name: _without(fields_of(each.element)) for each in further_sections()}


def element_type(section: str) -> Any:
    """The type that the keys of an element are the parameters of; None where a method of `Model` makes elements."""
    return Event if section == "events" else ALL[section].element


ASSEMBLED: dict[str, tuple[str, dict[str, Field]]] = {
    each.name: (each.method, _SIMPLE[each.name]) for each in ALL.values() if each.assembled
}
"""Sections whose elements become others, which a file could hold as well: the methods of `Model`, and the keys."""

TYPED: dict[str, tuple[str, dict[str, Any], dict[str, Field]]] = {
    "joints": ("joint", JOINT_TYPES, JOINT),
    "forces": ("force", FORCE_TYPES, {}),
    "constraints": ("constraint", CONSTRAINT_TYPES, {}),
    "contacts": ("contact", CONTACT_TYPES, CONTACT),
}
"""Sections whose elements have a `type`: what one is called, the types, and the keys that all of them have."""
