"""Evaluators: derivatives and the regressor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses import instant_cases as cases
from duoti.analyses.dry_states import refuse_sliding
from duoti.analyses.evaluator_arguments import ARRAY, REAL, Many, Rates
from duoti.analyses.evaluator_motion import Motion
from duoti.analyses.evaluator_results import ForwardDynamicsDerivatives, InverseDynamicsDerivatives
from duoti.analyses.instant import OPEN, require_closed
from duoti.analyses.instant_cases import as_vector
from duoti.analyses.measured import refuse_measured
from duoti.dynamics import instant as kernels
from duoti.dynamics.dry.installation import is_dry
from duoti.dynamics.forward_derivatives import factor_size
from duoti.kernel import entry_caller, run_entry
from duoti.model.element_id import ElementId
from duoti.system.arrays import Reals
from duoti.system.closures import dense_jacobian
from duoti.system.system import FrameKey, System

NUMBERS = ("mass", "mx", "my", "mz", "xx", "xy", "yy", "xz", "yz", "zz")
"""The ten numbers of a body, in the order of `Inertia.spatial`."""


class Derivatives(Motion):
    """Derivatives of the equations of motion by position, rates, accelerations and inertias."""

    # --------------------------------------------------------------------------------------------------- derivatives

    @cached_property
    def _linearised(self) -> Rates:
        return Rates(self.system, linearised=True)

    @cached_property
    def _inversely_linearised(self) -> Rates:
        return Rates(self.system, linearised=True)

    @cached_property
    def _inverse_derivatives(self) -> tuple[Callable[[], None], InverseDynamicsDerivatives]:
        rates = self._inversely_linearised
        made = rates.linearisation
        assert made is not None
        at = self._packed(self._room._replace(system=int(rates.work.at[0].system)), "inverse derivatives")
        tan = made.tangent
        found = InverseDynamicsDerivatives(tan.K, tan.C, tan.M, tan.Z)
        return self._guarded(entry_caller(kernels.inverse_derivatives_entry, at)), found

    @cached_property
    def _forward_derivatives(self) -> tuple[Callable[[], None], ForwardDynamicsDerivatives, Reals]:
        made, nv = self._linearised.linearisation, self._sizes["v"]
        assert made is not None
        X = np.zeros((nv, 3 * nv))
        room = self._room._replace(
            system=int(self._linearised.work.at[0].system), X=X, L=np.zeros(factor_size(self._alive[0])),
            acceleration=np.zeros((1, nv)),
        )  # fmt: skip
        found = ForwardDynamicsDerivatives(
            room.acceleration[0], X[:, :nv], X[:, nv : 2 * nv], X[:, 2 * nv :], np.zeros((nv, self._sizes["z"]))
        )
        at = self._packed(room, "forward derivatives")
        return self._guarded(entry_caller(kernels.forward_derivatives_entry, at)), found, X

    def _begin_anew(self, *names: str) -> None:
        """Refuse what has no derivatives; a workspace that remembers more than its own memory is made anew."""
        refuse_measured(self.system, "a derivative of the equations of motion", forces_only=True)
        cases.refuse_touching(self.system, self._q.copy(), "a derivative of the equations of motion")
        if is_dry(self.system):
            refuse_sliding(self.system, self._v, "derivatives of the equations of motion")
        for name in names:
            self.__dict__.pop(name, None)

    def inverse_dynamics_derivatives(
        self, q: Any, v: Any, a: Any, t: Any = 0.0, z: ArrayLike | None = None,
        multipliers: ArrayLike | None = None, inputs: Mapping[str, Any] | None = None, copy: bool = False,
    ) -> InverseDynamicsDerivatives:  # fmt: skip
        """Derivatives of `inverse_dynamics`, force elements included: see the function of this name."""
        if inputs:
            made, whole = self._with_inputs(inputs, z)
            found = made.inverse_dynamics_derivatives(q, v, a, t, whole, multipliers, copy=copy)
            return found._replace(dz=found.dz[..., self._own_columns(made)])
        facts = self._facts
        if facts.massless:
            self.system.require_mass()
        if (many := self._take_all(q, v, a, z, t)) is not None:
            return self._each(
                self.inverse_dynamics_derivatives, many, "q", "v", "a", "t", "z", multipliers=multipliers, copy=True
            )
        if not facts.smooth or facts.measured:
            self._begin_anew("_inversely_linearised", "_inverse_derivatives")
        if multipliers is None and facts.closed:
            raise ValueError(
                f"{', '.join(map(str, self.system.closure_names))}: what acts in closed loops and constraints is not "
                "unique, and neither are its derivatives: give the multipliers= of their equations (dt.equilibrium has "
                "them; zeros for the tree alone), or use dt.forward_dynamics_derivatives or dt.linearise"
            )
        call, found = self._inverse_derivatives
        self._inversely_linearised.begin()
        if multipliers is not None:
            self._inversely_linearised.work.multipliers[:] = as_vector("multipliers", multipliers, self._alive[2].rows)
        self._room.open[0] = np.inf
        call()
        if self._status[0]:
            self._refuse()
        return InverseDynamicsDerivatives(*(x.copy() for x in found)) if copy else found

    def _take_all(self, q: Any, v: Any, a: Any, z: Any, t: Any) -> Many | None:
        """q, v, a; the quick way if they are arrays."""
        shapes = np.shape(q) == self._nq and np.shape(v) == self._nv
        if shapes and type(a) is ARRAY and a.shape == self._nv and a.dtype is REAL:
            self._a[:] = a
            return self._state(q, v, t, z)
        return self._take(q, v, a, z, t)

    def _own_columns(self, made: Any) -> list[int]:
        """Places of the first-order states of the model among those of an evaluator with inputs."""
        return [made.state_names.index(name) for name in self.state_names]

    def forward_dynamics_derivatives(
        self, q: Any, v: Any, t: Any = 0.0, z: ArrayLike | None = None, must_close: bool = True,
        inputs: Mapping[str, Any] | None = None, copy: bool = False,
    ) -> ForwardDynamicsDerivatives:  # fmt: skip
        """Accelerations and their derivatives: see the function of this name."""
        if inputs:
            made, whole = self._with_inputs(inputs, z)
            found = made.forward_dynamics_derivatives(q, v, t, whole, must_close, copy=copy)
            return found._replace(dz=found.dz[..., self._own_columns(made)])
        facts = self._facts
        if facts.lacking:
            self.system.require_dynamics()
        if (many := self._state(q, v, t, z)) is not None:
            return self._each(
                self.forward_dynamics_derivatives, many, "q", "v", "t", "z", must_close=must_close, copy=True
            )
        if not facts.smooth or facts.measured:
            self._begin_anew("_linearised", "_forward_derivatives")
        call, found, X = self._forward_derivatives
        rates = self._linearised
        rates.begin()
        self._room.open[0] = OPEN if must_close else np.inf
        call()
        if self._status[0]:
            if self._status[0] == kernels.NOT_FINITE:
                self._refuse()
            self._status[0] = 0
            require_closed(self.system, self._q.copy(), self._v.copy(), float(self._t[0]), self._z.copy())
        if facts.closed:
            self._close_derivatives(X)
        if self._has_z:
            assert rates.linearisation is not None
            np.matmul(found.dtau, rates.linearisation.tangent.Z, out=found.dz)
            np.negative(found.dz, out=found.dz)
        return ForwardDynamicsDerivatives(*(x.copy() for x in found)) if copy else found

    def _close_derivatives(self, X: Reals) -> None:
        """d(G a - gamma) = 0: what loops add to the derivatives of the tree."""
        rates, nv = self._linearised, self._sizes["v"]
        work, made = rates.work, rates.linearisation
        assert made is not None
        run_entry(work.calls[0].acceleration_rows, work.at[0].system)
        tan, inverse = made.tangent, X[:, 2 * nv :]
        G = dense_jacobian(self._alive[2], nv, work.G)
        right = -np.hstack([tan.Aq, tan.Av, np.zeros_like(G)]) - G @ X
        X += inverse @ G.T @ cases.least_norm(G @ inverse @ G.T, work.scaling, right)

    @cached_property
    def parameter_names(self) -> tuple[str, ...]:
        """Columns of the regressor: ten numbers of each body, and one of each rotor."""
        return tuple(self._regressor_columns[0])

    @cached_property
    def parameters(self) -> Reals:
        """The numbers of the model that belong to `parameter_names`."""
        return np.array(self._regressor_columns[1])

    # ----------------------------------------------------------------------------------------------------- regressor

    @cached_property
    def _regressor_columns(self) -> tuple[list[str], list[float], Any, Any]:
        """Names, numbers, markers of the bodies, rates of the rotors."""
        system = self.system
        _refuse_regressor(system)
        names, values, bodies, rotors = list[str](), list[float](), list[int](), list[int]()
        for body, element in system.model.bodies.items():
            bodies.append(system.markers[FrameKey(ElementId("body", body))])
            names += [f"{body}.{number}" for number in NUMBERS]
            inertia: Any = element.inertia
            values += [0.0] * 10 if inertia is None else np.asarray(inertia.spatial(), dtype=float).tolist()
        for name, layout in system.joints.items():
            for n, i in enumerate(layout.v.tolist()):
                if system.tree.rotor[i]:
                    rotors.append(i)
                    names.append(f"{name}.rotor" + (f"[{n}]" if len(layout.v) > 1 else ""))
                    values.append(float(system.tree.rotor[i]))
        return names, values, np.array(bodies, np.int64), np.array(rotors, np.int64)

    @cached_property
    def _regressor(self) -> tuple[Callable[[], None], Reals]:
        names, _, bodies, rotors = self._regressor_columns
        Y = np.zeros((1, self._sizes["v"], len(names)))
        at = self._packed(self._room._replace(system=self._address, bodies=bodies, rotors=rotors, Y=Y), "regressor")
        return entry_caller(kernels.regressor_entry, at), Y[0]

    def inertial_regressor(self, q: Any, v: Any, a: Any, copy: bool = False) -> Reals:
        """Y(q, v, a), nv x parameters, with Y @ parameters = M a + h; columns are `parameter_names`."""
        call, Y = self._regressor
        if (many := self._take_all(q, v, a, None, 0.0)) is not None:
            _, _, bodies, rotors = self._regressor_columns
            rows = np.zeros((len(many["t"]), *Y.shape))
            self._many(kernels.regressor_entry, many, bodies=bodies, rotors=rotors, Y=rows)
            return rows
        call()
        if self._status[0]:
            self._refuse()
        return Y.copy() if copy else Y


def _refuse_regressor(system: System) -> None:
    if system.tree.flexible:
        raise NotImplementedError(
            f'model "{system.model.name}" has flexible bodies: the regressor is for rigid ones. Put the rigid body in '
            "its place (flexible.rigid)"
        )
    split = [name for name, layout in system.joints.items() if layout.seam >= 0]
    if split:
        raise NotImplementedError(
            f"a body at joint {', '.join(split)} is split where a loop is cut; compile with forbid_cut={split!r}"
        )
