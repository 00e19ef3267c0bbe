"""Numbers of a model by name: one grammar for derivatives, sweeps, `System.with_parameters`, `load` and `--set`.

    k                                         a declared parameter (`model.parameters`), or "motor.R" of a bond graph
    gravity, gravity.z
    rod.mass, rod.com.x, rod.inertia.yy       of a rigid body: mass, mass centre, moments about it
    rod.position.x, tip.position.x, B.at.x    places of bodies and markers, points of joints
    A.q0, A.v0, B.q0[1], A.rotor_inertia      initial values of joints, and their rotors
    screw.lead_per_turn                       numbers of a joint's type
    spring.stiffness, bush.stiffness[3]       of force elements, constraints, states and laws of contact

A name without a component means the whole field: "tip.position" takes three numbers. Where several elements have the
name, the kind of the element stands before it: "force:A.stiffness", "parameter:rod.mass".

A number is changed as if the model had been described with it. The mass of an inertia made from a shape
(`Inertia.rod`, `Inertia.box`) therefore changes its moments, too: the density of the shape; that of an inertia given by
numbers leaves its moments as they are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any, cast

import numpy as np

from duoti.model.constructor_schema import fields_of, units_of
from duoti.model.contacts.element import ContactElement
from duoti.model.element_id import SECTIONS, ElementId, ElementKind
from duoti.model.elements import GROUND, Body, JointElement, initial_values
from duoti.model.errors import AmbiguousNameError, ParameterError, did_you_mean
from duoti.model.forces.base import Force
from duoti.model.laws.expressions.parser import tokenize
from duoti.model.model import Model
from duoti.spatial import Inertia

KINDS: tuple[ElementKind, ...] = ("body", "marker", "joint", "force", "constraint", "state", "contact")
AXES = {"x": 0, "y": 1, "z": 2}
MATRIX = {"xx": (0, 0), "xy": (0, 1), "yy": (1, 1), "xz": (0, 2), "yz": (1, 2), "zz": (2, 2)}
STRUCTURE = frozenset((
    "marker or body", "markers or bodies", "body", "joint", "beam", "material", "section", "text", "true or false",
    "whole number", "coefficients", "parts", "sheaves", "end of a rope", "road", "tyre",
))  # fmt: skip
"""Kinds of fields that say what an element is or what it joins, not how large something is."""
OF_JOINTS = ("at", "q0", "v0", "rotor_inertia", "limits")
OF_BODIES = ("mass", "com", "inertia", "position", "rotation", "shapes", "q0", "v0")
_BRACKETS = re.compile(r"(.*)\[(\d+)\]")


@dataclass(frozen=True)
class Parameter:
    """A field of an element, or one number of it; `element` is None for gravity."""

    name: str
    element: ElementId | None
    field: str
    component: tuple[int, ...] | None = None

    @property
    def full_name(self) -> str:
        """The name with the kind of the element, which is never ambiguous."""
        return self.name if self.element is None or ":" in self.name else f"{self.element.kind}:{self.name}"

    def get(self, model: Model) -> Any:
        """The value that a model has: a number if a component is meant, or the whole field."""
        whole = self._whole(model)
        if self.component is None:
            return whole
        return float(np.asarray(whole, dtype=float)[self.component])

    def number(self, model: Model) -> float:
        """The same, which must be one number."""
        value: Any = self.get(model)
        if value is None and self.field in ("q0", "v0"):
            whole = self._initial(model)
            value = whole[0] if len(whole) == 1 else whole
        if isinstance(value, np.ndarray) and value.shape in ((), (1,)):
            value = float(value.reshape(()))
        if _is_number(value):
            return float(cast(Any, value))
        if isinstance(value, Inertia):
            raise ParameterError(f'"{self.name}" is an inertia; write "{self.name}.xx", ... for a moment')
        parts = _component_names(self, value)
        if parts:
            raise ParameterError(f'"{self.name}" is not one number; write {" or ".join(parts)}')
        what = f"the expression {value!r}" if isinstance(value, str) else repr(value)
        raise ParameterError(f'"{self.name}" is {what}, not a number; let it read a parameter of the model')

    def size(self, model: Model) -> float:
        """A size that changes of the number compare with."""
        if self.element is None:
            return 9.81
        if self.element.kind == "body" and self.field in ("com", "inertia"):
            inertia = model.bodies[self.element.name].inertia
            if isinstance(inertia, Inertia):
                if self.field == "com":
                    return float(np.sqrt(np.trace(inertia.matrix) / max(inertia.mass, 1e-300))) or 1.0
                return float(np.max(np.abs(inertia.matrix))) or 1.0
        if self.field in ("position", "at"):
            return 1.0
        return abs(self.number(model)) or 1.0

    def units(self, model: Model) -> tuple[str, ...]:
        """The units that fit; empty if they are not known."""
        if self.element is None:
            return units_of("gravity")
        kind, name = self.element
        if kind in ("parameter", "body", "marker"):
            return units_of("matrix" if self.field == "inertia" else self.field)
        owner, field = _owner(getattr(model, SECTIONS[kind])[name], self.field)
        found = fields_of(type(owner)).get(field)
        return found.units if found is not None else ()

    def put(self, model: Model, value: Any) -> None:
        """Put a value into a model, whose own the element is (`own_copy`), or its copy in its section."""
        if self.component is not None or (self.element is not None and self.element.kind == "parameter"):
            value = finite(self.name, value)
        if self.element is None:
            model.gravity = _gravity(self._changed(model, value))
            return
        kind, name = self.element
        if kind == "parameter":
            refuse_computed(model, (name,))
            if name in model.parameters:
                model.parameters = {**model.parameters, name: value}
            if (graph := _graph_of(model, name)) is not None:
                graph[0].set_parameter(graph[1], value)
            return
        element = getattr(model, SECTIONS[kind])[name]
        owner, field = _owner(element, self.field)
        if kind == "body" and field in ("mass", "com", "inertia"):
            element.inertia = self._inertia(element, value)
        elif owner is element:
            setattr(element, field, self._changed(model, value))
        else:  # a joint's type, a law of contact: other elements may share it
            mine = copy(owner)
            setattr(mine, field, self._changed(model, value))
            setattr(element, "joint" if isinstance(element, JointElement) else "law", mine)

    def _whole(self, model: Model) -> Any:
        if self.element is None:
            return np.asarray(model.gravity, dtype=float)
        kind, name = self.element
        if kind == "parameter":
            if name in model.parameters:
                return model.parameters[name]
            graph = _graph_of(model, name)
            assert graph is not None
            return graph[2]
        element = getattr(model, SECTIONS[kind])[name]
        owner, field = _owner(element, self.field)
        if isinstance(owner, Body) and field in ("mass", "com"):
            return getattr(owner.inertia, field)
        if isinstance(owner, Body) and field == "inertia":
            return owner.inertia if self.component is None else cast(Inertia, owner.inertia).matrix
        if field in ("q0", "v0") and self.component is not None:
            return self._initial(model)
        return getattr(owner, field)

    def _initial(self, model: Model) -> Any:
        """All initial numbers of a joint, or modal ones of a body."""
        assert self.element is not None
        element = getattr(model, SECTIONS[self.element.kind])[self.element.name]
        given = getattr(element, self.field)
        if isinstance(element, JointElement):
            rates = self.field == "v0"
            if given is None:
                return np.zeros(element.nv) if rates else np.array(element.joint.zero, dtype=float)
            return initial_values(element.joint, given, rates)
        return np.zeros(0) if given is None else np.atleast_1d(np.asarray(given, dtype=float))

    def _changed(self, model: Model, value: Any) -> Any:
        if self.component is None:
            return value
        made = np.array(self._whole(model), dtype=float)
        made[self.component] = value
        return made

    def _inertia(self, body: Body, value: Any) -> Any:
        if self.field == "inertia" and self.component is None:
            return value
        old = body.inertia
        if self.field == "mass":
            try:
                return with_mass(old, value)
            except ParameterError as error:
                raise ParameterError(f'"{self.name}": {error}') from None
        assert isinstance(old, Inertia)
        com, matrix = old.com, np.array(old.matrix, dtype=float)
        if self.field == "com":
            com = np.array(old.com if self.component is not None else value, dtype=float)
            if self.component is not None:
                com[self.component] = value
            elif com.shape != (3,) or not np.all(np.isfinite(com)):
                raise ParameterError(f'"{self.name}": {value!r} is not three finite numbers [m]')
        else:
            i, j = cast("tuple[int, int]", self.component)
            matrix[i, j] = matrix[j, i] = value
        return Inertia._unchecked(old.mass, com, matrix, old.shapes)  # pyright: ignore[reportPrivateUsage]


def with_mass(inertia: Any, mass: Any) -> Inertia:
    """An inertia of another mass: of another density if it was made from shapes, else with the same moments."""
    number = float(mass) if isinstance(mass, Real) else math.nan
    if not 0.0 <= number < math.inf:
        raise ParameterError(f"mass is {mass!r}; give a finite number that is not negative [kg]")
    assert isinstance(inertia, Inertia)
    if not inertia.shapes:
        return inertia._of_mass(number, inertia.matrix)  # pyright: ignore[reportPrivateUsage]
    if inertia.mass == 0.0:
        raise ParameterError("a shape without mass has no density that could be changed; give the body's inertia")
    matrix = number / inertia.mass * inertia.matrix
    return inertia._of_mass(number, matrix)  # pyright: ignore[reportPrivateUsage]


# ------------------------------------------------------------------------------------------------- what a name means


def find(model: Model, name: str) -> Parameter:
    """The number or field that a name means; ParameterError with the candidates if it means several, or none."""
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f'{name!r} is not the name of a number, such as "rod.mass"')
    kind, colon, rest = name.partition(":")
    kinds = (*KINDS, "parameter")
    if colon and kind in kinds:
        meant = _meanings(model, rest, (kind,))
        found = [Parameter(name, each.element, each.field, each.component) for each in meant]
    else:
        found = list(_meanings(model, name, kinds))
    if len(found) == 1:
        return found[0]
    if found:
        candidates = " or ".join(f'"{each.full_name}"' for each in found)
        raise AmbiguousNameError(f'"{name}" is ambiguous: write {candidates}')
    raise ParameterError(_unknown(model, rest if colon and kind in kinds else name))


def find_all(model: Model, names: Iterable[str]) -> list[Parameter]:
    """The same for several; ParameterError with everything that is wrong with them."""
    found, faults = list[Parameter](), list[str]()
    for name in names:
        try:
            found.append(find(model, name))
        except ParameterError as error:
            faults.append(str(error))
    if faults:
        raise ParameterError("; ".join(faults))
    return found


def number_names(model: Model) -> list[str]:
    """Names of all single numbers of a model."""
    found = [*model.parameters, *(name for name, _ in _graph_parameters(model) if name not in model.parameters)]
    found += [f"gravity.{axis}" for axis in AXES]
    for kind in KINDS:
        for name, element in _elements(model, kind).items():
            for field in _fields(kind, element):
                found += _number_names_of(model, Parameter(f"{name}.{field}", ElementId(kind, str(name)), field))
    return list(dict.fromkeys(found))


def _number_names_of(model: Model, parameter: Parameter) -> list[str]:
    try:
        value = parameter.get(model)
    except (TypeError, ValueError, AttributeError):
        return []  # what the check of the model will complain about
    if isinstance(value, Inertia):
        return [f"{parameter.name}.{key}" for key in MATRIX]
    if value is None and parameter.field in ("q0", "v0"):
        return [parameter.name] if len(parameter._initial(model)) == 1 else []  # pyright: ignore[reportPrivateUsage]
    if _is_number(value):
        return [parameter.name]
    return [name.strip('"') for name in _component_names(parameter, value)]


def _meanings(model: Model, name: str, kinds: Iterable[str]) -> Iterator[Parameter]:
    if "parameter" in kinds and (name in model.parameters or _graph_of(model, name) is not None):
        yield Parameter(name, ElementId("parameter", name), "value")
    path, component = _path(name)
    if path[0] == "gravity" and set(KINDS) <= set(kinds):
        if len(path) == 1:
            yield Parameter(name, None, "gravity", None if component is None else (component,))
        elif len(path) == 2 and component is None and path[1] in AXES:
            yield Parameter(name, None, "gravity", (AXES[path[1]],))
    for kind in KINDS:
        if kind not in kinds:
            continue
        elements = _elements(model, kind)
        for last in (1, 2):  # of the words of the name, those behind that of the element
            if len(path) <= last:
                continue
            element = elements.get(".".join(path[:-last]))
            if element is None:
                continue
            owner = ElementId(kind, ".".join(path[:-last]))
            made = _of_element(model, kind, owner, element, name, path[-last:], component)
            if made is not None:
                yield made


def _of_element(
    model: Model, kind: ElementKind, owner: ElementId, element: Any, name: str, path: list[str], component: int | None
) -> Parameter | None:
    field = path[0]
    if field not in _fields(kind, element):
        return None
    whole = Parameter(name, owner, field)
    if len(path) == 1 and component is None:
        return whole
    if field == "inertia" and len(path) == 2 and component is None:
        return Parameter(name, owner, field, MATRIX[path[1]]) if path[1] in MATRIX else None
    size = _length(whole, model)
    if len(path) == 2:
        if component is not None or path[1] not in AXES or size != 3:
            return None
        component = AXES[path[1]]
    assert component is not None
    return Parameter(name, owner, field, (component,)) if component < size else None


def _path(name: str) -> tuple[list[str], int | None]:
    match = _BRACKETS.fullmatch(name)
    return (match[1].split("."), int(match[2])) if match else (name.split("."), None)


def _length(parameter: Parameter, model: Model) -> int:
    """How many numbers a field has; 0 if it is no list of numbers."""
    if parameter.field in ("q0", "v0"):
        try:
            return len(parameter._initial(model))  # pyright: ignore[reportPrivateUsage]
        except ValueError:
            return 0
    return _count(parameter.get(model))


def _count(value: Any) -> int:
    if isinstance(value, np.ndarray):
        return len(value) if value.ndim == 1 and value.dtype.kind in "fiu" else 0
    if not isinstance(value, list | tuple):
        return 0
    numbers = cast("list[Any]", value)
    return len(numbers) if all(_is_number(x) for x in numbers) else 0


def _component_names(parameter: Parameter, value: Any) -> list[str]:
    count = _count(value)
    if count == 3 and parameter.field not in ("q0", "v0"):
        return [f'"{parameter.name}.{axis}"' for axis in AXES]
    return [f'"{parameter.name}[{k}]"' for k in range(count)]


def _elements(model: Model, kind: ElementKind) -> Mapping[str, Any]:
    elements: Mapping[str, Any] = getattr(model, SECTIONS[kind])
    if kind == "force" and model.contacts:  # forces of compliant contacts have no numbers of their own
        return {name: each for name, each in elements.items() if name.partition("[")[0] not in model.contacts}
    if kind == "state":  # those of joint friction and of reactions in laws are set by the compiled model itself
        return {name: each for name, each in elements.items() if each.by_user}
    return elements


def _fields(kind: ElementKind, element: Any) -> list[str]:
    """Names of the fields that have a size."""
    if kind == "body":
        only = ("mass", "com") if isinstance(element.inertia, Inertia) else ("q0", "v0")  # rigid, or flexible
        return [field for field in OF_BODIES if field in only or field not in ("mass", "com", "q0", "v0")]
    if kind == "joint":
        own = [name for name, field in fields_of(type(element.joint)).items() if field.kind not in STRUCTURE]
        return [*OF_JOINTS, *own]
    item = element.law if isinstance(element, ContactElement) else element
    out = {"name", *(item.left_out() if isinstance(item, Force) else ())}
    return [name for name, field in fields_of(type(item)).items() if field.kind not in STRUCTURE and name not in out]


def _owner(element: Any, field: str) -> tuple[Any, str]:
    """The object that has the field: the element, a joint's type, or a law of contact."""
    if isinstance(element, JointElement) and field not in OF_JOINTS:
        return element.joint, field
    if isinstance(element, ContactElement):
        return element.law, field
    return element, field


