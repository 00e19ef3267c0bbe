"""Verlet's method as a choice of the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from duoti.integrate.base import FixedStep
from duoti.integrate.explicit import EXPLICIT_ENTRIES, Tableau
from duoti.integrate.tableau import runge_kutta
from duoti.integrate.velocity_verlet import verlet_polynomial, verlet_step


@dataclass(frozen=True)
class Verlet(FixedStep):
    """Constant step [s], order 2, one evaluation of the forces a step: cheap where little accuracy is wanted.

    For many bodies on springs, nets, beams that are not stiff, compliant contacts. It is stable while the step is
    shorter than 2/ω with the largest angular frequency ω of the model (`dt.linearise(model).frequencies[-1]` is ω/2π),
    and blows up beyond. Energy oscillates but does not drift where the mass matrix is constant and forces depend on
    positions. Forces that depend on velocities are taken with predicted ones: light damping is welcome, strong damping
    wants smaller steps.
    """

    @staticmethod
    def entries() -> tuple[Any, ...]:
        """See `Solver.entries`."""
        start, _, _, shift = EXPLICIT_ENTRIES
        return start, verlet_step, verlet_polynomial, shift

    @staticmethod
    def coefficients() -> Tableau:
        """See `FixedStep.coefficients`: one stage, the rates at the end of which are those of the next step."""
        return runge_kutta(((),), (1.0,), (0.0,))
