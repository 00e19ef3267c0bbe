"""Constraint methods for closed loops: one file each; the kernels are in `dynamics.constrained` and `reduced`."""

from duoti.dynamics.constraint_methods.base import ConstraintMethod as ConstraintMethod
from duoti.lazy import names_of

_EXPORTS = {
    "duoti.dynamics.constraint_methods.augmented_lagrangian": "AugmentedLagrangian",
    "duoti.dynamics.constraint_methods.baumgarte": "Baumgarte",
    "duoti.dynamics.constraint_methods.coordinate_partitioning": "CoordinatePartitioning",
    "duoti.dynamics.constraint_methods.null_space": "NullSpace",
    "duoti.dynamics.constraint_methods.penalty": "Penalty",
    "duoti.dynamics.constraint_methods.projection": "Projection",
}
"""The constraint methods; what else is here is their base class."""

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
