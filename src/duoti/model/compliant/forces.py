"""Compliant contact as a force element: one type for each pair of shapes and law.

The force in a point is that of the law (`CompliantLaw.point_force`). The user describes a `CompliantContact` or another
such law; the compiled model has these elements in its place (`add_contact_forces`). The types of `CompliantContact` are
made when this file is imported, those of other laws when a model has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np

from duoti.elements.body_pairs import add_pair, displacement, path_between
from duoti.elements.complex_steps import EPS, moved_by, slopes, twist_about
from duoti.elements.neighbour_list import ENDLESS, lists_size, scratch_size
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper, on_demand, part
from duoti.model.contacts import CONTACT_TYPES
from duoti.model.contacts.base import MOST_NUMBERS, CompliantLaw
from duoti.model.contacts.compliant_contact import CompliantContact
from duoti.model.elements import Reference, name_of
from duoti.model.force_blocks import BLOCK_HEADER
from duoti.model.forces.base import MARKER_A, MARKER_B, Compiler, Force
from duoti.model.model import Model
from duoti.model.pairs import SHAPE_PAIRS, ShapePair, find_compliant_pair
from duoti.model.pairs.base import reach_of, sizes_of, touching_kind
from duoti.model.pairs.profiles import VARIABLES, table_rows
from duoti.spatial import Shape
from duoti.spatial.algebra import (
    add,
    compose,
    cross,
    get3,
    get9,
    get_pose,
    get_spatial,
    put_spatial,
    scale,
    sub,
)

FIRST_A, FIRST_B = 2, 3  # integers of pairs with profiles
POSE_A = MOST_NUMBERS
POSE_B, SIZE_A, SIZE_B = POSE_A + 12, POSE_A + 24, POSE_A + 28
REALS = (
    *(f"law_{i}" for i in range(MOST_NUMBERS)), *(f"{side}_{i}" for side in ("pose_a", "pose_b") for i in range(12)),
    *(f"{side}_{i}" for side in ("size_a", "size_b") for i in range(4)),
)  # fmt: skip


@helper
def size4(reals, f, k):
    """Four sizes of a shape."""
    return reals[f, k].real, reals[f, k + 1].real, reals[f, k + 2].real, reals[f, k + 3].real


@helper
def shape_pose(loads, w, f, m, k):
    """Pose in the world of a shape whose pose in the frame of marker m stands in the element's numbers."""
    reals = loads.forces.reals
    X_WM = compose(get_pose(w.X_WB, loads.markers.body[m]), get_pose(loads.markers.X_BM, m))
    return compose(X_WM, (get9(reals, f, k), get3(reals, f, k + 9)))


def plain_point(pair_law: Any) -> Any:
    """The points of an element whose shapes are described by their sizes."""

    def point_of(f, loads, X_A, X_B, k):
        reals = loads.forces.reals
        return pair_law(X_A, X_B, size4(reals, f, SIZE_A), size4(reals, f, SIZE_B), k)

    return helper(point_of)


@helper
def _in_table(size, first):
    """Sizes of a shape with a profile: its rows in the table of the model begin at `first`."""
    return size[0] + first, size[1] + first, size[2], size[3]


def profile_point(pair_law: Any) -> Any:
    """The points of an element whose shapes have profiles."""

    def point_of(f, loads, X_A, X_B, k):
        reals, integers = loads.forces.reals, loads.forces.integers
        s_a = _in_table(size4(reals, f, SIZE_A), integers[f, FIRST_A])
        s_b = _in_table(size4(reals, f, SIZE_B), integers[f, FIRST_B])
        return pair_law(loads.forces.tables, X_A, X_B, s_a, s_b, k)

    return helper(point_of)


