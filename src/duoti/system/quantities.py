"""Which coordinates and velocities of a joint a quantity is."""

from __future__ import annotations

from duoti.model.joints.base import Joint


def quantity_indices(joint: Joint, what: str) -> tuple[list[int], list[int]]:
    """Which of a joint's coordinates (first list) or rates (second list) the named quantity is."""
    in_q: list[int] = []
    in_v: list[int] = []
    k = j = 0
    for c in joint.coordinates:
        if c.name == what:
            in_q += range(k, k + c.nq)
        if c.rate == what:
            in_v += range(j, j + c.nv)
        k, j = k + c.nq, j + c.nv
    return in_q, in_v


def short_name(joint: Joint, label: str) -> str:
    """The name of the only coordinate (label "q") or rate ("v") of a joint."""
    c = joint.coordinates[0]
    return c.name if label == "q" else c.rate
