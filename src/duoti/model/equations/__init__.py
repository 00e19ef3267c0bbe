"""The kinds of equations: one file each, discovered, so that a new one is a new file and nothing else."""

import importlib
import pkgutil

from duoti.model.equations.base import (
    EQUATION_KINDS,
    CoordinateEquation,
    EquationKind,
    ExpressionEquation,
    FrameEquation,
)

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = ["EQUATION_KINDS", "CoordinateEquation", "EquationKind", "ExpressionEquation", "FrameEquation"]
