"""From the values of a model to plain data: numbers, texts, lists and mappings, which `from_text` reads back.

Floats keep every digit, so that what is read back behaves the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from duoti.flexible.body import Flexible
from duoti.formats.yaml.beam_values import beam_data, material_data, section_data
from duoti.model.constructor_schema import Field, arguments_of, fields_of
from duoti.model.elements import name_of
from duoti.model.joints import Joint
from duoti.model.laws.law import Function
from duoti.model.roads.road import Road
from duoti.model.sheave import Sheave
from duoti.model.tyres.tyre import Tyre
from duoti.spatial import Inertia, Pose, Rotation, Shape


class CannotSaveError(ValueError):
    """A value that no file can hold."""


def plain(value: Any) -> Any:
    """Any value as plain data."""
    if isinstance(value, np.generic):  # before float, which np.float64 is as well
        value = value.item()
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Rotation):
        return [float(x) for x in value.quaternion]
    if isinstance(value, Pose):
        return [*map(float, value.position), *map(float, value.rotation.quaternion)]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, Function) or callable(value):
        raise CannotSaveError(
            "it is a Python function, which no file can hold; write an expression such as '10*sin(2*pi*t)'"
        )
    raise CannotSaveError(f"{value!r} cannot be written to a file")


def _numbers(value: Any) -> Any:
    return plain(np.asarray(value, dtype=float)) if value is not None else None


def _initial(value: Any) -> Any:
    """Initial values: rotations become their four numbers, a list is flat."""
    if isinstance(value, Mapping):
        return {str(key): _initial(item) for key, item in value.items()}
    found = plain(value)
    if isinstance(found, list) and any(isinstance(item, list) for item in found):
        return [x for item in found for x in (item if isinstance(item, list) else [item])]
    return found


def _coefficients(value: Any) -> Any:
    """Coefficients of joint coordinates: `A` and `A[1]` for a joint and for another than its first coordinate."""
    found: dict[str, float] = {}
    for key, number in value.items():
        joint, k = key if isinstance(key, tuple) else (key, 0)
        name = name_of(joint)
        found[f"{name}[{k}]" if k or name.endswith("]") else name] = float(number)
    return found


def _inertia(value: Any) -> Any:
    if isinstance(value, Flexible):
        from duoti.formats.yaml.flexible_values import flexible_data  # most models have none

        return {"flexible": flexible_data(value, plain)}
    if not isinstance(value, Inertia):
        raise CannotSaveError(f"{value!r} is not an inertia")
    diagonal = np.diag(np.diag(value.matrix))
    same = np.array_equal(value.matrix, diagonal) and not np.any(np.signbit(value.matrix[~np.eye(3, dtype=bool)]))
    found: dict[str, Any] = {"mass": float(value.mass)}
    if np.any(value.com) or np.any(np.signbit(value.com)):
        found["com"] = plain(value.com)
    if not value.is_possible:
        return {"as_given": found | {"com": plain(value.com), "matrix": plain(value.matrix)}}
    found["matrix"] = plain(np.diag(value.matrix) if same else value.matrix)
    if value.shapes:
        found["shapes"] = _shapes(value.shapes)
    return found


def _shapes(value: Iterable[Shape]) -> Any:
    return [_shape(shape) for shape in value]


def _shape(shape: Shape) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": shape.kind}
    if shape.dimensions:
        found["dimensions"] = {name: float(size) for name, size in shape.dimensions}
    if np.any(shape.pose.position):
        found["position"] = plain(shape.pose.position)
    if not np.array_equal(shape.pose.rotation.quaternion, (1.0, 0.0, 0.0, 0.0)):
        found["rotation"] = plain(shape.pose.rotation)
    for name in ("cavity", "file", "colour"):
        if getattr(shape, name):
            found[name] = getattr(shape, name)
    if not shape.convex:
        found["convex"] = False
    for name in ("profile", "track"):
        if getattr(shape, name):
            found[name] = plain(getattr(shape, name))
    return found


def _sheave(sheave: Sheave) -> dict[str, Any]:
    fields = fields_of(Sheave)
    return element_data(arguments_of(sheave, fields), fields)


def _tyre(tyre: Tyre) -> dict[str, Any]:
    return {tyre.made_by: element_data(tyre.arguments, fields_of(getattr(Tyre, tyre.made_by)))}


def _road(road: Road) -> dict[str, Any]:
    fields = fields_of(getattr(Road, road.made_by))
    return {road.made_by: element_data(road.arguments, fields)}


def joint_data(joint: Any) -> dict[str, Any]:
    """Type and parameters of a joint."""
    if not isinstance(joint, Joint):
        raise CannotSaveError(f"{joint!r} is not a joint type")
    return typed_data(joint)


def typed_data(item: Any) -> dict[str, Any]:
    """Type and parameters of a joint, force or constraint; parameters that have their default are left out."""
    fields = fields_of(type(item))
    return {"type": item.kind, **element_data(arguments_of(item, fields), fields)}


def element_data(values: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """Plain data of values by name; those that have their default are left out."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        try:
            data = encoded(value, fields[name])
        except CannotSaveError as error:
            raise CannotSaveError(f"{name}: {error}") from None
        except (TypeError, ValueError, AttributeError):
            raise CannotSaveError(f"{name}: {value!r} is not what a file can hold there") from None
        if data is None and fields[name].required:
            raise CannotSaveError(f"{name}: it is missing")
        if data is None or (not fields[name].required and data == encoded(fields[name].default, fields[name])):
            continue
        found[name] = data
    return found


def encoded(value: Any, field: Field) -> Any:
    """Plain data of one value."""
    return ENCODE.get(field.kind, plain)(value) if value is not None else None


ENCODE: dict[str, Callable[[Any], Any]] = {
    "marker or body": name_of,
    "markers or bodies": lambda items: [name_of(each) for each in items],
    "body": name_of,
    "point, marker or body": lambda end: _numbers(end) if np.shape(end) == (3,) else name_of(end),
    "joint": name_of,
    "numbers": _numbers,
    "initial values": _initial,
    "limits": _numbers,
    "coefficients": _coefficients,
    "inertia": _inertia,
    "beam": beam_data,
    "material": material_data,
    "section": section_data,
    "shapes": _shapes,
    "sheaves": lambda sheaves: [_sheave(each) for each in sheaves],
    "end of a rope": lambda end: _sheave(end) if isinstance(end, Sheave) else name_of(end),
    "road": _road,
    "tyre": _tyre,
    "parts": lambda joints: [joint_data(joint) for joint in joints],
}
"""By kind; all others are plain already."""
