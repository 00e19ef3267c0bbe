"""Elements of bond graphs, one type per file; the modules of this folder are the types that model files know."""

from duoti.bond.element import Element
from duoti.bond.elements.c import C
from duoti.bond.elements.gy import GY
from duoti.bond.elements.i import I
from duoti.bond.elements.mgy import MGY
from duoti.bond.elements.mtf import MTF
from duoti.bond.elements.one import One
from duoti.bond.elements.port import Port
from duoti.bond.elements.r import R
from duoti.bond.elements.se import Se
from duoti.bond.elements.sf import Sf
from duoti.bond.elements.tf import TF
from duoti.bond.elements.zero import Zero

ELEMENT_TYPES: dict[str, type[Element]] = {
    cls.kind: cls for cls in (Se, Sf, R, C, I, TF, MTF, GY, MGY, Zero, One, Port)
}
"""By the name that files and pictures use."""

__all__ = ["ELEMENT_TYPES", "GY", "MGY", "MTF", "TF", "C", "Element", "I", "One", "Port", "R", "Se", "Sf", "Zero"]
