"""Rates of a run's system in any state, with their derivatives by the state and the parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from duoti.analyses.gradients.parameter_weights import BLOCK, ParameterWeights
from duoti.analyses.gradients.swept_system import SweptSystem, refuse_unsolved
from duoti.dynamics.derivatives.step_adjoint import rates_entry
from duoti.dynamics.derivatives.sweep_arrays import SWEEP_CONTEXT
from duoti.kernel import address_of, entry_address, pack, run_entry
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.analyses.gradients.discrete_run import DiscreteRun


class Rates(NamedTuple):
    """Rates of the state, values of the expressions, and their derivatives, in one state."""

    k: Reals  # [n]
    values: Reals  # [expressions]
    by_y: Reals  # [n, n]
    by_p: Reals  # [n, parameters]
    values_by_y: Reals  # [expressions, n]
    values_by_p: Reals  # [expressions, parameters]


class RateDerivatives:
    """Called with a time and a state; each rate is an objective of one record (`dynamics.derivatives.step_adjoint`)."""

    def __init__(self, run: DiscreteRun):
        swept = self._swept = SweptSystem(run)
        n = swept.system.nq + swept.system.nv + swept.system.nz
        s = self._sweep = swept.new_sweep(run, n, 1, True, np.zeros(1), np.zeros((1, n)))
        s.Y[0, swept.laws] = swept.values
        self._own, self._extras = run.own, run.extras
        self._block = np.zeros(BLOCK)
        pack(self._block, (s,), SWEEP_CONTEXT)
        self._address = entry_address(rates_entry)
        self._parameters = ParameterWeights(run, swept, s, by_sweep=True)

    def __call__(self, t: float, y: Reals) -> Rates:
        s, own, extras = self._sweep, self._own, self._extras
        s.t[0], s.Y[0, own] = t, y
        for weights in (s.w_r, s.w_c, s.w_z):
            weights[:] = 0.0
        run_entry(self._address, address_of(self._block))
        refuse_unsolved(s, s.t)
        by_p = self._parameters.of_records(1).copy()
        k, J = s.k[0], s.J[0]
        by_p[:, self._swept.columns] += J[:, self._swept.laws]
        of_own = J[:, own]
        return Rates(k[own], k[extras], of_own[own], by_p[own], of_own[extras], by_p[extras])
