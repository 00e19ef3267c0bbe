"""Flexible bodies and meshes in model files, both ways: `inertia: {flexible: {beam: {...}}}`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.flexible.body import Flexible
from duoti.flexible.mesh.mesh import Mesh
from duoti.flexible.structure.attachment import Attachment
from duoti.formats.key_path import KeyPath
from duoti.formats.yaml.beam_values import beam_data, material_data
from duoti.formats.yaml.nodes import Node, Table, Text
from duoti.formats.yaml.simple_values import BAD, shown
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.material import Material
from duoti.model.constructor_schema import Field, fields_of
from duoti.spelling import with_article

if TYPE_CHECKING:
    from duoti.formats.yaml.values import Values

BODY_MAKERS: dict[str, Callable[..., Flexible]] = {
    "beam": Flexible.from_beam,
    "mesh": Flexible.from_mesh,
    "matrices": Flexible.from_matrices,
    "numbers": Flexible.from_numbers,
}
MESH_MAKERS: dict[str, Callable[..., Mesh]] = {
    "box": Mesh.box,
    "cylinder": Mesh.cylinder,
    "bar": Mesh.bar,
    "file": Mesh.read,
    "cells": Mesh,
}
_KINDS = {
    "beam": "beam",
    "mesh": "mesh",
    "material": "material of a mesh",
    "interfaces": "interfaces",
    "mass": "matrix",
    "stiffness": "matrix",
}
"""Kinds of parameters that are no simple values."""

ATTACHMENT = {
    "nodes": Field("nodes", "data"),
    **{name: field for name, field in fields_of(Attachment).items() if name != "nodes"},
}


def body_fields(maker: str) -> dict[str, Field]:
    """The keys of a flexible body of this kind."""
    found = dict(fields_of(BODY_MAKERS[maker]))
    for name in found:
        if name in _KINDS and maker != "numbers":
            found[name] = replace(found[name], kind=_KINDS[name], units=())
        elif name in ("nodes", "moments", "mode_shapes"):
            found[name] = replace(found[name], units=())
    return found


class FlexibleValues:
    """Reads flexible bodies and meshes; files are looked for in the folder of the model's file."""

    def __init__(self, values: Values):
        self.values = values
        values.kinds |= {
            "mesh": self.mesh,
            "matrix": self.matrix,
            "material of a mesh": self.material,
            "interfaces": self.interfaces,
        }

    def body(self, node: Node, path: KeyPath) -> Any:
        """`{beam: {...}}`, `{mesh: {...}}`, `{matrices: {...}}` or `{numbers: {...}}`."""
        self.values.computed = True  # kept as it is written
        return self._made(node, path, BODY_MAKERS, "flexible body", body_fields)

    def mesh(self, node: Node, path: KeyPath, field: Field) -> Any:
        """`{box: {...}}` and the like, `{file: {file, scale}}`, or `{cells: {nodes, cells, kind}}`."""
        del field
        return self._made(node, path, MESH_MAKERS, "mesh", lambda kind: fields_of(MESH_MAKERS[kind]))

    def _made(
        self,
        node: Node,
        path: KeyPath,
        makers: Mapping[str, Callable[..., Any]],
        of: str,
        fields: Callable[[str], dict[str, Field]],
    ) -> Any:
        values = self.values
        if not isinstance(node, Table) or len(node.entries) != 1:
            return values.fault(node, path, f"{shown(node)}, but one {of} is needed: {', '.join(makers)}")
        ((kind, content),) = node.entries.items()
        if kind not in makers:
            values.unknown(node, kind, path, makers, of)
            return BAD
        if not isinstance(content, Table):
            keys = ", ".join(fields(kind))
            return values.fault(content, path / kind, f"{shown(content)}, but a mapping {{{keys}}} is needed")
        given = values.arguments(content, path / kind, fields(kind), f"{with_article(of)} of kind {kind!r}")
        if given is BAD:
            return BAD
        if "file" in given:
            given["file"] = self.file(given["file"])
            values.computed = False  # another folder needs another path: the recipe has the full one
        return values.call(makers[kind], given, content.location, path / kind)

    def file(self, name: str) -> str:
        """A file's path: relative ones are in the folder of the model's file."""
        folder = self.values.folder
        return name if folder is None else os.path.abspath(Path(folder) / name)

    def matrix(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A matrix: rows of numbers, or the name of a file in Matrix Market form."""
        if isinstance(node, Text):
            return self.file(node.value)
        return self.values.numbers(node, path, field)

    def material(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A material, or `{regions: {name: material}}`."""
        if isinstance(node, Table) and set(node.entries) == {"regions"}:
            inner = node.entries["regions"]
            if not isinstance(inner, Table):
                return self.values.fault(inner, path, f"{shown(inner)}, but regions with their materials are needed")
            found = {n: self.values.beams.material(each, path / n, field) for n, each in inner.entries.items()}
            return BAD if any(each is BAD for each in found.values()) else found
        return self.values.beams.material(node, path, field)

    def interfaces(self, node: Node, path: KeyPath, field: Field) -> Any:
        """Names with selections of nodes, or with `{nodes, coupling, position, rotation, weights}`."""
        if not isinstance(node, Table):
            return self.values.fault(node, path, f"{shown(node)}, but names with their nodes are needed")
        found: dict[str, Any] = {}
        for name, each in node.entries.items():
            if isinstance(each, Table) and "nodes" in each.entries:
                given = self.values.arguments(each, path / name, ATTACHMENT, "an interface")
                found[name] = BAD if given is BAD else self.values.call(Attachment, given, each.location, path / name)
            else:
                found[name] = self.values.data(each, path / name, field)
        return BAD if any(each is BAD for each in found.values()) else found


# ------------------------------------------------------------------------------------------------------ the way back


def flexible_data(body: Flexible, plain: Callable[[Any], Any]) -> dict[str, Any]:
    """A flexible body as plain data: how it was made, or, if that is not known, its numbers."""
    if body.recipe is None:
        return {"numbers": _given(body.numbers(), body_fields("numbers"), plain)}
    maker, arguments = body.recipe
    return {maker: _given(arguments, body_fields(maker), plain)}


def _given(arguments: Mapping[str, Any], fields: Mapping[str, Field], plain: Callable[[Any], Any]) -> dict[str, Any]:
    """Arguments as plain data, but for those that have their default."""
    found: dict[str, Any] = {}
    for name, value in arguments.items():
        default = fields[name].default
        if value is None or (not fields[name].required and np.ndim(value) == 0 and value == default):
            continue
        found[name] = _data(value, plain)
    return found


def _data(value: Any, plain: Callable[[Any], Any]) -> Any:
    if isinstance(value, Beam):
        return beam_data(value)
    if isinstance(value, Material):
        return material_data(value)
    if isinstance(value, Mesh):
        return mesh_data(value, plain)
    if isinstance(value, Attachment):
        return _given({name: getattr(value, name) for name in ATTACHMENT}, ATTACHMENT, plain)
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "toarray"):
        return plain(value.toarray())
    if isinstance(value, Mapping):
        if value and all(isinstance(each, Material) for each in value.values()):
            return {"regions": {name: material_data(each) for name, each in value.items()}}
        return {str(name): _data(each, plain) for name, each in value.items()}
    return plain(value)


def mesh_data(mesh: Mesh, plain: Callable[[Any], Any]) -> dict[str, Any]:
    """A mesh as plain data: how it was made, or its nodes and cells."""
    if mesh.recipe is not None:
        maker, arguments = mesh.recipe
        return {maker: _given(arguments, fields_of(MESH_MAKERS[maker]), plain)}
    given = {"nodes": mesh.nodes, "cells": mesh.cells, "kind": mesh.kind, "regions": mesh.regions or None}
    return {"cells": _given(given | {"node_sets": mesh.node_sets or None}, fields_of(Mesh), plain)}


def parts_of(body: Any) -> tuple[list[Beam], list[Material]]:
    """Beams and materials that a flexible body is made of."""
    if not isinstance(body, Flexible) or body.recipe is None:
        return [], []
    given = [body.recipe[1].get(name) for name in ("beam", "material")]
    materials = list(given[1].values()) if isinstance(given[1], Mapping) else [given[1]]
    beams = [given[0]] if isinstance(given[0], Beam) else []
    return beams, [each for each in materials if isinstance(each, Material)]
