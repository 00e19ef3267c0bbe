# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.dynamics.treatments.augmented_lagrangian import AugmentedLagrangian
from duoti.dynamics.treatments.base import Treatment as Treatment
from duoti.dynamics.treatments.baumgarte import Baumgarte
from duoti.dynamics.treatments.coordinate_partitioning import CoordinatePartitioning
from duoti.dynamics.treatments.null_space import NullSpace
from duoti.dynamics.treatments.penalty import Penalty
from duoti.dynamics.treatments.projection import Projection

__all__ = [
    "AugmentedLagrangian",
    "Baumgarte",
    "CoordinatePartitioning",
    "NullSpace",
    "Penalty",
    "Projection",
]
