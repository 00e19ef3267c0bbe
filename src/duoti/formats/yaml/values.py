"""From nodes of a file to values made of others: rotations, inertias, shapes, joints."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from duoti.formats.errors import Faults, ModelFileError
from duoti.formats.key_path import KeyPath
from duoti.formats.yaml.beam_values import BeamValues
from duoti.formats.yaml.nodes import Items, Node, Table, Text
from duoti.formats.yaml.partial_values import Given, refusal
from duoti.formats.yaml.simple_values import BAD, SimpleValues, shown, wanted
from duoti.model.checks.findings import SourceLocation
from duoti.model.constructor_schema import Field, fields_of
from duoti.model.element_id import ElementId
from duoti.model.errors import did_you_mean
from duoti.model.joints import JOINT_TYPES
from duoti.model.joints.composite import Composite
from duoti.model.roads.road import Road
from duoti.model.sheave import Sheave
from duoti.model.tyres.tyre import Tyre
from duoti.renamed import OLD_TYPES
from duoti.spatial import Inertia, Pose, Rotation, Shape, combined
from duoti.spelling import nearest

Keep = Callable[[str, Node, Any], None]
"""What is called with the key, the node and the value of what is not written as the value that it is."""

_INERTIAS = "point rod box cylinder hollow_cylinder sphere shell cone ellipsoid torus as_given"
INERTIAS: dict[str, Callable[..., Inertia]] = {name: getattr(Inertia, name) for name in _INERTIAS.split()}
SHAPES: dict[str, Callable[..., Shape]] = {
    name: getattr(Shape, name)
    for name, member in vars(Shape).items()
    if isinstance(member, classmethod) and not name.startswith("_")
}
"""Every way to make a shape is a key of files."""
ROADS: dict[str, Callable[..., Road]] = {
    name: getattr(Road, name) for name, member in vars(Road).items() if isinstance(member, classmethod)
}
"""Every way to make a road likewise."""
TYRES: dict[str, Callable[..., Tyre]] = {
    name: getattr(Tyre, name) for name, member in vars(Tyre).items() if isinstance(member, classmethod)
}
"""Every way to make a tyre likewise."""
FILES_OF_ROADS = {"read": "path", "profile": "table"}
FILES_OF_TYRES = {"read": "path"}
"""Which argument of these may be the name of a file."""
ROTATIONS: dict[str, Callable[..., Rotation]] = {
    "about": Rotation.about,
    "euler": Rotation.from_euler,
    "vector": Rotation.from_vector,
    "between": Rotation.between,
    "quaternion": Rotation.from_quaternion,
    "matrix": Rotation.from_matrix,
}
PLACED = {name: field for name, field in fields_of(Shape.box).items() if name in ("position", "rotation")}
ANY_SHAPE = {
    **{name: Field(name, "text", name == "kind", "") for name in ("kind", "file", "colour")},
    "dimensions": Field("dimensions", "data", False, {}),
    "profile": Field("profile", "data", False, ()),
    "track": Field("track", "data", False, ()),
    "cavity": Field("cavity", "true or false", False, False),
    "convex": Field("convex", "true or false", False, True),
    **PLACED,
}
"""A shape in the form in which all shapes are saved."""


NOT_THERE = {
    "friction": "dry friction in a joint is joint_friction; that between bodies belongs to a contact",
    "contact": "contacts stand in a section of their own, contacts:, between two bodies",
    "stop": "a joint stops at its limits; joint_stop says how",
    "tyre": "tyres are no elements yet",
    "tire": "tyres are no elements yet",
    "cable": "cables stand in a section of their own, cables:, with their start and end",
}
"""Words that people look for in vain."""


def not_there_yet(kind: str, of: str) -> str:
    """What to say about a type of something that duoti cannot do yet, or that stands elsewhere."""
    if of == "contact":
        return ""
    return next((f" {text[0].upper()}{text[1:]}." for word, text in NOT_THERE.items() if word in kind.lower()), "")


def maker_of(cls: Any) -> Callable[..., Any]:
    """What makes an object of a type from its values by key; some have parts, which have no name in its constructor."""
    several = [name for name, field in fields_of(cls).items() if field.kind == "parts"]
    return (lambda **given: cls(*given.pop(several[0], ()), **given)) if several else cls


class Values(SimpleValues):
    """Reads all kinds of values; meshes are looked for in `folder`."""

    def __init__(self, faults: Faults, parameters: Mapping[str, float], folder: Path | None):
        super().__init__(faults, parameters)
        self.folder = folder
        self.may_read: Callable[[Path], bool] = lambda file: True
        """Whether a file may be read, links followed: `allow_outside`."""
        self.beams = BeamValues(self)
        self.tables: Mapping[str, Any] = {}
        """Tables of the model that is read."""
        self.kinds |= {
            "beam": self.beams.beam,
            "profile": self.profile,
            "material": self.beams.material,
            "section": self.beams.section,
            "rotation": self.rotation,
            "inertia": self.inertia,
            "shapes": self.shapes,
            "sheaves": self.sheaves,
            "end of a rope": self.rope_end,
            "road": self.road,
            "tyre": self.tyre,
            "parts": self.parts,
            "initial values": self.initial,
        }

    def given(
        self,
        table: Table,
        path: KeyPath,
        fields: Mapping[str, Field],
        of: str,
        keep: Keep | None = None,
        guessed: bool = False,
    ) -> Given:
        """What can be read of a mapping; unknown keys, missing ones and bad values are faults.

        `keep` is called for values that are not written as what they are, with their key and node. `guessed`: it is
        only likely that these keys are meant, and sure if all that are needed are there.
        """
        found = Given(dict(fields), guessed=guessed)
        missing = [name for name, field in fields.items() if field.required and name not in table.entries]
        reports = not (guessed and missing)
        for key, node in table.entries.items():
            if key not in fields:
                found.unknown.append(key)
                if reports:
                    self.unknown(table, key, path, fields, of)
                continue
            self.computed &= keep is None
            value = self.value(node, path / key, fields[key])
            if value is BAD:
                found.faulty.add(key)
                continue
            if keep is not None and self.computed:
                keep(key, node, value)
            found.values[key] = value
        for name in missing:
            found.faulty.add(name)
            if reports:
                text = f"{name!r} is missing: {of} needs {wanted(fields[name])}"
                self.fault(table, path, text, "missing-key", name)
        return found

    def arguments(
        self, table: Table, path: KeyPath, fields: Mapping[str, Field], of: str, keep: Keep | None = None
    ) -> Any:
        """The values of a mapping by name, BAD if something is wrong with it; see `given`."""
        found = self.given(table, path, fields, of, keep)
        return found.values if found.sound else BAD

    def made(self, node: Node, path: KeyPath, makers: Mapping[str, Callable[..., Any]], of: str) -> Any:
        """What `{maker: {arguments}}` makes; a maker with one argument may have it as it is."""
        assert isinstance(node, Table)
        (kind, content), *more = node.entries.items()
        meant = kind if kind in makers else next(iter(nearest(kind, makers)), "")
        if meant == kind and more:
            return self.fault(node, path, f"more than one {of}: {', '.join(node.entries)}; write one")
        if meant != kind:
            self.unknown(node, kind, path, makers, of)
            if not meant or not isinstance(content, Table):
                return BAD
        self.computed = True
        here = path / kind
        fields = fields_of(makers[meant])
        if len(fields) == 1 and not isinstance(content, Table):
            ((name, field),) = fields.items()
            value = self.value(content, here, field)
            return BAD if value is BAD else self.call(makers[meant], {name: value}, content.location, here)
        if not isinstance(content, Table):
            return self.fault(content, here, f"{shown(content)}, but a mapping {{{', '.join(fields)}}} is needed")
        return self.made_of(makers[meant], self.given(content, here, fields, kind, None, meant != kind), content, here)

    def made_of(self, maker: Callable[..., Any], given: Given, table: Table, path: KeyPath) -> Any:
        """What a constructor makes of a mapping; of one with faults, what it refuses anyway is a fault as well."""
        if given.sound:
            return self.call(maker, given.values, table.location, path)
        if refused := refusal(maker, given):
            self.fault(table, path, refused)
        return BAD

    def call(
        self, maker: Callable[..., Any], values: Mapping[str, Any], location: SourceLocation, path: KeyPath
    ) -> Any:
        """What a constructor makes of values; its refusal is a fault."""
        try:
            with np.errstate(all="ignore"):
                found = maker(**values)
        except (TypeError, ValueError, ArithmeticError) as error:
            return self.fault(location, path, str(error))
        if isinstance(found, Inertia) and not np.all(np.isfinite(found.spatial())):
            return self.fault(location, path, "its numbers are too large")
        return found

    def rotation(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A quaternion, a matrix, or `{about: {axis: z, angle: 30 deg}}` and the like."""
        if isinstance(node, Table) and node.entries:
            return self.made(node, path, ROTATIONS, "rotation")
        found = self.numbers(node, path, Field("rotation", "numbers", units=("1",)))
        if found is not BAD:
            if np.shape(found) not in ((4,), (3, 3)):
                forms = ", ".join(ROTATIONS)
                return self.fault(node, path, f"{shown(node)} is no rotation; give a quaternion [w, x, y, z], a 3x3 "
                                  f"matrix, or one of {forms}: {{about: {{axis: z, angle: 30 deg}}}}")  # fmt: skip
            if self.call(Rotation.from_any, {"x": found}, node.location, path) is BAD:
                return BAD
        return found

    def flexible(self, node: Table, path: KeyPath) -> Any:
        """`{flexible: {beam: {...}}}` and the like."""
        from duoti.formats.yaml.flexible_values import FlexibleValues  # most files have none

        for key in node.entries:
            if key != "flexible":
                self.unknown(node, key, path, ["flexible"], "a flexible body")
        return FlexibleValues(self).body(node.entries["flexible"], path / "flexible")

    def inertia(self, node: Node, path: KeyPath, field: Field) -> Any:
        """`{rod: {...}}` and the like, `{mass, com, matrix}`, `{combined: [parts]}`, or `{flexible: {...}}`."""
        if not isinstance(node, Table) or not node.entries:
            return self.fault(node, path, f"{shown(node)}; write e.g. {{sphere: {{mass: 1, radius: 0.1}}}}")
        if "combined" in node.entries:
            return self.combined(node, path, field)
        if "flexible" in node.entries:
            return self.flexible(node, path)
        own = fields_of(Inertia)
        if set(node.entries) & set(own):
            matrix = {"matrix": Field("matrix", "numbers", units=own["matrix"].units)}
            return self.made_of(Inertia, self.given(node, path, {**own, **matrix}, "inertia"), node, path)
        return self.made(node, path, INERTIAS, "inertia")

    def combined(self, node: Table, path: KeyPath, field: Field) -> Any:
        """Parts and cavities of one body, each of them moved if it says so."""
        self.computed = True
        for key in node.entries:
            if key != "combined":
                self.unknown(node, key, path, ["combined"], "a combined inertia")
        found = self.each(
            node.entries["combined"], path / "combined", lambda item, where: self.part(item, where, field)
        )
        return BAD if found is BAD else self.call(combined, {"parts": found}, node.location, path)

    def part(self, node: Node, path: KeyPath, field: Field) -> Any:
        """One of them: an inertia with `position`, `rotation` and `cavity` beside its shape."""
        if not isinstance(node, Table):
            return self.inertia(node, path, field)
        extra = {**PLACED, "cavity": ANY_SHAPE["cavity"]}
        inner = Table({k: v for k, v in node.entries.items() if k not in extra}, node.location, node.keys)
        outer = Table({k: v for k, v in node.entries.items() if k in extra}, node.location, node.keys)
        inertia, values = self.inertia(inner, path, field), self.arguments(outer, path, extra, "a part")
        if inertia is BAD or values is BAD:
            return BAD
        if "position" in values or "rotation" in values:
            to = {"pose": values.get("position"), "rotation": values.get("rotation")}
            inertia = self.call(inertia.moved, to, node.location, path)
            if inertia is BAD:
                return BAD
        return -inertia if values.get("cavity") else inertia

    def shapes(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A list of shapes to draw."""
        return self.each(node, path, self.shape)

    def sheaves(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A list of `{marker: a, radius: 0.1}`."""
        return self.each(node, path, self._sheave)

    def rope_end(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A marker or body, or a drum `{marker: a, radius: 0.1, side: 1}`."""
        return self._sheave(node, path) if isinstance(node, Table) else self.text(node, path, field)

    def _sheave(self, node: Node, path: KeyPath) -> Any:
        if not isinstance(node, Table):
            return self.fault(node, path, f"{shown(node)}, but a sheave {{marker: name, radius: 0.1}} is needed")
        return self.made_of(Sheave, self.given(node, path, fields_of(Sheave), "a sheave"), node, path)

    def road(self, node: Node, path: KeyPath, field: Field) -> Any:
        """`{profile: {table: bump.csv}}` and the like, or `flat`."""
        if isinstance(node, Text) and node.value == "flat":
            node = Table({"flat": Table({}, node.location)}, node.location, {"flat": node.location})
        if not isinstance(node, Table) or not node.entries:
            return self.fault(node, path, f"{shown(node)}; write e.g. {{random: {{roughness: C}}}} or flat")
        node = self._with_file(node, path, FILES_OF_ROADS)
        if node is BAD:
            return BAD
        try:
            return self.made(node, path, ROADS, "road")
        except ModelFileError as error:  # of the road's own file: its faults, with their lines there
            for finding in error.report.findings:
                self.faults.found.append(finding)
            return BAD

    def tyre(self, node: Node, path: KeyPath, field: Field) -> Any:
        """The name of a .tir file, or `{fiala: {...}}` and the like."""
        if isinstance(node, Text):
            read = Table({"path": node}, node.location, {"path": node.location})
            node = Table({"read": read}, node.location, {"read": node.location})
        if not isinstance(node, Table) or not node.entries:
            return self.fault(node, path, f"{shown(node)}; write the name of a .tir file, or e.g. {{fiala: {{...}}}}")
        node = self._with_file(node, path, FILES_OF_TYRES)
        return BAD if node is BAD else self.made(node, path, TYRES, "tyre")

    def _with_file(self, node: Any, path: KeyPath, files: Mapping[str, str]) -> Any:
        """A maker whose file is looked for beside the model file; BAD if it may not be read."""
        kind, content = next(iter(node.entries.items()))
        name = content.entries.get(files.get(kind, "")) if isinstance(content, Table) else None
        if not isinstance(content, Table) or not isinstance(name, Text):
            return node
        file = Path(name.value if self.folder is None else self.folder / name.value)
        if not self.may_read(file):
            text = f"{shown(name)} is outside the folder of the model file; allow_outside=True (--allow-outside)"
            return self.fault(name, path / kind, f"{text} allows that", "bad-file")
        found = {**content.entries, files[kind]: replace(name, value=os.path.abspath(file))}
        return replace(node, entries={**node.entries, kind: replace(content, entries=found)})

    def profile(self, node: Node, path: KeyPath, field: Field) -> Any:
        """An expression, points, or `{table: road}`: the points of a table of the file."""
        if not isinstance(node, Table):
            return self.data(node, path, field)
        unknown = [key for key in node.entries if key != "table"]
        for key in unknown:
            self.unknown(node, key, path, ["table"], "a profile")
        if unknown:
            return BAD
        named = node.entries.get("table")
        if not isinstance(named, Text):
            return self.fault(node, path, "write points, an expression, or {table: name}")
        table = self.tables.get(named.value)
        if table is None:
            if ElementId("table", named.value) in self.faults.spoiled:
                return BAD
            return self.fault(named, path, f"there is no table {shown(named)}.{did_you_mean(named.value, self.tables)}",
                              "unknown-name")  # fmt: skip
        if table.kind != "cubic" or table.extrapolation in ("hold", "repeat"):
            kind = f"kind: {table.kind}, extrapolation: {table.extrapolation}"
            return self.fault(named, path, f"table {shown(named)} has {kind}, but a profile is smooth with free ends: "
                              "give the table kind: cubic, and extrapolation: error or linear")  # fmt: skip
        self.computed = True
        return tuple(zip(np.asarray(table.x, float).tolist(), np.asarray(table.y, float).tolist(), strict=True))

    def shape(self, node: Node, path: KeyPath) -> Any:
        """`{box: {size: [...]}}` and the like, `plane` alone, or the general form `{kind, dimensions, ...}`."""
        if isinstance(node, Text) and node.value in SHAPES:  # [plane, ...]
            node = Table({node.value: Table({}, node.location)}, node.location, {node.value: node.location})
        if not isinstance(node, Table) or not node.entries:
            return self.fault(node, path, f"{shown(node)}; write e.g. {{sphere: {{radius: 0.1}}}}")
        if "road" in node.entries:
            return self._shape_of_road(node, path)
        if "kind" not in node.entries:
            found = self.made(node, path, SHAPES, "shape")
        else:
            found = self._any_shape(node, path)
        if found is BAD or not found.file or self.folder is None or "://" in found.file:
            return found
        return replace(found, file=os.path.abspath(self.folder / found.file))

    def _shape_of_road(self, node: Table, path: KeyPath) -> Any:
        """`{road: {random: ...}, x: [0, 50], y: [-2, 2]}`."""
        fields = {key: each for key, each in fields_of(Road.shape).items() if key != "self"}
        values = self.arguments(node, path, {"road": Field("road", "road"), **fields}, "a shape of a road")
        return BAD if values is BAD else self.call(values.pop("road").shape, values, node.location, path)

    def _any_shape(self, node: Table, path: KeyPath) -> Any:
        values = self.arguments(node, path, ANY_SHAPE, "shape")
        if values is BAD:
            return BAD
        sizes = values.get("dimensions", {})
        numbers = isinstance(sizes, dict) and all(isinstance(x, float | int) for x in sizes.values())
        if not numbers:
            return self.fault(node.line_of("dimensions"), path, "dimensions are a mapping of names and lengths")
        pose = self.call(Pose, {"rotation": values.get("rotation"), "position": values.get("position", (0, 0, 0))},
                         node.location, path)  # fmt: skip
        if pose is BAD:
            return BAD
        dimensions = tuple((name, float(size)) for name, size in sizes.items())
        others = {
            name: values[name] for name in ("cavity", "convex", "file", "colour", "profile", "track") if name in values
        }
        return self.call(Shape, {"kind": values["kind"], "dimensions": dimensions, "pose": pose, **others},
                         node.location, path)  # fmt: skip

    def parts(self, node: Node, path: KeyPath, field: Field) -> Any:
        """The joints that a composite joint is made of: a list, or `{of_axes: {slides: xz, turns: y}}`."""
        if isinstance(node, Table) and node.entries:
            found = self.made(node, path, {"of_axes": Composite.of_axes}, "composite joint")
            return BAD if found is BAD else tuple(found.joints)

        def one(item: Node, where: KeyPath) -> Any:
            if not isinstance(item, Table):
                return self.fault(item, where, f"{shown(item)}, but a joint {{type: revolute, axis: z}} is needed")
            return self.typed(item, where, JOINT_TYPES, "joint")

        return self.each(node, path, one)

    def typed(self, table: Table, path: KeyPath, types: Mapping[str, Any], of: str, keep: Keep | None = None) -> Any:
        """An object of the type that the key `type` names; BAD if something is wrong with it."""
        cls, given = self.read_typed(table, path, types, of, lambda cls: {} if cls is None else fields_of(cls), keep)
        return BAD if cls is None else self.made_of(maker_of(cls), given, table, path)

    def read_typed(
        self,
        table: Table,
        path: KeyPath,
        types: Mapping[str, Any],
        of: str,
        fields_with: Callable[[Any], Mapping[str, Field]],
        keep: Keep | None = None,
    ) -> tuple[Any, Given]:
        """The type that the key `type` names, and what can be read of its other keys; `fields_with(type)` are these.

        Of a misspelt type that which was meant; None, which has fields, too, if there is none.
        """
        kind = table.entries.get("type")
        name = kind.value if isinstance(kind, Text) else None
        if name not in types and (of, name) in OLD_TYPES:
            name, keys = OLD_TYPES[of, str(name)]
            keys = {old: new for old, new in keys.items() if new not in table.entries}
            table = replace(table, entries={keys.get(key, key): node for key, node in table.entries.items()},
                            keys={keys.get(key, key): where for key, where in table.keys.items()})  # fmt: skip
        meant = name if name in types else None
        if kind is None:
            self.fault(table, path, f"'type' is missing: {of} needs one of {', '.join(types)}", "missing-key", "type")
        elif meant is None:
            elsewhere = "" if name is None else not_there_yet(name, of)
            near = [] if name is None or elsewhere else nearest(name, sorted(types), most=3)
            if not (near or elsewhere) and len(whole := [each for each in types if name in each.split("_")]) == 1:
                near = whole  # "rigid" is rigid_contact
            meant = near[0] if near else None
            hint = did_you_mean(near[0], near) if near else f"{elsewhere} There are: {', '.join(types)}."
            self.fault(kind, path, f"there is no {of} type {shown(kind)}.{hint}", "unknown-type", "type")
        cls = None if meant is None else types[meant]
        fields = fields_with(cls)
        entries = {k: v for k, v in table.entries.items() if k != "type" and (cls is not None or k in fields)}
        rest = Table(entries, table.location, table.keys)
        return cls, self.given(rest, path, fields, str(meant), keep, guessed=name != meant or cls is None)

    def initial(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A number, a list, or a mapping from coordinate names; a rotation may stand for its four numbers."""
        if isinstance(node, Items):
            by_place = field.each if len(field.each) == len(node.items) else (field.units,) * len(node.items)
            fields = iter([replace(field, units=units, each=()) for units in by_place])
            return self.each(node, path, lambda item, where: self.initial(item, where, next(fields)))
        if isinstance(node, Table) and len(node.entries) == 1 and next(iter(node.entries)) in ROTATIONS:
            return self.rotation(node, path, field)
        if isinstance(node, Table):
            units = dict(field.named)
            found = {
                key: self.initial(item, path / key, replace(field, units=units.get(key, field.units), each=()))
                for key, item in node.entries.items()
            }
            return BAD if any(item is BAD for item in found.values()) else found
        return self.number(node, path, field)
