"""`Evaluator`: functions of an instant, called again and again without allocation.

The plain functions (`dt.mass_matrix(system, q)`) are those of an evaluator that is kept for each system and thread, and
return copies.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses import instant_cases as cases
from duoti.analyses.evaluator_arguments import ARRAY, REAL
from duoti.analyses.evaluator_derivatives import Derivatives
from duoti.analyses.evaluator_results import (
    Energies,
    ForwardDynamicsDerivatives,
    Frame,
    InverseDynamicsDerivatives,
    Momentum,
)
from duoti.analyses.instant import OPEN
from duoti.analyses.instant_cases import as_vector
from duoti.analyses.measured import refuse_measured
from duoti.dynamics import instant as kernels
from duoti.kernel import entry_caller
from duoti.model.model import Model
from duoti.system.arrays import Reals
from duoti.system.closures import dense_jacobian
from duoti.system.system import System

__all__ = [
    "Energies", "Evaluator", "ForwardDynamicsDerivatives", "Frame", "InverseDynamicsDerivatives", "Momentum",
    "evaluator_of",
]  # fmt: skip


class Evaluator(Derivatives):
    """Functions of an instant of one model, called again and again: for controllers, optimisation, identification.

    `e = dt.Evaluator(model)`, then `e.mass_matrix(q)`, `e.accelerations(q, v)`. A model is compiled once; a system is
    taken as it is.

    **Results are arrays of the evaluator**, which the next call of the same method overwrites (those of other methods
    stay); `copy=True` returns a copy, as the plain functions do. Results for N states at once (q, v, a, z of shape
    (N, n), t one number or N) have a leading N and are always new arrays. An evaluator belongs to one thread.

    q and v are arrays in the order of `coordinate_names` and `rate_names`, or mappings from the names of joints, the
    others as they start (`system.state`). z: first-order states, at their initial values if not given. inputs: values
    by name, as `dt.linearise` names inputs: a parameter of the model (in place of its own value), a force element with
    a law or a joint (a force beside those of the model).
    """

    @cached_property
    def _call_mass_matrix(self) -> Callable[[], None]:
        return self._caller(kernels.mass_matrix_entry)

    @cached_property
    def _call_inverse_dynamics(self) -> Callable[[], None]:
        return self._guarded(self._caller(kernels.inverse_dynamics_entry))

    @cached_property
    def _call_bias_forces(self) -> Callable[[], None]:
        return self._caller(kernels.bias_forces_entry)

    @cached_property
    def _call_generalised_forces(self) -> Callable[[], None]:
        room = self._room._replace(system=self._address, h=np.zeros_like(self._room.h))  # not that of `bias_forces`
        return self._guarded(entry_caller(kernels.generalised_forces_entry, self._packed(room, "forces")))

    @cached_property
    def _call_accelerations(self) -> Callable[[], None]:
        if self._facts.tree:
            return self._guarded(self._caller(kernels.tree_accelerations_entry))
        at = self._packed(self._room._replace(system=int(self._rates.work.at[0].system)), "accelerations")
        return self._guarded(entry_caller(kernels.rates_of_state_entry, at))

    # ---------------------------------------------------------------------------------------------------- functions

    def mass_matrix(self, q: Any, copy: bool = False) -> Reals:
        """Mass matrix M(q), nv x nv, by composite rigid bodies."""
        if self._facts.massless:
            self.system.require_mass()
        if type(q) is ARRAY and q.shape == self._nq and q.dtype is REAL and not self._busy:
            self._q[:] = q
        elif (many := self._take(q)) is not None:
            M = np.zeros((len(many["t"]), *self._M.shape))
            self._many(kernels.mass_matrix_entry, many, M=M)
            return M
        self._call_mass_matrix()
        if self._status[0]:
            self._refuse()
        return self._M.copy() if copy else self._M

    def inverse_dynamics(
        self, q: Any, v: Any, a: Any, t: Any = 0.0, z: ArrayLike | None = None,
        inputs: Mapping[str, Any] | None = None, copy: bool = False,
    ) -> Reals:  # fmt: skip
        """Generalised forces that must act in the joints, beside the force elements, for the accelerations a; O(n).

        With closed loops or constraints the smallest ones: see the function of this name.
        """
        if inputs:
            made, z = self._with_inputs(inputs, z)
            return made.inverse_dynamics(q, v, a, t, z, copy=copy)
        facts = self._facts
        if facts.massless or not facts.smooth:
            return self._inverse_case(q, v, a, t, z)
        if (
            z is None
            and type(q) is ARRAY
            and q.shape == self._nq
            and q.dtype is REAL
            and type(v) is ARRAY
            and v.shape == self._nv
            and v.dtype is REAL
            and type(a) is ARRAY
            and a.shape == self._nv
            and a.dtype is REAL
            and type(t) is float
            and not self._busy
        ):
            self._q[:] = q
            self._v[:] = v
            self._a[:] = a
            self._t[0] = t
            if self._z_given:
                self._put_states(None)
        elif (many := self._take(q, v, a, z, t)) is not None:
            if facts.closed:
                return self._each(self.inverse_dynamics, many, "q", "v", "a", "t", "z", copy=True)
            tau = np.zeros_like(many["a"])
            self._many(kernels.inverse_dynamics_entry, many, tau=tau)
            return tau
        if facts.closed:
            return self._inverse_closed(copy)
        self._call_inverse_dynamics()
        if self._status[0]:
            self._refuse()
        return self._tau.copy() if copy else self._tau

    @cached_property
    def _inner(self) -> Evaluator:
        """For what a method needs of others, whose results stay as they are."""
        return _weak(self.system)

    def _inverse_closed(self, copy: bool) -> Reals:
        """tau = M (a - a0) of the state in the arrays."""
        as_vector("a", self._a, self._sizes["a"])
        q, v, a, z, t = self._q.copy(), self._v.copy(), self._a.copy(), self._z.copy(), float(self._t[0])
        inner = self._inner
        a0 = inner.accelerations(q, v, t, z)
        G = dense_jacobian(self._alive[2], self._sizes["v"], inner._rates.work.G)
        limit = OPEN * max(1.0, float(np.max(np.abs(a))), float(np.max(np.abs(a0))))
        if not np.max(np.abs(G @ (a - a0)), initial=0.0) <= limit:
            return cases.inverse_dynamics(self.system, q, v, a, t, z)
        np.matmul(inner.mass_matrix(q), a - a0, out=self._tau)
        return self._tau.copy() if copy else self._tau

    def _inverse_case(self, q: Any, v: Any, a: Any, t: Any, z: Any) -> Reals:
        system = self.system
        system.require_mass()
        refuse_measured(system, "dt.inverse_dynamics", forces_only=True)
        if (many := self._take(q, v, a, z, t)) is not None:
            return self._each(self._inverse_case, many, "q", "v", "a", "t", z=z)
        return cases.inverse_dynamics(
            system, self._q.copy(), self._v.copy(), self._a.copy(), float(self._t[0]), self._given_z(z)
        )

    def bias_forces(self, q: Any, v: Any, copy: bool = False) -> Reals:
        """h(q, v) of M a + h = tau: what gravity and velocities ask for, without force elements."""
        if self._facts.massless:
            self.system.require_mass()
        if (many := self._state(q, v, 0.0, None)) is not None:
            h = np.zeros_like(many["v"])
            self._many(kernels.bias_forces_entry, many, h=h)
            return h
        self._call_bias_forces()
        if self._status[0]:
            self._refuse()
        return self._h.copy() if copy else self._h

    def generalised_forces(
        self, q: Any, v: Any, t: Any = 0.0, z: ArrayLike | None = None, inputs: Mapping[str, Any] | None = None,
        copy: bool = False,
    ) -> Reals:  # fmt: skip
        """What the force elements do in each coordinate: tau such that M a + h = tau, h as in `bias_forces`."""
        if inputs:
            made, z = self._with_inputs(inputs, z)
            return made.generalised_forces(q, v, t, z, copy=copy)
        if not self._facts.forces_alone:
            return self._forces_case(q, v, t, z)
        if (many := self._state(q, v, t, z)) is not None:
            forces = np.zeros_like(many["v"])
            self._many(kernels.generalised_forces_entry, many, forces=forces, h=np.zeros_like(forces))
            return forces
        self._call_generalised_forces()
        if self._status[0]:
            self._refuse()
        return self._forces.copy() if copy else self._forces

    def _forces_case(self, q: Any, v: Any, t: Any, z: Any) -> Reals:
        refuse_measured(self.system, "dt.generalised_forces", forces_only=True)
        if (many := self._take(q, v, None, z, t)) is not None:
            return self._each(self._forces_case, many, "q", "v", "t", z=z)
        return cases.generalised_forces(
            self.system, self._q.copy(), self._v.copy(), float(self._t[0]), self._given_z(z)
        )

    def accelerations(
        self, q: Any, v: Any, t: Any = 0.0, z: ArrayLike | None = None, must_close: bool = True,
        inputs: Mapping[str, Any] | None = None, copy: bool = False,
    ) -> Reals:  # fmt: skip
        """Rates of v under gravity and all force elements, O(n) for a tree; closed loops and constraints are obeyed.

        The state must obey them, too; `must_close=False` takes any.
        """
        if inputs:
            made, z = self._with_inputs(inputs, z)
            return made.accelerations(q, v, t, z, must_close, copy=copy)
        facts = self._facts
        if facts.lacking or not facts.smooth or facts.measured:
            return self._accelerations_case(q, v, t, z, must_close)
        if (many := self._state(q, v, t, z)) is not None:
            if not facts.tree:
                return self._each(self.accelerations, many, "q", "v", "t", "z", must_close=must_close, copy=True)
            a = np.zeros_like(many["v"])
            self._many(kernels.tree_accelerations_entry, many, acceleration=a)
            return a
        if not facts.tree:
            self._rates.begin()
            self._room.open[0] = OPEN if must_close else np.inf
        self._call_accelerations()
        if self._status[0]:
            if self._status[0] == kernels.NOT_FINITE:
                self._refuse()
            self._status[0] = 0  # loops are open: with names; dependent equations: another method
            return cases.accelerations(
                self.system, self._q.copy(), self._v.copy(), float(self._t[0]), self._z.copy(), must_close
            )
        return self._acceleration.copy() if copy else self._acceleration

    def _accelerations_case(self, q: Any, v: Any, t: Any, z: Any, must_close: bool) -> Reals:
        self.system.require_dynamics()
        if (many := self._take(q, v, None, z, t)) is not None:
            return self._each(self._accelerations_case, many, "q", "v", "t", z=z, must_close=must_close)
        q, v = self._q.copy(), self._v.copy()
        return cases.accelerations(self.system, q, v, float(self._t[0]), self._given_z(z), must_close)

    def _given_z(self, z: Any) -> Reals | None:
        """First-order states in the arrays; None if the caller gave none."""
        return None if z is None else self._z.copy()


# ------------------------------------------------------------------------------------------- that of a plain function


class _Known(threading.local):
    """Evaluators of the systems that this thread has asked about; they do not keep a system alive."""

    def __init__(self) -> None:
        self.of: WeakKeyDictionary[System, Evaluator] = WeakKeyDictionary()


_KNOWN = _Known()


def evaluator_of(system: Model | System) -> Evaluator:
    """The evaluator of a system, for functions that return copies; that of a model is made for the one call."""
    if type(system) is System:
        found = _KNOWN.of.get(system)
        if found is None:
            found = _weak(system)
            _KNOWN.of[system] = found
        return _weak(system) if found._busy else found  # pyright: ignore[reportPrivateUsage]
    return Evaluator(system)


def _weak(system: System) -> Evaluator:
    made = Evaluator.__new__(Evaluator)
    made._set_up(system)  # pyright: ignore[reportPrivateUsage]
    return made
