"""The kernels of a force type as entries: compiled when a model first has such an element, and called by address.

An entry is called once for a group of neighbouring elements of its type (`system.arrays.Group`), in the state w.y at
the time w.clock. The functions below make an entry from the law or the tangent of a type. Types of which a model may
have very many, few of which act at a time (contacts), have a list of these (`neighbour_list`).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from duoti.elements.neighbour_list import near_count, near_pair
from duoti.kernel import ContextType, entry, helper, on_demand, subclasses_of_package, unpack
from duoti.model.forces import FORCE_TYPES, Force
from duoti.system.context import (
    COMPLEX_CONTEXT,
    GROUP_CONTEXT,
    LANES_CONTEXT,
    PERTURBED_CONTEXT,
    PERTURBED_TANGENTS,
    REAL_CONTEXT,
    REAL_TANGENTS,
)

# Force elements and equations that a state switches on and off.


HALF = 0.5  # a switch is on from here


@helper
def force_is_off(loads, w, f):
    """True if a state that switches force element f is off; its place in w.y is the last of the element's indices."""
    integers = loads.forces.integers
    place = integers[f, integers.shape[1] - 1]
    return place >= 0 and w.y[place].real < HALF


@helper
def equation_is_off(closures, w, r):
    """True if a state that switches row r is off."""
    place = closures.equation_axes[r, 2]
    return place >= 0 and w.y[place].real < HALF


