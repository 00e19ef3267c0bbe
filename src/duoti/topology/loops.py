"""Loops (回路) as closed sequences of joints, one for each cut joint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from duoti.topology.tree import Topology


@dataclass(frozen=True)
class Path:
    """The way from one body to another over tree joints, first to last.

    ``signs`` are +1 for a joint passed away from body 0 (in its regular direction), -1 towards body 0.
    """

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    signs: tuple[int, ...]


@dataclass(frozen=True)
class Loop(Sequence[str]):
    """The loop that one cut joint closes; as a sequence it is the sequence of its joints.

    It starts at the body where the cut joint starts, runs over tree joints to the body where that ends, and
    returns against the cut joint (Qi 2008, section 1.3): ``joints[i]`` leads from ``bodies[i]`` to the next
    body, the last one to ``bodies[0]``. ``signs`` are the column of the loop matrix U, and -1 for the cut
    joint itself.
    """

    cut: str
    joints: tuple[str, ...]
    signs: tuple[int, ...]
    bodies: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.joints)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self.joints[index]

    def __str__(self) -> str:
        steps = [
            f"{body} ─{joint}{'→' if sign > 0 else '←'}"
            for body, joint, sign in zip(self.bodies, self.joints, self.signs, strict=True)
        ]
        return " ".join([*steps, self.bodies[0]])


class Loops(Sequence[Loop]):
    """The loops in the order of their cut joints, each built when asked for, by number or by cut joint."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology

    def __len__(self) -> int:
        return len(self._topology.cut_joints)

    @overload
    def __getitem__(self, index: int | str) -> Loop: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Loop, ...]: ...
    def __getitem__(self, index: int | str | slice) -> Loop | tuple[Loop, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        t = self._topology
        k = t.cut_joints.index(index) if isinstance(index, str) else range(len(self))[index]
        labels = len(t.tree_joints) + k
        path = t.path_between(t.bodies[t.start[labels]], t.bodies[t.end[labels]])
        cut = t.cut_joints[k]
        return Loop(cut, (*path.joints, cut), (*path.signs, -1), path.bodies)

    def __iter__(self) -> Iterator[Loop]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        shown = ", ".join("(" + " ".join(loop.joints) + ")" for loop in self[:10])
        return f"<{len(self)} loops: {shown}{', ...' if len(self) > 10 else ''}>"
