"""Composite joint (组合铰): a chain of simpler joints without mass in between."""

from __future__ import annotations

import numpy as np

from duoti.model.element_id import Fault
from duoti.model.joints.base import Coordinate, Joint
from duoti.model.joints.prismatic import Prismatic
from duoti.model.joints.revolute import Revolute
from duoti.spatial.reflection import Reflection
from duoti.strict import explained_constructors


@explained_constructors
class Composite(Joint):
    r"""Several simple joints in a row, all at the same point, from the parent to the child.

    $$X_{FM} = X_1(q_1)\, X_2(q_2) \cdots X_n(q_n)$$

    Each part has its axes in the reference configuration; the parts before it carry it along. Coordinates: those of the
    parts in their order. `Composite(Revolute("z"), Revolute("y"), Revolute("x"))` is a gimbal.

    Parameters
    ----------
    joints:
        The parts: joints with one or more coordinates.
    """

    kind = "composite"

    def __init__(self, *joints: Joint):
        self.joints = joints

    @classmethod
    def of_axes(cls, slides: str = "", turns: str = "") -> Composite:
        """A joint that is free along and about these axes: of_axes("xz", "y") moves in a vertical plane.

        First it slides, in the order of the letters, then it turns.
        """
        wrong = sorted({*slides, *turns} - {*"xyz"}) or [c for c in {*slides} if slides.count(c) > 1]
        if wrong or not slides + turns or any(turns[i : i + 1] == turns[i + 1 : i + 2] for i in range(len(turns) - 1)):
            text = f"of_axes({slides!r}, {turns!r}): write letters x, y, z, such as of_axes('xz', 'y')"
            raise ValueError(f"{text}; no axis twice among slides, or one after the other among turns")
        return cls(*(Prismatic(axis) for axis in slides), *(Revolute(axis) for axis in turns))

    @property
    def parts(self) -> tuple[Joint, ...]:
        """All simple joints, composites within composites unpacked."""
        given = self.joints if isinstance(self.joints, list | tuple) else ()  # pyright: ignore[reportUnnecessaryIsInstance]
        joints = [j for j in given if isinstance(j, Joint)]  # pyright: ignore[reportUnnecessaryIsInstance]
        return tuple(part for joint in joints for part in joint.parts)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Those of the parts, in order."""
        return tuple(c for part in self.parts for c in part.coordinates)

    @property
    def nq(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Number of position coordinates."""
        return sum(part.nq for part in self.parts)

    @property
    def nv(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Number of velocity coordinates, the degrees of freedom."""
        return sum(part.nv for part in self.parts)

    def faults(self) -> list[Fault]:
        if not isinstance(self.joints, list | tuple):  # pyright: ignore[reportUnnecessaryIsInstance]
            return [Fault(f"joints is {self.joints!r}; give a list of joints", "joints")]
        if not self.joints:
            return [
                Fault(
                    "it has no parts; name at least one joint, e.g. Composite(Revolute('z'), Prismatic('z'))", "joints"
                )
            ]
        strangers = [repr(j) for j in self.joints if not isinstance(j, Joint)]  # pyright: ignore[reportUnnecessaryIsInstance]
        if strangers:
            return [Fault(f"parts that are no joints: {', '.join(strangers)}", "joints")]
        return [_of_part(i, part, fault) for i, part in enumerate(self.parts) for fault in part.faults()]

    def remarks(self) -> list[Fault]:
        return [_of_part(i, part, remark) for i, part in enumerate(self.parts) for remark in part.remarks()]

    def __repr__(self) -> str:
        return f"Composite({', '.join(map(repr, self.joints))})"

    def mirrored(self, reflection: Reflection) -> tuple[Joint, tuple[float, ...], tuple[float, ...]]:
        """Part by part."""
        made = [part.mirrored(reflection) for part in self.parts]
        q = tuple(sign for _, signs, _ in made for sign in signs)
        return Composite(*(joint for joint, _, _ in made)), q, tuple(sign for _, _, signs in made for sign in signs)

    @staticmethod
    def sample(rng: np.random.Generator) -> Composite:
        """A random chain of a slider and two hinges."""
        return Composite(Prismatic(rng.normal(size=3)), Revolute(rng.normal(size=3)), Revolute(rng.normal(size=3)))


def _of_part(i: int, part: Joint, fault: Fault) -> Fault:
    return Fault(f"part {i + 1} ({part.kind}): {fault.text}", "joints")
