"""Exact derivatives of the equations of motion at one instant, as functions of a compiled system.

The position is displaced by a tangent vector delta: nv numbers with the meaning of rates, so that delta moves the
bodies like the velocity v = delta would in unit time, to first order. For plain coordinates this is q + delta, for a
quaternion q o exp(delta); `displace` does it. Rows and columns are in the order of `system.rate_names`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.dry_states import refuse_sliding
from duoti.analyses.dynamics import as_state, as_vector, refuse_touching
from duoti.analyses.instant import require_closed
from duoti.analyses.measured import refuse_measured
from duoti.dynamics.dry.installation import is_dry
from duoti.dynamics.forward_derivatives import factor_size, forward_derivatives
from duoti.dynamics.marker_derivatives import marker_derivatives as _marker_derivatives
from duoti.dynamics.workspace import new_linearisation, new_tangent, new_workspace
from duoti.kernel import run_entry
from duoti.model.elements import Body, Marker, name_of
from duoti.strict import explained
from duoti.system.arrays import ACCELERATION_ROWS, LINEARISE, RATES, Reals, Work
from duoti.system.closures import dense_jacobian
from duoti.system.system import System
from duoti.system.tangent import Tangent

# eigenvalue of the scaled D = G M^-1 G^T below which closure equations say nothing new: far above round-off (1e-15),
# far below what the proximal iteration of `dynamics.constrained` resolves (1e-6)
REDUNDANT = 1e-9


@explained
def displace(system: System, q: ArrayLike, delta: ArrayLike) -> Reals:
    """Position q after the displacement delta (nv numbers, like a velocity); delta may be of any size."""
    q, delta = as_vector("q", q, system.nq).copy(), as_vector("delta", delta, system.nv)
    tree = system.tree
    q[tree.plain_q] += delta[tree.plain_v]
    vectors = delta[tree.quat_v[:, None] + np.arange(3)]
    half = 0.5 * np.sqrt(np.sum(vectors * vectors, axis=1))
    s, (x, y, z) = np.cos(half), 0.5 * np.sinc(half / np.pi) * vectors.T
    places = tree.quat_q[:, None] + np.arange(4)
    a, b, c, d = q[places].T
    q[places] = np.stack(
        [
            a * s - b * x - c * y - d * z,
            a * x + b * s + c * z - d * y,
            a * y - b * z + c * s + d * x,
            a * z + b * y - c * x + d * s,
        ],
        axis=1,
    )
    return q


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


class MarkerDerivatives(NamedTuple):
    """Motion of a marker in world axes and its derivatives.

    Vectors of six numbers have the angular part first, matrices are 6 x nv. `jacobian` is also the derivative of the
    velocity by v, of the acceleration by a, and (rows 3-5) of the position by a displacement.
    """

    position: Reals
    velocity: Reals
    acceleration: Reals
    jacobian: Reals
    velocity_dq: Reals
    acceleration_dq: Reals
    acceleration_dv: Reals


def _linearise(system: System, work: Work, closed: bool) -> Tangent:
    """K, C and M in the state, with the accelerations and multipliers, that the workspace holds.

    closed: also Aq and Av, the derivatives of the closures' accelerations.
    """
    made = new_linearisation(system, work, acceleration_rows=closed)
    run_entry(work.entries[LINEARISE], work.context[0])
    if closed:
        run_entry(work.entries[ACCELERATION_ROWS], work.context[0])
    return made.tangent


def _workspace(system: System, q: ArrayLike, v: ArrayLike, z: ArrayLike | None) -> Work:
    """A workspace with the state in it."""
    refuse_measured(system, "a derivative of the equations of motion", forces_only=True)
    work = new_workspace(system, rates=True)
    nq, nv = system.nq, system.nv
    work.y[:nq], work.y[nq : nq + nv] = as_state(system, q, v)
    refuse_touching(system, work.y[:nq].copy(), "a derivative of the equations of motion")
    if is_dry(system):
        refuse_sliding(system, work.y[nq : nq + nv], "derivatives of the equations of motion")
    if z is not None:
        work.y[nq + nv : nq + nv + system.nz] = as_vector("z", z, system.nz)
    return work


@explained
def inverse_dynamics_derivatives(
    system: System,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    t: float = 0.0,
    z: ArrayLike | None = None,
    multipliers: ArrayLike | None = None,
) -> InverseDynamicsDerivatives:
    """Derivatives of `inverse_dynamics`, force elements included, by position, rates and accelerations; O(n depth).

    z: first-order states, at their initial values if not given. multipliers: with closed loops or constraints, the
    multipliers of their equations, kept constant: then the derivatives are those of M a + h - forces - G^T multipliers,
    which is what must act beside them; without them such systems are refused.
    """
    system.require_mass()
    work, a = _workspace(system, q, v, z), as_vector("a", a, system.nv)
    if multipliers is not None:
        work.multipliers[:] = as_vector("multipliers", multipliers, system.closures.rows)
    elif system.closures.rows:
        raise ValueError(
            f"{', '.join(map(str, system.closure_names))}: what acts in closed loops and constraints is not unique, "
            "and neither are its derivatives: give the multipliers= of their equations (dt.equilibrium has them; zeros "
            "for the tree alone), or use dt.forward_dynamics_derivatives or dt.linearise"
        )
    nq, nv = system.nq, system.nv
    work.ydot[nq : nq + nv], work.clock[0] = a, float(t)
    tan = _linearise(system, work, closed=False)
    return InverseDynamicsDerivatives(tan.K, tan.C, tan.M, tan.Z)


@explained
def forward_dynamics_derivatives(
    system: System,
    q: ArrayLike,
    v: ArrayLike,
    t: float = 0.0,
    z: ArrayLike | None = None,
    must_close: bool = True,
) -> ForwardDynamicsDerivatives:
    """Accelerations under gravity and all force elements, and their derivatives.

    Loops and constraints must be closed in the given state (`must_close=False` takes any); with redundant ones, the
    derivatives by displacements that keep them closed are meant. z: first-order states, at their initial values if not
    given.
    """
    system.require_dynamics()
    work = _workspace(system, q, v, z)
    nq, nv = system.nq, system.nv
    if must_close:
        require_closed(
            system, work.y[:nq].copy(), work.y[nq : nq + nv].copy(), t, work.y[nq + nv :][: system.nz].copy()
        )
    work.clock[0] = float(t)
    run_entry(work.entries[RATES], work.context[0])
    a, scaling = work.ydot[nq : nq + nv].copy(), work.scaling.copy()
    tan = _linearise(system, work, closed=system.closures.rows > 0)
    L, X = np.zeros(factor_size(system.tree)), np.zeros((nv, 3 * nv))
    forward_derivatives(system.tree, tan, L, X)
    if system.closures.rows:
        inverse, G = X[:, 2 * nv :], dense_jacobian(system.closures, nv, work.G)
        right = -np.hstack([tan.Aq, tan.Av, np.zeros_like(G)]) - G @ X  # d(G a - gamma) = 0
        X += inverse @ G.T @ _least_norm(G @ inverse @ G.T, scaling, right)
    by_q, by_v, by_tau = (X[:, k * nv : (k + 1) * nv].copy() for k in range(3))
    return ForwardDynamicsDerivatives(a, by_q, by_v, by_tau, -by_tau @ tan.Z)


def _least_norm(D: Reals, scaling: Reals, right: Reals) -> Reals:
    """Solution of D x = right in the sense of `dynamics.constrained`: of least norm where D is singular."""
    scaled = scaling[:, None] * D * scaling
    inverse = np.linalg.pinv(0.5 * (scaled + scaled.T), rcond=REDUNDANT, hermitian=True)
    return scaling[:, None] * (inverse @ (scaling[:, None] * right))


@explained
def marker_derivatives(
    system: System, marker: Body | Marker | str, q: ArrayLike, v: ArrayLike, a: ArrayLike
) -> MarkerDerivatives:
    """Position, velocity and acceleration of a marker or body, and their derivatives by position and rates."""
    q, v = as_state(system, q, v)
    motion, out = np.zeros((3, 6)), np.zeros((4, system.nv, 6))
    m, work = system.marker_index(name_of(marker)), new_workspace(system)
    scratch = new_tangent(system, work)
    a = as_vector("a", a, system.nv)
    work.ydot[system.nq : system.nq + system.nv] = a
    _marker_derivatives(system.tree, system.loads, work, scratch.tangent, q, v, a, m, motion, out)
    return MarkerDerivatives(motion[0, 3:], motion[1], motion[2], *(each.T.copy() for each in out))
