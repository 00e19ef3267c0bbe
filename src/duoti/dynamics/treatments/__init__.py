"""Treatments of closed loops: one file each; the kernels are in `dynamics.constrained` and `reduced`."""

from duoti.dynamics.treatments.base import Treatment as Treatment
from duoti.lazy import names_of

_EXPORTS = {
    "duoti.dynamics.treatments.augmented_lagrangian": "AugmentedLagrangian",
    "duoti.dynamics.treatments.baumgarte": "Baumgarte",
    "duoti.dynamics.treatments.coordinate_partitioning": "CoordinatePartitioning",
    "duoti.dynamics.treatments.null_space": "NullSpace",
    "duoti.dynamics.treatments.penalty": "Penalty",
    "duoti.dynamics.treatments.projection": "Projection",
}
"""The treatments; what else is here is their base class."""

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
