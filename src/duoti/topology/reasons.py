"""Why each joint was cut, in words, built when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from duoti.topology.graph import JointEdge

if TYPE_CHECKING:
    from duoti.topology.tree import Topology

SHOWN = 8
"""Joints of a loop that a sentence names; a longer loop is told by its length."""


def balance(edge: JointEdge) -> str:
    """What cutting a joint costs and saves."""
    f = edge.coordinates
    if f is None:
        return "its kind is unspecified"
    return f"adds {6 - f} constraint rows, removes {f} coordinate{'' if f == 1 else 's'}"


class Reasons(Mapping[str, str]):
    """Cut joint -> why it was cut."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology

    def __len__(self) -> int:
        return len(self._topology.cut_joints)

    def __iter__(self) -> Iterator[str]:
        return iter(self._topology.cut_joints)

    def __getitem__(self, joint: str) -> str:
        t = self._topology
        loop = t.loops[self._place(joint)]
        edge = t.edge(joint)
        if len(loop) <= SHOWN:
            where = f"closes the loop {', '.join(loop.joints)}"
        else:
            where = f"closes a loop of {len(loop)} joints"
        if t.policy == "absolute":
            return "absolute coordinates cut every joint"
        if joint in t.forced:
            bridge = any(j in t.virtual_joints for j in loop.joints)
            lone = "; bodies were left unattached and got a virtual joint" if bridge else ""
            return f"forced by the user; {where}{lone}; {balance(edge)}"
        if joint in t.because:
            return f"{where}; {t.because[joint]}; {balance(edge)}"
        if t.policy == "cheapest":
            all_ = "all" if t.prediction.exact else "the"
            trees = f"{all_} {t.prediction.trees_examined} trees compared"
            return f"{where}; part of the tree with the lowest predicted cost of {trees}; {balance(edge)}"
        return f"{where}; {self._weight(joint, loop.joints[:-1])}; {balance(edge)}"

    def _place(self, joint: str) -> int:
        number = self._topology.joint_labels.get(joint, 0) - len(self._topology.tree_joints) - 1
        if number < 0:
            raise KeyError(f'joint "{joint}" is not cut')
        return number

    def _weight(self, joint: str, others: tuple[str, ...]) -> str:
        t = self._topology
        terms = t.weights.terms(t.edge(joint), t.graph.ground, joint in t.wanted)
        weight = t.weight(joint)
        parts = " ".join([f"{terms[0][1]} {terms[0][0]:g}", *(f"{why} {w:+g}" for w, why in terms[1:])])
        equal = [j for j in others if t.weight(j) == weight and j not in t.kept]
        higher = [j for j in others if t.weight(j) > weight]
        text = f"weight {weight:g} ({parts})"
        if higher:
            return f"{text} is the highest that may be cut"
        if equal:
            same = f"{', '.join(equal[:3])}{', ...' if len(equal) > 3 else ''}"
            return f"{text} is the highest of the loop, equal with {same} and declared later"
        return f"{text} is the highest of the loop"
