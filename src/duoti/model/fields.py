"""What a type of joint, force or constraint takes: read off its constructor, so that it is written down only once.

Every parameter of a constructor is an attribute of the same name of what it makes; its annotation says of which kind it
is, and the docstring its unit: "stiffness [N/m], damping [N s/m]". Files, their documentation and sub-models read this.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

KINDS = {
    "float": "number",
    "int": "whole number",
    "bool": "true or false",
    "str": "text",
    "Axis": "axis",
    "str | ArrayLike": "axis",
    "Value": "law",
    "float | str": "law",
    "Sequence[Value] | Callable[..., Any] | Function": "laws",
    "Sequence[float | str | None]": "laws",
    "Sequence[float]": "numbers",
    "ArrayLike": "numbers",
    "Array": "numbers",
    "float | ArrayLike": "numbers",
    "Rotation | ArrayLike": "rotation",
    "Reference": "marker or body",
    "Body | str": "body",
    "JointElement | str": "joint",
    "Mapping[Joint | tuple[Joint, int], float]": "coefficients",
    "Inertia": "inertia",
    "Iterable[Shape]": "shapes",
    "tuple[Shape, ...]": "shapes",
    "*Joint": "parts",
}
"""Kind of value by annotation; any other is taken as plain data: numbers, texts, lists and mappings of such."""

BY_NAME = {"rotation": "rotation", "q0": "initial values", "v0": "initial values", "limits": "limits",
           "rotor_inertia": "numbers"}  # fmt: skip
"""Kinds of parameters whose annotation is no help."""

UNITS = {  # where neither docstring nor type says it
    **dict.fromkeys(("position", "at", "com", "size", "length", "radius", "height", "semi_axes"), "m"),
    **dict.fromkeys(("inner_radius", "outer_radius", "ring_radius", "tube_radius", "radius_a", "radius_b"), "m"),
    **dict.fromkeys(("rest_length", "stretch", "lead_per_turn"), "m"),
    **dict.fromkeys(("angle", "vector"), "rad"),
    **dict.fromkeys(("duration", "outputs", "step", "max_step", "first_step", "start_time"), "s"),
    "angles": "rad or m",
    "lifts": "rad or m",
    "mass": "kg",
    "matrix": "kg m^2",
    "rotor_inertia": "kg m^2 or kg",
    "density": "kg/m^3",
    "density_per_length": "kg/m",
    "density_per_area": "kg/m^2",
    "gravity": "m/s^2",
    "stiffness": "N/m or N m/rad",
    "damping": "N s/m or N m s/rad",
    "tension": "N",
    "strength": "N m^2",
    "ratio": "1",
    "command": "1",
    "rtol": "1",
    "AppliedForce.value": "N",
    "AppliedTorque.value": "N m",
    "JointTorque.value": "N m or N",
    "Rotation.from_matrix.matrix": "1",
}

_IN_BRACKETS = re.compile(r"`?\b(\w+)`?(?: and `?(\w+)`?)? \[([^\]]+)\]")


@dataclass(frozen=True)
class Field:
    """A parameter: its name, the kind of value that it takes, and the units that fit (none: not known)."""

    name: str
    kind: str
    required: bool = True
    default: Any = None
    units: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """The units in words."""
        return " or ".join(self.units)


@cache
def fields_of(constructor: Callable[..., Any]) -> dict[str, Field]:
    """The parameters of a class or function by name."""
    documented = units_in(f"{inspect.getdoc(constructor)}")
    found: dict[str, Field] = {}
    for p in inspect.signature(constructor).parameters.values():
        annotation = str(p.annotation).removesuffix(" | None")
        kind = KINDS.get(f"*{annotation}" if p.kind is p.VAR_POSITIONAL else annotation, BY_NAME.get(p.name, "data"))
        default = None if p.default is p.empty else p.default
        required = p.default is p.empty or (isinstance(default, float) and math.isnan(default))
        units: tuple[str, ...] = ()
        if kind in ("number", "numbers", "law", "laws"):
            own = UNITS.get(f"{constructor.__qualname__}.{p.name}", "")
            units = _several(documented.get(p.name, own)) or units_of(p.name)
        found[p.name] = Field(p.name, kind, required, default, units)
    return found


def units_of(name: str) -> tuple[str, ...]:
    """The units of a parameter with this name, if the name alone says them."""
    return _several(UNITS.get(name, ""))


def _several(units: str) -> tuple[str, ...]:
    return tuple(units.split(" or ")) if units else ()


def units_in(text: str) -> dict[str, str]:
    """The units that a docstring gives: {"stiffness": "N/m"} of "stiffness [N/m], damping ...".

    A word and its bracket belong together; "(kx, ky [N/m], kxx [N m/rad])" does not name a parameter and is not found.
    """
    found: dict[str, str] = {}
    for first, second, unit in _IN_BRACKETS.findall(text):
        found.setdefault(first, unit)
        if second:
            found.setdefault(second, unit)
    return {name: unit.replace("²", "^2").replace("³", "^3") for name, unit in found.items()}


def arguments_of(item: Any, fields: dict[str, Field]) -> dict[str, Any]:
    """The arguments with which an object could be made again, by name."""
    return {name: getattr(item, name) for name in fields}
