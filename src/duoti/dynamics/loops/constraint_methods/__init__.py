"""Constraint methods for closed loops: one file each; the kernels are in `dynamics.loops.constrained` and `reduced`."""

from duoti.dynamics.loops.constraint_methods.base import ConstraintMethod as ConstraintMethod
from duoti.lazy import names_of

_EXPORTS = {
    "duoti.dynamics.loops.constraint_methods.augmented_lagrangian": "AugmentedLagrangian",
    "duoti.dynamics.loops.constraint_methods.baumgarte": "Baumgarte",
    "duoti.dynamics.loops.constraint_methods.coordinate_partitioning": "CoordinatePartitioning",
    "duoti.dynamics.loops.constraint_methods.null_space": "NullSpace",
    "duoti.dynamics.loops.constraint_methods.penalty": "Penalty",
    "duoti.dynamics.loops.constraint_methods.projection": "Projection",
}
"""The constraint methods; what else is here is their base class."""

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
