"""From a `Model` to the text of a model file.

Cables, segments, second-order systems and controllers of a model as plain data.

A file holds such a part as a part if reading it makes just the elements that the model has, in the same order;
otherwise as these elements: the same model either way, to the last bit and with its states in the same places.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np

from duoti.flexible.body import Flexible
from duoti.formats.yaml import sections as schema
from duoti.formats.yaml.beam_values import named_parts
from duoti.formats.yaml.encode import CannotSaveError, element_data, encoded, joint_data, plain, typed_data
from duoti.formats.yaml.simple_values import UNLIMITED
from duoti.formats.yaml.units import resolved
from duoti.model.beams.add_beam import generated_names
from duoti.model.beams.beam import BeamPart
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.material import Material
from duoti.model.checks.findings import Findings
from duoti.model.constructor_schema import Field
from duoti.model.contacts import ContactLaw
from duoti.model.element_id import KINDS, ElementId
from duoti.model.elements import name_of
from duoti.model.errors import ModelError
from duoti.model.event import Event
from duoti.model.expand_bond_graphs import described
from duoti.model.joint_friction import HIDDEN
from duoti.model.laws.law import Function
from duoti.model.laws.reaction_feedback import FeedbackState
from duoti.model.model import Model
from duoti.model.sections import ALL, further_sections
from duoti.model.sensors import SensorEvent, SensorState
from duoti.spatial import Inertia

WIDTH = 110
_SIGNS = r"[\w.+*/^()<>=-]"
_PLAIN = re.compile(rf"(?:[\w=(]|-(?=[^\W\d]|\())(?:{_SIGNS}|[ ](?={_SIGNS}))*")
_PLAIN_KEY = re.compile(r"[^\W\d][\w.-]*")


def dump(data: Mapping[str, Any]) -> str:
    """The text of a mapping."""
    return "\n".join(_table(data, 0)) + "\n"


def _table(data: Mapping[str, Any], indent: int) -> list[str]:
    lines: list[str] = []
    for key, value in data.items():
        head = f"{' ' * indent}{_key(key)}:"
        flow = _flow(value)
        section = indent == 0 and isinstance(value, Mapping) and any(isinstance(v, Mapping) for v in value.values())
        if isinstance(value, Mapping) and value and (section or len(head) + len(flow) + 1 > WIDTH):
            lines += [head, *_table(value, indent + 2)]
        elif len(head) + len(flow) + 1 <= WIDTH or not isinstance(value, list | tuple):
            lines.append(f"{head} {flow}")
        elif any(isinstance(item, Mapping | list | tuple) for item in value):
            lines += [head, *(f"{' ' * (indent + 2)}- {_flow(item)}" for item in value)]
        else:
            lines += _wrapped(head, value, indent + 2)
    return lines


def _wrapped(head: str, items: list[Any] | tuple[Any, ...], indent: int) -> list[str]:
    """A long list of plain values over several lines."""
    lines, line = [f"{head} ["], " " * indent
    for item in items:
        word = f"{_flow(item)}, "
        if len(line) + len(word) > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = " " * indent
        line += word
    lines.append(line.rstrip(", "))
    lines.append(" " * indent + "]")
    return lines


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else (".inf" if value > 0 else "-.inf")
    return _text(str(value))


def _key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) and resolved(key) == key else quoted(key)


def _text(value: str) -> str:
    if _PLAIN.fullmatch(value) and resolved(value) == value and not value.startswith("---"):
        return value
    return quoted(value)


def quoted(text: str) -> str:
    """A text in double quotation marks, with everything escaped that is not printable."""
    return '"' + "".join(_escaped(c) for c in text) + '"'


def _escaped(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    if c == " " or c.isprintable():
        return c
    code = ord(c)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


SECTIONS = ("bodies", "joints", "forces", "states", "events")
"""Sections in which there are elements of such parts."""
BEFORE = ("forces",)
"""Those in which they come before the elements that the file gives, since that is the order in which it is read."""
Makers = Mapping[str, Callable[[Any], dict[str, Any]]]


def parts_to_write(model: Model, makers: Makers, others: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """Data of the parts that a file holds as parts, by section and name.

    makers: functions that make plain data of the elements of a section. others: names of elements, by section, that
    other parts made.
    """
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for section, (_, fields) in schema.ASSEMBLED.items():
        for name, part in getattr(model, section).items():
            try:
                found[section, name] = element_data(part.given, fields)
            except CannotSaveError:
                continue  # a law that is a function: its elements say so
    while found:
        changed, in_order = _differing(model, list(found), makers, others)
        if not changed:
            return found if in_order else {}
        for part in changed:
            del found[part]
    return found


def generated_by(model: Model, parts: Mapping[tuple[str, str], Any]) -> dict[str, set[str]]:
    """Names of the elements that parts made, by section."""
    found: dict[str, set[str]] = {section: set() for section in SECTIONS}
    for section, name in parts:
        for kind, names in getattr(model, section)[name].generated().items():
            found[kind].update(names)
    return found


def _differing(
    model: Model, parts: list[tuple[str, str]], makers: Makers, others: Mapping[str, Any]
) -> tuple[set[tuple[str, str]], bool]:
    """The parts that would not be read as they are, and whether all elements would come in their order."""
    without = generated_by(model, dict.fromkeys(parts))
    again = copy(model)
    again.duplicates = []
    for section in SECTIONS:
        kept = {name: item for name, item in getattr(model, section).items() if name not in without[section]}
        setattr(again, section, kept)
    own = {section: list(getattr(again, section)) for section in SECTIONS}
    for section in schema.ASSEMBLED:
        setattr(again, section, {})
    changed: set[tuple[str, str]] = set()
    for section, name in parts:
        part = getattr(model, section)[name]
        try:
            getattr(again, schema.ASSEMBLED[section][0])(name, **part.given)
            same = all(
                _same_written(makers[kind], getattr(again, kind)[each], getattr(model, kind)[each])
                for kind, names in part.generated().items()
                for each in names
            )
        except (KeyError, ValueError, TypeError):  # an element was taken away, or a number is none any more
            same = False
        if not same or again.duplicates:
            changed.add((section, name))
    in_order = True
    for section in SECTIONS:
        new = [name for name in getattr(again, section) if name in without[section]]
        order = [*new, *own[section]] if section in BEFORE else [*own[section], *new]
        hidden = others.get(section, ())
        in_order &= [n for n in order if n not in hidden] == [n for n in getattr(model, section) if n not in hidden]
    return changed, in_order


def _same_written(make: Callable[[Any], dict[str, Any]], a: Any, b: Any) -> bool:
    """Whether two elements are the same in a file, or call equal functions where a file cannot hold these."""
    try:
        return make(a) == make(b)
    except CannotSaveError:
        if not isinstance(a, Event) or a.jump is not None or not any(map(callable, _functions(a))):
            raise
        return (a.value, a.direction, _functions(a)) == (b.value, b.direction, _functions(b))


def _functions(event: Event) -> list[Any]:
    """What an event sets, with functions as such."""
    values = [value for _, value in event.assignments()]
    return [each for v in values for each in ((v.function, *v.inputs) if isinstance(v, Function) else (v,))]


def beam_part_data(model: Model, part: BeamPart, fields: Mapping[str, Field]) -> dict[str, Any]:
    """What `add_beam` was called with; refuses a beam whose nodes were changed afterwards."""
    if not hasattr(part.beam, "matrix"):
        raise CannotSaveError("what it is made of is a Python function; give a Beam and `taper`")
    values = {name: getattr(part, {"start": "start_point", "end": "end_point"}.get(name, name)) for name in fields}
    values["places"] = part.places or None
    if part.centreline is not None and not callable(part.centreline):
        line = part.centreline
        values["centreline"] = line if any(isinstance(x, str) for x in line) else np.asarray(line, float).tolist()
    if callable(part.centreline):
        raise CannotSaveError("its centreline is a Python function; give points, or three expressions of s")
    if changed := _changed(model, part):
        raise CannotSaveError(f"{changed} was changed after the beam was added, which no file can hold")
    return element_data(values, fields)


def _changed(model: Model, part: BeamPart) -> str:
    """The first node or joint that is not as `add_beam` made it."""
    for node, inertia, shapes in zip(part.nodes, part.node_inertias(), part.node_shapes(), strict=True):
        given = node.inertia
        same = isinstance(given, Inertia) and np.array_equal(given.spatial(), inertia.spatial())
        if not same or node.shapes != shapes or model.bodies.get(node.name) is not node:
            return f'node "{node.name}"'
    for k, (name, element) in enumerate((name, model.joints.get(name)) for name in part.joint_names):
        if element is not None and (element.q0 is not None or not _same(element.v0, part.rates(k))):
            return f'joint "{name}"'
    return ""


def _same(a: Any, b: Any) -> bool:
    return (a is None and b is None) or (a is not None and b is not None and np.array_equal(a, b))


def text_of(model: Model, folder: Path | None = None) -> str:
    """The text of a model; raises `ModelError` with all that no file can hold.

    Files of meshes below `folder`, in which the text will be saved, are named as seen from there.
    """
    writer = _Writer(described(model), folder)
    data = writer.data()
    if writer.found.found:
        raise ModelError(writer.found.report(model.name))
    return dump(data)


class _Writer:
    def __init__(self, model: Model, folder: Path | None):
        self.model, self.folder = model, folder
        self.found = Findings()
        kept = model.sources.get(("parameters",))
        self.same_parameters = kept is not None and kept.read == model.parameters
        for element in model.duplicates:
            self.refuse(element, "there is more than one of this name")

    def refuse(self, who: ElementId | str, why: str) -> None:
        elements = (who,) if isinstance(who, ElementId) else ()
        self.found.error("cannot-save", elements, f"{who} cannot be saved: {why}")

    def as_written(self, key: tuple[str, ...], data: Any) -> Any:
        """The way in which the file wrote a value, if it still is that value; otherwise the value."""
        source = self.model.sources.get(key)
        if source is None or source.read != data or (not self.same_parameters and _computed(source.written)):
            return self.near(data)
        if _names_files(data) or not self.same_tables(source.written, data):
            return self.near(data)
        return source.written

    def same_tables(self, written: Any, data: Any) -> bool:
        """Whether tables that profiles are written as still have the points that these profiles have."""
        profiles = _profiles(data)
        for name in _tables_in(written):
            table = self.model.tables.get(name)
            if table is None or [[float(x), float(y)] for x, y in zip(table.x, table.y, strict=False)] not in profiles:
                return False
        return True

    def near(self, data: Any) -> Any:
        """Data with the files of meshes as seen from the folder; in a model that was loaded they are absolute."""
        if isinstance(data, list):
            return [self.near(item) for item in data]
        if not isinstance(data, Mapping):
            return data
        found = {key: self.near(item) for key, item in data.items()}
        if "kind" in data and "file" in data and self.folder and Path(data["file"]).is_relative_to(self.folder):
            found["file"] = Path(data["file"]).relative_to(self.folder).as_posix()
        return found

    def data(self) -> dict[str, Any]:
        model = self.model
        found: dict[str, Any] = {"duoti": schema.VERSION, "name": str(model.name)}
        gravity = self.plain("gravity", lambda: encoded(model.gravity, Field("gravity", "numbers")))
        found["gravity"] = self.as_written(("gravity",), gravity)
        if model.parameters:
            found["parameters"] = {
                name: self.as_written(
                    ("parameters", name), self.plain(ElementId("parameter", name), lambda v=value: plain(v))
                )
                for name, value in model.parameters.items()
            }
        if model.ground.shapes:
            shapes = {"shapes": model.ground.shapes}
            data = self.plain("ground", lambda: element_data(shapes, schema.GROUND)) or {}
            found["ground"] = {key: self.as_written(("ground", key), value) for key, value in data.items()}
        self.named_parts(found)
        makers: dict[str, Callable[[Any], dict[str, Any]]] = {
            "tables": lambda table: _own(table, schema.POINTS),
            "bodies": lambda body: _own(body, schema.BODY),
            "markers": lambda marker: _own(marker, schema.MARKER),
            "beams": lambda part: beam_part_data(model, part, schema.BEAM),
            "joints": _joint,
            "forces": typed_data,
            "constraints": typed_data,
            "contacts": _contact,
            "states": lambda state: _own(state, schema.STATE),
            "events": _event,
            "bond_graphs": _graph,
        }
        keys = schema.simple_sections()
        for each in further_sections():
            makers[each.name] = lambda item, fields=keys[each.name]: _own(item, fields)
        made = {section: _made_by_others(ALL[section].of(model)) for section in makers}
        for section, names in (generated_names(model) if model.beams else {}).items():
            made[section] |= names
        parts = parts_to_write(model, makers, made)
        for section, names in generated_by(model, parts).items():
            made[section] |= names
        for section in schema.section_names():
            if section in schema.ASSEMBLED and (own := {n: data for (of, n), data in parts.items() if of == section}):
                found[section] = {n: self.written(section, n, data) for n, data in own.items()}
            if section not in makers:
                continue
            make = makers[section]
            elements = {name: item for name, item in ALL[section].of(model).items() if name not in made[section]}
            if elements:
                found[section] = {str(name): self.element(section, name, make, item) for name, item in elements.items()}
        for name, task in model.tasks.items():
            data = self.plain(f"task {name}", lambda task=task: plain(task), infinite=True)
            found[name] = self.as_written((name,), data)
        return found

    def named_parts(self, found: dict[str, Any]) -> None:
        """Materials and sections that have names, each once."""
        beams = [getattr(force, "beam", None) for force in self.model.forces.values()]
        own: list[Material] = []
        for body in self.model.bodies.values():
            if isinstance(body.inertia, Flexible):
                from duoti.formats.yaml.flexible_values import parts_of

                inside, more = parts_of(body.inertia)
                beams, own = beams + inside, own + more
        beams += [part.given.get("beam") for part in self.model.segments.values()]
        beams += [each for part in self.model.beams.values() for each in (part.beam, part.taper)]
        try:
            materials, sections = named_parts([beam for beam in beams if isinstance(beam, Beam)], own)
        except ValueError as error:
            self.refuse("the model", str(error))
            return
        found.update({key: value for key, value in (("materials", materials), ("sections", sections)) if value})

    def plain(self, who: ElementId | str, make: Callable[[], Any], infinite: bool = False) -> Any:
        try:
            data = make()
            if _not_finite(data, infinite):
                raise CannotSaveError("it has numbers that are not finite")
            return data
        except CannotSaveError as error:
            self.refuse(who, str(error))
        except (TypeError, ValueError, AttributeError) as error:
            self.refuse(who, f"{error}")
        return None

    def element(self, section: str, name: str, make: Callable[[Any], dict[str, Any]], item: Any) -> Any:
        data = self.plain(ElementId(KINDS[section], str(name)), lambda: make(item))
        return self.written(section, name, data) if data else {}

    def written(self, section: str, name: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """The values of an element, each in the way in which the file wrote it, if it is as it was."""
        return {key: self.as_written((section, name, key), value) for key, value in data.items()}


def _made_by_others(elements: Mapping[str, Any]) -> set[str]:
    """Names of elements that follow from others when a model is compiled."""
    return {
        name
        for name, item in elements.items()
        if isinstance(item, (*HIDDEN, FeedbackState, SensorState, SensorEvent)) or getattr(item, "implied", False)
    }


def _own(item: Any, fields: Mapping[str, Field]) -> dict[str, Any]:
    return element_data({name: getattr(item, name) for name in fields}, fields)


def _event(event: Any) -> dict[str, Any]:
    if event.jump is not None:
        raise CannotSaveError("its jump is a Python function, which no file can hold; add it after loading the model")
    if any(callable(value) or isinstance(value, Function) for _, value in event.assignments()):
        raise CannotSaveError("it sets states by a Python function, which no file can hold; add it after loading")
    return _own(event, schema.EVENT)


def _graph(coupled: Any) -> dict[str, Any]:
    from duoti.formats.yaml.bond_graphs import graph_data

    return graph_data(coupled)


def _joint(element: Any) -> dict[str, Any]:
    between = [name_of(element.parent_reference), name_of(element.child_reference)]
    own = {name: getattr(element, name) for name in schema.JOINT if name != "between"}
    return {**joint_data(element.joint), "between": between, **element_data(own, schema.JOINT)}


def _contact(element: Any) -> dict[str, Any]:
    if not isinstance(element.law, ContactLaw):
        raise CannotSaveError(f"{element.law!r} is not a law of contact")
    sides = [
        [name_of(each) for each in side] if isinstance(side, list | tuple) else name_of(side)
        for side in (element.a, element.b)
    ]
    return {**typed_data(element.law), "between": sides, **element_data({"shapes": element.shapes}, schema.CONTACT)}


def _computed(written: Any) -> bool:
    """Whether a value depends on parameters."""
    if isinstance(written, Mapping):
        return any(map(_computed, written.values()))
    if isinstance(written, list):
        return any(map(_computed, written))
    return isinstance(written, str) and written.lstrip().startswith("=")


def _tables_in(written: Any) -> list[str]:
    """Names of tables that are written as profiles: `profile: {table: road}`."""
    if isinstance(written, list):
        return [name for each in written for name in _tables_in(each)]
    if not isinstance(written, Mapping):
        return []
    found = [name for each in written.values() for name in _tables_in(each)]
    profile = written.get("profile")
    return [*found, str(profile["table"])] if isinstance(profile, Mapping) and "table" in profile else found


def _profiles(data: Any) -> list[Any]:
    """The profiles of shapes in plain data."""
    if isinstance(data, list):
        return [profile for each in data for profile in _profiles(each)]
    if not isinstance(data, Mapping):
        return []
    own = [data["profile"]] if "profile" in data else []
    return own + [profile for each in data.values() for profile in _profiles(each)]


def _names_files(data: Any) -> bool:
    """Whether there are shapes from files in it."""
    if isinstance(data, Mapping):
        return ("kind" in data and "file" in data) or any(map(_names_files, data.values()))
    return isinstance(data, list) and any(map(_names_files, data))


def _not_finite(data: Any, infinite: bool = False) -> bool:
    """Whether there are NaN in it, or infinite numbers other than those of limits."""
    if isinstance(data, Mapping):
        return any(_not_finite(value, infinite or key in ("limits", *UNLIMITED)) for key, value in data.items())
    if isinstance(data, list):
        return any(_not_finite(value, infinite) for value in data)
    return isinstance(data, float) and (math.isnan(data) or (math.isinf(data) and not infinite))
