"""The part of the model check that looks at contacts: names, laws, shapes, and pairs that cannot be treated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duoti.flexible.body import Flexible
from duoti.model.checks.findings import Findings
from duoti.model.checks.parameters import faults_of, shown
from duoti.model.checks.references import check_reference
from duoti.model.checks.registry import register_check
from duoti.model.contacts import ContactLaw
from duoti.model.contacts.base import CompliantLaw
from duoti.model.contacts.compliant_contact import LUGRE_PAIRS
from duoti.model.contacts.element import ALL, ContactElement, held_together
from duoti.model.contacts.rolling_contact import RollingContact
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND, name_of
from duoti.model.model import Model
from duoti.spatial import Shape
from duoti.spelling import with_article

BOTH = "shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)), in a file shapes: [{plane: {}}, {sphere: {radius: 0.1}}]"
"""How the shapes of both sides are given."""


@register_check("structure", order=210)
def check_contacts(model: Model, found: Findings) -> None:
    """Add what is wrong with the contacts of a model."""
    for name, element in model.contacts.items():
        who = ElementId("contact", str(name))
        with found.about(who):
            _check_contact(model, who, element, found)


def _check_contact(model: Model, who: ElementId, element: ContactElement, found: Findings) -> None:
    if not isinstance(element.law, ContactLaw):  # pyright: ignore[reportUnnecessaryIsInstance]
        found.error("bad-contact", (who,), f"{who}: {shown(element.law)} is not a law of contact",
                    remedy="give an object such as dt.RigidContact(friction=0.3)", key="law")  # fmt: skip
    else:
        for fault in faults_of(element.law):
            text = f"{who} ({element.law.kind}): {fault.text}"
            found.error("bad-contact", (who,), text, key=fault.key)
    known = _check_sides(model, who, element, found)
    if _check_given_shapes(who, element, found) and known:
        _check_pairs(model, who, element, found)


def _check_sides(model: Model, who: ElementId, element: ContactElement, found: Findings) -> bool:
    known = True
    for key, side in (("a", element.a), ("b", element.b)):
        for reference in element.references(side):
            if name_of(reference) == ALL and ALL not in model.bodies:
                found.error("bad-contact", (who,), f'{who}: {key} lists "{ALL}" among others', key=key,
                            remedy=f'give "{ALL}" alone, or the names')  # fmt: skip
                known = False
            else:
                known &= check_reference(model, who, key, reference, found)
    if known and element.single and model.body_name(element.a) == model.body_name(element.b):
        body = ElementId("body", model.body_name(element.a))
        found.error("self-contact", (who, body), f"{who}: both sides are on {body}", "a rigid body never meets itself",
                    "correct one of them", "b")  # fmt: skip
        known = False
    return known


def _check_given_shapes(who: ElementId, element: ContactElement, found: Findings) -> bool:
    if element.shapes is None:
        return True
    given: Any = element.shapes
    if isinstance(given, list | tuple) and len(given) == 2 and all(isinstance(each, Shape) for each in given):
        return True
    found.error("bad-contact", (who,), f"{who}: shapes are {shown(given)}", key="shapes",
                remedy=f"give one shape of a and one of b: {BOTH}")  # fmt: skip
    return False


def _check_pairs(model: Model, who: ElementId, element: ContactElement, found: Findings) -> None:
    from duoti.model.pairs import find_compliant_pair, find_pair  # with the kernels of all pairs of shapes
    from duoti.model.pairs.base import sizes_of, touching_kind

    pairs = _Pairs(model, element)
    if next(pairs.all(), None) is None:
        found.error("no-shapes", (who,), f"{who} is between no two bodies",
                    "bodies without shapes, and those that a joint holds together, are left out of lists",
                    "name two bodies, or give them shapes: add_body(..., shapes=[dt.Shape.box(size)])")  # fmt: skip
        return
    _remark_welds(model, who, pairs, found)
    rolling = isinstance(element.law, RollingContact)
    lugre = isinstance(element.law, CompliantLaw) and element.law.lugre
    find = find_pair if getattr(element.law, "rigid", True) else find_compliant_pair  # what is no law has been told
    without, left_out, treated = dict[str, None](), dict[tuple[str, str], tuple[tuple[str, str], bool]](), 0
    for names, shapes in pairs.different():
        if names == (GROUND, GROUND):
            continue
        if not (_check_dimensions(who, shapes, found) and _check_profiles(who, shapes, found)):
            return
        on_track = any(shape.kind == "rail" for side in shapes for shape in side)
        if on_track and isinstance(element.law, RollingContact) and element.law.kinematics == "track":
            text = f'{who}: kinematics="track" is for straight tracks, and its rail has a track of its own'
            found.error("bad-contact", (who,), text, remedy='take kinematics="spatial"', key="kinematics")
            return
        without.update({name: None for name, own in zip(names, shapes, strict=True) if not own})
        for first in shapes[0]:
            for second in shapes[1]:
                sound = sizes_of(first) is not None and sizes_of(second) is not None
                kind = find(touching_kind(first), touching_kind(second))[0] if sound else None
                usable = kind is not None
                if rolling:
                    usable = kind is not None and kind.curvatures is not None
                if lugre:
                    usable = kind is not None and kind.kind in LUGRE_PAIRS
                treated += usable
                if not usable:
                    refused = not rolling and any(_is_refused(each) for each in (first, second))
                    left_out.setdefault((_called(first), _called(second)), (names, refused))
    if without and (element.single or not treated):
        bodies = tuple(ElementId("body", name) for name in without)
        listed = ", ".join(f'"{name}"' for name in without)
        found.error("no-shapes", (who, *bodies), f"{who}: {listed} has no shape to touch with",
                    "neither the contact nor the body gives one",
                    f"give both: {BOTH}", "shapes")  # fmt: skip
        return
    for (first, second), (names, falls_through) in left_out.items():
        bodies = tuple(ElementId("body", name) for name in names if name != GROUND)
        text = f'{who}: {first} of "{names[0]}" against {second} of "{names[1]}" cannot be treated'
        remedy = (
            "give shapes that can, e.g. a few spheres or capsules; docs/guide/contact/contact_shapes.md lists the pairs"
        )
        if rolling:
            remedy = "rolling contact is between a dt.Shape.revolution and a dt.Shape.extrusion or plane"
        if lugre:
            text += ' with friction_law="lugre"'
            remedy = (
                'take friction_law="regularised", or shapes whose points of contact stay the same: spheres, boxes, '
                "capsules, ellipsoids on a plane; spheres on spheres, boxes, capsules, cylinders, discs"
            )
        if element.single or not treated or lugre or falls_through:
            found.error("untreated-pair", (who, *bodies), text, remedy=remedy, key="shapes")
        else:
            found.warning("untreated-pair", (who, *bodies), f"{text}: such pairs are left out", remedy=remedy,
                          key="shapes")  # fmt: skip


class _Pairs:
    """The pairs of bodies of a contact, which may be so many that few are looked at."""

    def __init__(self, model: Model, element: ContactElement) -> None:
        self.sides = element.sides(model)
        self.names = [[name_of(each) for each in side] for side in self.sides]
        self.bodies = [[model.body_name(each) for each in side] for side in self.sides]
        self.alike = element.alike(model) and not element.single
        together = [] if element.single else held_together(model)
        self.apart = {pair for a, b in together for pair in ((a, b), (b, a))}
        self.single = element.single
        self._shapes: list[dict[int, list[Shape]]] = [{}, {}]
        self._shapes_of = lambda i, k: element.shapes_of(model, self.sides[k][i], bool(k))

    def shapes(self, i: int, k: int) -> list[Shape]:
        """Of the i-th body on side k."""
        if i not in self._shapes[k]:
            self._shapes[k][i] = self._shapes_of(i, k)
        return self._shapes[k][i]

    def may_meet(self, i: int, j: int) -> bool:
        """Whether two that stand in the lists are a pair."""
        a, b = self.bodies[0][i], self.bodies[1][j]
        return self.single or ((not self.alike or i < j) and a != b and (a, b) not in self.apart)

    def all(self) -> Iterator[tuple[int, int]]:
        """All pairs."""
        for i in range(len(self.bodies[0])):
            yield from ((i, j) for j in range(len(self.bodies[1])) if self.may_meet(i, j))

    def different(self) -> Iterator[tuple[tuple[str, str], list[list[Shape]]]]:
        """Names of bodies and shapes of pairs that a check may find different: of shapes that are alike, the first."""
        groups: list[dict[Any, list[int]]] = [{}, {}]
        for k, bodies in enumerate(self.bodies):
            for i, body in enumerate(bodies):
                groups[k].setdefault(_kinds(self.shapes(i, k), body), []).append(i)
        found = [
            next(((i, j) for i in first for j in second if self.may_meet(i, j)), None)
            for first in groups[0].values() for second in groups[1].values()
        ]  # fmt: skip
        for i, j in sorted(pair for pair in found if pair is not None):
            yield (self.bodies[0][i], self.bodies[1][j]), [self.shapes(i, 0), self.shapes(j, 1)]


def _kinds(shapes: list[Shape], body: str) -> Any:
    """What a check looks at of the shapes of a body; ground, and bodies without any, are looked at by name."""
    if not shapes or body == GROUND:
        return body
    return tuple(
        (shape.kind, tuple(name for name, _ in shape.dimensions), shape.cavity, shape.convex, shape.file, shape.profile,
         tuple(size for _, size in shape.dimensions) if shape.profile else ())
        for shape in shapes
    )  # fmt: skip


def _remark_welds(model: Model, who: ElementId, pairs: _Pairs, found: Findings) -> None:
    """Say so if all pairs of a contact are welded together: it does nothing, and has no channels."""
    of: dict[str, str] = {}  # towards the first body of what is welded together

    def first(name: str) -> str:
        while name in of:
            name = of[name]
        return name

    for joint in model.joints.values():
        bends = any(name in model.bodies and isinstance(model.bodies[name].inertia, Flexible) for name in
                    (joint.parent, joint.child))  # fmt: skip
        if joint.kind == "fixed" and not bends and first(joint.parent) != first(joint.child):
            of[first(joint.child)] = first(joint.parent)
    roots = [[first(name) for name in side] for side in pairs.bodies]
    if all(roots[0][i] == roots[1][j] for i, j in pairs.all()):
        i, j = next(pairs.all())
        a, b = pairs.bodies[0][i], pairs.bodies[1][j]
        text = f'{who} does nothing: "{a}" and "{b}" are welded together'
        bodies = tuple(ElementId("body", name) for name in (a, b) if name != GROUND)
        found.info("welded-contact", (who, *bodies), text, "joints of the type fixed lead from one to the other",
                   "take it out, or let one of them move")  # fmt: skip


NEEDED = {
    "sphere": ("radius",), "disc": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length"),
    "box": ("size_x", "size_y", "size_z"), "heightfield": ("size_x", "size_y"), "cone": ("radius", "height"),
    "torus": ("ring_radius", "tube_radius"), "rail": ("left", "up"),
}  # fmt: skip
"""Dimensions without which a shape has no surface; those of smooth shapes are said by their types."""


def _check_dimensions(who: ElementId, shapes: list[list[Shape]], found: Findings) -> bool:
    """Whether all shapes have their dimensions: in files, and by `dt.Shape` itself, they are given freely."""
    from duoti.model.shapes import SMOOTH_SHAPES  # with their kernels

    dimensions = {**NEEDED, **{kind: cls.dimensions for kind, cls in SMOOTH_SHAPES.items()}}
    for shape in (each for side in shapes for each in side):
        has = dict(shape.dimensions)
        needed = dimensions.get(shape.kind, ())
        if isinstance(shape.profile, str) and shape.profile:
            needed = (*needed, "low", "high")
        if lacking := [name for name in needed if name not in has]:
            found.error("bad-contact", (who,), f"{who}: its shapes: {_called(shape)} has no {' and no '.join(lacking)}",
                        remedy=f"make it by dt.Shape.{shape.kind}(...)", key="shapes")  # fmt: skip
            return False
    return True


def _check_profiles(who: ElementId, shapes: list[list[Shape]], found: Findings) -> bool:
    """Whether all profiles are curves."""
    from duoti.model.pairs.profiles import VARIABLES, profile_rows

    for shape in (each for side in shapes for each in side if each.kind in VARIABLES):
        try:
            profile_rows(shape)
        except ValueError as error:
            remedy = "see dt.Shape.revolution, dt.Shape.extrusion and dt.Shape.rail"
            found.error("bad-contact", (who,), f"{who}: {error}", remedy=remedy, key="shapes")
            return False
    return True


def _is_refused(shape: Shape) -> bool:
    """Whether a shape is a solid that few others can touch: bodies would pass through it."""
    from duoti.model.pairs.base import sizes_of

    return not shape.cavity and sizes_of(shape) is None


def _called(shape: Shape) -> str:
    from duoti.model.pairs.base import touching_kind

    non_convex = touching_kind(shape) == "triangles"
    what = (
        "a cavity"
        if shape.cavity
        else "a non-convex mesh"
        if non_convex and shape.file
        else with_article(shape.kind[:60])
    )
    return f"{what} ({shape.file[:200]})" if shape.file else what
