# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.dynamics.loops.constraint_methods.augmented_lagrangian import AugmentedLagrangian
from duoti.dynamics.loops.constraint_methods.base import ConstraintMethod as ConstraintMethod
from duoti.dynamics.loops.constraint_methods.baumgarte import Baumgarte
from duoti.dynamics.loops.constraint_methods.coordinate_partitioning import CoordinatePartitioning
from duoti.dynamics.loops.constraint_methods.null_space import NullSpace
from duoti.dynamics.loops.constraint_methods.penalty import Penalty
from duoti.dynamics.loops.constraint_methods.projection import Projection

__all__ = [
    "AugmentedLagrangian",
    "Baumgarte",
    "CoordinatePartitioning",
    "NullSpace",
    "Penalty",
    "Projection",
]
