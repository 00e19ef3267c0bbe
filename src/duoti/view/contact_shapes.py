"""Shapes that stand in contacts and not in bodies, where they are drawn: in the frames of the bodies that have them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from duoti.model.contact_element import ContactElement
from duoti.model.elements import GROUND, name_of
from duoti.model.model import Model
from duoti.spatial import Pose, Shape
from duoti.view.parts import shapes_of

SAME = 1e-6  # [m, or of a rotation matrix] by which shapes may differ and be drawn once


class ContactShapes(NamedTuple):
    """What contacts add to the bodies of a model."""

    solid: dict[str, list[Shape]]
    """By body, of bodies that have no shapes of their own: drawn in their place;"""
    faint: dict[str, list[Shape]]
    """of all others: drawn thinly over them."""
    planes: list[tuple[str, Pose]]
    """Planes, which have no size, with the bodies that they stand on."""

    def of(self, body: str) -> list[tuple[Shape, bool]]:
        """All of a body, with whether they are drawn thinly."""
        return [(shape, False) for shape in self.solid.get(body, ())] + [
            (shape, True) for shape in self.faint.get(body, ())
        ]


def contact_shapes(model: Model) -> ContactShapes:
    """All shapes of contacts, each once; not those that a body has in the same place."""
    found = ContactShapes({}, {}, [])
    for contact in model.contacts.values():
        for body, shape in _placed(model, contact):
            own = model.ground if body == GROUND else model.bodies[body]
            if shape.kind == "plane":
                if not any(body == other and _near(shape.pose, pose) for other, pose in found.planes):
                    found.planes.append((body, shape.pose))
            elif shape.kind != "point" and contact.shapes is not None:
                drawn = [each for each in shapes_of(own) if each.kind not in ("plane", "point")]
                into = (found.faint if drawn else found.solid).setdefault(body, [])
                if not any(same_shape(shape, other) for other in (*drawn, *into)):
                    into.append(shape)
    return found


def _placed(model: Model, contact: ContactElement) -> list[tuple[str, Shape]]:
    """The shapes of a contact in the frames of bodies."""
    found: list[tuple[str, Shape]] = []
    seen: set[tuple[str, bool]] = set()
    for pair in contact.pairs(model):
        for second, reference in enumerate(pair):
            side = (name_of(reference), bool(second) and contact.shapes is not None)
            marker = None if side in seen else model.marker(reference)
            seen.add(side)
            if marker is not None:
                shapes = contact.shapes_of(model, reference, bool(second))
                found += [(name_of(marker.body), shape.moved(marker.pose)) for shape in shapes]
    return found


def same_shape(a: Shape, b: Shape) -> bool:
    """Whether two shapes are of one form in one place."""
    round_ = {a.kind, b.kind} <= {"sphere", "shell"}
    if (a.kind, a.file, a.profile) != (b.kind, b.file, b.profile) and not round_:
        return False
    sizes = [dict(each.dimensions) for each in (a, b)]
    if sizes[0].keys() != sizes[1].keys() or any(abs(sizes[0][k] - sizes[1][k]) > SAME for k in sizes[0]):
        return False
    return _near(a.pose, b.pose, turned=not round_)


def _near(a: Pose, b: Pose, turned: bool = True) -> bool:
    apart = float(np.max(np.abs(np.asarray(a.position) - np.asarray(b.position))))
    turn = float(np.max(np.abs(a.rotation.matrix - b.rotation.matrix))) if turned else 0.0
    return max(apart, turn) <= SAME
