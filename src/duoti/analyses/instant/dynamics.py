"""The equations of motion at one instant, as functions of a model or a compiled system.

M(q) a + h(q, v, t) = tau: `mass_matrix` gives M, `inverse_dynamics` tau, `accelerations` a. q and v are arrays in the
order of `system.coordinate_names` and `system.rate_names`; `system.state(...)` makes them from joint names. z are the
first-order states in the order of `system.state_names`, at their initial values if not given.

All of them take one state or N states at once, (N, n) in place of (n,), and then return arrays with a leading N; t is
one number or N. A model is compiled at each call: compile it once where there are many. `dt.Evaluator` has the same
functions without allocation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from duoti.analyses.instant.evaluator import Energies, Momentum, evaluator_of
from duoti.analyses.states.at import with_instant
from duoti.analyses.states.special_cases import as_state, as_vector, refuse_touching
from duoti.model.elements import Body, Marker
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

__all__ = [
    "Energies", "Momentum", "accelerations", "as_state", "as_vector", "energies", "generalised_forces",
    "inverse_dynamics", "jacobian", "mass_matrix", "momentum", "refuse_touching", "state_rates",
]  # fmt: skip

Inputs = Mapping[str, Any] | None


@with_instant
@renamed_arguments
@explained
def mass_matrix(model: Model | System, q: ArrayLike) -> Reals:
    """Mass matrix M(q) by composite rigid bodies."""
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
    """Rates of v under gravity and all force elements, O(n) for a tree; closed loops and constraints are obeyed.

    The state must obey them, too; `must_close=False` takes any (for differences off the closed states). inputs: values
    by name, as `linearise` names inputs: a parameter of the model, or what acts beside a force element or in a joint.
    """
    return evaluator_of(model).accelerations(q, v, t, z, must_close, inputs, True)


@with_instant
@renamed_arguments
@explained
def state_rates(
    model: Model | System, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
    inputs: Inputs = None,
) -> Reals:  # fmt: skip
    """Rates of the first-order states, in the order of `system.state_names`. inputs: as in `accelerations`."""
    return evaluator_of(model).state_rates(q, v, t, z, inputs)


@with_instant
@renamed_arguments
@explained
def inverse_dynamics(
    model: Model | System, q: ArrayLike, v: ArrayLike, a: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
    inputs: Inputs = None,
) -> Reals:  # fmt: skip
    """Generalised forces that must act in the joints, beside the force elements, for the accelerations a; O(n).

    With closed loops or constraints these are not unique: forces that only strain a loop move nothing. The smallest
    ones are returned, those with the least tau^T M^-1 tau: tau = M (a - a0) with the accelerations a0 that the system
    has by itself. The state and a must obey the loops. `required_forces` finds the forces of chosen actuators.
    inputs: as in `accelerations`.
    """
    return evaluator_of(model).inverse_dynamics(q, v, a, t, z, inputs, True)


@with_instant
@renamed_arguments
@explained
def generalised_forces(
    model: Model | System, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
    inputs: Inputs = None,
) -> Reals:  # fmt: skip
    """What the force elements do in each coordinate: tau such that M a + h = tau, with h by gravity and velocities.

    inputs: as in `accelerations`.
    """
    return evaluator_of(model).generalised_forces(q, v, t, z, inputs, True)


@with_instant
@renamed_arguments
@explained
def jacobian(model: Model | System, marker: Body | Marker | str, q: ArrayLike) -> Reals:
    """6 x nv: angular velocity (rows 0-2) and velocity (rows 3-5) of a marker or body, world axes, per unit of v."""
    return evaluator_of(model).jacobian(marker, q, True)


@with_instant
@renamed_arguments
@explained
def energies(
    model: Model | System, q: ArrayLike, v: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
    inputs: Inputs = None,
) -> Energies:  # fmt: skip
    """Energies and powers at an instant; the zero of gravity's is at the world's origin.

    inputs: as in `accelerations`.
    """
    return evaluator_of(model).energies(q, v, t, z, inputs)


@with_instant
@renamed_arguments
@explained
def momentum(model: Model | System, q: ArrayLike, v: ArrayLike) -> Momentum:
    """Momentum of all bodies at an instant."""
    return evaluator_of(model).momentum(q, v)
