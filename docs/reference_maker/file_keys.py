"""The keys of model files, as tables: made from the same fields as the reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from duoti.bond.elements import ELEMENT_TYPES
from duoti.formats.yaml import sections as schema
from duoti.formats.yaml.beam_values import BEAM, BEAM_BY_NUMBERS, MATERIAL, SECTION, SECTION_MAKERS
from duoti.formats.yaml.bond_graphs import COUPLED
from duoti.formats.yaml.encode import encoded
from duoti.formats.yaml.flexible_values import BODY_MAKERS, MESH_MAKERS, body_fields
from duoti.formats.yaml.values import INERTIAS, ROTATIONS, SHAPES
from duoti.model.constructor_schema import Field, fields_of
from reference_maker.docstring import docstring_of
from reference_maker.registry import items

MADE = "<!-- Made by docs/make_reference.py from the constructors: do not edit. -->"
ELEMENTS = {"joints": schema.JOINT, "forces": {}, "constraints": {}, "contacts": schema.CONTACT}


def file_key_pages() -> dict[str, tuple[str, str]]:
    """Path below docs/reference -> (title, text)."""
    found = {
        "files/keys_elements.md": ("Keys: elements", _elements()),
        "files/keys_sections.md": ("Keys: sections", _sections()),
        "files/keys_beams.md": ("Keys: beams, materials, sections", _beams()),
        "files/keys_flexible.md": ("Keys: flexible bodies and meshes", _flexible()),
        "files/keys_bond_graphs.md": ("Keys: bond graphs", _bond_graphs()),
        "files/keys_values.md": (
            "Keys: inertias and rotations",
            _values(("inertia", INERTIAS), ("rotation", ROTATIONS)),
        ),
        "files/keys_shapes.md": ("Keys: shapes", _values(("shape", SHAPES))),
    }
    links = "\n".join(f"| [{title}]({path}) | {ABOUT[path]} |" for path, (title, _) in found.items())
    front = (
        "See [Model files](../guide/files/model_files.md) for how a file is built and what the kinds of values are.\n\n"
        f"| page | keys |\n| --- | --- |\n{links}"
    )
    pages = {path: (title, f"# {title}\n\n{MADE}\n\n{text}") for path, (title, text) in found.items()}
    pages["model_files.md"] = ("Model files: all keys", f"# Model files: all keys\n\n{MADE}\n\n{front}\n")
    return pages


ABOUT = {
    "files/keys_elements.md": "`joints`, `forces`, `constraints`, `contacts`: keys of each `type`",
    "files/keys_sections.md": "`bodies`, `markers`, `tables`, `states`, `events`, `controllers`, ...",
    "files/keys_beams.md": "`materials`, `sections`, and beams",
    "files/keys_flexible.md": "`inertia: {flexible: {...}}` and meshes",
    "files/keys_bond_graphs.md": "`bond_graphs` and their elements",
    "files/keys_values.md": "`inertia:`, `rotation:`",
    "files/keys_shapes.md": "`shapes:`",
}


def _table(fields: Mapping[str, Field]) -> str:
    if not fields:
        return "No keys of its own."
    lines = ["| key | value | unit | default |", "| --- | --- | --- | --- |"]
    for name, field in fields.items():
        default = "required" if field.required else _shown(field)
        lines.append(f"| `{name}` | {field.kind} | {field.unit} | {default} |")
    return "\n".join(lines)


def _shown(field: Field) -> str:
    default = encoded(field.default, field)
    if default in (None, "", [], {}):
        return ""
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def _elements() -> str:
    pages = {id(item.thing): item for item in items()}
    parts = ["Each element has a `type` and the keys below; required ones are in bold. Its page has the units."]
    for section, extra in ELEMENTS.items():
        parts.append(f"## `{section}`")
        if extra:
            parts.append(f"All types:\n\n{_table(extra)}")
        lines = ["| type | keys | |", "| --- | --- | --- |"]
        for kind, cls in schema.TYPED[section][1].items():
            item = pages.get(id(cls))
            name = f"[`{kind}`](../{item.path})" if item else f"`{kind}`"
            keys = ", ".join(f"**`{f.name}`**" if f.required else f"`{f.name}`" for f in fields_of(cls).values())
            summary = docstring_of(cls).summary.replace("|", "\\|")
            lines.append(f"| {name} | {keys} | {summary} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _sections() -> str:
    simple = schema.simple_sections()
    names = [name for name in schema.section_names() if name in simple and name != "submodels"]
    return "\n\n".join(f"## `{name}`\n\n{_table(simple[name])}" for name in names) + "\n"


def _beams() -> str:
    parts = [f"## `materials`\n\n{_table(MATERIAL)}"]
    parts.append(f"## `beam` by section and material\n\n{_table(BEAM)}")
    parts.append(f"## `beam` by its numbers\n\n{_table(BEAM_BY_NUMBERS)}")
    parts.append(f"## `sections` by their numbers\n\n{_table(SECTION)}")
    parts += _makers("section", SECTION_MAKERS)
    return "\n\n".join(parts) + "\n"


def _flexible() -> str:
    parts = ["A flexible body stands in the place of an inertia: `inertia: {flexible: {beam: {...}}}`."]
    parts += [f"## flexible body: `{kind}`\n\n{_table(body_fields(kind))}" for kind in BODY_MAKERS]
    parts += _makers("mesh", MESH_MAKERS)
    return "\n\n".join(parts) + "\n"


def _bond_graphs() -> str:
    parts = [f"## `bond_graphs`\n\n{_table(COUPLED)}"]
    parts += [
        f"## element: `{kind}`\n\n{docstring_of(cls).summary}\n\n{_table(fields_of(cls))}"
        for kind, cls in ELEMENT_TYPES.items()
    ]
    return "\n\n".join(parts) + "\n"


def _values(*makers: tuple[str, Mapping[str, Any]]) -> str:
    parts = ["A value is made by one key with its settings, such as `inertia: {rod: {mass: 1, length: 0.5, axis: x}}`."]
    for title, each in makers:
        parts += _makers(title, each)
    return "\n\n".join(parts) + "\n"


def _makers(title: str, makers: Mapping[str, Any]) -> list[str]:
    return [f"## {title}: `{name}`\n\n{_table(fields_of(maker))}" for name, maker in makers.items()]
