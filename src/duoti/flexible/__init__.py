"""Flexible bodies: finite elements, modes, and what remains of them as a body of the tree."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.flexible.attachment": "Attachment",
    "duoti.flexible.craig_bampton": "CraigBampton",
    "duoti.flexible.dmig": "DmigFile, read_dmig",
    "duoti.flexible.structure": "Structure, von_mises",
    "duoti.model.forces.nodal_force": "NodalForce",
    "duoti.model.forces.surface_pressure": "SurfacePressure",
    "duoti.model.forces.surface_traction": "SurfaceTraction",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
