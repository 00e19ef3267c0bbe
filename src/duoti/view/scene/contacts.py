"""Contacts for the page: forces, states, points that touch, and the planes on which bodies lie."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duoti.model.constructor_schema import fields_of
from duoti.model.contacts.element import ContactElement
from duoti.model.elements import GROUND, name_of
from duoti.model.errors import ChannelError
from duoti.model.model import Model
from duoti.model.roads.road import Road
from duoti.model.roads.shapes import ribbon
from duoti.results.result import Result
from duoti.spatial import Pose, Shape
from duoti.view.scene.channels import FRAME_LETTERS, Channel
from duoti.view.scene.pack import pack
from duoti.view.scene.parts import numbers_of, shapes_of

# Shapes that stand in contacts and not in bodies, where they are drawn: in the frames of the bodies that have them.


ASPHALT = "#8b9097"
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
    if roads := roads_of(model):
        found.solid.setdefault(GROUND, []).extend(roads)
    return found


def roads_of(model: Model) -> list[Shape]:
    """The roads of force elements, each once, as ribbons in the ground."""
    found: dict[Road, None] = {}
    for force in model.forces.values():
        for key, field in fields_of(type(force)).items():
            if field.kind == "road" and isinstance(road := getattr(force, key), Road):
                found[road] = None
    shapes: list[Shape] = []
    for road in found:
        points = ribbon(road)
        rows = tuple(tuple(row) for row in points.reshape(len(points), -1).tolist())
        shapes.append(Shape("ribbon", profile=rows, colour=ASPHALT))
    return shapes


def _placed(model: Model, contact: ContactElement) -> list[tuple[str, Shape]]:
    """The shapes of a contact in the frames of bodies."""
    found: list[tuple[str, Shape]] = []
    seen: set[tuple[str, bool]] = set()
    for second, side_of in enumerate(contact.sides(model)):
        for reference in side_of:
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


Array = NDArray[np.float64]
SHOWN = ("force", "normal_force", "point", "gap", "slip_speed", "state")
UNITS = {"force": "N", "normal_force": "N", "point": "m", "gap": "m", "slip_speed": "m/s", "state": "1"}
MOST_POINTS = 256  # that may touch, of one contact; of larger ones only the force is drawn
TOUCHING = 2e-4  # gap, as part of the size of the scene, of points that are drawn as touching
FINE = 2.0**-17  # of the size of the scene


def contact_document(model: Model, touching: ContactShapes, index: dict[str, int]) -> list[dict[str, Any]]:
    """What the page knows of the contacts of a model; index: numbers of the bodies. Planes stand with the first one."""
    planes = [{"body": index[body], "pose": numbers_of(pose)} for body, pose in touching.planes]
    return [
        {"name": name, "kind": each.law.kind, "text": repr(each.law).partition("(")[2].rstrip(")"),
         "planes": [] if k else planes}
        for k, (name, each) in enumerate(model.contacts.items())
    ]  # fmt: skip


def contact_columns(model: Model) -> int:
    """How many columns `contact_channels` will have."""
    return 10 * len(model.contacts)


def contact_channels(result: Result) -> list[Channel]:
    """Channels of all contacts; forces of rigid ones only where the solver has recorded them."""
    found: list[Channel] = []
    for name in result.model.contacts:
        for what in SHOWN:
            try:
                values = np.asarray(result[f"contact:{name}.{what}"], dtype=float).reshape(len(result.t), -1)
            except ChannelError:
                continue
            known = np.isfinite(values)
            other = np.max(values, where=known, initial=0.0) if what == "gap" else 0.0  # inf: nothing is near
            values = np.where(known, values, other)
            letters = FRAME_LETTERS.get(values.shape[1], ())
            found.append(Channel(f"{name}.{what}", UNITS[what], "contact", name, what, values, letters))
    return found


def touching_points(result: Result, size: float) -> dict[str, Any] | None:
    """Places of all points of the contacts, and whether they touch, over time; None of a model without contacts."""
    if not result.model.contacts:
        return None
    from duoti.results.evaluate.contact_points import points_over_time

    heads: list[dict[str, Any]] = []
    columns: list[Array] = []
    for name in result.model.contacts:
        points = points_over_time(result, name)
        count = points.gap.shape[1]
        if not count or count > MOST_POINTS:
            continue
        touch = points.gap <= TOUCHING * size
        place = np.where(touch[..., None], points.place, 0.0)
        heads.append({"name": name, "count": count})
        columns.append(np.concatenate([place, touch[..., None].astype(float)], axis=2).reshape(len(touch), -1))
    if not heads:
        return None
    values = np.concatenate(columns, axis=1)
    return {"heads": heads, "block": pack(values, np.tile([size * FINE] * 3 + [1.0], values.shape[1] // 4))}
