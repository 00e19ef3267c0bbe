"""From nodes of a file to values: numbers with units and `=expressions`, vectors, axes, laws, rotations, inertias.

A reader of one kind of value returns it, or `BAD` after adding what is wrong to the faults: the rest of the file is read
all the same, so that all its faults are known at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from duoti.formats.errors import Faults
from duoti.formats.nodes import Items, Node, Table, Text
from duoti.formats.scalars import NOT_A_NUMBER, NOTHING, resolved
from duoti.formats.units import UnitError, quantity
from duoti.model.errors import did_you_mean
from duoti.model.expressions import ExpressionError, compile_expression
from duoti.model.expressions.program import interpret
from duoti.model.fields import Field, fields_of, units_of
from duoti.model.findings import Place
from duoti.model.joints import JOINT_TYPES
from duoti.spatial import Inertia, Pose, Rotation, Shape, combined

BAD: Any = type("Bad", (), {"__repr__": lambda self: "BAD"})()
"""Stands for a value that could not be read."""

Keep = Callable[[str, Node, Any], None]

INERTIAS: dict[str, Callable[..., Inertia]] = {
    name: getattr(Inertia, name)
    for name in ("point", "rod", "box", "cylinder", "hollow_cylinder", "sphere", "shell", "cone", "ellipsoid", "torus")
}
SHAPES: dict[str, Callable[..., Shape]] = {
    name: getattr(Shape, name) for name in ("box", "sphere", "cylinder", "capsule", "mesh")
}
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
    "cavity": Field("cavity", "true or false", False, False),
    **PLACED,
}
"""A shape in the form in which all shapes are saved."""

_COORDINATE = re.compile(r"(?P<name>.+)\[(?P<index>[0-9]{1,4})\]")


def shown(node: Node) -> str:
    """A node in a message."""
    if isinstance(node, Text):
        return "nothing" if node.plain and node.value in NOTHING else repr(node.value[:60])
    return "a list" if isinstance(node, Items) else "a mapping"


class Values:
    """Reads values; knows the parameters, and the folder that files are found in."""

    def __init__(self, faults: Faults, parameters: Mapping[str, float], files: Files):
        self.faults, self.parameters, self.files = faults, parameters, files
        self.broken: set[str] = set()
        """Parameters without a value, whose fault is known already."""
        self.computed = False
        """Set when a value is not written as the number that it is; the caller resets it."""
        self.kinds: dict[str, Callable[[Node, str, Field], Any]] = {
            "number": self.number,
            "whole number": self.whole,
            "true or false": self.truth,
            "text": self.text,
            "marker or body": self.text,
            "body": self.text,
            "joint": self.text,
            "axis": self.axis,
            "law": self.law,
            "laws": self.laws,
            "numbers": self.numbers,
            "limits": self.limits,
            "rotation": self.rotation,
            "inertia": self.inertia,
            "shapes": self.shapes,
            "coefficients": self.coefficients,
            "parts": self.parts,
            "initial values": self.initial,
            "two bodies or markers": self.between,
        }

    def fault(self, node: Node | Place, path: str, message: str) -> Any:
        """Add a fault."""
        self.faults.add(node if isinstance(node, Place) else node.place, path, message)
        return BAD

    def value(self, node: Node, path: str, field: Field) -> Any:
        """A value of the kind that the field takes."""
        if isinstance(node, Text) and node.plain and node.value in NOTHING:
            if not field.required and field.default is None:
                return None
            return self.fault(node, path, f"it has no value; {wanted(field)} is needed")
        return self.kinds.get(field.kind, self.data)(node, path, field)

    # -------------------------------------------------------------------------------------------- single values

    def evaluated(self, node: Text, path: str) -> float:
        """The number of an `=expression` of parameters."""
        text = node.value[1:]
        try:
            names = compile_expression(text).inputs
            if self.broken.intersection(names):
                return BAD
            found = interpret(compile_expression(text, known=(), constants=self.parameters))
        except ExpressionError as error:
            hint = "" if self.parameters else "\n  the file has no parameters"
            moving = re.search(r"\bt\b", text) and "unknown name" in str(error)
            hint += "\n  a law of the time is written without the =" if moving else ""
            return self.fault(node, path, f"{error}{hint}")
        except (ArithmeticError, ValueError) as error:
            return self.fault(node, path, f"{node.value!r} cannot be computed: {error}")
        if not math.isfinite(found):
            return self.fault(node, path, f"{node.value[:60]!r} is {found}")
        self.computed = True
        return found

    def number(self, node: Node, path: str, field: Field) -> float:
        """A finite number, as such, with a unit, or computed from parameters."""
        if not isinstance(node, Text):
            return self.fault(node, path, f"{shown(node)}, but {wanted(field)} is needed")
        text = node.value.strip()
        if text.startswith("="):
            return self.evaluated(Text(text, node.place), path)
        try:
            found = quantity(text, field.units)
        except UnitError as error:
            return self.fault(node, path, str(error))
        if found is None:
            word = resolved(text)
            if isinstance(word, float) or text in NOT_A_NUMBER:
                return self.fault(node, path, f"{text} is not finite; {wanted(field)} is needed")
            hint = f"; to compute it from parameters, write ={text}" if self._computable(text) else ""
            return self.fault(node, path, f"{shown(node)} is not a number{hint}")
        if not math.isfinite(found):
            return self.fault(node, path, f"{text[:40]} is too large for a number")
        self.computed |= not isinstance(resolved(text), float | int)
        return found

    def _computable(self, text: str) -> bool:
        try:
            return bool(compile_expression(text, known=(), constants=self.parameters))
        except (ValueError, ArithmeticError):
            return False

    def whole(self, node: Node, path: str, field: Field) -> int:
        """A whole number."""
        found = self.number(node, path, Field(field.name, "whole number", units=("1",)))
        if found is BAD or not float(found).is_integer() or abs(found) > 1e9:
            return found if found is BAD else self.fault(node, path, f"{shown(node)} is not a whole number")
        return int(found)

    def truth(self, node: Node, path: str, field: Field) -> bool:
        """True or false."""
        if isinstance(node, Text) and node.plain and isinstance(found := resolved(node.value), bool):
            return found
        return self.fault(node, path, f"{shown(node)}; write true or false")

    def text(self, node: Node, path: str, field: Field) -> str:
        """A text."""
        if isinstance(node, Text):
            return node.value
        return self.fault(node, path, f"{shown(node)}, but {wanted(field)} is needed")

    def axis(self, node: Node, path: str, field: Field) -> Any:
        """A letter or a vector."""
        if isinstance(node, Text) and not node.value.startswith("="):
            if node.value.strip().lower().lstrip("+-") in ("x", "y", "z"):
                return node.value
            return self.fault(node, path, f"{shown(node)} is no axis; write x, y, z, -x, ... or [0, 0, 1]")
        return self.vector(node, path, 3, field)

    def law(self, node: Node, path: str, field: Field) -> Any:
        """A number, or the text of an expression, which `check` looks into."""
        if not isinstance(node, Text):
            return self.fault(node, path, f"{shown(node)}, but a number or an expression is needed")
        if node.value.strip().startswith("="):
            return self.number(node, path, field)
        if not node.plain and isinstance(resolved(node.value), float | int):
            return node.value
        try:
            found = quantity(node.value, field.units)
        except UnitError as error:
            if "needed here" in str(error):
                return self.fault(node, path, str(error))
            found = None
        return node.value if found is None and isinstance(resolved(node.value), str) else self.number(node, path, field)

    # ----------------------------------------------------------------------------------------------------- lists

    def each(self, node: Node, path: str, read: Callable[[Node, str], Any]) -> Any:
        """All items of a list, BAD if one of them is."""
        if not isinstance(node, Items):
            return self.fault(node, path, f"{shown(node)}, but a list [...] is needed")
        found = [read(item, f"{path}[{i}]") for i, item in enumerate(node.items)]
        return BAD if any(item is BAD for item in found) else tuple(found)

    def vector(self, node: Node, path: str, size: int, field: Field) -> Any:
        """A list of so many numbers."""
        if isinstance(node, Items) and len(node.items) != size:
            return self.fault(node, path, f"a list of {len(node.items)}; {size} numbers are needed")
        return self.each(node, path, lambda item, where: self.number(item, where, field))

    def numbers(self, node: Node, path: str, field: Field) -> Any:
        """A number, or lists of numbers."""
        if field.name in VECTORS:
            return self.vector(node, path, 3, field)
        if isinstance(node, Items):
            found = self.each(node, path, lambda item, where: self.numbers(item, where, field))
            if found is not BAD and len({np.shape(item) for item in found}) > 1:
                return self.fault(node, path, "a list of lists of different lengths")
            return found
        return self.number(node, path, field)

    def laws(self, node: Node, path: str, field: Field) -> Any:
        """A list of numbers and expressions; `null` for none."""

        def one(item: Node, where: str) -> Any:
            return self.value(item, where, Field(field.name, "law", False, None, field.units))

        return self.each(node, path, one)

    def limits(self, node: Node, path: str, field: Field) -> Any:
        """Pairs (lower, upper), infinite ones allowed."""

        def one(item: Node, where: str) -> Any:
            if isinstance(item, Items):
                return self.each(item, where, one)
            word = resolved(item.value) if isinstance(item, Text) else None
            return word if isinstance(word, float) and math.isinf(word) else self.number(item, where, field)

        return self.each(node, path, one)

    def initial(self, node: Node, path: str, field: Field) -> Any:
        """A number, a list, or a mapping from coordinate names; a rotation may stand for its four numbers."""
        if isinstance(node, Items):
            return self.each(node, path, lambda item, where: self.initial(item, where, field))
        if isinstance(node, Table) and len(node.entries) == 1 and next(iter(node.entries)) in ROTATIONS:
            return self.rotation(node, path, field)
        if isinstance(node, Table):
            found = {key: self.initial(item, f"{path}.{key}", field) for key, item in node.entries.items()}
            return BAD if any(item is BAD for item in found.values()) else found
        return self.number(node, path, field)

    def coefficients(self, node: Node, path: str, field: Field) -> Any:
        """Joints, or their coordinates `A[1]`, with numbers."""
        if not isinstance(node, Table):
            return self.fault(node, path, f"{shown(node)}, but a mapping such as {{A: 1.0, B: -2.0}} is needed")
        found: dict[Any, Any] = {}
        for key, item in node.entries.items():
            parts = _COORDINATE.fullmatch(key)
            found[(parts["name"], int(parts["index"])) if parts else key] = self.number(item, f"{path}.{key}", field)
        return BAD if any(item is BAD for item in found.values()) else found

    def between(self, node: Node, path: str, field: Field) -> Any:
        """The parent and the child of a joint."""
        found = self.each(node, path, lambda item, where: self.text(item, where, field))
        if found is not BAD and len(found) != 2:
            return self.fault(node, path, f"a list of {len(found)}; two bodies or markers, [parent, child], are needed")
        return found

    def data(self, node: Node, path: str, field: Field) -> Any:
        """Plain data: words as YAML has them, numbers with units, `=expressions`, lists and mappings."""
        if isinstance(node, Items):
            return self.each(node, path, lambda item, where: self.data(item, where, field))
        if isinstance(node, Table):
            found = {
                key: self.data(item, f"{path}.{key}", Field(key, "data", units=units_of(key) or field.units))
                for key, item in node.entries.items()
            }
            return BAD if any(item is BAD for item in found.values()) else found
        if node.value.startswith("="):
            return self.number(node, path, field)
        if not node.plain:
            return node.value
        word = resolved(node.value)
        if isinstance(word, float) and math.isnan(word):
            return self.fault(node, path, "it is not a number")
        if isinstance(word, str):
            try:
                found = quantity(word, field.units)
            except UnitError as error:
                return self.fault(node, path, str(error)) if "needed here" in str(error) else word
            return word if found is None else self.number(node, path, field)
        return word

    # ------------------------------------------------------------------------------------------- made of others

    def arguments(self, table: Table, path: str, fields: Mapping[str, Field], of: str, keep: Keep | None = None) -> Any:
        """The values of a mapping by name; unknown keys and missing ones are faults.

        `keep` is called for values that are not written as what they are, with their key and node.
        """
        found: dict[str, Any] = {}
        good = True
        for key, node in table.entries.items():
            if key not in fields:
                good = False
                self.unknown(table, key, path, fields, of)
                continue
            self.computed &= keep is None
            value = self.value(node, f"{path}.{key}", fields[key])
            good &= value is not BAD
            if keep is not None and self.computed and value is not BAD:
                keep(key, node, value)
            found[key] = value
        for name, field in fields.items():
            if field.required and name not in table.entries:
                good = False
                self.fault(table, path, f"{name!r} is missing: {of} needs {wanted(field)}")
        return found if good else BAD

    def unknown(self, table: Table, key: str, path: str, known: Any, of: str) -> None:
        """Add the fault of a key that there is not."""
        names = list(known)
        hint = did_you_mean(key, names) or f" There are: {', '.join(names)}."
        self.fault(table.line_of(key), path, f"unknown key {key[:60]!r} of {of}.{hint}")

    def made(self, node: Node, path: str, makers: Mapping[str, Callable[..., Any]], of: str) -> Any:
        """What `{maker: {arguments}}` makes; a maker with one argument may have it as it is."""
        assert isinstance(node, Table)
        (kind, content), *more = node.entries.items()
        if kind not in makers or more:
            if kind in makers:
                return self.fault(node, path, f"more than one {of}: {', '.join(node.entries)}; write one")
            self.unknown(node, kind, path, makers, of)
            return BAD
        self.computed = True
        here = f"{path}.{kind}"
        fields = fields_of(makers[kind])
        if len(fields) == 1 and not isinstance(content, Table):
            ((name, field),) = fields.items()
            value = self.value(content, here, field)
            values = BAD if value is BAD else {name: value}
        elif isinstance(content, Table):
            values = self.arguments(content, here, fields, kind)
        else:
            return self.fault(content, here, f"{shown(content)}, but a mapping {{{', '.join(fields)}}} is needed")
        return BAD if values is BAD else self.call(makers[kind], values, content.place, here)

    def call(self, maker: Callable[..., Any], values: Mapping[str, Any], place: Place, path: str) -> Any:
        """What a constructor makes of values; its refusal is a fault."""
        try:
            with np.errstate(all="ignore"):
                return maker(**values)
        except (TypeError, ValueError, ArithmeticError) as error:
            return self.fault(place, path, str(error))

    def rotation(self, node: Node, path: str, field: Field) -> Any:
        """A quaternion, a matrix, or `{about: {axis: z, angle: 30 deg}}` and the like."""
        if isinstance(node, Table) and node.entries:
            return self.made(node, path, ROTATIONS, "rotation")
        found = self.numbers(node, path, Field("rotation", "numbers", units=("1",)))
        if found is not BAD:
            if np.shape(found) not in ((4,), (3, 3)):
                forms = ", ".join(ROTATIONS)
                return self.fault(node, path, f"{shown(node)} is no rotation; give a quaternion [w, x, y, z], a 3x3 "
                                  f"matrix, or one of {forms}, as in {{about: {{axis: z, angle: 30 deg}}}}")  # fmt: skip
            if self.call(Rotation.from_any, {"x": found}, node.place, path) is BAD:
                return BAD
        return found

    def inertia(self, node: Node, path: str, field: Field) -> Any:
        """`{rod: {...}}` and the like, `{mass, com, matrix}`, or `{combined: [parts]}`."""
        if not isinstance(node, Table) or not node.entries:
            return self.fault(node, path, f"{shown(node)}; write e.g. {{sphere: {{mass: 1, radius: 0.1}}}}")
        if "combined" in node.entries:
            return self.combined(node, path, field)
        own = fields_of(Inertia)
        if set(node.entries) & set(own):
            matrix = {"matrix": Field("matrix", "numbers", units=own["matrix"].units)}
            values = self.arguments(node, path, {**own, **matrix}, "inertia")
            return BAD if values is BAD else self.call(Inertia, values, node.place, path)
        return self.made(node, path, INERTIAS, "inertia")

    def combined(self, node: Table, path: str, field: Field) -> Any:
        """Parts and cavities of one body, each of them moved if it says so."""
        self.computed = True
        for key in node.entries:
            if key != "combined":
                self.unknown(node, key, path, ["combined"], "a combined inertia")
        found = self.each(
            node.entries["combined"], f"{path}.combined", lambda item, where: self.part(item, where, field)
        )
        return BAD if found is BAD else self.call(combined, {"parts": found}, node.place, path)

    def part(self, node: Node, path: str, field: Field) -> Any:
        """One of them: an inertia with `position`, `rotation` and `cavity` beside its shape."""
        if not isinstance(node, Table):
            return self.inertia(node, path, field)
        extra = {**PLACED, "cavity": ANY_SHAPE["cavity"]}
        inner = Table({k: v for k, v in node.entries.items() if k not in extra}, node.place, node.keys)
        outer = Table({k: v for k, v in node.entries.items() if k in extra}, node.place, node.keys)
        inertia, values = self.inertia(inner, path, field), self.arguments(outer, path, extra, "a part")
        if inertia is BAD or values is BAD:
            return BAD
        if "position" in values or "rotation" in values:
            inertia = inertia.moved(values.get("position"), values.get("rotation"))
        return -inertia if values.get("cavity") else inertia

    def shapes(self, node: Node, path: str, field: Field) -> Any:
        """A list of shapes to draw."""
        return self.each(node, path, self.shape)

    def shape(self, node: Node, path: str) -> Any:
        """`{box: {size: [...]}}` and the like, or the general form `{kind, dimensions, ...}`."""
        if not isinstance(node, Table) or not node.entries:
            return self.fault(node, path, f"{shown(node)}; write e.g. {{sphere: {{radius: 0.1}}}}")
        if "kind" not in node.entries:
            found = self.made(node, path, SHAPES, "shape")
        else:
            found = self._any_shape(node, path)
        if found is BAD or not found.file:
            return found
        file = self.files.mesh(found.file)
        if file is None:
            return self.fault(node, path, f"the file {found.file!r} is outside the folder of the model file; "
                              "allow_outside=True allows that")  # fmt: skip
        return Shape(found.kind, found.dimensions, found.pose, found.cavity, file, found.colour)

    def _any_shape(self, node: Table, path: str) -> Any:
        values = self.arguments(node, path, ANY_SHAPE, "shape")
        if values is BAD:
            return BAD
        sizes = values.get("dimensions", {})
        numbers = isinstance(sizes, dict) and all(isinstance(x, float | int) for x in sizes.values())
        if not numbers:
            return self.fault(node.line_of("dimensions"), path, "dimensions are a mapping of names and lengths")
        pose = self.call(Pose, {"rotation": values.get("rotation"), "position": values.get("position", (0, 0, 0))},
                         node.place, path)  # fmt: skip
        if pose is BAD:
            return BAD
        dimensions = tuple((name, float(size)) for name, size in sizes.items())
        others = {name: values[name] for name in ("cavity", "file", "colour") if name in values}
        return Shape(values["kind"], dimensions, pose, **others)

    def parts(self, node: Node, path: str, field: Field) -> Any:
        """The joints that a composite joint is made of."""

        def one(item: Node, where: str) -> Any:
            if not isinstance(item, Table):
                return self.fault(item, where, f"{shown(item)}, but a joint {{type: revolute, axis: z}} is needed")
            return self.typed(item, where, JOINT_TYPES, "joint", {})[0]

        return self.each(node, path, one)

    def typed(
        self,
        table: Table,
        path: str,
        types: Mapping[str, Any],
        of: str,
        extra: Mapping[str, Field],
        keep: Keep | None = None,
    ) -> Any:
        """An object of the type that the key `type` names, and the values of `extra` keys beside it; BAD for either."""
        kind = table.entries.get("type")
        if kind is None:
            return self.fault(table, path, f"'type' is missing: {of} needs one of {', '.join(types)}"), BAD
        if not isinstance(kind, Text) or kind.value not in types:
            hint = did_you_mean(kind.value, types) if isinstance(kind, Text) else ""
            hint = hint or f" There are: {', '.join(types)}."
            return self.fault(kind, path, f"there is no {of} type {shown(kind)}.{hint}"), BAD
        cls = types[kind.value]
        fields = fields_of(cls)
        rest = Table({k: v for k, v in table.entries.items() if k != "type"}, table.place, table.keys)
        values = self.arguments(rest, path, {**fields, **extra}, kind.value, keep)
        if values is BAD:
            return BAD, BAD
        others = {name: values.pop(name) for name in extra if name in values}
        several = [name for name, field in fields.items() if field.kind == "parts"]
        parts = values.pop(several[0]) if several else ()
        return self.call(lambda **given: cls(*parts, **given), values, table.place, path), others


VECTORS = ("position", "at", "com", "gravity", "size", "semi_axes", "vector")
"""Numbers that come in threes."""


def wanted(field: Field) -> str:
    """What a field takes, in words."""
    article = "" if field.kind in ("numbers", "laws", "limits", "shapes", "parts", "coefficients", "true or false") else (
        "an " if field.kind[0] in "aei" else "a ")  # fmt: skip
    return f"{article}{field.kind}" + (f" [{field.unit}]" if field.unit and field.unit != "1" else "")


class Files:
    """Where files that a model file names are looked for: in its folder, and only below that of the first model file."""

    def __init__(self, folder: Path | None, root: Path | None, allow_outside: bool):
        self.folder, self.root, self.allow_outside = folder, root, allow_outside

    def inside(self, path: Path) -> bool:
        """Whether a file may be read, links followed."""
        return self.allow_outside or (self.root is not None and path.resolve().is_relative_to(self.root))

    def mesh(self, name: str) -> str | None:
        """The path of a mesh; as it is written if there is no folder; None if it is not allowed."""
        if self.folder is None or "://" in name:
            return name
        path = self.folder / name
        try:
            return str(path) if self.inside(path) else None
        except (OSError, ValueError, RuntimeError):
            return None
