"""The schema of model files for others: a JSON schema for editors, and tables for the documentation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from duoti.bond.elements import ELEMENT_TYPES
from duoti.formats.yaml import sections as schema
from duoti.formats.yaml.assemblies import LISTS
from duoti.formats.yaml.beam_values import BEAM, BEAM_BY_NUMBERS, MATERIAL, SECTION, SECTION_MAKERS
from duoti.formats.yaml.bond_graphs import COUPLED
from duoti.formats.yaml.encode import encoded
from duoti.formats.yaml.flexible_values import BODY_MAKERS, MESH_MAKERS, body_fields
from duoti.formats.yaml.simple_values import VECTORS
from duoti.formats.yaml.values import ANY_SHAPE, INERTIAS, PLACED, ROTATIONS, SHAPES
from duoti.model.constructor_schema import Field, fields_of
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


def _field(field: Field) -> Schema:
    vector = field.kind == "numbers" and field.name in VECTORS
    found = dict(VECTOR if vector else KINDS.get(field.kind, {}))
    if field.unit and field.unit != "1":
        found["description"] = f"{found.get('description', field.kind)} [{field.unit}]"
    optional = not field.required and field.default is None
    if optional and isinstance(kinds := found.get("type"), list | str):
        found["type"] = [*([kinds] if isinstance(kinds, str) else kinds), "null"]
    return found


def _object(fields: Mapping[str, Field], **more: Any) -> Schema:
    properties = {**{name: _field(field) for name, field in fields.items()}, **more.pop("properties", {})}
    required = [name for name, field in fields.items() if field.required] + more.pop("required", [])
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False, **more}


def _typed(types: Mapping[str, Any], extra: Mapping[str, Field]) -> Schema:
    return {
        "anyOf": [
            _object({**fields_of(cls), **extra}, properties={"type": {"const": kind}}, required=["type"])
            for kind, cls in types.items()
        ]
    }


def _makers(makers: Mapping[str, Callable[..., Any]], extra: Mapping[str, Field] | None = None) -> list[Schema]:
    """`{rod: {mass: ..., length: ...}}` and the like."""
    found: list[Schema] = []
    for name, maker in makers.items():
        fields = fields_of(maker)
        content = _object(fields)
        if len(fields) == 1:
            content = {"anyOf": [content, *(_field(field) for field in fields.values())]}
        found.append(_object(extra or {}, properties={name: content}, required=[name]))
    return found


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
            "shape": {"anyOf": [{"enum": ["plane", "point"]}, _object(ANY_SHAPE), *_makers(SHAPES)]},
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


# ------------------------------------------------------------------------------------------------- documentation


def tables() -> str:
    """The keys of all elements as tables in Markdown."""
    parts = [
        "# Model files: all keys\n\nMade by the program from the constructors themselves; see "
        "[Model files](../guide/files/model_files.md) for what the kinds of values are.\n",
        "## Tables, bodies, markers, beams, cables, states, events, controllers\n",
    ]
    simple = schema.simple_sections()
    for section in schema.section_names():
        if section in simple and section != "submodels":
            parts.append(f"### `{section}`\n\n{_table(simple[section])}")
    parts.append(f"## Joints\n\nAll joints:\n\n{_table(schema.JOINT)}")
    for section, title in (("joints", ""), ("forces", "## Forces\n"), ("constraints", "## Constraints\n"),
                           ("contacts", f"## Contacts\n\nAll contacts:\n\n{_table(schema.CONTACT)}")):  # fmt: skip
        parts += [title] if title else []
        for kind, cls in schema.TYPED[section][1].items():
            first = str(cls.__doc__).strip().split("\n")[0].replace("|", "\\|")
            parts.append(f"### `{kind}`\n\n{first}\n\n{_table(fields_of(cls))}".rstrip() + "\n")
    parts.append(f"## Bond graphs\n\n{_table(COUPLED)}")
    for kind, cls in ELEMENT_TYPES.items():
        first = str(cls.__doc__).strip().split("\n")[0].replace("|", "\\|")
        parts.append(f"### element: `{kind}`\n\n{first}\n\n{_table(fields_of(cls))}".rstrip() + "\n")
    parts.append(f"## Materials, sections, beams\n\n### `materials`\n\n{_table(MATERIAL)}")
    parts.append(f"### `beam` by section and material\n\n{_table(BEAM)}")
    parts.append(f"### `beam` by its numbers\n\n{_table(BEAM_BY_NUMBERS)}")
    parts.append(f"### `sections` by their numbers\n\n{_table(SECTION)}")
    parts.append("## Flexible bodies and meshes\n\nIn the place of an inertia: `{flexible: {beam: {...}}}`.\n")
    for kind in BODY_MAKERS:
        parts.append(f"### flexible body: `{kind}`\n\n{_table(body_fields(kind))}")
    for kind, maker in MESH_MAKERS.items():
        parts.append(f"### mesh: `{kind}`\n\n{_table(fields_of(maker))}")
    for title, makers in (
        ("Sections", SECTION_MAKERS),
        ("Inertias", INERTIAS),
        ("Shapes", SHAPES),
        ("Rotations", ROTATIONS),
    ):
        parts.append(f"## {title}\n")
        parts += [f"### `{name}`\n\n{_table(fields_of(maker))}" for name, maker in makers.items()]
    return "\n".join(parts)


def _table(fields: Mapping[str, Field]) -> str:
    if not fields:
        return "No keys of its own.\n"
    lines = ["| key | value | unit | default |", "|---|---|---|---|"]
    for name, field in fields.items():
        default = "needed" if field.required else _shown(field)
        lines.append(f"| `{name}` | {field.kind} | {field.unit} | {default} |")
    return "\n".join(lines) + "\n"


def _shown(field: Field) -> str:
    default = encoded(field.default, field)
    if default in (None, "", [], {}):
        return ""
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"
