"""`Evaluator`: functions of an instant, called again and again without allocation.

The plain functions (`dt.mass_matrix(system, q)`) are those of an evaluator that is kept for each system and thread, and
return copies.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.instant.evaluator_arguments import ARRAY, REAL, Many, Rates
from duoti.analyses.instant.evaluator_kinematics import Axes, CentroidalMomentum, Frame, Kinematics
from duoti.analyses.states import special_cases as cases
from duoti.analyses.states.consistent import OPEN, constraint_jacobian, require_closed
from duoti.analyses.states.friction_states import refuse_sliding
from duoti.analyses.states.inside_limits import InsideLimits, inside_limits
from duoti.analyses.states.special_cases import as_vector
from duoti.analyses.states.supported import refuse_reaction_feedback
from duoti.dynamics import instant as kernels
from duoti.dynamics.derivatives.forward import factor_size
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.kernel import entry_caller, run_entry
from duoti.model.element_id import ElementId
from duoti.model.elements import Body, Marker, name_of
from duoti.model.model import Model
from duoti.results.evaluate.observe import ENERGIES, STATE_RATES, observe
from duoti.system.arrays import Reals
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import FrameKey, System

# What an evaluator returns: named tuples of arrays.


class Energies(NamedTuple):
    """Energies [J] and powers [W] of the force elements at an instant; arrays for many states."""

    kinetic: float
    gravity: float
    elastic: float
    supplied_power: float
    dissipated_power: float


class Momentum(NamedTuple):
    """Angular momentum about the mass centre [N m s], linear momentum [N s] and mass centre [m], world axes."""

    angular: Reals
    linear: Reals
    mass_centre: Reals


class InverseDynamicsDerivatives(NamedTuple):
    """Derivatives of `inverse_dynamics`, nv x nv each: entry [i, j] is that of force i by displacement or rate j."""

    dq: Reals
    """By a displacement of the position: the stiffness matrix K."""
    dv: Reals
    """By the rates: damping and gyroscopic matrix C."""
    da: Reals
    """By the accelerations: the mass matrix M."""
    dz: Reals
    """By the first-order states, nv x nz."""


class ForwardDynamicsDerivatives(NamedTuple):
    """Accelerations and their derivatives, nv x nv each: [i, j] is that of the rate of v[i]."""

    a: Reals
    """The accelerations themselves (nv)."""
    dq: Reals
    """By a displacement of the position."""
    dv: Reals
    """By the rates."""
    dtau: Reals
    """By generalised forces added in the joints: for a tree the inverse of the mass matrix."""
    dz: Reals
    """By the first-order states, nv x nz."""


# Evaluators: energies and momentum.


ENERGY_NUMBERS = 14
SINGULAR = 1e-12  # part of the largest eigenvalue of J M^-1 J^T below which one is round-off


class Motion(Kinematics):
    """Energies and momentum."""

    # ----------------------------------------------------------------------------------------- energies and momentum

    def _observed(self, q: Any, v: Any, t: Any, z: Any, what: int) -> tuple[Any, bool]:
        """What `observe` sees, and whether it is that of many states."""
        many = self._state(q, v, t, z)
        if many is None:
            many = {"q": self._q[None], "v": self._v[None], "z": self._z[None], "t": self._t}
            for name in ("q", "v", "z"):
                as_vector(name, many[name][0], self._sizes[name])
            one = True
        else:
            one = False
            self._require_finite(many)
        y = np.concatenate([many["q"], many["v"], many["z"], np.zeros((len(many["t"]), 2))], axis=1)
        with self.system.callbacks.raising():
            return observe(self.system, many["t"], y, what), one

    @cached_property
    def _energies(self) -> tuple[Callable[[], None], Reals]:
        room = self._room._replace(system=self._address, energies=np.zeros((1, ENERGY_NUMBERS)))
        return self._guarded(entry_caller(kernels.energies_entry, self._packed(room, "energies"))), room.energies[0]

    def _all_energies(self, q: Any, v: Any, t: Any, z: Any) -> Reals:
        """Energies, powers and momentum of one state, or of many."""
        if not self._facts.forces_alone or self._facts.feedback:
            seen, one = self._observed(q, v, t, z, ENERGIES)
            return seen.energies[0] if one else seen.energies
        call, found = self._energies
        if (many := self._state(q, v, t, z)) is not None:
            rows = np.zeros((len(many["t"]), ENERGY_NUMBERS))
            self._many(kernels.energies_entry, many, energies=rows)
            return rows
        call()
        if self._status[0]:
            self._refuse()
        return found

    def energies(
        self, q: Any, v: Any, t: Any = 0.0, z: ArrayLike | None = None, inputs: Mapping[str, Any] | None = None
    ) -> Energies:
        """Energies and powers at an instant; the zero of gravity's is at the world's origin."""
        if inputs:
            made, z = self._with_inputs(inputs, z)
            return made.energies(q, v, t, z)
        if self._facts.massless:
            self.system.require_mass()
        found = self._all_energies(q, v, t, z)
        return Energies(*found[:5].tolist()) if found.ndim == 1 else Energies(*found[:, :5].T.copy())

    def momentum(self, q: Any, v: Any) -> Momentum:
        """Momentum of all bodies at an instant."""
        if self._facts.massless:
            self.system.require_mass()
        e = self._all_energies(q, v, 0.0, None).copy()
        return Momentum(e[..., 5:8], e[..., 8:11], e[..., 11:14])

    def state_rates(
        self, q: Any, v: Any, t: Any = 0.0, z: ArrayLike | None = None, inputs: Mapping[str, Any] | None = None
    ) -> Reals:
        """Rates of the first-order states, in the order of `state_names`."""
        if inputs:
            made, whole = self._with_inputs(inputs, z)
            return made.state_rates(q, v, t, whole)[..., : self._sizes["z"]]
        seen, one = self._observed(q, v, t, z, STATE_RATES)
        return seen.zdot[0] if one else seen.zdot


# Evaluators: derivatives and the regressor.


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
        refuse_reaction_feedback(self.system, "a derivative of the equations of motion", forces_only=True)
        cases.refuse_touching(self.system, self._q.copy(), "a derivative of the equations of motion")
        if has_joint_friction(self.system):
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
        if not facts.smooth or facts.feedback:
            self._begin_anew("_inversely_linearised", "_inverse_derivatives")
        if multipliers is None and facts.closed:
            raise ValueError(
                f"{', '.join(map(str, self.system.closure_names))}: what acts in closed loops and constraints is not "
                "unique, and neither are its derivatives: give the multipliers= of their equations (dt.equilibrium has "
                "them; zeros for the tree alone), or use dt.analyses.forward_dynamics_derivatives or dt.linearise"
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
        if not facts.smooth or facts.feedback:
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
    split = [name for name, layout in system.joints.items() if layout.shadow_weld >= 0]
    if split:
        raise NotImplementedError(
            f"a body at joint {', '.join(split)} is split where a loop is cut; compile with forbid_cut={split!r}"
        )


class Evaluator(Derivatives):
    """Functions of an instant of one model, called again and again: for controllers, optimisation, identification.

    `e = dt.Evaluator(model)`, then `e.mass_matrix(q)`, `e.accelerations(q, v)`. The model is compiled once.

    **Results are arrays of the evaluator**, which the next call of the same method overwrites; `copy=True` returns a
    copy. Results for N states at once have a leading N and are new arrays. An evaluator belongs to one thread.

    The arguments q and v are arrays in the order of `coordinate_names` and `rate_names`, or mappings from names of
    joints. Inputs are values by name, as `dt.linearise` names them.

    Parameters
    ----------
    model:
        A model or a compiled system.
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
        return self._guarded(entry_caller(kernels.ydot_of_state_entry, at))

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
        facts = self._facts
        if not facts.smooth and z is None and (inside := self._inside_limits(q)) is not None:
            return inside.inverse_dynamics(q, v, a, t, inputs=inputs, copy=copy)
        if inputs:
            made, z = self._with_inputs(inputs, z)
            return made.inverse_dynamics(q, v, a, t, z, copy=copy)
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

    def _inside_limits(self, q: Any) -> Evaluator | None:
        """The evaluator of the system without stops, where none of them acts; None elsewhere."""
        if self._facts.lacking or type(q) is not ARRAY or q.shape != self._nq or q.dtype is not REAL:
            return None
        if self._without_stops is None or q not in self._without_stops[0]:
            return None
        return self._without_stops[1]

    @cached_property
    def _without_stops(self) -> tuple[InsideLimits, Evaluator] | None:
        found = inside_limits(self.system)
        return None if found is None else (found, Evaluator(found.system))

    def _inverse_case(self, q: Any, v: Any, a: Any, t: Any, z: Any) -> Reals:
        system = self.system
        system.require_mass()
        refuse_reaction_feedback(system, "dt.inverse_dynamics", forces_only=True)
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

    def gravity_forces(self, q: Any, copy: bool = False) -> Reals:
        """g(q) of M a + C v + g = tau: what gravity asks for, `bias_forces` at rest."""
        return self.bias_forces(q, self._room.rest if np.ndim(q) != 2 else np.zeros((len(q), self._sizes["v"])), copy)

    def operational_space_inertia(
        self, marker: Body | Marker | str, q: Any, rows: Sequence[int] = (0, 1, 2, 3, 4, 5), *,
        point: ArrayLike | None = None, axes: Axes = "world", t: float = 0.0,
    ) -> Reals:  # fmt: skip
        """Inertia that a force on a marker feels: (J M^-1 J^T)^-1, for chosen rows of its Jacobian.

        rows: (3, 4, 5) for a point, (0, 1, 2) for rotations. Closed loops and constraints are kept. A row along which
        the marker cannot move is refused.
        """
        if np.ndim(q) == 2:
            each = [self.operational_space_inertia(marker, x, rows, point=point, axes=axes, t=t) for x in q]
            return np.array(each)
        chosen = list(rows)
        J = self.jacobian(marker, q, point=point, axes=axes)[chosen]
        M = self.mass_matrix(q)
        if self._facts.closed:
            Z = constraint_jacobian(self.system, self._q.copy(), np.zeros(self._sizes["v"]), t=t).basis
            J, M = J @ Z, Z.T @ M @ Z
        return _operational(J, M, name_of(marker), chosen)

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
        refuse_reaction_feedback(self.system, "dt.analyses.generalised_forces", forces_only=True)
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
        facts = self._facts
        if not facts.smooth and z is None and (inside := self._inside_limits(q)) is not None:
            return inside.accelerations(q, v, t, None, must_close, inputs, copy=copy)
        if inputs:
            made, z = self._with_inputs(inputs, z)
            return made.accelerations(q, v, t, z, must_close, copy=copy)
        if facts.lacking or not facts.smooth or facts.feedback:
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


