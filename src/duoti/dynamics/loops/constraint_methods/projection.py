"""Accelerations of index 1, then projection of positions and rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from duoti.dynamics.loops.constraint_methods.base import ConstraintMethod


@dataclass(frozen=True)
class Projection(ConstraintMethod):
    """The default: after each step positions and rates go back to closed loops by the shortest way, as masses measure.

    Needs no tuning; drift stays at 1e-12. The kernels are those of `dynamics.loops.constrained`.
    """

    def project_entry(self) -> Any:
        from duoti.dynamics.loops.projection import project_entry

        return project_entry

    def faults(self) -> list[str]:
        """Nothing can be wrong."""
        return []
