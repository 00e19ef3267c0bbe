"""What all elements of bond graphs have in common.

An element has *ends*, one for each bond attached to it, in the order in which the bonds were made. The half arrow of a
bond says where its power e f counts as positive. Sources, storages and resistors are written for their own flow: that
of the bond if the arrow points into a storage or resistor, its opposite otherwise (Karnopp, Margolis & Rosenberg,
System Dynamics, 5th ed. 2012, ch. 3).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from duoti.strict import Strict

if TYPE_CHECKING:
    from duoti.bond.equations.assembly import Assembly

Gives = Literal["effort", "flow"]
"""What an element decides about a bond: its effort or its flow; the other end decides the other one."""


class End(NamedTuple):
    """An element's end of a bond: the number of the bond, and 1 if its arrow points into the element, else -1."""

    bond: int
    sign: int


class Element(Strict):
    """A part of a bond graph."""

    kind: ClassVar[str]
    """The letters of the element in drawings and files."""
    ports: ClassVar[int | None] = 1
    """How many bonds it takes; None: that depends."""
    role: ClassVar[Literal["source", "storage", "resistor", "junction", "two-port", "port"]]

    def faults(self, bonds: int) -> list[str]:
        """What is wrong with it, in words, `bonds` being attached to it."""
        if self.ports is not None and bonds != self.ports:
            return [wrong_count(self.ports, bonds)]
        return []

    def laws(self) -> Iterable[tuple[str, Any]]:
        """Parameters that may be expressions or functions, by name."""
        return ()

    def prefers(self, end: int) -> Gives | None:
        """What it would rather decide at an end; None: it does not care."""
        return None

    def implied(self, given: Sequence[Gives | None]) -> Mapping[int, Gives] | None:
        """What it must decide at its other ends if it decides `given`; None if that is impossible.

        This is the whole of causality: a junction of common effort takes its effort from one bond, and so on.
        """
        return {}

    @abstractmethod
    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """Put its equations, as many as it has ends, into an assembly."""

    def __repr__(self) -> str:
        given = ", ".join(f"{key}={value!r}" for key, value in vars(self).items() if value is not None)
        return f"{type(self).__name__}({given})"


def wrong_count(size: int, bonds: int) -> str:
    """That an element has too many bonds, or too few."""
    return f"it takes {size} bond{'s' * (size != 1)}, {bonds} {'is' if bonds == 1 else 'are'} there"


def text_of(value: Any) -> str:
    """A value as the user wrote it, for drawings and equations."""
    return value if isinstance(value, str) else f"{value:.6g}" if isinstance(value, float | int) else "..."
