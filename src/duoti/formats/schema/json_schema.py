"""The schema of model files for others: a JSON schema for editors."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from duoti.bond.elements import ELEMENT_TYPES
from duoti.formats.yaml import sections as schema
from duoti.formats.yaml.assemblies import LISTS
from duoti.formats.yaml.beam_values import BEAM, BEAM_BY_NUMBERS, MATERIAL, SECTION, SECTION_MAKERS
from duoti.formats.yaml.flexible_values import BODY_MAKERS, MESH_MAKERS, body_fields
from duoti.formats.yaml.simple_values import VECTORS
from duoti.formats.yaml.values import ANY_SHAPE, INERTIAS, PLACED, ROADS, ROTATIONS, SHAPES, TYRES
from duoti.model.constructor_schema import Field, fields_of
from duoti.model.roads.road import Road
from duoti.model.sheave import Sheave
from duoti.spatial import Inertia
from duoti.strict import explained

Schema = dict[str, Any]

NUMBER: Schema = {
    "description": "a number, a number with a unit (12 mm), or computed from parameters (=r/2)",
    "type": ["number", "string"],
}
TEXT: Schema = {"type": "string"}
LIST: Schema = {"type": "array", "items": NUMBER}
VECTOR: Schema = {**LIST, "minItems": 3, "maxItems": 3}
AXIS: Schema = {"anyOf": [{"enum": [sign + axis for sign in ("", "-", "+") for axis in "xyz"]}, VECTOR]}
NAME: Schema = {"type": ["string", "number"]}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


KINDS: dict[str, Schema] = {
    "number": NUMBER,
    "whole number": {"type": ["integer", "string"]},
    "true or false": {"type": "boolean"},
    "text": {"type": ["string", "number"]},
    "axis": AXIS,
    "law": {"description": "a number or an expression, e.g. 10*sin(2*pi*t)", "type": ["number", "string"]},
    "laws": {"type": "array", "items": {"type": ["number", "string", "null"]}},
    "laws by name": {"type": "object", "additionalProperties": {"type": ["number", "string"]}},
    "numbers": {"type": ["array", "number", "string"]},
    "limits": {"type": "array"},
    "marker or body": NAME,
    "body": NAME,
    "joint": NAME,
    "point, marker or body": {"anyOf": [NAME, VECTOR]},
    "coefficients": {"type": "object", "additionalProperties": NUMBER},
    "markers or bodies": {"type": "array", "items": NAME, "minItems": 2},
    "two bodies or markers": {"type": "array", "items": NAME, "minItems": 2, "maxItems": 2},
    "two sides": {
        "type": "array",
        "items": {"anyOf": [NAME, {"type": "array", "items": NAME}]},
        "minItems": 2,
        "maxItems": 2,
    },
    "profile": {
        "description": "an expression, points [[x, z], ...], or {table: name}",
        "anyOf": [
            {"type": "string"},
            {"type": "array"},
            {"type": "object", "properties": {"table": NAME}, "required": ["table"], "additionalProperties": False},
        ],
    },
    "initial values": {"type": ["number", "string", "array", "object"]},
    "rotation": _reference("rotation"),
    "inertia": _reference("inertia"),
    "beam": _reference("beam"),
    "material": _reference("material"),
    "section": _reference("section"),
    "mesh": _reference("mesh"),
    "material of a mesh": {"anyOf": [_reference("material"), {"type": "object"}]},
    "interfaces": {"type": "object"},
    "matrix": {"type": ["array", "string"]},
    "shapes": {"type": "array", "items": _reference("shape")},
    "sheaves": {"type": "array", "items": _reference("sheave")},
    "road": _reference("road"),
    "tyre": {"anyOf": [NAME, _reference("tyre")]},
    "end of a rope": {"anyOf": [NAME, _reference("sheave")]},
    "parts": {
        "anyOf": [
            {"type": "array", "items": _reference("joint_part"), "minItems": 1},
            {
                "type": "object",
                "properties": {"of_axes": {"type": "object", "properties": {"slides": TEXT, "turns": TEXT}}},
                "required": ["of_axes"],
                "additionalProperties": False,
            },
        ]
    },
    "model": {"$ref": "#/$defs/part"},
}


_DRAWN: Schema = {
    word: {"type": ["array", "object"]} for word in ("grid", "normal", "uniform", "loguniform", "triangular", "choice")
}
STUDY: Schema = {
    "description": "a parameter study, which `duoti study` does",
    "type": ["object", "null"],
    "properties": {
        "parameters": {
            "description": "values by name: a list, {grid: [low, high, count]}, {normal: [mean, sd]}, ...",
            "type": "object",
            "additionalProperties": {
                "anyOf": [
                    LIST,
                    {"type": "object", "properties": _DRAWN, "additionalProperties": False, "maxProperties": 1},
                ]
            },
        },
        "measures": {
            "description": "expressions by name, such as max(abs(A.angle))",
            "type": "object",
            "additionalProperties": TEXT,
        },
        "duration": {**NUMBER, "description": "time to simulate [s]"},
        "samples": {"type": ["integer", "string"]},
        "seed": {"type": ["integer", "string"]},
        "sampling": {"enum": ["random", "sobol", "latin_hypercube"]},
        "correlation": {"description": "[[name, name, number], ...]", "type": "array"},
        "outputs": {"type": ["array", "number", "string"]},
        "solver": {"type": ["string", "object"]},
        "rtol": NUMBER,
        "atol": NUMBER,
        "coordinates": {"enum": ["relative", "absolute"]},
        "constraints": {"type": ["string", "object"]},
    },
    "required": ["parameters", "measures", "duration"],
    "additionalProperties": False,
}


def _field(field: Field) -> Schema:
    vector = field.kind == "numbers" and field.name in VECTORS
    found = dict(VECTOR if vector else KINDS.get(field.kind, {}))
    if field.unit and field.unit != "1":
        found["description"] = f"{found.get('description', field.kind)} [{field.unit}]"
    optional = not field.required and field.default is None
    if optional and isinstance(kinds := found.get("type"), list | str):
        found["type"] = [*([kinds] if isinstance(kinds, str) else kinds), "null"]
    return found


def _description_of(what: Any) -> Schema:
    """The first line of a docstring, which editors show."""
    text = (what.__doc__ or "").strip().partition("\n")[0].replace("`", "")
    return {"description": text} if text else {}


def _object(fields: Mapping[str, Field], **more: Any) -> Schema:
    properties = {**{name: _field(field) for name, field in fields.items()}, **more.pop("properties", {})}
    required = [name for name, field in fields.items() if field.required] + more.pop("required", [])
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False, **more}


def _typed(types: Mapping[str, Any], extra: Mapping[str, Field]) -> Schema:
    return {
        "anyOf": [
            _object(
                {**fields_of(cls), **extra},
                properties={"type": {"const": kind}},
                required=["type"],
                **_description_of(cls),
            )
            for kind, cls in types.items()
        ]
    }


def _makers(makers: Mapping[str, Callable[..., Any]], extra: Mapping[str, Field] | None = None) -> list[Schema]:
    """`{rod: {mass: ..., length: ...}}` and the like."""
    found: list[Schema] = []
    for name, maker in makers.items():
        fields = fields_of(maker)
        content = _object(fields, **_description_of(maker))
        if len(fields) == 1:
            content = {"anyOf": [content, *(_field(field) for field in fields.values())]}
        found.append(_object(extra or {}, properties={name: content}, required=[name]))
    return found


SHAPE_OF_ROAD = _object(
    {key: field for key, field in fields_of(Road.shape).items() if key != "self"},
    properties={"road": _reference("road")},
    required=["road"],
)

SHIPPED = Path(__file__).with_name("duoti.schema.json")
"""The schema as a file, for editors; `python -m duoti.formats.schema.json_schema` writes it."""


def schema_text() -> str:
    """The schema as text."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


