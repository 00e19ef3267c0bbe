"""Accelerations of index 1, then projection of positions and rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from duoti.dynamics.loops.constraint_methods.base import ConstraintMethod


@dataclass(frozen=True)
class Projection(ConstraintMethod):
    r"""After each step, positions and velocities are projected back onto the constraints. The default.

    $$\min_{\Delta q} \tfrac12 \Delta q^T M \Delta q \quad \text{with} \quad g(q + \Delta q) = 0, \qquad
    \min_{\Delta v} \tfrac12 \Delta v^T M \Delta v \quad \text{with} \quad G (v + \Delta v) = -g_t$$

    The way back is the shortest in the norm of the mass matrix. The method needs no tuning, and the constraints hold to
    round-off.

    References
    ----------
    E. Eich, Convergence results for a coordinate projection method applied to mechanical systems with algebraic
    constraints, SIAM Journal on Numerical Analysis 30 (1993) 1467-1482.
    """

    def project_entry(self) -> Any:
        from duoti.dynamics.loops.projection import project_entry

        return project_entry

    def faults(self) -> list[str]:
        """Nothing can be wrong."""
        return []