def _operational(J: Reals, M: Reals, marker: str, rows: Sequence[int]) -> Reals:
    """(J M^-1 J^T)^-1; ValueError where a row depends on the others."""
    scaled = np.linalg.solve(np.linalg.cholesky(M), J.T)  # J M^-1 J^T = scaled^T scaled
    values, vectors = np.linalg.eigh(scaled.T @ scaled)
    if J.shape[0] and values[0] <= SINGULAR * values[-1]:
        free = int(np.sum(values > SINGULAR * values[-1]))
        stuck = [rows[int(k)] for k in np.flatnonzero(np.abs(vectors[:, 0]) > 0.5 / len(rows) ** 0.5)]
        raise ValueError(
            f'"{marker}" can move in {free} of {len(rows)} directions here, so that its inertia along the others is '
            f"infinite; what it cannot do is a combination of the rows {stuck}. Choose fewer rows=, such as (3, 4, 5) "
            "for a point; J M^-1 J^T itself exists: dt.jacobian and dt.mass_matrix give it"
        )
    return (vectors / values) @ vectors.T


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


__all__ = [
    "CentroidalMomentum",
    "Energies",
    "Evaluator",
    "ForwardDynamicsDerivatives",
    "Frame",
    "InverseDynamicsDerivatives",
    "Momentum",
    "evaluator_of",
]