def schema_line() -> str:
    """The first line of a model file, by which editors find the schema that comes with duoti."""
    return f"# yaml-language-server: $schema={SHIPPED.as_uri()}"


@explained
def json_schema() -> Schema:
    """The JSON schema (2020-12) of model files, for editors that complete and check while one writes."""
    sections: Schema = {name: {"type": ["object", "null"], "additionalProperties": _object(fields)}
                        for name, fields in schema.simple_sections().items()}  # fmt: skip
    sections |= {
        name: {"type": ["object", "null"], "additionalProperties": _typed(types, extra)}
        for name, (_, types, extra) in schema.TYPED.items()
    }
    state = sections["states"]["additionalProperties"]["properties"]
    state |= {key: {"anyOf": [state[key], {"type": "array", "items": state[key]}]} for key in LISTS}
    properties: Schema = {
        "duoti": {"const": schema.VERSION},
        "name": NAME,
        "gravity": VECTOR,
        "materials": {"type": ["object", "null"], "additionalProperties": _reference("material")},
        "sections": {"type": ["object", "null"], "additionalProperties": _reference("section")},
        "parameters": {"type": ["object", "null"], "additionalProperties": NUMBER},
        "include": {"anyOf": [TEXT, {"type": "array", "items": TEXT}]},
        "ground": _object(schema.GROUND),
        **sections,
        "bond_graphs": {"type": ["object", "null"], "additionalProperties": _reference("bond_graph")},
        **{task: {"type": ["object", "array", "null"]} for task in schema.TASKS},
        "study": STUDY,
    }
    moved = {**PLACED, "cavity": ANY_SHAPE["cavity"]}
    general = {**fields_of(Inertia), "matrix": Field("matrix", "numbers")}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "duoti model file",
        "type": "object",
        "properties": properties,
        "required": ["duoti"],
        "additionalProperties": False,
        "$defs": {
            "rotation": {"anyOf": [{"type": ["array", "null"]}, *_makers(ROTATIONS)]},
            "sheave": _object(fields_of(Sheave)),
            "road": {"anyOf": [{"enum": ["flat"]}, *_makers(ROADS)]},
            "tyre": {"anyOf": _makers(TYRES)},
            "shape": {"anyOf": [{"enum": ["plane", "point"]}, _object(ANY_SHAPE), *_makers(SHAPES), SHAPE_OF_ROAD]},
            "mesh": {"anyOf": _makers(MESH_MAKERS)},
            "flexible": {
                "anyOf": [_object({}, properties={k: _object(body_fields(k))}, required=[k]) for k in BODY_MAKERS]
            },
            "inertia": {
                "anyOf": [
                    _object(general),
                    _object({}, properties={"flexible": _reference("flexible")}, required=["flexible"]),
                    *_makers(INERTIAS),
                    _object({}, properties={"combined": {"type": "array", "items": _reference("inertia_part")}},
                            required=["combined"]),
                ]
            },
            "bond_graph": {
                "type": "object",
                "properties": {
                    "title": TEXT,
                    "parameters": {"type": ["object", "null"], "additionalProperties": NUMBER},
                    "elements": {"type": "object", "additionalProperties": _typed(ELEMENT_TYPES, {})},
                    "graphs": {"type": ["object", "null"], "additionalProperties": _reference("bond_graph")},
                    "bonds": {"type": "array"},
                    "domains": {"type": ["object", "null"], "additionalProperties": TEXT},
                    "ports": {"type": ["object", "null"]},
                },
                "required": ["elements", "bonds"],
                "additionalProperties": False,
            },
            "material": {"anyOf": [TEXT, _object(MATERIAL)]},
            "section": {"anyOf": [TEXT, _object(SECTION), *_makers(SECTION_MAKERS)]},
            "beam": {"anyOf": [_object(BEAM), _object(BEAM_BY_NUMBERS)]},
            "inertia_part": {"anyOf": [_object({**general, **moved}), *_makers(INERTIAS, moved)]},
            "joint_part": _typed(schema.JOINT_TYPES, {}),
            "part": {"type": "object", "properties": properties, "additionalProperties": False},
        },
    }  # fmt: skip


if __name__ == "__main__":
    SHIPPED.write_text(schema_text(), encoding="utf-8", newline="\n")
