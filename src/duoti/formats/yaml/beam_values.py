"""Materials, sections and beams in model files, both ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from duoti.formats.key_path import KeyPath
from duoti.formats.yaml.nodes import Node, Table, Text
from duoti.formats.yaml.simple_values import BAD, shown
from duoti.model.beams.beam_section import STIFFNESSES, Beam
from duoti.model.beams.cross_section import Section
from duoti.model.beams.material import Material
from duoti.model.constructor_schema import Field, fields_of
from duoti.model.errors import did_you_mean
from duoti.spelling import with_article

if TYPE_CHECKING:
    from duoti.formats.yaml.values import Values

SECTION_MAKERS: dict[str, Callable[..., Section]] = {
    name: getattr(Section, name) for name in ("rectangle", "circle", "tube", "i", "channel", "polygon")
}


def _without(fields: Mapping[str, Field], *names: str) -> dict[str, Field]:
    return {name: field for name, field in fields.items() if name not in names}


MATERIAL = _without(fields_of(Material), "name")
SECTION = _without(fields_of(Section), "name", "made")
BEAM = {
    "section": Field("section", "section", True),
    "material": Field("material", "material", True),
    **{name: fields_of(Beam.from_stiffness)[name] for name in ("damping_time", "mass_damping")},
}
"""A beam by section and material."""
BEAM_BY_NUMBERS = fields_of(Beam.from_stiffness)


class BeamValues:
    """Reads materials, sections and beams; those with names are known by them."""

    def __init__(self, values: Values):
        self.values = values
        self.materials: dict[str, Any] = {}
        self.sections: dict[str, Any] = {}
        self.broken: set[tuple[str, str]] = set()
        """Materials and sections with faults, by kind and name: what is made of them is no further fault."""

    def material(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A name among `materials`, or `{youngs_modulus, poisson_ratio, density}`."""
        del field
        return self._named(node, path, self.materials, "material", self.new_material)

    def section(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A name among `sections`, `{rectangle: {width, height}}` and the like, or `{area, Iy, Iz, ...}`."""
        del field
        return self._named(node, path, self.sections, "section", self.new_section)

    def _named(
        self, node: Node, path: KeyPath, known: Mapping[str, Any], what: str, new: Callable[[Table, KeyPath], Any]
    ) -> Any:
        if isinstance(node, Text):
            if node.value in known:
                return known[node.value]
            if (f"{what}s", node.value) in self.broken:
                return BAD
            hint = did_you_mean(node.value, known) or f" Define it under '{what}s', or write its numbers here."
            return self.values.fault(node, path, f"there is no {what} {node.value!r}.{hint}", "unknown-key")
        if not isinstance(node, Table) or not node.entries:
            return self.values.fault(
                node, path, f"{shown(node)}, but {with_article(what)} is needed: a name or a mapping"
            )
        return new(node, path)

    def new_material(self, node: Table, path: KeyPath) -> Any:
        """A material from its numbers."""
        return self.values.made_of(Material, self.values.given(node, path, MATERIAL, "a material"), node, path)

    def new_section(self, node: Table, path: KeyPath) -> Any:
        """A section from its shape or its numbers."""
        if set(node.entries) & set(SECTION):
            return self.values.made_of(Section, self.values.given(node, path, SECTION, "a section"), node, path)
        return self.values.made(node, path, SECTION_MAKERS, "section")

    def beam(self, node: Node, path: KeyPath, field: Field) -> Any:
        """`{section, material}`, or `{EA, GAy, GAz, GJ, EIy, EIz, mass_per_length, rotary_inertia}`."""
        del field
        if not isinstance(node, Table) or not node.entries:
            text = f"{shown(node)}; write e.g. {{section: {{circle: {{radius: 0.01}}}}, material: steel}}"
            return self.values.fault(node, path, text)
        by_numbers = set(node.entries) & {*STIFFNESSES, "matrix", "mass_per_length", "rotary_inertia"}
        fields, maker = (BEAM_BY_NUMBERS, Beam.from_stiffness) if by_numbers else (BEAM, Beam)
        return self.values.made_of(maker, self.values.given(node, path, fields, "a beam"), node, path)

    def define(self, kind: str, name: str, node: Node, path: KeyPath) -> None:
        """Read a material or section that has a name."""
        known = self.materials if kind == "materials" else self.sections
        if not isinstance(node, Table):
            self.values.fault(node, path, f"{shown(node)}, but a mapping of its numbers is needed")
            self.broken.add((kind, name))
            return
        made = (self.new_material if kind == "materials" else self.new_section)(node, path)
        if made is BAD:
            self.broken.add((kind, name))
        else:
            known[name] = made.named(name)


def material_data(material: Material, by_name: bool = True) -> Any:
    """A material as plain data: its name, if it has one."""
    if by_name and material.name:
        return material.name
    return {name: float(getattr(material, name)) for name in MATERIAL}


def section_data(section: Section, by_name: bool = True) -> Any:
    """A section as plain data: its name, if it has one, its shape or its numbers."""
    if by_name and section.name:
        return section.name
    if section.made is not None:
        kind, sizes = section.made
        return {kind: {name: _plain(value) for name, value in sizes}}
    found = {name: _plain(getattr(section, name)) for name in SECTION}
    return {name: value for name, value in found.items() if value != _plain(SECTION[name].default)}


def beam_data(beam: Beam) -> dict[str, Any]:
    """A beam as plain data."""
    found: dict[str, Any] = {}
    if beam.stiffness is None:
        assert beam.section is not None
        assert beam.material is not None
        found = {"section": section_data(beam.section), "material": material_data(beam.material)}
    else:
        K = beam.matrix
        diagonal = all(K[i, j] == 0.0 for i in range(6) for j in range(6) if i != j)
        stiffness: dict[str, Any] = {"matrix": K.tolist()}
        if diagonal:
            stiffness = dict(zip(STIFFNESSES, K.diagonal().tolist(), strict=True))
        found = {**stiffness, "mass_per_length": beam.mass, "rotary_inertia": _plain(beam.rotary_inertia)}
        if beam.section is not None:
            found["section"] = section_data(beam.section)
    for name in ("damping_time", "mass_damping"):
        value = _plain(getattr(beam, name))
        if value != 0.0:
            found[name] = value
    return found


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return float(value) if isinstance(value, int | float) else value


def named_parts(beams: list[Beam], materials: list[Material]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Materials and sections with names, of beams and others, as plain data; ValueError if two that differ have the
    same name."""
    found: dict[str, dict[str, Any]] = {"material": {}, "section": {}}
    parts: list[tuple[str, Any, Any]] = [("material", each, material_data) for each in materials]
    for beam in beams:
        parts += [("material", beam.material, material_data), ("section", beam.section, section_data)]
    for what, item, data in parts:
        if item is not None and item.name:
            mine = data(item, False)
            if found[what].setdefault(item.name, mine) != mine:
                raise ValueError(f'two {what}s that differ are called "{item.name}"; give one another name')
    return found["material"], found["section"]
