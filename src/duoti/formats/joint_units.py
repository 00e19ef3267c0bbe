"""Units that depend on whether a joint's coordinate turns or slides: N m or N, N m/rad or N/m."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from duoti.formats.nodes import Table, Text
from duoti.formats.scalars import resolved
from duoti.model.fields import Field
from duoti.model.joints import Joint
from duoti.model.model import Model

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
