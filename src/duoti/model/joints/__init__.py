"""The joint types: one file each, discovered, so that a new type is a new file and nothing else."""

from __future__ import annotations

from duoti.kernel import fold, helper
from duoti.model.discovery import discover
from duoti.model.joints.base import Coordinate, Joint

JOINT_TYPES: dict[str, type[Joint]] = discover(__name__, __path__, Joint)
"""All joint types by name."""

_WITH_LAW = [cls for cls in JOINT_TYPES.values() if hasattr(cls, "law")]
LAW_CODE: dict[str, int] = {cls.kind: code for code, cls in enumerate(_WITH_LAW)}
"""Private codes of the laws; files store names."""


@helper
def _no_law(q, k, v, j, p, b, X_PF, H, c):
    return X_PF


joint_pose = fold([cls.law for cls in _WITH_LAW], _no_law)
"""`joint_pose(code, q, k, v, j, p, b, X_PF, H, c)`: the law of the type with this code, see `joints.base`.

q, v: all coordinates and velocities, this joint's beginning at k and j; p: table of parameters, b: this joint's row in
it and in c; X_PF: pose of the joint's frame in the parent.
"""

__all__ = ["JOINT_TYPES", "LAW_CODE", "Coordinate", "Joint", "joint_pose"]
