"""What a type of joint, force or constraint takes: read off its constructor, so that it is written down only once.

Every parameter of a constructor is an attribute of the same name of what it makes; its annotation says of which kind it
is. Its unit follows from its name (`UNITS`), or the type declares it: `units = {"stiffness": "N m/rad or N/m"}`. Files,
their documentation and sub-models read this.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from numpy.typing import ArrayLike

from duoti.flexible.body import Flexible
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.cross_section import Section
from duoti.model.beams.material import Material
from duoti.model.elements import Body, JointElement, Reference
from duoti.model.joints import Joint
from duoti.model.laws.law import Function, Value
from duoti.model.roads.road import Road
from duoti.model.sheave import RopeEnd, Sheave
from duoti.model.tyres.tyre import Tyre
from duoti.spatial import Inertia, Rotation, Shape
from duoti.spatial.axes import Array, Axis

_Coordinates = Mapping[JointElement | str | tuple[JointElement | str, int], float]
_Types = frozenset[Any]


def _members(annotation: Any) -> _Types:
    """The types of a union, but for None; of any other annotation the annotation itself."""
    union = get_origin(annotation) in (Union, UnionType)
    return frozenset(get_args(annotation) if union else (annotation,)) - {type(None)}


KINDS: dict[_Types, str] = {
    _members(annotation): kind
    for kind, annotations in {
        "number": (float,),
        "whole number": (int,),
        "true or false": (bool,),
        "text": (str,),
        "axis": (Axis,),
        "law": (Value, float | str),
        "laws": (Sequence[Value] | Callable[..., Any] | Function, Sequence[float | str | None], Sequence[Value | None]),
        "numbers": (ArrayLike, float | ArrayLike, Array, Sequence[float]),
        "rotation": (Rotation | ArrayLike,),
        "marker or body": (Reference,),
        "markers or bodies": (Sequence[Reference],),
        "sheaves": (Sequence[Sheave],),
        "end of a rope": (RopeEnd,),
        "road": (Road,),
        "tyre": (Tyre,),
        "body": (Body | str,),
        "joint": (JointElement | str,),
        "coefficients": (_Coordinates,),
        "inertia": (Inertia, Inertia | Flexible),
        "beam": (Beam, Beam | Callable[[float], Beam]),
        "material": (Material,),
        "section": (Section,),
        "shapes": (Iterable[Shape], tuple[Shape, ...], Sequence[Shape]),
    }.items()
    for annotation in annotations
}
"""Kind of value by the type of a parameter; any other is plain data: numbers, texts, lists and mappings of such."""

BY_NAME = {"rotation": "rotation", "q0": "initial values", "v0": "initial values", "limits": "limits",
           "rotor_inertia": "numbers", "effort_limit": "numbers", "velocity_limit": "numbers",
           "profile": "profile"}  # fmt: skip
"""Kinds of parameters whose annotation is no help."""

UNITS = {
    **dict.fromkeys(("position", "at", "com", "size", "length", "radius", "height", "semi_axes", "radii"), "m"),
    **dict.fromkeys(("inner_radius", "outer_radius", "ring_radius", "tube_radius", "radius_a", "radius_b"), "m"),
    **dict.fromkeys(("width", "web", "flange", "points", "start", "end"), "m"),
    **dict.fromkeys(("EA", "GAy", "GAz"), "N"),
    **dict.fromkeys(("GJ", "EIy", "EIz"), "N m^2"),
    **dict.fromkeys(("Iy", "Iz", "Iyz", "torsion_constant"), "m^4"),
    "area": "m^2",
    "shear_centre": "m",
    "youngs_modulus": "Pa",
    "poisson_ratio": "1",
    "mass_per_length": "kg/m",
    "rotary_inertia": "kg m",
    "damping_time": "s",
    "mass_damping": "1/s",
    "Beam.from_stiffness.matrix": "",
    **dict.fromkeys(("rest_length", "stretch", "lead_per_turn"), "m"),
    **dict.fromkeys(("angle", "vector"), "rad"),
    **dict.fromkeys(("duration", "outputs", "step", "max_step", "first_step", "start_time"), "s"),
    "angles": "rad or m",
    "lifts": "rad or m",
    "mass": "kg",
    "matrix": "kg m^2",
    "rotor_inertia": "kg m^2 or kg",
    "effort_limit": "N m or N",
    "velocity_limit": "rad/s or m/s",
    "density": "kg/m^3",
    "density_per_length": "kg/m",
    "density_per_area": "kg/m^2",
    "gravity": "m/s^2",
    "stiffness": "N/m or N m/rad",
    "damping": "N s/m or N m s/rad",
    "tension": "N",
    "strength": "N m^2",
    "ratio": "1",
    "rtol": "1",
    **dict.fromkeys(
        (
            "Shape.revolution.limits",
            "Shape.extrusion.limits",
            "Shape.rail.limits",
            "Shape.heightfield.lengths",
        ),
        "m",
    ),
    "Model.add_cable.stiffness": "N",
    "bending_stiffness": "N m^2",
    **dict.fromkeys(("Model.add_controller.period", "Model.add_controller.start"), "s"),
    "Rotation.from_matrix.matrix": "1",
    **{f"Road.{maker}.friction": "1" for maker in ("flat", "profile", "height_field", "random", "read")},
    **dict.fromkeys(("Road.random.tracks", "Road.height_field.x", "Road.height_field.y", "Road.height_field.z"), "m"),
    **dict.fromkeys(("Road.shape.x", "Road.shape.y"), "m"),
    "Road.random.frequencies": "1/m",
    **{
        f"Tyre.{name}": unit
        for unit, names in {
            "m": "fiala.contact_length fiala.relaxation_x fiala.relaxation_y tmeasy.trail",
            "N": "fiala.slip_stiffness fiala.nominal_load fiala.max_load tmeasy.nominal_load tmeasy.slope_x "
            "tmeasy.slope_y tmeasy.force_max_x tmeasy.force_max_y tmeasy.force_sliding_x tmeasy.force_sliding_y",
            "N/rad": "fiala.cornering_stiffness",
            "N/m": "fiala.vertical_stiffness tmeasy.vertical_stiffness tmeasy.stiffness_x tmeasy.stiffness_y",
            "N s/m": "fiala.vertical_damping tmeasy.vertical_damping",
            "1": "fiala.friction fiala.rolling_resistance tmeasy.rolling_resistance tmeasy.rolling_weight "
            "tmeasy.slip_max_x tmeasy.slip_max_y tmeasy.slip_sliding_x tmeasy.slip_sliding_y tmeasy.trail_zero "
            "tmeasy.trail_end",
            "": "magic_formula.coefficients",
        }.items()
        for name in names.split()
    },
    "Rotation.from_euler.angles": "rad",
}
"""Units of parameters by name, or by function and name; a type says itself (`units`) where its own are others."""


@dataclass(frozen=True)
class Field:
    """A parameter: its name, the kind of value that it takes, and the units that fit (none: not known)."""

    name: str
    kind: str
    required: bool = True
    default: Any = None
    units: tuple[str, ...] = ()
    each: tuple[tuple[str, ...], ...] = ()
    """Units of each number of a list, if these are known."""
    named: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Units of each entry of a mapping by name, likewise."""

    @property
    def unit(self) -> str:
        """The units in words."""
        return " or ".join(self.units)


