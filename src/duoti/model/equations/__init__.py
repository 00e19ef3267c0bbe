"""The kinds of rows: one file each, discovered, so that a new one is a new file and nothing else."""

from __future__ import annotations

import importlib
import pkgutil

from duoti.model.equations.base import ROW_KINDS, CoordinateRow, ExpressionRow, FrameRow, RowKind

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = ["ROW_KINDS", "CoordinateRow", "ExpressionRow", "FrameRow", "RowKind"]