def _wrench(point_of: Any, POINTS: int, point_force: Any) -> Any:
    """Torque about `centre` and force on b of all points, their potential energy and lost power."""

    def wrench(f, loads, X_A, X_B, V_A, V_B, centre, scratch):
        reals = loads.forces.reals
        zero = 0.0 * (V_B[1][0] + X_B[1][0])
        torque, force, potential, lost = (zero, zero, zero), (zero, zero, zero), zero, zero
        for k in range(POINTS):
            gap, p_a, p_b, n = point_of(f, loads, X_A, X_B, k)
            if gap.real < 0.0:
                arm = sub(scale(0.5, add(p_a, p_b)), centre)
                u = sub(add(V_B[1], cross(V_B[0], arm)), add(V_A[1], cross(V_A[0], arm)))
                here, energy, power = point_force(reals, f, gap, u, n)
                torque, force = add(torque, cross(arm, here)), add(force, here)
                potential, lost = potential + energy, lost + power
        return torque, force, potential, lost

    return part(wrench)


def _law(wrench: Any) -> Any:
    """The law of an element with this wrench."""

    def law(f, t, q, v, loads, w):
        integers = loads.forces.integers
        m_a, m_b = integers[f, MARKER_A], integers[f, MARKER_B]
        centre = get3(w.X_WB, 1, 9)
        a, b = loads.markers.body[m_a], loads.markers.body[m_b]
        torque, force, potential, lost = wrench(
            f, loads, shape_pose(loads, w, f, m_a, POSE_A), shape_pose(loads, w, f, m_b, POSE_B),
            twist_about(w, a, centre), twist_about(w, b, centre), centre, w.block_scratch,
        )  # fmt: skip
        apply_wrench(loads, w, m_b, sub(centre, get3(w.X_WB, b, 9)), force, torque)
        apply_wrench(loads, w, m_a, sub(centre, get3(w.X_WB, a, 9)), scale(-1.0, force), scale(-1.0, torque))
        return potential, 0.0 * lost, lost

    return helper(law)


def _tangent(wrench: Any) -> Any:
    """By complex steps: what a motion of b alone, and a change of its twist, do to the wrench (`body_pairs`)."""

    def tangent(f, t, q, v, tree, loads, w, tan, path):
        integers = loads.forces.integers
        m_a, m_b = integers[f, MARKER_A], integers[f, MARKER_B]
        centre = get3(w.X_WB, 1, 9)
        X_A, X_B = shape_pose(loads, w, f, m_a, POSE_A), shape_pose(loads, w, f, m_b, POSE_B)
        a, b = loads.markers.body[m_a], loads.markers.body[m_b]
        V_A, V_B = get_spatial(tan.V_W, a), get_spatial(tan.V_W, b)
        step = EPS * 1j
        X_same = moved_by(X_B, V_B, 0.0 * step, centre)  # complex numbers in all calls: the wrench is compiled once
        V_same = (add(V_B[0], scale(0.0 * step, V_B[0])), add(V_B[1], scale(0.0 * step, V_B[1])))
        n, g, potential, _ = wrench(f, loads, X_A, X_same, V_A, V_same, centre, path.block_scratch)
        if potential == 0.0:  # nothing presses; forces from several sides may cancel
            return
        torque, force = (n[0].real, n[1].real, n[2].real), (g[0].real, g[1].real, g[2].real)
        count = path_between(tree, path, a, b)
        for k in range(count):
            S_j, y_j = displacement(tan, path.column[k], V_B)
            X_then = moved_by(X_B, S_j, step, centre)
            V_then = (add(V_B[0], scale(step, y_j[0])), add(V_B[1], scale(step, y_j[1])))
            n, g, _, _ = wrench(f, loads, X_A, X_then, V_A, V_then, centre, path.block_scratch)
            put_spatial(path.W_q, k, slopes(n, g))
            V_then = (add(V_B[0], scale(step, S_j[0])), add(V_B[1], scale(step, S_j[1])))
            n, g, _, _ = wrench(f, loads, X_A, X_same, V_A, V_then, centre, path.block_scratch)
            put_spatial(path.W_v, k, slopes(n, g))
        add_pair(tree, tan, path, count, (torque, force), np.int64(1))

    return helper(tangent)