def _graph_of(model: Model, name: str) -> tuple[Any, str, float] | None:
    """The bond graph that a parameter such as "motor.R" belongs to, its name there, and its value."""
    for owner, graph in model.bond_graphs.items():
        prefix = f"{owner}." if owner else ""  # a graph by itself has no name
        if name.startswith(prefix) and (value := graph.parameter(name.removeprefix(prefix))) is not None:
            return graph, name.removeprefix(prefix), value
    return None


def _graph_parameters(model: Model) -> Iterator[tuple[str, float]]:
    for owner, graph in model.bond_graphs.items():
        for name, value in graph.graph.flat().parameters.items():
            yield (f"{owner}.{name}" if owner else name), value


def _unknown(model: Model, name: str) -> str:
    path, _ = _path(name)
    for last in (1, 2):
        owner = ".".join(path[:-last])
        if owner == GROUND:
            return f'"{name}": ground has no numbers to change'
        kinds: list[ElementKind] = [kind for kind in KINDS if owner in _elements(model, kind)]
        if kinds:
            field = path[-last]
            known = [f for kind in kinds for f in _fields(kind, _elements(model, kind)[owner])]
            if field in known:
                break  # its component is wrong
            hint = did_you_mean(f"{owner}.{field}", [f"{owner}.{each}" for each in known])
            return f'{ElementId(kinds[0], owner)} has no "{field}".{hint}'
    names = number_names(model)
    return f'model "{model.name}" has no parameter "{name}".{did_you_mean(name, names)}'


