# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.flexible.reduction.craig_bampton import CraigBampton
from duoti.flexible.structure.attachment import Attachment
from duoti.flexible.structure.dmig import DmigFile, read_dmig
from duoti.flexible.structure.structure import Structure, von_mises
from duoti.model.forces.flexible_load import NodalForce, SurfacePressure, SurfaceTraction

__all__ = [
    "Attachment",
    "CraigBampton",
    "DmigFile",
    "NodalForce",
    "Structure",
    "SurfacePressure",
    "SurfaceTraction",
    "read_dmig",
    "von_mises",
]