class ContactForce(Force):
    """What the types below have in common; users describe a law such as `CompliantContact`."""

    implied = True
    INTEGERS = ("marker_a", "marker_b")
    REALS = REALS
    pair: ClassVar[type[ShapePair]]

    def __init__(self, contact: str, law: CompliantLaw, marker_a: Reference, marker_b: Reference,
                 shape_a: Shape, shape_b: Shape):  # fmt: skip
        self.contact, self.contact_law = contact, law
        self.marker_a, self.marker_b, self.shape_a, self.shape_b = marker_a, marker_b, shape_a, shape_b
        self.group: ContactGroup | None = None

    @property
    def loses_unseen(self) -> bool:
        return self.contact_law.loses_unseen

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """Both sides."""
        return (("marker_a", self.marker_a), ("marker_b", self.marker_b))

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        found = {"marker_a": compiler.marker(self.marker_a), "marker_b": compiler.marker(self.marker_b)}
        if self.pair.profiles:
            for name, shape in (("first_a", self.shape_a), ("first_b", self.shape_b)):
                found[name] = compiler.table(table_rows(shape))[0] if shape.kind in VARIABLES else 0
        found["near"] = -1 if self.group is None else self.group.place(compiler)
        return found

    def reaches(self) -> tuple[float, float]:
        """Radii of balls about the origins of the two shapes that hold them."""
        return reach_of(self.shape_a), reach_of(self.shape_b)

    def reals(self) -> Mapping[str, float]:
        numbers = [*self.contact_law.numbers()]
        numbers += [0.0] * (MOST_NUMBERS - len(numbers))
        for shape in (self.shape_a, self.shape_b):
            numbers += [float(x) for x in shape.pose.twelve]
        for shape in (self.shape_a, self.shape_b):
            numbers += list(sizes_of(shape) or ())
        return dict(zip(REALS, numbers, strict=True))


MANY = 24  # elements of a type, from which on those that are near are listed
MARGIN, LEAST_MARGIN = 0.25, 0.01  # of the list: part of the mean reach, and m where shapes are points


class ContactGroup:
    """All elements of a type, for the list of those that are near (`elements.neighbour_list`)."""

    def __init__(self, forces: Sequence[ContactForce]):
        self.forces = forces
        self.known: tuple[int, int] | None = None  # compiler, by its identity, and place

    def __repr__(self) -> str:
        return f"<{len(self.forces)} pairs>"

    def place(self, compiler: Compiler) -> int:
        """Where the block of the group stands; made once."""
        if self.known is None or self.known[0] != id(compiler):
            self.known = id(compiler), self._block(compiler)
        return self.known[1]

    def _block(self, compiler: Compiler) -> int:
        shapes: dict[tuple[str, int], int] = {}  # elements share their shapes
        markers: list[int] = []
        numbers: list[float] = []
        pairs: list[int] = []
        finite: list[float] = []
        for force in self.forces:
            sides = ((force.marker_a, force.shape_a), (force.marker_b, force.shape_b))
            for k, (marker, shape) in enumerate(sides):
                key = (name_of(marker), id(shape))
                if key not in shapes:
                    shapes[key] = len(markers)
                    markers.append(compiler.marker(marker))
                    X, reach = shape.pose.twelve, force.reaches()[k]
                    numbers += [*map(float, X[9:]), float(X[2]), float(X[5]), float(X[8]), reach]
                    finite += [reach] if reach < ENDLESS else []
                pairs.append(shapes[key])
        margin = MARGIN * float(np.mean(finite)) if any(finite) else LEAST_MARGIN
        n, m = len(markers), len(self.forces)
        integers = np.array([*(0 for _ in BLOCK_HEADER), n, m, *markers, *pairs], np.int64)
        return compiler.block(
            integers, np.array([margin, *numbers]), lambda nv, nz: scratch_size(n), lists=lists_size(m)
        )


