"""Flexible bodies: finite elements, modes, and what remains of them as a body of the tree."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.flexible.reduction.craig_bampton": "CraigBampton",
    "duoti.flexible.structure.attachment": "Attachment",
    "duoti.flexible.structure.dmig": "DmigFile, read_dmig",
    "duoti.flexible.structure.structure": "Structure, von_mises",
    "duoti.model.forces.flexible_load": "NodalForce, SurfacePressure, SurfaceTraction",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
