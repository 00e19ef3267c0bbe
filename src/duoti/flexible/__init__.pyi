# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.flexible.attachment import Attachment
from duoti.flexible.craig_bampton import CraigBampton
from duoti.flexible.dmig import DmigFile, read_dmig
from duoti.flexible.structure import Structure, von_mises
from duoti.model.forces.nodal_force import NodalForce
from duoti.model.forces.surface_pressure import SurfacePressure
from duoti.model.forces.surface_traction import SurfaceTraction

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