def element_type(
    pair: type[ShapePair], law: type[CompliantLaw], wrench: Any, base: type[ContactForce], integers: tuple[str, ...]
) -> Any:
    """The type of the elements of a pair and law, from its wrench (as `_wrench`): with law and tangent."""
    first = "contact" if law is CompliantContact else law.kind
    name, module = ("Contact", base.__module__) if law is CompliantContact else (law.__name__, law.__module__)
    body = {"kind": f"{first}_{pair.kind}", "law": staticmethod(_law(wrench)), "pair": pair,
            "tangent": staticmethod(_tangent(wrench)), "near_place": len(ContactForce.INTEGERS + integers),
            "__module__": module, "__doc__": pair.__doc__,
            "INTEGERS": (*ContactForce.INTEGERS, *integers, "near")}  # fmt: skip
    return type(base)(f"{name}{pair.__name__}", (base,), body)


@cache
def _type_of(pair: type[ShapePair], law: type[CompliantLaw]) -> type[ContactForce]:
    """The type of the elements of a pair; those with shares of points are not imported before there are some."""
    if pair.law is None:
        from duoti.model.compliant.patches import patch_type

        return patch_type(pair, law)
    point_of = profile_point(pair.law) if pair.profiles else plain_point(pair.law)
    integers = ("first_a", "first_b") if pair.profiles else ()
    return element_type(pair, law, _wrench(point_of, pair.points, law.point_force), ContactForce, integers)


for each in SHAPE_PAIRS.values():
    if each.law is not None:
        _type_of(each, CompliantContact)


@on_demand
def _all_types() -> None:
    for law in CONTACT_TYPES.values():
        if issubclass(law, CompliantLaw):
            from duoti.model.compliant.patches import PAIRS

            for pair in (*(pair for pair in SHAPE_PAIRS.values() if pair.law is not None), *PAIRS):
                _type_of(pair, law)


def _element(pair: type[ShapePair], law: CompliantLaw) -> type[ContactForce]:
    """The type of the elements of a pair; those with LuGre friction are not imported before there are some."""
    if law.lugre:
        from duoti.model.compliant.lugre import lugre_type

        return lugre_type(pair)
    return _type_of(pair, next(each for each in type(law).__mro__ if "kind" in vars(each)))


def add_contact_forces(model: Model) -> None:
    """Put the elements of compliant contacts into a model that is about to be compiled."""
    for name, force in [(name, force) for name, force in model.forces.items() if isinstance(force, ContactForce)]:
        del model.forces[name]
        for state in force.state_names:
            model.states.pop(state, None)
    named: dict[str, ContactForce] = {}
    for name, element in model.contacts.items():
        law = element.law
        if not isinstance(law, CompliantLaw):
            continue
        made: list[ContactForce] = []
        sides: dict[tuple[str, bool], list[tuple[Shape, str]]] = {}  # many pairs have few sides

        def side(reference: Reference, second: bool, of: Any = element, known: Any = sides) -> list[tuple[Shape, str]]:
            key = (name_of(reference), second and of.shapes is not None)
            if key not in known:
                known[key] = [(shape, touching_kind(shape)) for shape in of.shapes_of(model, reference, second)]
            return known[key]

        for a, b in element.pairs(model):
            for shape_a, kind_a in side(a, False):
                for shape_b, kind_b in side(b, True):
                    pair, swapped = find_compliant_pair(kind_a, kind_b)
                    if pair is None:
                        continue
                    names = (name_of(a), name_of(b))
                    both = (*names[::-1], shape_b, shape_a) if swapped else (*names, shape_a, shape_b)
                    made.append(_element(pair, law)(name, law, *both))
        named |= {name if len(made) == 1 else f"{name}[{k}]": force for k, force in enumerate(made)}
    for kind in dict.fromkeys(map(type, named.values())):  # those of a type are neighbours
        own = {name: force for name, force in named.items() if type(force) is kind}
        group = ContactGroup(list(own.values())) if len(own) >= MANY and kind.near_place is not None else None
        for name, force in own.items():
            force.group = group
            model.forces[name] = force
