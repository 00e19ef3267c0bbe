"""The force elements: one file each, discovered, so that a new one is a new file and nothing else."""

from __future__ import annotations

from duoti.kernel import fold, helper
from duoti.model.discovery import discover
from duoti.model.forces.base import Force
from duoti.model.pairs import DONE

FORCE_TYPES: dict[str, type[Force]] = discover(__name__, __path__, Force)
"""All force elements by name."""

LAW_CODE: dict[str, int] = {kind: code for code, kind in enumerate(FORCE_TYPES)}
"""Private codes of the laws; files store names."""


for _kind, _type in FORCE_TYPES.items():
    if not hasattr(_type, "tangent"):
        raise TypeError(
            f"force element {_kind!r} has no kernel `tangent` for its derivatives; see duoti.model.forces.base"
        )


@helper
def _no_law(f, t, q, v, loads, w):
    return 0.0 * w.tau[0], 0.0 * w.tau[0], 0.0 * w.tau[0]


@helper
def _no_tangent(f, t, q, v, tree, loads, w, tan, path):
    return DONE


apply_force = fold([cls.law for cls in FORCE_TYPES.values()], _no_law)
"""`apply_force(code, f, t, q, v, loads, w)`: the law of the type with this code, for force element f; `forces.base`."""

force_tangent = fold([cls.tangent for cls in FORCE_TYPES.values()], _no_tangent)
"""`force_tangent(code, f, t, q, v, tree, loads, w, tan, way)`: the same for the derivatives."""

__all__ = ["FORCE_TYPES", "LAW_CODE", "Force", "apply_force", "force_tangent"]