def forces_entry(name: str, law: Any, CONTEXT: ContextType) -> Any:
    """An entry that applies the forces of a group of elements with this law."""

    def forces(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        tree, loads, _, w = unpack(group.system, CONTEXT)
        t, q, v = w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
        for f in range(group.first, group.last):
            if force_is_off(loads, w, f):
                w.force_powers[f, 0] = w.force_powers[f, 1] = w.force_powers[f, 2] = 0.0
                continue
            potential, supplied, dissipated = law(f, t, q, v, loads, w)
            w.force_powers[f, 0], w.force_powers[f, 1], w.force_powers[f, 2] = potential, supplied, dissipated
            w.powers[0] += potential
            w.powers[1] += supplied
            w.powers[2] += dissipated

    return entry(forces, name)


def tangents_entry(name: str, tangent: Any, CONTEXT: ContextType, TANGENTS: ContextType) -> Any:
    """An entry that adds the derivatives of the forces of a group of elements."""

    def tangents(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        tree, loads, _, w = unpack(group.system, CONTEXT)
        tan, path = unpack(w.at[0].tangent, TANGENTS)
        t, q, v = w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
        for f in range(group.first, group.last):
            if force_is_off(loads, w, f):
                continue
            tangent(f, t, q, v, tree, loads, w, tan, path)

    return entry(tangents, name)


def near_forces_entry(name: str, law: Any, CONTEXT: ContextType, NEAR: int) -> Any:
    """The same as `forces_entry` with a list of the elements that can act; NEAR: which of their integers says where."""

    def forces(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        tree, loads, _, w = unpack(group.system, CONTEXT)
        t, q, v = w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
        place, near = loads.forces.integers[group.first, NEAR], -1
        if place >= 0:
            near = near_count(loads, w, group.first, group.last, place)
        for i in range(group.last - group.first if near < 0 else near):
            k = i if near < 0 else near_pair(loads, w, place, i)
            f = group.first + (k if k >= 0 else -1 - k)
            if k < 0 or force_is_off(loads, w, f):
                w.force_powers[f, 0] = w.force_powers[f, 1] = w.force_powers[f, 2] = 0.0
                continue
            potential, supplied, dissipated = law(f, t, q, v, loads, w)
            w.force_powers[f, 0], w.force_powers[f, 1], w.force_powers[f, 2] = potential, supplied, dissipated
            w.powers[0] += potential
            w.powers[1] += supplied
            w.powers[2] += dissipated

    return entry(forces, name)


def near_tangents_entry(name: str, tangent: Any, CONTEXT: ContextType, TANGENTS: ContextType, NEAR: int) -> Any:
    """The same as `tangents_entry` with a list of the elements that can act."""

    def tangents(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        tree, loads, _, w = unpack(group.system, CONTEXT)
        tan, path = unpack(w.at[0].tangent, TANGENTS)
        t, q, v = w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
        place, near = loads.forces.integers[group.first, NEAR], -1
        if place >= 0:
            near = near_count(loads, w, group.first, group.last, place)
        for i in range(group.last - group.first if near < 0 else near):
            k = i if near < 0 else near_pair(loads, w, place, i)
            if k < 0 or force_is_off(loads, w, group.first + k):
                continue
            tangent(group.first + k, t, q, v, tree, loads, w, tan, path)

    return entry(tangents, name)


class ForceEntries(NamedTuple):
    """Entries of a type."""

    law: Any
    complex_law: Any
    tangent: Any


def _entries(cls: type[Force]) -> ForceEntries:
    name = f"{cls.__module__}.{cls.__qualname__}"
    forces, complex_forces, tangents = (
        f"{name}.{cls.kind}_{what}" for what in ("forces", "complex_forces", "tangents")
    )
    if cls.near_place is not None:  # of many such elements few act at a time
        return ForceEntries(
            near_forces_entry(forces, cls.law, REAL_CONTEXT, cls.near_place),
            forces_entry(complex_forces, cls.law, COMPLEX_CONTEXT),
            near_tangents_entry(tangents, cls.tangent, *REAL_TANGENTS, cls.near_place),
        )
    return ForceEntries(
        forces_entry(forces, cls.law, REAL_CONTEXT),
        forces_entry(complex_forces, cls.law, COMPLEX_CONTEXT),
        tangents_entry(tangents, cls.tangent, *REAL_TANGENTS),
    )


_ENTRIES: dict[type[Force], ForceEntries] = {cls: _entries(cls) for cls in FORCE_TYPES.values()}


def force_entries(cls: type[Force]) -> ForceEntries:
    """Entries of a type: of the package, or of a script."""
    cls = _type_of(cls)
    if cls not in _ENTRIES:
        _ENTRIES[cls] = _entries(cls)
    return _ENTRIES[cls]


def perturbed_force_entry(cls: type[Force]) -> Any:
    """The law of a type for derivatives by numbers of the model: these are complex, too."""
    return _perturbed_entry(_type_of(cls))


def perturbed_force_tangent(cls: type[Force]) -> Any:
    """The tangent of a type for derivatives of these derivatives by numbers of the model."""
    return _perturbed_tangent(_type_of(cls))


def _type_of(cls: type[Force]) -> type[Force]:
    """The type of a class: one without a kind of its own is of that above it."""
    return next(each for each in cls.__mro__ if "kind" in vars(each))


@cache
def lanes_force_entry(cls: type[Force]) -> Any:
    """The law of a type for lanes; None if it has none. Elements that a state switches have to be left out."""
    cls = _type_of(cls)
    if cls.lanes_law is None:
        return None
    name = f"{cls.__module__}.{cls.__qualname__}.{cls.kind}_lanes_forces"
    return lanes_entry(name, cls.lanes_law)


def lanes_entry(name: str, law: Any) -> Any:
    """An entry that applies the forces of a group of elements with this law in all lanes."""

    def forces(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        tree, loads, _, w = unpack(group.system, LANES_CONTEXT)
        t, q, v = w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
        for f in range(group.first, group.last):
            potential, supplied, dissipated = law(f, t, q, v, loads, w)
            w.powers[0] += potential
            w.powers[1] += supplied
            w.powers[2] += dissipated

    return entry(forces, name)


@cache
def _perturbed_entry(cls: type[Force]) -> Any:
    name = f"{cls.__module__}.{cls.__qualname__}.{cls.kind}_perturbed_forces"
    return forces_entry(name, cls.law, PERTURBED_CONTEXT)


@cache
def _perturbed_tangent(cls: type[Force]) -> Any:
    name = f"{cls.__module__}.{cls.__qualname__}.{cls.kind}_perturbed_tangents"
    return tangents_entry(name, cls.tangent, *PERTURBED_TANGENTS)


@on_demand
def _all_entries() -> None:
    for cls in subclasses_of_package(Force):
        if "kind" in vars(cls) and "law" in vars(cls):
            force_entries(cls)
            lanes_force_entry(cls)
            perturbed_force_entry(cls)
            if cls.complex_numbers:
                perturbed_force_tangent(cls)
