"""The equations of motion at one instant, as functions of a model or a compiled system.

M(q) a + h(q, v, t) = tau: `mass_matrix` gives M, `inverse_dynamics` tau, `accelerations` a. q and v are arrays in the
order of `system.coordinate_names` and `system.rate_names`; `system.state(...)` makes them from joint names. z are the
first-order states in the order of `system.state_names`, at their initial values if not given.

All of them take one state or N states at once, (N, n) in place of (n,), and then return arrays with a leading N; t is
one number or N. A model is compiled at each call: compile it once where there are many. `dt.Evaluator` has the same
functions without allocation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from duoti.analyses.instant.evaluator import Energies, Momentum, evaluator_of
from duoti.analyses.instant.evaluator_kinematics import Axes, CentroidalMomentum, Frame
from duoti.analyses.states.at import with_instant
from duoti.analyses.states.special_cases import as_state, as_vector, refuse_touching
from duoti.model.elements import Body, Marker
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

__all__ = [
    "CentroidalMomentum", "Energies", "Frame", "Momentum", "accelerations", "as_state", "as_vector",
    "centroidal_momentum", "coriolis_matrix", "energies", "frame", "generalised_forces", "gravity_forces",
    "inverse_dynamics", "jacobian", "jacobian_rate", "mass_matrix", "momentum", "operational_space_inertia",
    "refuse_touching", "state_rates",
]  # fmt: skip

Inputs = Mapping[str, Any] | None


@with_instant
@renamed_arguments
@explained
def mass_matrix(model: Model | System, q: ArrayLike) -> Reals:
    r"""Mass matrix by the composite-rigid-body algorithm.

    $$T = \tfrac12\, v^T M(q)\, v$$

    Returns
    -------
    Array nv x nv [kg m², kg m, kg]; N of them for N states.
    """
    return evaluator_of(model).mass_matrix(q, True)


@with_instant
@renamed_arguments
@explained
def accelerations(
    model: Model | System,
    q: ArrayLike,
    v: ArrayLike,
    t: ArrayLike = 0.0,
    z: ArrayLike | None = None,
    must_close: bool = True,
    inputs: Inputs = None,
) -> Reals:
    r"""Accelerations of all coordinates under gravity and all force elements, in O(n) for a tree.

    $$M(q)\, a + h(q, v, t) = \tau + G^T \lambda, \qquad G\, a = \gamma$$

    Closed loops and constraints are satisfied. The state must satisfy them, too.

    Parameters
    ----------
    must_close:
        `False` accepts a state off the constraints, for difference quotients.
    inputs:
        Values by name, as `linearise` names inputs: a parameter, or what acts beside a force element or in a joint.

    Returns
    -------
    Array of nv numbers [rad/s² or m/s²], in the order of `system.rate_names`; N rows for N states.
    """
    return evaluator_of(model).accelerations(q, v, t, z, must_close, inputs, True)


@with_instant
@renamed_arguments
@explained
def state_rates(
    model: Model | System, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
    inputs: Inputs = None,
) -> Reals:  # fmt: skip
    r"""Rates of the first-order states, in the order of `system.state_names`.

    $$\dot z = f(q, v, z, t)$$

    Parameters
    ----------
    inputs:
        Values by name, as in `accelerations`.
    """
    return evaluator_of(model).state_rates(q, v, t, z, inputs)


@with_instant
@renamed_arguments
@explained
def inverse_dynamics(
    model: Model | System, q: ArrayLike, v: ArrayLike, a: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
    inputs: Inputs = None,
) -> Reals:  # fmt: skip
    r"""Generalised forces that produce given accelerations, beside the force elements; O(n).

    $$\tau = M(q)\, a + h(q, v, t) - \tau_{\mathrm{forces}}$$

    With closed loops the forces are not unique. The result has the least $\tau^T M^{-1} \tau$. The state and $a$ must
    satisfy the loops. `required_forces` finds the forces of chosen actuators.

    Parameters
    ----------
    inputs:
        Values by name, as in `accelerations`.

    Returns
    -------
    Array of nv numbers [N m or N], in the order of `system.rate_names`; N rows for N states.
    """
    return evaluator_of(model).inverse_dynamics(q, v, a, t, z, inputs, True)


@with_instant
@renamed_arguments
@explained
def generalised_forces(
    model: Model | System, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
    inputs: Inputs = None,
) -> Reals:  # fmt: skip
    r"""Generalised forces of all force elements.

    $$M(q)\, a + h(q, v, t) = \tau$$

    $h$ holds gravity and the terms of the velocities; $\tau$ is what this function returns.

    Parameters
    ----------
    inputs:
        Values by name, as in `accelerations`.

    Returns
    -------
    Array of nv numbers [N m or N], in the order of `system.rate_names`.
    """
    return evaluator_of(model).generalised_forces(q, v, t, z, inputs, True)


@with_instant
@explained
def frame(model: Model | System, marker: Body | Marker | str, q: ArrayLike, v: ArrayLike | None = None) -> Frame:
    r"""Pose and velocity of a marker or body.

    $$R(q), \quad r(q), \qquad (\omega, \dot r) = J(q)\, v$$

    Parameters
    ----------
    marker:
        A marker or a body.
    v:
        Rates; without them the velocities are zero.

    Returns
    -------
    `rotation` (3 x 3), `position` [m], `angular_velocity` [rad/s] and `velocity` [m/s] in world axes; `quaternion` is
    the rotation with the scalar part first.
    """
    return evaluator_of(model).frame(marker, q, v, True)


@with_instant
@renamed_arguments
@explained
def jacobian(
    model: Model | System, marker: Body | Marker | str, q: ArrayLike, point: ArrayLike | None = None,
    axes: Axes = "world",
) -> Reals:  # fmt: skip
    r"""Geometric Jacobian of a marker or body: the matrix that maps the rates of the joints to its velocities.

    $$(\omega, \dot r) = J(q)\, v$$

    Angular velocity comes first: with `J = dt.jacobian(model, "tip", q)`, `J[:3] @ v` is the angular velocity of the
    marker [rad/s] and `J[3:] @ v` the velocity of its origin [m/s]. `J.T @ [*torque, *force]` are the generalised
    forces of a torque and a force on it.

    Parameters
    ----------
    model:
        A model or a compiled system.
    marker:
        A marker or a body; of a body, its origin.
    q:
        Coordinates, in the order of `system.coordinate_names`; or `at=` a state in the place of q.
    point:
        Another point of it, in its axes [m].
    axes:
        Axes of the result: "world", or "local" for those of the marker.

    Returns
    -------
    Array 6 x nv, with a column for each rate, in the order of `system.rate_names`.
    """
    return evaluator_of(model).jacobian(marker, q, True, point=point, axes=axes)


@with_instant
@explained
def jacobian_rate(
    model: Model | System, marker: Body | Marker | str, q: ArrayLike, v: ArrayLike, point: ArrayLike | None = None,
    axes: Axes = "world",
) -> Reals:  # fmt: skip
    r"""Rate of change of a Jacobian.

    $$(\dot\omega, \ddot r) = J\, a + \dot J\, v$$

    Parameters
    ----------
    marker:
        A marker or a body.
    point:
        Another point of it, in its axes [m].
    axes:
        "world", or "local" for the axes of the marker, which turn.

    Returns
    -------
    Array 6 x nv, rows as in `jacobian`.
    """
    return evaluator_of(model).jacobian_rate(marker, q, v, True, point=point, axes=axes)


@with_instant
@explained
def coriolis_matrix(model: Model | System, q: ArrayLike, v: ArrayLike) -> Reals:
    r"""Matrix of centrifugal and Coriolis forces, for passivity-based and adaptive control.

    $$M a + C(q, v)\, v + g(q) = \tau, \qquad \dot M = C + C^T$$

    Returns
    -------
    Array nv x nv, in the order of `system.rate_names`.
    """
    return evaluator_of(model).coriolis_matrix(q, v, True)


@with_instant
@explained
def gravity_forces(model: Model | System, q: ArrayLike) -> Reals:
    r"""Generalised forces that hold the bodies against gravity at rest, without force elements.

    $$M a + C(q, v)\, v + g(q) = \tau$$

    Returns
    -------
    Array of nv numbers [N m or N], in the order of `system.rate_names`.
    """
    return evaluator_of(model).gravity_forces(q, True)


@with_instant
@explained
def centroidal_momentum(model: Model | System, q: ArrayLike, v: ArrayLike | None = None) -> CentroidalMomentum:
    r"""Centroidal momentum matrix A, its bias, and the mass centre with its Jacobian.

    $$(L_c, p) = A(q)\, v, \qquad (\dot L_c, \dot p) = A\, a + \dot A\, v$$

    Parameters
    ----------
    v:
        Rates, for the bias; zero by default.

    Returns
    -------
    `matrix` (6 x nv), `bias`, `mass`, `mass_centre` and `mass_centre_jacobian` (3 x nv), in world axes. Bodies welded
    to ground count in mass and mass centre.
    """
    return evaluator_of(model).centroidal_momentum(q, v, True)


@with_instant
@explained
def operational_space_inertia(
    model: Model | System, marker: Body | Marker | str, q: ArrayLike, rows: Sequence[int] = (0, 1, 2, 3, 4, 5),
    point: ArrayLike | None = None, axes: Axes = "world", t: float = 0.0,
) -> Reals:  # fmt: skip
    r"""Inertia that a force on a marker feels; closed loops and constraints are kept.

    $$\Lambda = (J M^{-1} J^T)^{-1}$$

    Parameters
    ----------
    marker:
        A marker or a body.
    rows:
        Rows of the Jacobian: (3, 4, 5) for a point, (0, 1, 2) for rotations. They must be independent.
    point:
        Another point of it, in its axes [m].
    axes:
        "world", or "local" for the axes of the marker.

    Returns
    -------
    Symmetric matrix [kg m², kg m, kg], one row for each of `rows`.
    """
    return evaluator_of(model).operational_space_inertia(marker, q, rows, point=point, axes=axes, t=t)


@with_instant
@renamed_arguments
@explained
def energies(
    model: Model | System, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
    inputs: Inputs = None,
) -> Energies:  # fmt: skip
    r"""Energies and powers at an instant. The potential of gravity is zero at the world's origin.

    $$T = \tfrac12\, v^T M v, \qquad V = -\sum_i m_i\, g^T r_i + V_{\mathrm{elastic}}$$

    Parameters
    ----------
    inputs:
        Values by name, as in `accelerations`.
    """
    return evaluator_of(model).energies(q, v, t, z, inputs)


@with_instant
@renamed_arguments
@explained
def momentum(model: Model | System, q: ArrayLike, v: ArrayLike) -> Momentum:
    r"""Linear and angular momentum of all bodies.

    $$p = \sum_i m_i \dot r_i, \qquad L = \sum_i \left( I_i \omega_i + m_i\, (r_i - c) \times \dot r_i \right)$$

    $c$ is the common mass centre.
    """
    return evaluator_of(model).momentum(q, v)
