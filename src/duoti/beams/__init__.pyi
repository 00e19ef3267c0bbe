# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.model.forces.beam_element import BeamElement
from duoti.model.forces.spectral_beam_element import SpectralBeamElement
from duoti.model.forces.thin_beam import ThinBeam

__all__ = [
    "BeamElement",
    "SpectralBeamElement",
    "ThinBeam",
]
