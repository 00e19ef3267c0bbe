"""Models within a model file, each under a prefix."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from duoti.formats import schema
from duoti.formats.key_path import KeyPath
from duoti.formats.nodes import Table
from duoti.formats.simple_values import BAD, shown
from duoti.model.errors import ModelError
from duoti.model.fields import Field
from duoti.model.model import Model

if TYPE_CHECKING:
    from duoti.formats.read import Reader

MAX_LEVELS = 10  # files and models within each other
MAX_COPIED = 20_000  # elements that come from sub-models


def add_submodel(reader: Reader, model: Model, name: str, table: Table, path: KeyPath) -> None:
    """Add another model under a prefix."""
    own = Table(
        {k: v for k, v in table.entries.items() if k not in ("model", "parameters")}, table.location, table.keys
    )
    fields = {key: of for key, of in schema.SUBMODEL.items() if key not in ("model", "parameters")}
    values = reader.values.arguments(own, path, fields, "submodel")
    given = _parameters(reader, table, path)
    inline, file = table.entries.get("model"), table.entries.get("file")
    if (inline is None) == (file is None):
        text = "give either 'file', the name of a model file, or 'model', a mapping"
        reader.values.fault(table.location, path, text, "missing-key", "file")
        reader.context.unsound = True
        return
    if isinstance(inline, Table):
        if len(reader.above) >= MAX_LEVELS:
            reader.values.fault(inline, path, f"more than {MAX_LEVELS} models within each other")
            return
        opened = inline, type(reader)(reader.context, reader.folder, (*reader.above, Path(str(path))))
    elif inline is not None:
        reader.values.fault(inline, path, f"{shown(inline)}, but a mapping with bodies, joints, ... is needed")
        opened = None
    else:
        assert file is not None
        opened = reader.opened(file, path / "file")
    if opened is None or values is BAD or given is BAD:
        reader.context.unsound = True
        return
    before = len(reader.context.faults.found)
    part = opened[1].model(opened[0], given, name)
    count = sum(len(getattr(part, section)) for section in schema.SECTIONS if section != "submodels")
    reader.context.copied += count
    if reader.context.copied > MAX_COPIED:
        reader.values.fault(table.location, path, f"the sub-models have more than {MAX_COPIED} elements")
        reader.context.unsound = True
    if reader.context.unsound or len(reader.context.faults.found) > before:
        reader.context.unsound = True
        return
    try:
        model.add_submodel(name, part, values.get("position"), values.get("rotation"))
    except ModelError as error:
        reader.context.faults.found += [f for f in error.report.errors if f not in reader.context.faults.found]
        reader.context.unsound = True


def _parameters(reader: Reader, table: Table, path: KeyPath) -> Any:
    """The values that a sub-model's parameters are given."""
    node = table.entries.get("parameters")
    if node is None:
        return {}
    if not isinstance(node, Table):
        return reader.values.fault(node, path, f"{shown(node)}, but a mapping of parameters is needed")
    found = {
        key: reader.values.value(item, path / "parameters" / key, Field("parameter", "number"))
        for key, item in node.entries.items()
    }
    return BAD if any(value is BAD for value in found.values()) else found
