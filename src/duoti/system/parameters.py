"""Other numbers in a compiled model: stiffnesses, masses, lengths, named parameters, without compiling it anew.

What kernels read as a number of their own (numbers of force elements, inertias, gravity, constants of laws) is written
into copies of the arrays; everything else, and what shares its arrays, stays the same objects. Other changes (places of
markers, lengths of constraints, tables) make the arrays anew on the same tree. Neither the topology nor the check of
the whole model is repeated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from functools import lru_cache
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from duoti.model.element_id import SECTIONS, ElementId, ElementKind
from duoti.model.elements import GROUND, initial_values
from duoti.model.errors import ModelError, did_you_mean
from duoti.model.expansion import expanded
from duoti.model.expressions import compile_expression, link
from duoti.model.expressions.parser import tokenize
from duoti.model.fields import Field, fields_of
from duoti.model.findings import Findings, Report
from duoti.model.model import Model
from duoti.spatial import Inertia
from duoti.system.force_signals import ForceReader
from duoti.system.preparation import own_copy
from duoti.system.system import FrameKey, System

KINDS: tuple[ElementKind, ...] = ("force", "body", "marker", "joint", "constraint", "state")
INITIAL = {"joint": ("q0", "v0"), "state": ("initial",), "body": ("shapes",)}  # what no array holds


class _Change(NamedTuple):
    """A field of an element, and its new value."""

    element: ElementId
    field: str
    value: Any


def with_parameters(system: System, changes: Mapping[str, Any]) -> System:
    """See `System.with_parameters`."""
    old = system.model
    model = copy(old) if old.expansion is None else own_copy(old.expansion.source)
    named = {name: value for name, value in changes.items() if name in old.parameters}
    fields = [_found(old, name, value) for name, value in changes.items() if name not in named and name != "gravity"]
    if named:
        _refuse_bad_numbers(named)
        _refuse_computed(old, named)
        model.parameters = {**model.parameters, **{k: x for k, x in named.items() if k in model.parameters}}
        for name, value in named.items():  # "motor.R" of a bond graph
            for owner, graph in model.bond_graphs.items():
                prefix = f"{owner}." if owner else ""  # a graph by itself has no name
                if name not in model.parameters and name.startswith(prefix):
                    graph.set_parameter(name.removeprefix(prefix), float(value))
    if "gravity" in changes:
        model.gravity = np.array(changes["gravity"], dtype=float)
        if model.gravity.shape != (3,) or not np.all(np.isfinite(model.gravity)):
            raise ValueError(f"gravity is {changes['gravity']!r}; give three finite numbers [m/s^2]")
    _put(model, fields)
    if model.bond_graphs:
        model = expanded(model)
        if wrong := model.expansion.found.report(model.name).errors:
            raise ModelError(Report(model.name, wrong))
    else:
        changed = _Numbers(system, model)
        if changed.take(named, fields):
            return changed.system()
    from duoti.model.placement import place_bodies
    from duoti.system.compiler import build_system

    placement = place_bodies(model)
    if placement.gaps:
        joints = ", ".join(f'"{name}"' for name in placement.gaps)
        raise ValueError(f"the markers of joints {joints} no longer coincide in the reference configuration")
    assert system.topology is not None
    fused = any(layout.fused for layout in system.joints.values())
    return replace(build_system(model, system.topology, fused, placement), lacking=system.lacking)


# ------------------------------------------------------------------------------------------------- what is meant


def _found(model: Model, name: str, value: Any) -> _Change:
    """The field that a name such as "spring.stiffness" or "force:spring.stiffness" means."""
    prefix, _, rest = name.partition(":")
    kinds: list[ElementKind] = [kind for kind in KINDS if kind == prefix] or list(KINDS)
    item, _, field = (rest if rest and prefix in KINDS else name).rpartition(".")
    owners = [ElementId(kind, item) for kind in kinds if item in getattr(model, SECTIONS[kind])]
    if item == GROUND and not owners:
        raise ValueError(f'"{name}": ground has no numbers to change')
    found = [owner for owner in owners if field in _fields(model, owner)]
    if len(found) == 1:
        return _Change(found[0], field, value)
    if found:
        raise ValueError(f'"{name}" is ambiguous: write {" or ".join(f"{o.kind}:{item}.{field}" for o in found)}')
    if owners:
        known = list(dict.fromkeys(each for owner in owners for each in _fields(model, owner)))
        raise ValueError(f'{owners[0]} has no "{field}".{did_you_mean(field, known)}')
    names = [*model.parameters, *(each for kind in KINDS for each in getattr(model, SECTIONS[kind]))]
    raise ValueError(f'there is no parameter or element "{item or name}".{did_you_mean(item or name, names)}')


def _fields(model: Model, owner: ElementId) -> Mapping[str, Field]:
    item = getattr(model, SECTIONS[owner.kind])[owner.name]
    if owner.kind == "body":
        return {"mass": Field("mass", "number"), **fields_of(type(item))}
    return fields_of(type(item))


def _refuse_bad_numbers(named: Mapping[str, Any]) -> None:
    wrong = [f"{name} = {value!r}" for name, value in named.items()
             if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value)]  # fmt: skip
    if wrong:
        raise ValueError(f"parameters must be finite numbers: {', '.join(wrong)}")


def _refuse_computed(model: Model, named: Mapping[str, Any]) -> None:
    """A file computed numbers from the parameters (`=2*r`) when it was read: these would not follow."""
    for path, source in model.sources.items():
        used = sorted(named.keys() & _names_in_data(source.written))
        if used and path != ("parameters",):
            raise ValueError(
                f'the file computes {".".join(path)} from "{used[0]}" when it is read, and it would keep its value: '
                f"load it again, dt.load(path, parameters={{{used[0]!r}: ...}})"
            )


def _names_in_data(written: Any) -> set[str]:
    if isinstance(written, Mapping):
        return set().union(*(_names_in_data(each) for each in written.values()))
    if isinstance(written, list):
        return set().union(*(_names_in_data(each) for each in written))
    return set(_names_in(written[1:])) if isinstance(written, str) and written.startswith("=") else set()


@lru_cache(maxsize=4096)
def _names_in(text: str) -> frozenset[str]:
    """Names and functions in an expression."""
    return frozenset(token.text for token in tokenize(text) if token.kind == "name")


# ------------------------------------------------------------------------------------------------- a changed model


def _put(model: Model, changes: list[_Change]) -> None:
    """Elements with new values in the place of the old ones; ModelError with all that is wrong with them."""
    found = Findings()
    sections = {SECTIONS[change.element.kind] for change in changes}
    for section in sections:
        setattr(model, section, dict(getattr(model, section)))
    touched: dict[ElementId, Any] = {}
    for owner, field, value in changes:
        elements = getattr(model, SECTIONS[owner.kind])
        if owner not in touched:
            touched[owner] = elements[owner.name] = copy(elements[owner.name])
        item = touched[owner]
        if owner.kind == "body" and field == "mass":
            field, value = "inertia", _with_mass(item.inertia, value)
        setattr(item, field, value)
    for owner, item in touched.items():
        if owner.kind == "body" and not isinstance(item.inertia, Inertia):
            found.error("bad-inertia", (owner,), f"{owner}: {item.inertia!r} is not an inertia")
        for fault in item.faults() if hasattr(item, "faults") else ():
            found.error("bad-value", (owner,), f"{owner}: {fault.text}", key=fault.key)
        if owner.kind == "joint":
            for given, rates in ((item.q0, False), (item.v0, True)):
                if given is not None:
                    initial_values(item.joint, given, rates)
    if found.found:
        raise ModelError(found.report(model.name))


def _with_mass(inertia: Inertia | None, mass: Any) -> Inertia:
    """The same shape of another density."""
    if inertia is None or inertia.mass == 0.0:
        raise ValueError("a body without mass has no shape that another mass could fill; give its inertia")
    number = float(mass) if isinstance(mass, Real) else math.nan
    if not 0.0 <= number < math.inf:
        raise ValueError(f"mass is {mass!r}; give a finite number that is not negative [kg]")
    matrix = number / inertia.mass * inertia.matrix
    return Inertia._unchecked(number, inertia.com, matrix, inertia.shapes)  # pyright: ignore[reportPrivateUsage]


# ------------------------------------------------------------------------------------------------- changed arrays


class _Numbers:
    """Copies of the arrays in which numbers change."""

    def __init__(self, system: System, model: Model):
        self.old, self.model = system, model
        self.tree, self.loads, self.laws, self.depth = system.tree, system.loads, system.laws, system.stack_depth

    def take(self, named: Mapping[str, Any], fields: list[_Change]) -> bool:
        """Whether all changes are of numbers that kernels read directly; they are then in the arrays."""
        if any(layout.seam >= 0 for layout in self.old.joints.values()) and fields:
            return False  # halves of split bodies
        if any(isinstance(law.function, ForceReader) for law in self.laws):
            return False  # they read the forces of the system that they were made for
        return self._gravity() and all(self._field(change) for change in fields) and self._parameters(named)

    def system(self) -> System:
        """The system with these arrays."""
        return replace(
            self.old, model=self.model, tree=self.tree, loads=self.loads, laws=self.laws, stack_depth=self.depth
        )

    def _gravity(self) -> bool:
        if self.model.gravity is not self.old.model.gravity:
            self.tree = self.tree._replace(gravity=_read_only(np.array(self.model.gravity, dtype=float)))
        return True

    def _field(self, change: _Change) -> bool:
        owner, field, _ = change
        if field in INITIAL.get(owner.kind, ()):
            return True
        if owner.kind == "body" and field in ("mass", "inertia"):
            self._inertia(owner.name)
            return True
        return owner.kind == "force" and self._reals(owner.name, field)

    def _inertia(self, body: str) -> None:
        """The ten numbers of the row that a body is in, with all bodies that are welded to it."""
        system, row = self.old, self.old.bodies[body]
        inertia = self.tree.inertia.copy()
        inertia[row] = 0.0
        for name, place in system.bodies.items():
            if place == row and name != GROUND:
                X_BU = system.loads.markers.X_BM[system.markers[FrameKey(ElementId("body", name))]].tolist()
                own = self.model.bodies[name].inertia
                assert isinstance(own, Inertia)
                inertia[row] += own.spatial_at(tuple(X_BU[:9]), (X_BU[9], X_BU[10], X_BU[11]))
        self.tree = self.tree._replace(inertia=_read_only(inertia))

    def _reals(self, name: str, field: str) -> bool:
        force = self.model.forces[name]
        if field not in force.REALS and not any(each.startswith(f"{field}_") for each in force.REALS):
            return False
        forces = self.loads.forces
        reals, numbers = forces.reals.copy(), force.reals()
        reals[list(self.model.forces).index(name), : len(force.REALS)] = [numbers[each] for each in force.REALS]
        self.loads = self.loads._replace(forces=forces._replace(reals=_read_only(reals)))
        return True

    def _parameters(self, named: Mapping[str, Any]) -> bool:
        """Laws that read parameters, compiled anew; not those whose inputs depend on the parameters' values."""
        if not named:
            return True
        for constraint in self.model.constraints.values():
            texts = [text for row in constraint.rows() for text in (row.value, row.expression) if isinstance(text, str)]
            if any(_names_in(text) & named.keys() for text in texts):
                return False
        laws = list(self.laws)
        values = self.model.named_values
        for i, law in enumerate(laws):
            if law.program is not None and self.old.law_owners[i].kind != "constraint":
                if not _names_in(law.program.text) & named.keys():
                    continue
                program = compile_expression(law.program.text, constants=values)
                if program.inputs != law.inputs:
                    return False
                laws[i] = replace(law, program=program)
        if any(new is not old for new, old in zip(laws, self.laws, strict=True)):
            nothing = compile_expression(0.0)
            code, bounds, constants, self.depth = link([law.program or nothing for law in laws])
            arrays = self.loads.laws._replace(
                code=_read_only(code), law_code=_read_only(bounds), constants=_read_only(constants)
            )
            self.loads, self.laws = self.loads._replace(laws=arrays), tuple(laws)
        return True


def _read_only(array: Any) -> Any:
    array.setflags(write=False)
    return array
