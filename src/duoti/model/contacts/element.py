"""A contact as the user described it, and the pairs of bodies that it means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.contacts.base import ContactLaw
from duoti.model.elements import GROUND, Body, JointElement, Reference, name_of
from duoti.spatial import Shape
from duoti.strict import Strict

if TYPE_CHECKING:
    from duoti.model.model import Model

ALL = "all"
LEAVE_OUT = "leave this pair out of the contact, or shorten a shape"  # what to do about joined bodies that overlap
WANDERING = ("planar", "translation")  # kinds of joints that let a body go anywhere on ground, or in a plane of it
Side = Reference | Sequence[Reference]


@dataclass(eq=False, repr=False)
class ContactElement(Strict):
    """A law of contact between `a` and `b`: two bodies or markers, two lists of such, or "all".

    `shapes` stand in the frames of a and b; without them, those of the bodies (or of their inertias) are used.
    """

    name: str
    law: ContactLaw
    a: Any
    b: Any
    shapes: Sequence[Shape] | None = None

    @property
    def single(self) -> bool:
        """True if it is between one body (or marker) and another one."""
        return all(isinstance(side, str | Body) or hasattr(side, "name") for side in (self.a, self.b)) and (
            ALL not in (self.a, self.b)
        )

    def references(self, side: Any) -> list[Any]:
        """What one side names; "all" names nothing."""
        if isinstance(side, str) and side == ALL:
            return []
        return list(side) if isinstance(side, list | tuple | set | frozenset) else [side]

    def pairs(self, model: Model) -> Iterator[tuple[Reference, Reference]]:
        """The pairs of bodies or markers, each once.

        Of lists and of "all": without pairs on one body and without neighbours, which a joint holds together.
        """
        firsts, seconds, first, second = self.index_pairs(model)
        for i, j in zip(first.tolist(), second.tolist(), strict=True):
            yield firsts[i], seconds[j]

    def index_pairs(
        self, model: Model
    ) -> tuple[list[Reference], list[Reference], NDArray[np.int64], NDArray[np.int64]]:
        """What stands on either side, and the pairs as two lists of numbers in these, in order (`pairs`)."""
        if self.single:
            return [self.a], [self.b], np.zeros(1, np.int64), np.zeros(1, np.int64)
        sides = self.sides(model)
        ids: dict[str, int] = {}
        names = [np.array([ids.setdefault(name_of(each), len(ids)) for each in side], np.int64) for side in sides]
        bodies_of: dict[str, int] = {}
        bodies = [np.array([bodies_of.setdefault(model.body_name(each), len(bodies_of)) for each in side], np.int64)
                  for side in sides]  # fmt: skip
        alike = np.array_equal(names[0], names[1]) and len(ids) == len(names[0])
        if alike:  # each with those after it
            first, second = np.triu_indices(len(ids), 1)
        else:
            first = np.repeat(np.arange(len(sides[0])), len(sides[1]))
            second = np.tile(np.arange(len(sides[1])), len(sides[0]))
        of_first, of_second = bodies[0][first], bodies[1][second]
        kept = of_first != of_second
        joined = [(bodies_of[a], bodies_of[b]) for a, b in held_together(model) if a in bodies_of and b in bodies_of]
        if joined:
            together = {_code(*each, len(bodies_of)) for each in joined}
            kept &= ~np.isin(_code(of_first, of_second, len(bodies_of)), list(together))
        first, second = first[kept], second[kept]
        if not alike:  # each two names once
            once = np.unique(_code(names[0][first], names[1][second], len(ids)), return_index=True)[1]
            once.sort()
            first, second = first[once], second[once]
        return sides[0], sides[1], first.astype(np.int64), second.astype(np.int64)

    def sides(self, model: Model) -> tuple[list[Reference], list[Reference]]:
        """The bodies or markers on either side."""
        return ([self.a], [self.b]) if self.single else (self._side(model, self.a), self._side(model, self.b))

    def count_pairs(self, model: Model) -> int:
        """How many pairs of bodies or markers there are, at most."""
        a, b = (len({name_of(each) for each in side}) for side in self.sides(model))
        return a * (a - 1) // 2 if self.alike(model) else a * b

    def alike(self, model: Model) -> bool:
        """Whether both sides are the same ones, each of which meets those after it."""
        a, b = ([name_of(each) for each in side] for side in self.sides(model))
        return a == b and len({*a}) == len(a)

    def _side(self, model: Model, side: Any) -> list[Reference]:
        if isinstance(side, str) and side == ALL:
            found = [name for name, body in model.bodies.items() if shapes_of_body(body)]
            return [*([GROUND] if model.ground.shapes else []), *found]
        return self.references(side)

    def shapes_of(self, model: Model, reference: Reference, second: bool) -> list[Shape]:
        """The shapes on one side, in the frame of the reference."""
        if self.shapes is not None:
            return [self.shapes[int(second)]]
        marker = model.marker(reference)
        if marker is None:
            return []
        body = model.ground if name_of(marker.body) == GROUND else model.bodies[name_of(marker.body)]
        if isinstance(reference, Body) or name_of(reference) not in model.markers:  # the marker of a body is its frame
            return shapes_of_body(body)
        X_MB = marker.pose.inverse()
        return [shape.moved(X_MB) for shape in shapes_of_body(body)]

    def __repr__(self) -> str:
        return f"<contact {self.name!r}: {self.law!r}>"


def _code(a: Any, b: Any, count: int) -> Any:
    """A number for two of so many things, in either order."""
    return np.minimum(a, b) * count + np.maximum(a, b)


def _holds(joint: JointElement) -> bool:
    """Whether a joint holds its bodies together, so that they do not meet and part."""
    return joint.kind != "free" and not (joint.parent == GROUND and joint.kind in WANDERING)


def held_together(model: Model) -> list[tuple[str, str]]:
    """Names of bodies that a joint holds together: lists of bodies leave these pairs out."""
    return [(joint.parent, joint.child) for joint in model.joints.values() if _holds(joint)]


def joint_holding(model: Model, a: str, b: str) -> str:
    """The joint that holds two bodies together, which cannot be parted then if they overlap; "" if none does."""
    holding = (n for n, joint in model.joints.items() if {joint.parent, joint.child} == {a, b} and _holds(joint))
    return next(holding, "")


def shapes_of_body(body: Body) -> list[Shape]:
    """What a body touches others with: its own shapes, or those of its inertia."""
    if body.shapes or body.inertia is None:
        return list(body.shapes)
    return list(getattr(body.inertia, "shapes", ()))
