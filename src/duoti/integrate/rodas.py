"""Rodas: a linearly implicit method of order 4(3) for stiff forces together with contacts, friction and stops."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from duoti.integrate.base import DrivenLoop, Loop, Tolerances, refuse_algebraic
from duoti.integrate.rosenbrock import ROSENBROCK_CONTEXT, ROSENBROCK_ENTRIES, Rosenbrock, new_memory
from duoti.integrate.state import new_run
from duoti.system.arrays import Reals, Work
from duoti.system.system import System

# Hairer & Wanner 1996, section IV.7: the coefficients of RODAS (6 stages, stiffly accurate, L-stable)
GAMMA = 0.25
A = (
    (),
    (1.544,),
    (0.9466785280815826, 0.2557011698983284),
    (3.314825187068521, 2.896124015972201, 0.9986419139977817),
    (1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950),
    (1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0),
)
C = (
    (),
    (-5.6688,),
    (-2.430093356833875, -0.2063599157091915),
    (-0.1073529058151375, -9.594562251023355, -20.47028614809616),
    (7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160),
    (8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054),
)
TIMES = (0.0, 0.386, 0.21, 0.63, 1.0, 1.0)
OF_TIME = (0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0)
DENSE = (
    (10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662, 0.0),
    (-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872, 0.0),
)


def _rows(rows: Any) -> Reals:
    full = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        full[i, : len(row)] = row
    return full


@cache
def coefficients() -> Rosenbrock:
    """The method's arrays."""
    return Rosenbrock(GAMMA, len(TIMES), 4, _rows(A), _rows(C), np.array(TIMES), np.array(OF_TIME), np.array(DENSE))


@dataclass(frozen=True)
class Rodas(Tolerances):
    """Adaptive, order 4, with dense output of order 3, implicit by one linear system a step.

    For stiff springs, dampers and controllers together with what implicit solvers refuse: impacts of rigid contacts
    that are located, and joints in closed loops that come to rest by friction. The slopes of the rates are
    differences, one evaluation for each state: for models of some tens of states, and tolerances down to 1e-9. Without
    contacts and friction `Radau` is cheaper. For the settings see `Tolerances`.
    """

    least_rtol: ClassVar[float] = 1e-9
    locates_impacts: ClassVar[bool] = True

    rtol: float = 1e-6
    atol: float = 1e-8

    @staticmethod
    def entries() -> tuple[Any, ...]:
        """See `Solver.entries`."""
        return ROSENBROCK_ENTRIES

    def loop(self, system: System, times: Reals | None, work: Work) -> Loop:
        """See `Solver.loop`."""
        refuse_algebraic(system, type(self).__name__)
        method = coefficients()
        run = new_run(system.tree, system.loads, 2, 3, times)
        n = system.nq + system.nv + system.nz
        memory = new_memory(n, len(run.y), method.stages)
        return DrivenLoop(work, run, self.entries(), ROSENBROCK_CONTEXT, method, (method, memory))