# ------------------------------------------------------------------------------------------------- other values


def computed_from(model: Model, names: Iterable[str]) -> dict[str, str]:
    """Which of these declared parameters a file computed numbers from (`=2*r`), and the first such number of each."""
    named, found = set(names), dict[str, str]()
    for path, source in model.sources.items():
        if path != ("parameters",):
            for name in sorted(named & names_in_data(source.written)):
                found.setdefault(name, ".".join(path))
    return found


def refuse_computed(model: Model, names: Iterable[str]) -> None:
    """A file computed numbers from declared parameters when it was read: these would not follow."""
    for name, path in computed_from(model, names).items():
        raise ParameterError(
            f'the file computes {path} from "{name}" when it is read, and it would keep its value: '
            f"load it again, dt.load(path, parameters={{{name!r}: ...}}); for a study give a function that does so"
        )


@lru_cache(maxsize=4096)
def names_in(text: str) -> frozenset[str]:
    """Names and functions in an expression."""
    return frozenset(token.text for token in tokenize(text) if token.kind == "name")


def names_in_data(written: Any) -> set[str]:
    """Names in the `=expressions` of what a file has written."""
    if isinstance(written, Mapping):
        return set().union(*(names_in_data(each) for each in written.values()))
    if isinstance(written, list):
        return set().union(*(names_in_data(each) for each in cast("list[Any]", written)))
    return set(names_in(written[1:])) if isinstance(written, str) and written.startswith("=") else set()


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real)


def finite(name: str, value: Any) -> float:
    """A number that is finite; ParameterError if it is none."""
    if not _is_number(value) or not math.isfinite(value):
        raise ParameterError(f"parameters must be finite numbers: {name} = {value!r}")
    return float(value)


def _gravity(value: Any) -> Any:
    made = np.array(value, dtype=float)
    if made.shape != (3,) or not np.all(np.isfinite(made)):
        raise ParameterError(f"gravity is {value!r}; give three finite numbers [m/s^2]")
    return made