@cache
def fields_of(constructor: Callable[..., Any]) -> dict[str, Field]:
    """The parameters of a class or function by name."""
    declared: Mapping[str, str] = getattr(constructor, "units", {})
    found: dict[str, Field] = {}
    for p in inspect.signature(constructor).parameters.values():
        kind = _kind(p, constructor)
        default = None if p.default is p.empty else p.default
        required = p.default is p.empty or (isinstance(default, float) and math.isnan(default))
        units: tuple[str, ...] = ()
        if kind in ("number", "numbers", "law", "laws"):
            own = declared.get(p.name, UNITS.get(f"{constructor.__qualname__}.{p.name}", ""))
            units = _several(own) or units_of(p.name)
        found[p.name] = Field(p.name, kind, required, default, units)
    return found


def _kind(parameter: inspect.Parameter, constructor: Callable[..., Any]) -> str:
    annotation = parameter.annotation
    if isinstance(annotation, str):
        function: Any = inspect.unwrap(constructor.__init__ if isinstance(constructor, type) else constructor)
        try:
            annotation = eval(annotation, function.__globals__)  # as typing.get_type_hints does, but one by one
        except NameError:  # a name that only type checkers import: nothing of which a file could tell
            annotation = None
    if parameter.kind is parameter.VAR_POSITIONAL:
        return "parts" if annotation is Joint else "data"
    members = _members(annotation)
    if members and all(get_origin(each) is Literal and isinstance(get_args(each)[0], str) for each in members):
        return "text"
    return KINDS.get(members, BY_NAME.get(parameter.name, "data"))


def units_of(name: str) -> tuple[str, ...]:
    """The units of a parameter with this name, if the name alone says them."""
    return _several(UNITS.get(name, ""))


def _several(units: str) -> tuple[str, ...]:
    return tuple(units.split(" or ")) if units else ()


def arguments_of(item: Any, fields: dict[str, Field]) -> dict[str, Any]:
    """The arguments with which an object could be made again, by name."""
    return {name: getattr(item, name) for name in fields}


def key_of(item: Any, value: Any, *kinds: str) -> str:
    """The parameter of these kinds that has, or holds, the very value; empty if there is none."""
    of_kinds = [name for name, field in fields_of(type(item)).items() if field.kind in kinds]
    fields = [name for name in of_kinds if getattr(item, name) is not None]
    if len(fields) == 1:
        return fields[0]
    for name in fields:
        given = getattr(item, name)
        if given is value or (isinstance(given, list | tuple) and any(each is value for each in given)):
            return name
    return ""
