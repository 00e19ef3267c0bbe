"""Exact derivatives of the equations of motion at one instant, as functions of a compiled system.

The position is displaced by a tangent vector delta: nv numbers with the meaning of rates, so that delta moves the
bodies like the velocity v = delta would in unit time, to first order. For plain coordinates this is q + delta, for a
quaternion q o exp(delta); `displace` does it. Rows and columns are in the order of `system.rate_names`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.instant.evaluator import ForwardDynamicsDerivatives, InverseDynamicsDerivatives, evaluator_of
from duoti.analyses.states.at import with_instant
from duoti.analyses.states.many_states import for_states
from duoti.analyses.states.special_cases import as_state, as_vector
from duoti.dynamics.derivatives.markers import marker_derivatives as _marker_derivatives
from duoti.dynamics.workspace import new_tangent, new_workspace
from duoti.model.elements import Body, Marker, name_of
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

__all__ = [
    "ForwardDynamicsDerivatives", "InverseDynamicsDerivatives", "MarkerDerivatives", "displace",
    "forward_dynamics_derivatives", "inverse_dynamics_derivatives", "marker_derivatives",
]  # fmt: skip


@renamed_arguments
@for_states("q", "delta")
@explained
def displace(model: Model | System, q: ArrayLike, delta: ArrayLike) -> Reals:
    r"""Position after a displacement, given like a velocity; quaternions stay unit.

    $$q \oplus \delta = \left( q + \delta,\; q \circ \exp(\tfrac12 \delta) \right)$$

    Parameters
    ----------
    q:
        Coordinates.
    delta:
        Displacement, in the order of `system.rate_names`.
    """
    assert isinstance(model, System)
    system = model
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


@with_instant
@renamed_arguments
@explained
def inverse_dynamics_derivatives(
    model: Model | System,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    t: ArrayLike = 0.0,
    z: ArrayLike | None = None,
    multipliers: ArrayLike | None = None,
    inputs: Mapping[str, Any] | None = None,
) -> InverseDynamicsDerivatives:
    r"""Derivatives of `inverse_dynamics` by positions, velocities and accelerations, force elements included.

    $$\tau = M a + h - \tau_{\mathrm{forces}} - G^T \lambda, \qquad \frac{\partial \tau}{\partial q}, \quad
    \frac{\partial \tau}{\partial v}, \quad \frac{\partial \tau}{\partial a} = M$$

    Parameters
    ----------
    multipliers:
        Multipliers $\lambda$ of loops and constraints, kept constant. Models with loops need them.
    inputs:
        Values by name, as in `accelerations`.
    """
    return evaluator_of(model).inverse_dynamics_derivatives(q, v, a, t, z, multipliers, inputs, True)


@with_instant
@renamed_arguments
@explained
def forward_dynamics_derivatives(
    model: Model | System,
    q: ArrayLike,
    v: ArrayLike,
    t: ArrayLike = 0.0,
    z: ArrayLike | None = None,
    must_close: bool = True,
    inputs: Mapping[str, Any] | None = None,
) -> ForwardDynamicsDerivatives:
    r"""Accelerations under gravity and all force elements, and their derivatives.

    $$a = a(q, v, \tau), \qquad \frac{\partial a}{\partial q}, \quad \frac{\partial a}{\partial v}, \quad
    \frac{\partial a}{\partial \tau}$$

    With redundant constraints the derivatives are those along displacements that keep the loops closed.

    Parameters
    ----------
    must_close:
        `False` accepts a state off the constraints.
    inputs:
        Values by name, as in `accelerations`.
    """
    return evaluator_of(model).forward_dynamics_derivatives(q, v, t, z, must_close, inputs, True)


@with_instant
@renamed_arguments
@for_states("q", "v", "a")
@explained
def marker_derivatives(
    model: Model | System, marker: Body | Marker | str, q: ArrayLike, v: ArrayLike, a: ArrayLike
) -> MarkerDerivatives:
    r"""Position, velocity and acceleration of a marker or body, and their derivatives by positions and velocities.

    $$\frac{\partial (\omega, \dot r)}{\partial q}, \qquad \frac{\partial (\dot\omega, \ddot r)}{\partial q}, \qquad
    \frac{\partial (\dot\omega, \ddot r)}{\partial v}$$

    Parameters
    ----------
    marker:
        A marker or a body.
    """
    assert isinstance(model, System)
    system = model
    q, v = as_state(system, q, v)
    motion, out = np.zeros((3, 6)), np.zeros((4, system.nv, 6))
    m, work = system.marker_index(name_of(marker)), new_workspace(system)
    scratch = new_tangent(system, work)
    a = as_vector("a", a, system.nv)
    work.ydot[system.nq : system.nq + system.nv] = a
    _marker_derivatives(system.tree, system.loads, work, scratch.tangent, q, v, a, m, motion, out)
    return MarkerDerivatives(motion[0, 3:], motion[1], motion[2], *(each.T.copy() for each in out))
