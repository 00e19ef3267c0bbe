"""Other numbers in a compiled model: stiffnesses, masses, lengths, named parameters, without compiling it anew.

What kernels read as a number of their own (numbers of force elements, inertias, gravity, constants of laws, values of
constraints) is written into copies of the arrays. Where bodies, markers or joints move, poses and inertias of the links
are computed anew, by the part of the compiler that makes the tree. Everything else, and what shares its arrays, stays
the same objects. Other changes (tables, types of joints, places that elements of beams or flexible bodies read) make
all arrays anew on the same tree. Neither the topology nor the check of the whole model is repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from duoti.flexible.body import Flexible
from duoti.model.checks.findings import Findings, Report
from duoti.model.element_id import SECTIONS, ElementId
from duoti.model.elements import GROUND, REPLACED, initial_values
from duoti.model.errors import ModelError, ParameterError
from duoti.model.expand_bond_graphs import described, expanded
from duoti.model.laws.expressions import compile_expression, link, with_constants
from duoti.model.laws.law import Law
from duoti.model.mechanism.placement import Placement, place_bodies
from duoti.model.model import Model
from duoti.model.parameters import Parameter, computed_from, find, finite, names_in, refuse_computed
from duoti.spatial import Inertia
from duoti.system.compile.compiler import build_system, garbage_waits
from duoti.system.compile.copy_model import own_copy
from duoti.system.compile.tree_builder import TreeBuilder
from duoti.system.force_signals import ForceReader, with_own_readers
from duoti.system.system import FrameKey, System

PLACES = {"body": ("position", "rotation"), "marker": ("position", "rotation"), "joint": ("at", "rotor_inertia")}
INITIAL = {"joint": ("q0", "v0"), "state": ("initial",), "body": ("shapes",)}  # what no array holds


class _Change(NamedTuple):
    """A field of an element, or one number of it, and the new value."""

    parameter: Parameter
    value: Any


def with_values(model: Model, changes: Mapping[str, Any] | Mapping[Parameter, Any]) -> Model:
    """A copy of a model, as its user described it, with other values; compiling it checks them."""
    source = described(model)
    found = [_Change(find(source, each) if isinstance(each, str) else each, value) for each, value in changes.items()]
    again, found = _read_again(source, found)
    made = own_copy(source) if again is None else again
    for parameter, value in found:
        parameter.put(made, value)
    return made


def _read_again(source: Model, changes: list[_Change]) -> tuple[Model | None, list[_Change]]:
    """The model with numbers that its file computes (`=2*r`) computed anew, and the changes that are left to make.

    None if the changes are none of parameters from which such numbers follow. The model is read from the text of its
    own file, so that what was changed since it was loaded stays; where there is no such text, ParameterError says why.
    """
    declared = {
        owner.name: each
        for each in changes
        if (owner := each.parameter.element) is not None and owner.kind == "parameter"
    }
    computed = computed_from(source, declared) if source.sources and declared else {}
    if not computed:
        return None, changes
    if any(path[0] == "submodels" for path in source.sources):
        refuse_computed(source, computed)
    from duoti.formats import from_text, to_text

    values = {name: finite(name, declared[name].value) for name in computed}
    try:
        made = from_text(to_text(source), name=source.name, parameters=values, allow_outside=True)
    except ModelError as error:
        raise ParameterError(f"{', '.join(values)}: the model's file cannot be computed anew: {error}") from None
    if any(
        [*getattr(made, each)] != [*getattr(source, each)] for each in ("bodies", "joints", "forces", "constraints")
    ):
        raise ParameterError(f"{', '.join(values)}: with these values the file describes another structure")
    done = {id(declared[name]) for name in computed}
    return made, [each for each in changes if id(each) not in done]


def with_parameters(system: System, changes: Mapping[str, Any]) -> System:
    """See `System.with_parameters`."""
    old = system.model
    found = [_Change(_known(system, name), value) for name, value in changes.items()]
    again, found = _read_again(described(old), found)
    model = again or (_shallow(old) if old.expansion is None else own_copy(old.expansion.source))
    _put(model, found)
    if model.bond_graphs:
        model = expanded(model)
        if wrong := model.expansion.found.report(model.name).errors:
            raise ModelError(Report(model.name, wrong))
    elif again is None:
        changed = _Numbers(system, model)
        if changed.take(found):
            return changed.system()
    with garbage_waits():
        assert system.topology is not None
        made = build_system(model, system.topology, _is_fused(system), _placed(model))
        return replace(made, lacking=system.lacking, found_parameters=system.found_parameters)


def _placed(model: Model) -> Placement:
    """Where everything is in the reference configuration; ValueError if markers of joints do not meet there."""
    placement = place_bodies(model)
    if placement.gaps:
        joints = ", ".join(f'"{name}"' for name in placement.gaps)
        raise ValueError(f"the markers of joints {joints} no longer coincide in the reference configuration")
    return placement


def _is_fused(system: System) -> bool:
    return any(layout.fused for layout in system.joints.values())


def _is_plain(value: Any) -> bool:
    return isinstance(value, float | int)


Item = TypeVar("Item")


def _shallow(item: Item) -> Item:
    """What `copy.copy` makes of an object with attributes, in a tenth of the time."""
    made = object.__new__(type(item))
    vars(made).update(vars(item))
    return made


def _known(system: System, name: str) -> Parameter:
    """What a name means; found once for all systems that are made from one."""
    found = system.found_parameters.get(name)
    if found is None:
        found = system.found_parameters[name] = find(described(system.model), name)
    return found


def changes_numbers_only(system: System, parameter: Parameter, value: Any) -> bool:
    """Whether a parameter is a number that kernels read directly, so that nothing but numbers in arrays changes."""
    if system.model.expansion is not None or system.model.bond_graphs:
        return False
    model, changes = _shallow(system.model), [_Change(parameter, value)]
    _put(model, changes)
    numbers = _Numbers(system, model)
    return numbers.take(changes) and not numbers.moved and numbers.closures is system.closures


def _put(model: Model, changes: list[_Change]) -> None:
    """Elements with new values in the place of the old ones; ModelError with all that is wrong with them."""
    found = Findings()
    touched: dict[ElementId, Any] = {}
    sections = set[str]()
    replaced = dict(vars(model).get(REPLACED, {}))  # what others still refer to (`copy_model`)
    for parameter, value in changes:
        owner = parameter.element
        if owner is not None and owner.kind != "parameter" and owner not in touched:
            section = SECTIONS[owner.kind]
            if section not in sections:
                sections.add(section)
                setattr(model, section, dict(getattr(model, section)))
            elements = getattr(model, section)
            old = elements[owner.name]
            replaced[id(old)] = (old, section, owner.name)
            touched[owner] = elements[owner.name] = _shallow(old)
        parameter.put(model, value)
    vars(model)[REPLACED] = replaced
    for owner, item in touched.items():
        if owner.kind == "body" and not isinstance(item.inertia, (Inertia, Flexible)):
            found.error("bad-inertia", (owner,), f"{owner}: {item.inertia!r} is not an inertia")
        checked = item.joint if owner.kind == "joint" else item.law if owner.kind == "contact" else item
        for fault in checked.faults() if hasattr(checked, "faults") else ():
            found.error("bad-value", (owner,), f"{owner}: {fault.text}", key=fault.key)
        if owner.kind == "joint":
            for field, given in (("q0", item.q0), ("v0", item.v0)):
                try:
                    if given is not None:
                        initial_values(item.joint, given, field == "v0")
                except ValueError as error:
                    found.error("bad-value", (owner,), f"{owner}: {field}: {error}", key=field)
    if found.found:
        raise ModelError(found.report(model.name))


# ------------------------------------------------------------------------------------------------- changed arrays


class _Numbers:
    """Copies of the arrays in which numbers change."""

    def __init__(self, system: System, model: Model):
        self.old, self.model = system, model
        self.tree, self.loads, self.laws, self.depth = system.tree, system.loads, system.laws, system.stack_depth
        self.closures = system.closures
        self.shadows = [name for name, layout in system.joints.items() if layout.shadow_weld >= 0]
        self.moved = False

    def take(self, changes: list[_Change]) -> bool:
        """Whether all changes are of numbers in arrays, or of poses; the arrays have them then."""
        elements = [(each.parameter.element, each.parameter.field) for each in changes]
        named = {owner.name for owner, _ in elements if owner is not None and owner.kind == "parameter"}
        fields = [(owner, field) for owner, field in elements if owner is not None and owner.kind != "parameter"]
        if not (self._gravity() and all(self._field(*each) for each in fields) and self._parameters(named)):
            return False
        return not self.moved or self._place()

    def system(self) -> System:
        """The system with these arrays."""
        made = _shallow(self.old)
        vars(made).pop("unfused", None)  # made from the other numbers
        vars(made).update(
            model=self.model, tree=self.tree, loads=self.loads, closures=self.closures, laws=self.laws,
            stack_depth=self.depth,
        )  # fmt: skip
        return with_own_readers(made)

    def _gravity(self) -> bool:
        if self.model.gravity is not self.old.model.gravity:
            self.tree = self.tree._replace(gravity=_read_only(np.array(self.model.gravity, dtype=float)))
        return True

    def _field(self, owner: ElementId, field: str) -> bool:
        if field in INITIAL.get(owner.kind, ()):
            return True
        if owner.kind == "body" and field in ("mass", "com", "inertia"):
            if self.shadows:
                self.moved = True  # halves of split bodies
            else:
                self._inertia(owner.name)
            return True
        if field in PLACES.get(owner.kind, ()):
            self.moved = True
            return field != "rotor_inertia" or not self.old.joints[owner.name].cut  # a cut joint with a rotor is split
        if owner.kind == "constraint":
            return self._values(owner)
        return owner.kind == "force" and self._reals(owner.name, field)

    def _place(self) -> bool:
        """Poses and inertias of all links, and the frames on them."""
        old = self.old
        if old.reads_places or old.flexible:
            return False
        assert old.topology is not None
        built = TreeBuilder(self.model, old.topology, _placed(self.model), _is_fused(old), self.shadows)
        for name in self.model.constraints:
            built.constraint_ends(name)
        links, markers = built.links, old.loads.markers
        self.tree = self.tree._replace(
            X_PF=_read_only(np.array(links.X_PF)), inertia=_read_only(np.array(links.inertia)),
            rotor=_read_only(np.array(links.rotor, dtype=float)),
        )  # fmt: skip
        self.loads = self.loads._replace(markers=markers._replace(X_BM=_read_only(np.array(built.X_BM))))
        return True

    def _values(self, owner: ElementId) -> bool:
        """Values of the equations of a constraint, and its number, if nothing else of it changes."""
        old, new = self.old.model.constraints[owner.name], self.model.constraints[owner.name]
        rows = new.rows()
        if old.table() is not None or old.frames() != new.frames() or not all(_is_plain(row.value) for row in rows):
            return False
        if [replace(row, value=0.0) for row in old.rows()] != [replace(row, value=0.0) for row in rows]:
            return False
        k = self.old.closure_names.index(owner)
        first = int(self.closures.first[k])
        value, parameter = self.closures.value.copy(), self.closures.parameter.copy()
        value[first : first + len(rows)] = [float(cast(float, row.value)) for row in rows]
        parameter[k] = new.parameter()
        self.closures = self.closures._replace(value=_read_only(value), parameter=_read_only(parameter))
        return True

    def _inertia(self, body: str) -> None:
        """The ten numbers of the link that a body is in, with all bodies that are welded to it."""
        system, index = self.old, self.old.bodies[body]
        total = [0.0] * 10
        for name, other in system.bodies.items():
            if other == index and name != GROUND:
                X_BU = system.loads.markers.X_BM[system.markers[FrameKey(ElementId("body", name))]].tolist()
                own = self.model.bodies[name].inertia
                assert isinstance(own, Inertia)
                part = own.spatial_at(X_BU[:9], X_BU[9:])
                total = [a + b for a, b in zip(total, part, strict=True)]
        inertia = self.tree.inertia.copy()
        inertia[index] = total
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

    def _parameters(self, named: set[str]) -> bool:
        """Laws that read parameters, compiled anew; not those whose inputs depend on the parameters' values."""
        if not named:
            return True
        for constraint in self.model.constraints.values():
            texts = [text for row in constraint.rows() for text in (row.value, row.expression) if isinstance(text, str)]
            if any(names_in(text) & named for text in texts):
                return False
        laws, changed = list(self.laws), list[int]()
        values = self.model.named_values
        for i, law in enumerate(laws):
            if isinstance(law.function, ForceReader) and law.function.names & named:
                return False
            if law.program is not None and self.old.law_owners[i].kind != "constraint":
                if not names_in(law.program.text) & named:
                    continue
                program = with_constants(law.program, values)
                if program.inputs != law.inputs:
                    return False
                laws[i] = made = _shallow(law)
                vars(made)["program"] = program
                changed.append(i)
        if changed:
            self._link(tuple(laws), changed)
        return True

    def _link(self, laws: tuple[Law, ...], changed: list[int]) -> None:
        """Programs of laws, some of them changed, as arrays; where the code is the same, only its numbers are new."""
        programs = [law.program or _NOTHING for law in laws]
        before, arrays = [law.program or _NOTHING for law in self.laws], self.loads.laws
        if all(programs[i].code == before[i].code and programs[i].tables == before[i].tables for i in changed):
            constants = arrays.constants.copy()
            first = [0, *accumulate(len(program.constants) for program in programs)]
            for i in changed:
                constants[first[i] : first[i + 1]] = programs[i].constants
            arrays = arrays._replace(constants=_read_only(constants))
        else:
            code, bounds, constants, self.depth = link(programs)
            arrays = arrays._replace(
                code=_read_only(code), law_code=_read_only(bounds), constants=_read_only(constants)
            )
        self.loads, self.laws = self.loads._replace(laws=arrays), laws


_NOTHING = compile_expression(0.0)


def _read_only(array: Any) -> Any:
    array.setflags(write=False)
    return array
