"""Equations that the user writes."""

from __future__ import annotations

from duoti.model.equations.base import ExpressionEquation


class UserEquation(ExpressionEquation):
    """g(x, t) = 0 with joint coordinates, positions and axes of bodies and markers."""

    kind = "equation"


class UserRateEquation(ExpressionEquation):
    """An equation that is linear in rates and velocities."""

    kind = "rate_equation"

    @staticmethod
    def holonomic(i: int) -> bool:
        """It restricts velocities only."""
        del i
        return False
