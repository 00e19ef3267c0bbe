"""From the text of a model file to a `Model`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from duoti.formats.csv_tables import columns_of, factors_of
from duoti.formats.errors import Faults
from duoti.formats.key_path import FILE, KeyPath
from duoti.formats.yaml import sections as schema
from duoti.formats.yaml.assemblies import with_components
from duoti.formats.yaml.bond_graphs import add_bond_graph
from duoti.formats.yaml.check import add_check
from duoti.formats.yaml.context import Context, parsed
from duoti.formats.yaml.elements import add_simple, add_typed
from duoti.formats.yaml.encode import encoded
from duoti.formats.yaml.nodes import MAX_ALL_BYTES, Items, Node, Table, Text, UnreadableError, is_damaged, read_text
from duoti.formats.yaml.parameters import read_parameters
from duoti.formats.yaml.simple_values import BAD, shown
from duoti.formats.yaml.units import resolved
from duoti.formats.yaml.values import Keep, Values
from duoti.model.checks.findings import SourceLocation
from duoti.model.constructor_schema import Field, units_of
from duoti.model.element_id import KINDS, ElementId
from duoti.model.elements import GROUND
from duoti.model.errors import ModelError, ParameterError
from duoti.model.file_source import Source
from duoti.model.model import Model
from duoti.model.parameters import find

MAX_LEVELS = 10  # files and models within each other
PLACE = ("position", "rotation", "mirror", "ground")  # where a sub-model is
MAX_COPIED = 20_000  # elements that come from sub-models


def add_submodel(reader: Reader, model: Model, name: str, table: Table, path: KeyPath) -> None:
    """Add another model under a prefix."""
    own = Table(
        {k: v for k, v in table.entries.items() if k not in ("model", "part", "parameters")}, table.location, table.keys
    )
    fields = {key: of for key, of in schema.SUBMODEL.items() if key not in ("model", "part", "parameters")}
    values = reader.values.arguments(own, path, fields, "submodel")
    given = _parameters(reader, table, path)
    inline, file, part = (table.entries.get(key) for key in ("model", "file", "part"))
    if [inline, file, part].count(None) != 2:
        text = "give one of 'file', the name of a model file, 'model', a mapping, and 'part', one that comes with duoti"
        reader.values.fault(table.location, path, text, "missing-key", "file")
        reader.context.unsound = True
        return
    before = len(reader.context.faults.found)
    made = _delivered(reader, part, table, path) if part is not None else _read(reader, inline, file, given, name, path)
    if made is None or values is BAD or given is BAD:
        reader.context.unsound = True
        return
    count = sum(len(getattr(made, section)) for section in schema.section_names() if section != "submodels")
    reader.context.copied += count
    if reader.context.copied > MAX_COPIED:
        reader.values.fault(table.location, path, f"the sub-models have more than {MAX_COPIED} elements")
        reader.context.unsound = True
    if reader.context.unsound or len(reader.context.faults.found) > before:
        reader.context.unsound = True
        return
    try:
        model.add_submodel(name, made, **{key: values[key] for key in PLACE if key in values})
        for key in ("part", "parameters", "position", "rotation"):  # so that nobody changes what was computed with
            if (node := table.entries.get(key)) is not None:
                model.sources["submodels", name, key] = Source(as_written(node), None)
    except ModelError as error:
        reader.context.faults.found += [f for f in error.report.errors if f not in reader.context.faults.found]
        reader.context.unsound = True
    except ValueError as error:  # what has no mirror image, no such ground
        reader.values.fault(table.location, path, str(error))
        reader.context.unsound = True


def _delivered(reader: Reader, part: Any, table: Table, path: KeyPath) -> Model | None:
    """A part that comes with duoti."""
    if "parameters" in table.entries:
        text = "the parameters of a part are its own keys: part: {double_wishbone: {stiffness: 80e3}}"
        reader.values.fault(table.entries["parameters"], path / "parameters", text)
        return None
    made = reader.values.value(part, path / "part", Field("part", "part"))
    return None if made is BAD else made


def _read(reader: Reader, inline: Any, file: Any, given: Any, name: str, path: KeyPath) -> Model | None:
    """The model of another file, or one that stands in place."""
    if isinstance(inline, Table):
        if len(reader.above) >= MAX_LEVELS:
            reader.values.fault(inline, path, f"more than {MAX_LEVELS} models within each other")
            return None
        opened = inline, type(reader)(reader.context, reader.folder, (*reader.above, Path(str(path))))
    elif inline is not None:
        reader.values.fault(inline, path, f"{shown(inline)}, but a mapping with bodies, joints, ... is needed")
        opened = None
    else:
        assert file is not None
        opened = reader.opened(file, path / "file")
    return None if opened is None or given is BAD else opened[1].model(opened[0], given, name)


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
    found = reader.resolved_file(node, path)
    if found is None:
        return None
    name, file, _ = found
    try:
        return columns_of(read_text(file, str(file)), str(file), columns, units, reader.context.faults, path)
    except UnreadableError as error:
        where = node.location if not error.location.line else error.location
        reader.context.faults.add(where, path, f"{name!r}: {error.message}", "bad-file")
    return None


OTHERS = {"tables": add_table, "bond_graphs": add_bond_graph, "submodels": add_submodel}
"""Sections whose elements are read by functions of their own."""
SETTINGS = tuple(key for key in schema.TASKS if key not in ("outputs", "plots"))
"""Tasks that are mappings; others are lists."""
MAX_FILES = 200  # files and sub-models that one model is made of


def model_from_text(
    text: str, name: str, folder: Path | None, parameters: Mapping[str, float | str] | None, allow_outside: bool
) -> Model:
    """The model of a text; `name` is what messages call it, `folder` where other files are looked for."""
    context = Context(Faults(name), allow_outside, folder.resolve() if folder else None)
    model = Model(Path(name).stem)
    try:
        table = parsed(context, text, name)
    except UnreadableError as error:
        context.faults.add(error.location, FILE, error.message, "unreadable")
        table = None
    if table is not None:
        model = Reader(context, folder, ()).model(table, parameters or {}, Path(name).stem)
    if not allow_outside:
        model.mesh_folders = () if context.root is None else (context.root,)
    add_check(model, context)
    if context.faults.found:
        raise context.faults.error()
    return model


class Reader:
    """Reads one file, or a model within a file."""

    def __init__(self, context: Context, folder: Path | None, above: tuple[Path, ...]):
        self.context, self.folder, self.above = context, folder, above
        self.values = Values(context.faults, {}, folder)
        self.values.may_read = context.may_read

    def model(self, table: Table, given: Mapping[str, float | str], name: str) -> Model:
        """The model; faults are added to the context."""
        table = self.included(table)
        self.context.unsound |= self.context.damaged and (
            table.damaged or any(isinstance(node, Table) and node.damaged for node in table.entries.values())
        )
        self.context.unsound |= any(
            self.not_a_table(table, key)
            for key in (*schema.section_names(), "parameters", "ground", "materials", "sections")
            if key in table.entries
        )
        for key in table.entries:
            if key not in schema.file_keys():
                self.values.unknown(table, key, FILE, schema.file_keys(), "a model file")
        model = Model(name)
        if "name" in table.entries:
            title = self.values.value(table.entries["name"], FILE / "name", Field("name", "text"))
            model.name = name if title is BAD else title
        self.parameters(model, table, given)
        if "gravity" in table.entries:
            gravity = self.kept(
                model, ("gravity",), table.entries["gravity"], Field("gravity", "numbers", units=("m/s^2",))
            )
            model.gravity = model.gravity if gravity is BAD else gravity
            model.source_locations[("gravity",)] = table.line_of("gravity")
        for kind in ("materials", "sections"):
            if isinstance(found := table.entries.get(kind), Table):
                for key, node in found.entries.items():
                    self.values.beams.define(kind, key, node, KeyPath((kind, key)))
        self.values.tables = model.tables
        for section in schema.section_names():
            if section == "bodies":  # after the tables, which shapes may read
                self.ground(model, table)
            if isinstance(elements := table.entries.get(section), Table):
                for key, node, place in with_components(section, elements, self.values.fault):
                    self.element(model, section, key, node, place)
        self.numbers(model, table, {name: given[name] for name in given if name not in model.parameters})
        self.tasks(model, table)
        return model

    def ground(self, model: Model, table: Table) -> None:
        """What there is to see of the ground, and to touch."""
        if isinstance(ground := table.entries.get("ground"), Table):
            model.source_locations[("ground",)] = table.line_of("ground")

            def keep(key: str, node: Node, value: Any) -> None:
                model.sources["ground", key] = Source(as_written(node), encoded(value, schema.GROUND[key]))

            values = self.values.arguments(ground, FILE / "ground", schema.GROUND, "ground", keep)
            model.ground.shapes = [] if values is BAD else list(values.get("shapes", ()))
            if values is BAD:
                self.context.faults.spoiled.add(ElementId("body", GROUND))

    def not_a_table(self, table: Table, key: str) -> bool:
        """Whether a section is no mapping, which is then a fault; an empty one is none."""
        node = table.entries[key]
        if isinstance(node, Table) or (isinstance(node, Text) and node.plain and resolved(node.value) is None):
            return False
        self.values.fault(node, FILE / key, f"{shown(node)}, but a mapping of names is needed")
        return True

    # ------------------------------------------------------------------------------------------------- elements

    def parameters(self, model: Model, table: Table, given: Mapping[str, float | str]) -> None:
        """The parameters, and how the file writes them."""
        found = table.entries.get("parameters")
        node = found if isinstance(found, Table) else Table({}, table.line_of("parameters"))
        declared = {name: value for name, value in given.items() if name in node.entries}
        model.parameters = read_parameters(self.values, node, declared)
        self.values.parameters = model.parameters
        for name, value in model.parameters.items():
            written = node.entries[name]
            model.source_locations[("parameters", name)] = node.line_of(name)
            if name not in given and isinstance(written, Text) and isinstance(resolved(written.value), str):
                model.sources[("parameters", name)] = Source(written.value, value)
        model.sources[("parameters",)] = Source(None, dict(model.parameters))

    def numbers(self, model: Model, table: Table, given: Mapping[str, float | str]) -> None:
        """Give numbers of the model that are no parameters of the file, "rod.mass", other values."""
        found = table.entries.get("parameters")
        node, declared = (found, found.entries) if isinstance(found, Table) else (table, {})
        for name, value in given.items():
            if name in declared:
                continue  # a parameter with a fault
            try:
                parameter = find(model, name)
                parameter.number(model)
            except ParameterError as error:
                self.values.fault(node, KeyPath(("parameters",)), str(error), "unknown-parameter", name)
                continue
            if isinstance(value, str):
                of = Field(name, "number", units=parameter.units(model))
                value = self.values.value(Text(value, node.location), KeyPath(("parameters", name)), of)
            if value is not BAD:
                try:
                    parameter.put(model, value)
                except ParameterError as error:
                    self.values.fault(node, KeyPath(("parameters", name)), str(error))

    def kept(self, model: Model, key: tuple[str, ...], node: Node, of: Field) -> Any:
        """A value, with the way it is written if that is not simply the value."""
        self.values.computed = False
        value = self.values.value(node, KeyPath(key), of)
        if value is not BAD and self.values.computed:
            model.sources[key] = Source(as_written(node), encoded(value, of))
        return value

    def element(self, model: Model, section: str, name: str, node: Node, location: SourceLocation) -> None:
        """Add one element to the model."""
        faults, path = self.context.faults, KeyPath((section, name))
        before = len(faults.found) + faults.more
        model.source_locations[(section, name)] = location
        if isinstance(node, Table):
            node.location = location  # a missing key is reported at the line of the name
            for key, line in node.keys.items():
                model.source_locations[(section, name, key)] = line
            add = OTHERS.get(section, add_typed if section in schema.TYPED else add_simple)
            add(self, model, name, node, path)
        else:
            self.values.fault(location, path, f"{shown(node)}, but a mapping {{key: value, ...}} is needed")
        if len(faults.found) + faults.more > before or (self.context.damaged and is_damaged(node)):
            faults.spoiled.add(ElementId(KINDS[section], name))

    def keep(self, model: Model, element: tuple[str, str], fields: Mapping[str, Field]) -> Keep:
        """A function that keeps the way in which a value of an element is written."""

        def keep(key: str, node: Node, value: Any) -> None:
            model.sources[(*element, key)] = Source(as_written(node), encoded(value, fields[key]))

        return keep

    # ---------------------------------------------------------------------------------------- files and sub-models

    def resolved_file(self, node: Node, path: KeyPath) -> tuple[str, Path, Path] | None:
        """The name of another file, its path, and the path with links followed; None if it may not be read."""
        context, name = self.context, self.values.value(node, path, Field("file", "text"))
        if name is BAD:
            return None
        if self.folder is None:
            self.values.fault(
                node, path, f"{name!r}: a text that comes from no file cannot name other files", "bad-file"
            )
            return None
        file = self.folder / name
        try:
            real = file.resolve()
        except (OSError, ValueError, RuntimeError):
            self.values.fault(node, path, f"{name[:60]!r} is no name of a file", "bad-file")
            return None
        context.opened += 1
        problem = ""
        if not context.may_read(real):
            problem = "it is outside the folder of the model file; allow_outside=True (--allow-outside) allows that"
        elif real in self.above or len(self.above) >= MAX_LEVELS:
            problem = "it includes itself" if real in self.above else f"more than {MAX_LEVELS} files within each other"
        elif context.opened > MAX_FILES:
            problem = f"more than {MAX_FILES} files and sub-models"
        if problem:
            self.values.fault(node, path, f"{name!r}: {problem}", "bad-file")
            context.unsound = True
            return None
        return name, file, real

    def opened(self, node: Node, path: KeyPath) -> tuple[Table, Reader] | None:
        """The mapping of another file, and a reader for what is in it."""
        context, found = self.context, self.resolved_file(node, path)
        if found is None:
            return None
        name, file, real = found
        if real not in context.tables:
            context.tables[real] = None
            try:
                text = read_text(file, str(file))
                context.characters += len(text)
                if context.characters > MAX_ALL_BYTES:
                    problem = f"the files of this model have more than {MAX_ALL_BYTES // 1_000_000} MB together"
                    raise UnreadableError(SourceLocation(str(file), 0), problem)
                context.tables[real] = parsed(context, text, str(file))
            except UnreadableError as error:
                where = node.location if not error.location.line else error.location
                context.faults.add(where, path, f"{name!r}: {error.message}", "bad-file")
        table = context.tables[real]
        context.unsound |= table is None
        return None if table is None else (table, Reader(context, file.parent, (*self.above, real)))

    def included(self, table: Table) -> Table:
        """The file with the sections of those that it includes; where both say something, the file itself counts."""
        include = table.entries.get("include")
        if include is None:
            return table
        merged = Table(dict(table.entries), table.location, dict(table.keys))
        for i, node in enumerate(include.items if isinstance(include, Items) else [include]):
            at = FILE / "include"
            opened = self.opened(node, at / i if isinstance(include, Items) else at)
            if opened is not None:
                self.merge(merged, opened[1].included(opened[0]))
        return merged

    def merge(self, into: Table, other: Table) -> None:
        """Add the sections of an included file."""
        for key, node in other.entries.items():
            mine = into.entries.get(key)
            merged = (*schema.section_names(), "parameters", "materials", "sections")
            if key not in merged or not isinstance(node, Table):
                if mine is None:
                    into.entries[key], into.keys[key] = node, other.line_of(key)
                continue
            both = Table(dict(mine.entries), mine.location, dict(mine.keys)) if isinstance(mine, Table) else None
            if both is None:
                both = Table({}, node.location)
                into.keys.setdefault(key, other.line_of(key))
            for name, element in node.entries.items():
                if name not in both.entries:
                    both.entries[name], both.keys[name] = element, node.line_of(name)
                elif key != "parameters":
                    first = both.line_of(name)
                    text = f"this name is taken already, at {first}"
                    self.values.fault(node.line_of(name), KeyPath((key, name)), text, "duplicate-name")
            into.entries[key] = both

    # ---------------------------------------------------------------------------------------------------- tasks

    def tasks(self, model: Model, table: Table) -> None:
        """What the file asks for, as plain data."""
        for key in schema.TASKS:
            if key in table.entries:
                found = self.kept(model, (key,), table.entries[key], Field(key, "data", False, None, units_of(key)))
                model.tasks[key] = self.readable(key, table.entries[key]) if found is BAD else found
                model.source_locations[(key,)] = table.line_of(key)
                _mark(model, (key,), table.entries[key])

    def readable(self, key: str, node: Node) -> Any:
        """What could be read of a task with faults."""
        task = ElementId("task", key)
        self.context.faults.spoiled.add(task)
        if not isinstance(node, Table):
            return {} if key in SETTINGS else []
        fields = {
            each: Field(each, "data", False, None, () if key == "analyses" else units_of(each)) for each in node.entries
        }
        given = self.values.given(node, FILE / key, fields, key)  # the same faults, reported once
        self.context.faults.sound_keys[task] = frozenset(given.values)
        return given.values


def _mark(model: Model, path: tuple[str, ...], node: Node) -> None:
    """Keep the lines of the keys of a task."""
    if isinstance(node, Table):
        for key, inner in node.entries.items():
            model.source_locations[(*path, key)] = node.line_of(key)
            _mark(model, (*path, key), inner)


def as_written(node: Node) -> Any:
    """A node as plain data, with `=expressions` and units as they stand."""
    if isinstance(node, Table):
        return {key: as_written(item) for key, item in node.entries.items()}
    if isinstance(node, Items):
        return [as_written(item) for item in node.items]
    return resolved(node.value) if node.plain else node.value
