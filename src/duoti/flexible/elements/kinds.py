"""The solid elements by name."""

from duoti.flexible.elements.hex8 import HEX8
from duoti.flexible.elements.solid import SolidElement
from duoti.flexible.elements.tet4 import TET4
from duoti.flexible.elements.tet10 import TET10

SOLIDS: dict[str, SolidElement] = {element.kind: element for element in (TET4, TET10, HEX8)}
