"""Elements of bond graphs, one type per file; the modules of this folder are the types that model files know."""

from duoti.bond.element import Element
from duoti.bond.elements.junctions import One, Zero
from duoti.bond.elements.port import Port
from duoti.bond.elements.r import R
from duoti.bond.elements.sources import Se, Sf
from duoti.bond.elements.storages import C, I
from duoti.bond.elements.two_ports import GY, MGY, MTF, TF

ELEMENT_TYPES: dict[str, type[Element]] = {
    cls.kind: cls for cls in (Se, Sf, R, C, I, TF, MTF, GY, MGY, Zero, One, Port)
}
"""By the name that files and pictures use."""

__all__ = ["ELEMENT_TYPES", "GY", "MGY", "MTF", "TF", "C", "Element", "I", "One", "Port", "R", "Se", "Sf", "Zero"]
