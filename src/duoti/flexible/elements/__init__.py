"""Finite elements. A solid element is one file, discovered, so that a new one is a new file and nothing else.

Such a file makes a `SolidElement` (`solid.py`): shape functions, quadrature, faces, and how a brick is filled with such
elements. Meshes, mesh files and structures know an element from these attributes only. `beam2.py` is the beam.
"""

from __future__ import annotations

import importlib
import pkgutil

from duoti.flexible.elements.solid import SolidElement

SOLIDS: dict[str, SolidElement] = {
    element.kind: element
    for info in pkgutil.iter_modules(__path__)
    for element in vars(importlib.import_module(f"{__name__}.{info.name}")).values()
    if isinstance(element, SolidElement)
}
"""The solid elements by name."""

__all__ = ["SOLIDS", "SolidElement"]
