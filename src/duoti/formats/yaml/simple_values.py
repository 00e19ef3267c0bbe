"""From nodes of a file to simple values: numbers with units and `=expressions`, texts, axes, laws, lists of these.

A reader of one kind of value returns it, or `BAD` after adding what is wrong to the faults: the rest of the file is
read all the same, so that all its faults are known at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from duoti.formats.errors import Faults
from duoti.formats.key_path import FILE, KeyPath
from duoti.formats.yaml.nodes import Items, Node, Table, Text
from duoti.formats.yaml.units import (
    NOT_A_NUMBER,
    NULL_WORDS,
    UnitError,
    WrongUnitError,
    quantity,
    resolved,
    unit_in_a_law,
)
from duoti.model.checks.findings import SourceLocation
from duoti.model.constructor_schema import Field, units_of
from duoti.model.errors import did_you_mean
from duoti.model.laws.expressions import ExpressionError, compile_expression
from duoti.model.laws.expressions.program import interpret
from duoti.spatial.axes import LARGEST
from duoti.spelling import with_article

BAD: Any = type("Bad", (), {"__repr__": lambda self: "BAD"})()
"""Stands for a value that could not be read."""

_COORDINATE = re.compile(r"(?P<name>.+)\[(?P<index>[0-9]{1,4})\]")


def shown(node: Node) -> str:
    """A node in a message."""
    if isinstance(node, Text):
        return "nothing" if node.plain and node.value in NULL_WORDS else repr(node.value[:60])
    return "a list" if isinstance(node, Items) else "a mapping"


VECTORS = ("start", "end", "position", "at", "com", "gravity", "size", "semi_axes", "vector")
"""Numbers that come in threes."""


def wanted(field: Field) -> str:
    """What a field takes, in words."""
    several = ("numbers", "laws", "limits", "shapes", "parts", "coefficients", "true or false",
               "laws by name", "two bodies or markers", "two sides", "markers or bodies")  # fmt: skip
    called = field.kind if field.kind in several else with_article(field.kind)
    return called + (f" [{field.unit}]" if field.unit and field.unit != "1" else "")


UNLIMITED = ("effort_limit", "velocity_limit")
"""Keys whose numbers may be infinite, as those of `limits`."""


class SimpleValues:
    """Reads values that are made of nothing but words and lists; knows the parameters."""

    def __init__(self, faults: Faults, parameters: Mapping[str, float]):
        self.faults, self.parameters = faults, parameters
        self.broken: set[str] = set()
        """Parameters without a value, whose fault is known already."""
        self.computed = False
        """Set when a value is not written as the number that it is; the caller resets it."""
        self.kinds: dict[str, Callable[[Node, KeyPath, Field], Any]] = {
            "number": self.number,
            "whole number": self.integer,
            "true or false": self.truth,
            "text": self.text,
            "marker or body": self.text,
            "markers or bodies": self.names,
            "body": self.text,
            "joint": self.text,
            "axis": self.axis,
            "law": self.law,
            "laws": self.laws,
            "laws by name": self.laws_by_name,
            "numbers": self.numbers,
            "limits": self.limits,
            "coefficients": self.coefficients,
            "two bodies or markers": self.between,
            "two sides": self.sides,
            "point, marker or body": self.end,
        }
        """The reader of each kind; any other is plain data."""

    def fault(
        self, node: Node | SourceLocation, path: KeyPath, message: str, code: str = "bad-value", key: str = ""
    ) -> Any:
        """Add a fault; see `Faults.add`."""
        self.faults.add(node if isinstance(node, SourceLocation) else node.location, path, message, code, key)
        return BAD

    def value(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A value of the kind that the field takes."""
        if isinstance(node, Text) and node.plain and node.value in NULL_WORDS:
            if not field.required and field.default is None:
                return None
            return self.fault(node, path, f"it has no value; {wanted(field)} is needed")
        return self.kinds.get(field.kind, self.data)(node, path, field)

    # -------------------------------------------------------------------------------------------- single values

    def evaluated(self, node: Text, path: KeyPath) -> float:
        """The number of an `=expression` of parameters."""
        text = node.value[1:]
        try:
            found = interpret(compile_expression(text, known=(), constants=self.parameters))
        except ExpressionError as error:
            if self.broken.intersection(error.unknown):
                return BAD
            hint = "" if self.parameters else "\n  the file has no parameters"
            hint += "\n  a law of the time is written without the =" if "t" in error.unknown else ""
            return self.fault(node, path, f"{error}{hint}", "bad-expression")
        except (ArithmeticError, ValueError) as error:
            return self.fault(node, path, f"{node.value!r} cannot be computed: {error}", "bad-expression")
        if not abs(found) <= LARGEST:
            return self.fault(node, path, f"{node.value[:60]!r} is {found}")
        self.computed = True
        return found

    def number(self, node: Node, path: KeyPath, field: Field) -> float:
        """A finite number, as such, with a unit, or computed from parameters."""
        if not isinstance(node, Text):
            return self.fault(node, path, f"{shown(node)}, but {wanted(field)} is needed")
        text = node.value.strip()
        if text.startswith("="):
            return self.evaluated(Text(text, node.location), path)
        try:
            found = quantity(text, field.units)
        except UnitError as error:
            return self.fault(node, path, str(error), "wrong-unit")
        if found is None:
            word = resolved(text)
            if word == math.inf and field.name in UNLIMITED:
                return math.inf
            if isinstance(word, float) or text in NOT_A_NUMBER:
                return self.fault(node, path, f"{text} is not finite; {wanted(field)} is needed")
            hint = f"; to compute it from parameters, write ={text}" if self._computable(text) else ""
            return self.fault(node, path, f"{shown(node)} is not a number{hint}")
        if abs(found) > LARGEST:
            return self.fault(node, path, f"{text[:40]} is too large; no number of a model is beyond {LARGEST:g}")
        self.computed |= not isinstance(resolved(text), float | int)
        return found

    def _computable(self, text: str) -> bool:
        try:
            return bool(compile_expression(text, known=(), constants=self.parameters))
        except (ValueError, ArithmeticError):
            return False

    def integer(self, node: Node, path: KeyPath, field: Field) -> int:
        """A whole number."""
        found = self.number(node, path, Field(field.name, "whole number", units=("1",)))
        if found is BAD:
            return BAD
        if not found.is_integer() or abs(found) > 1e9:
            return self.fault(node, path, f"{shown(node)} is not a whole number")
        return int(found)

    def truth(self, node: Node, path: KeyPath, field: Field) -> bool:
        """True or false."""
        if isinstance(node, Text) and node.plain and isinstance(found := resolved(node.value), bool):
            return found
        return self.fault(node, path, f"{shown(node)}; write true or false")

    def text(self, node: Node, path: KeyPath, field: Field) -> str:
        """A text."""
        if isinstance(node, Text):
            return node.value
        return self.fault(node, path, f"{shown(node)}, but {wanted(field)} is needed")

    def axis(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A letter or a vector."""
        if isinstance(node, Text) and not node.value.startswith("="):
            if node.value.strip().lower().lstrip("+-") in ("x", "y", "z"):
                return node.value
            return self.fault(node, path, f"{shown(node)} is no axis; write x, y, z, -x, ... or [0, 0, 1]")
        return self.vector(node, path, 3, field)

    def law(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A number, or the text of an expression, which `check` looks into."""
        if not isinstance(node, Text):
            return self.fault(node, path, f"{shown(node)}, but a number or an expression is needed")
        if node.value.strip().startswith("="):
            return self.number(node, path, field)
        if not node.plain and isinstance(resolved(node.value), float | int):
            return node.value
        if why := unit_in_a_law(node.value, self.parameters):
            return self.fault(node, path, why, "bad-expression")
        try:
            found = quantity(node.value, field.units)
        except WrongUnitError as error:
            return self.fault(node, path, str(error), "wrong-unit")
        except UnitError:
            found = None
        return node.value if found is None and isinstance(resolved(node.value), str) else self.number(node, path, field)

    # ----------------------------------------------------------------------------------------------------- lists

    def each(self, node: Node, path: KeyPath, read: Callable[[Node, KeyPath], Any]) -> Any:
        """All items of a list, BAD if one of them is."""
        if not isinstance(node, Items):
            return self.fault(node, path, f"{shown(node)}, but a list [...] is needed")
        found = [read(item, path / i) for i, item in enumerate(node.items)]
        return BAD if any(item is BAD for item in found) else tuple(found)

    def vector(self, node: Node, path: KeyPath, size: int, field: Field) -> Any:
        """A list of so many numbers."""
        if isinstance(node, Items) and len(node.items) != size:
            return self.fault(node, path, f"a list of {len(node.items)}; {size} numbers are needed")
        return self.each(node, path, lambda item, where: self.number(item, where, field))

    def numbers(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A number, or lists of numbers."""
        if field.name in VECTORS:
            return self.vector(node, path, 3, field)
        if isinstance(node, Items):
            found = self.each(node, path, lambda item, where: self.numbers(item, where, field))
            if found is not BAD and len({np.shape(item) for item in found}) > 1:
                return self.fault(node, path, "a list of lists of different lengths")
            return found
        return self.number(node, path, field)

    def laws(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A list of numbers and expressions; `null` for none."""

        def one(item: Node, where: KeyPath) -> Any:
            return self.value(item, where, Field(field.name, "law", False, None, field.units))

        return self.each(node, path, one)

    def laws_by_name(self, node: Node, path: KeyPath, field: Field) -> Any:
        """Names of states with numbers and expressions."""
        if not isinstance(node, Table):
            return self.fault(node, path, f'{shown(node)}, but a mapping such as {{u: "-3*A.angle"}} is needed')
        of = Field(field.name, "law")
        found = {key: self.value(item, path / key, of) for key, item in node.entries.items()}
        return BAD if any(item is BAD for item in found.values()) else found

    def limits(self, node: Node, path: KeyPath, field: Field) -> Any:
        """Pairs (lower, upper), of any size, also infinite."""

        def one(item: Node, where: KeyPath) -> Any:
            if isinstance(item, Items):
                return self.each(item, where, one)
            word = resolved(item.value) if isinstance(item, Text) else None
            return float(word) if isinstance(word, float) and not math.isnan(word) else self.number(item, where, of)

        of = field
        if not isinstance(node, Items) or len(field.each) != len(node.items):
            return self.each(node, path, one)
        found: list[Any] = []
        for i, (item, units) in enumerate(zip(node.items, field.each, strict=True)):
            of = replace(field, units=units)
            found.append(one(item, path / i))
        return BAD if any(item is BAD for item in found) else tuple(found)

    def coefficients(self, node: Node, path: KeyPath, field: Field) -> Any:
        """Joints, or their coordinates `A[1]`, with numbers."""
        if not isinstance(node, Table):
            return self.fault(node, path, f"{shown(node)}, but a mapping such as {{A: 1.0, B: -2.0}} is needed")
        found: dict[Any, Any] = {}
        for key, item in node.entries.items():
            parts = _COORDINATE.fullmatch(key)
            found[(parts["name"], int(parts["index"])) if parts else key] = self.number(item, path / key, field)
        return BAD if any(item is BAD for item in found.values()) else found

    def names(self, node: Node, path: KeyPath, field: Field) -> Any:
        """A list of names."""
        return self.each(node, path, lambda item, where: self.text(item, where, field))

    def between(self, node: Node, path: KeyPath, field: Field) -> Any:
        """The parent and the child of a joint."""
        found = self.names(node, path, field)
        if found is not BAD and len(found) != 2:
            return self.fault(node, path, f"a list of {len(found)}; two bodies or markers, [parent, child], are needed")
        return found

    def sides(self, node: Node, path: KeyPath, field: Field) -> Any:
        """Both sides of a contact: a body or marker each, a list of such, or "all"."""

        def one(item: Node, where: KeyPath) -> Any:
            if isinstance(item, Items):
                found = self.each(item, where, lambda name, place: self.text(name, place, field))
                return BAD if found is BAD else list(found)
            return self.text(item, where, field)

        if not isinstance(node, Items):
            return self.fault(node, path, f"{shown(node)}, but two sides are needed: [ground, ball], or [all, all]")
        found = self.each(node, path, one)
        if found is not BAD and len(found) != 2:
            text = "two bodies or markers, two lists of such, or all"
            return self.fault(node, path, f"a list of {len(found)}; {text} are needed: [ground, ball]")
        return found

    def end(self, node: Node, path: KeyPath, field: Field) -> Any:
        """An end of a cable: a point, or the name of a marker or body."""
        return self.text(node, path, field) if isinstance(node, Text) else self.vector(node, path, 3, field)

    def data(self, node: Node, path: KeyPath, field: Field) -> Any:
        """Plain data: words as YAML has them, numbers with units, `=expressions`, lists and mappings."""
        if isinstance(node, Items):
            return self.each(node, path, lambda item, where: self.data(item, where, field))
        if isinstance(node, Table):
            named = path == ANALYSES  # below are names that the author chose: "step" is no time there
            found = {
                key: self.data(
                    item, path / key, Field(key, "data", units=() if named else _units_of_number(key) or field.units)
                )
                for key, item in node.entries.items()
            }
            return BAD if any(item is BAD for item in found.values()) else found
        if node.value.startswith("="):
            return self.number(node, path, field)
        if not node.plain:
            return node.value
        word = resolved(node.value)
        endless = isinstance(word, float) and math.isinf(word) and node.value.lstrip("+-").startswith(".")
        if isinstance(word, float | int) and not (abs(word) <= LARGEST or endless):
            return self.number(node, path, field)
        if isinstance(word, str):
            try:
                found = quantity(word, field.units)
            except WrongUnitError as error:
                return self.fault(node, path, str(error), "wrong-unit")
            except UnitError:
                return word
            return word if found is None else self.number(node, path, field)
        return word

    def unknown(self, table: Table, key: str, path: KeyPath, known: Collection[str], of: str) -> None:
        """Add the fault of a key that there is not."""
        names = list(known)
        hint = "" if self.faults.full else did_you_mean(key, names) or f" There are: {', '.join(names)}."
        self.fault(table.line_of(key), path, f"unknown key {key[:60]!r} of {of}.{hint}", "unknown-key", key)


ANALYSES = FILE / "analyses"
INITIAL = {"q0": ("rad", "m"), "v0": ("rad/s", "m/s")}
"""Units of initial values, of which a joint has one or both."""


def _units_of_number(name: str) -> tuple[str, ...]:
    """Units of a key, or of what it names: "mass", "rod.mass", "tip.position.x"."""
    words = name.split(".")
    field = words[-2] if len(words) > 2 and words[-1] in ("x", "y", "z") else words[-1]
    return units_of(name) or units_of(field) or INITIAL.get(field, ())
