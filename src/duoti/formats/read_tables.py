"""The tables of a model file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.formats import schema
from duoti.formats.key_path import KeyPath
from duoti.formats.nodes import Node, Table, UnreadableError, read_text
from duoti.formats.simple_values import BAD
from duoti.formats.tables import columns_of, factors_of
from duoti.model.model import Model

if TYPE_CHECKING:
    from duoti.formats.read import Reader


def add_table(reader: Reader, model: Model, name: str, table: Table, path: KeyPath) -> None:
    """Add a table to the model, from lists or from a file."""
    reader.values.computed = False
    values = reader.values.arguments(table, path, schema.TABLE, "a table")
    if values is BAD:
        return
    columns, units = values.pop("columns", (1, 2)), values.pop("units", None)
    file = values.pop("file", None)
    points: Any = [values.pop(key, None) for key in ("x", "y")]
    if (file is None) != all(each is not None for each in points) or (file is not None and any(points)):
        text = "give either 'x' and 'y', two lists, or 'file', the name of a CSV file"
        reader.values.fault(table.location, path, text, "missing-key", "file")
        return
    try:
        factors = [1.0, 1.0] if units is None else factors_of(units)
    except ValueError as error:
        reader.values.fault(table.line_of("units"), path / "units", str(error), "wrong-unit")
        return
    if file is not None:
        points = _columns(reader, table.entries["file"], path / "file", columns, units)
    elif "columns" in table.entries or (reader.values.computed and units is not None):
        key = "columns" if "columns" in table.entries else "units"
        why = "is for files" if key == "columns" else "is for plain numbers, but some have units of their own"
        reader.values.fault(table.line_of(key), path / key, f"{key!r} {why}")
        return
    else:
        points = [np.asarray(each, float) * factor for each, factor in zip(points, factors, strict=True)]
    if points is not None:
        model.add_table(name, *points, **values)


def _columns(reader: Reader, node: Node, path: KeyPath, columns: Any, units: Any) -> Any:
    """The points of a table in a file, None if it has faults."""
    found = reader.located(node, path)
    if found is None:
        return None
    name, file, _ = found
    try:
        return columns_of(read_text(file, str(file)), str(file), columns, units, reader.context.faults, path)
    except UnreadableError as error:
        where = node.location if not error.location.line else error.location
        reader.context.faults.add(where, path, f"{name!r}: {error.message}", "bad-file")
    return None
