"""A contact as the user described it, and the pairs of bodies that it means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
        if self.single:
            yield self.a, self.b
            return
        sides = [self._side(model, side) for side in (self.a, self.b)]
        joined = {frozenset((j.parent, j.child)) for j in model.joints.values() if _holds(j)}
        seen: set[frozenset[str]] = set()
        for first in sides[0]:
            for second in sides[1]:
                names = frozenset((name_of(first), name_of(second)))
                bodies = frozenset((model.body_name(first), model.body_name(second)))
                if len(bodies) < 2 or bodies in joined or names in seen:
                    continue
                seen.add(names)
                yield first, second

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
        X_MB = marker.pose.inverse()
        return [shape.moved(X_MB) for shape in shapes_of_body(body)]

    def __repr__(self) -> str:
        return f"<contact {self.name!r}: {self.law!r}>"


def _holds(joint: JointElement) -> bool:
    """Whether a joint holds its bodies together, so that they do not meet and part."""
    return joint.kind != "free" and not (joint.parent == GROUND and joint.kind in WANDERING)


def joint_holding(model: Model, a: str, b: str) -> str:
    """The joint that holds two bodies together, which cannot be parted then if they overlap; "" if none does."""
    holding = (n for n, joint in model.joints.items() if {joint.parent, joint.child} == {a, b} and _holds(joint))
    return next(holding, "")


def shapes_of_body(body: Body) -> list[Shape]:
    """What a body touches others with: its own shapes, or those of its inertia."""
    if body.shapes or body.inertia is None:
        return list(body.shapes)
    return list(getattr(body.inertia, "shapes", ()))
