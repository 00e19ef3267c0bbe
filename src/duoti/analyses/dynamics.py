"""The equations of motion at one instant, as functions of a compiled system.

M(q) a + h(q, v, t) = tau: `mass_matrix` gives M, `inverse_dynamics` tau, `accelerations` a. q and v are arrays in the
order of `system.coordinate_names` and `system.rate_names`; `system.state(...)` makes them from joint names.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from duoti.dynamics import crba as _crba
from duoti.dynamics import forward as _forward
from duoti.dynamics import kinematics as _kinematics
from duoti.dynamics.workspace import new_workspace
from duoti.model.elements import Body, Marker, name_of
from duoti.results.observe import ACCELERATIONS, ENERGIES, observe
from duoti.system.arrays import Reals, size_of_state
from duoti.system.system import System


def as_vector(what: str, values: ArrayLike, size: int) -> Reals:
    """The values as an array of this size, or an error that says what is wrong with them."""
    array = np.ascontiguousarray(values, dtype=float)
    if array.shape != (size,):
        raise ValueError(f"{what} needs {size} numbers, got an array of shape {array.shape}")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{what} has values that are not finite: {array.tolist()}")
    return array


def as_state(system: System, q: ArrayLike, v: ArrayLike) -> tuple[Reals, Reals]:
    """q and v as arrays of the system's sizes."""
    return as_vector("q", q, system.nq), as_vector("v", v, system.nv)


def mass_matrix(system: System, q: ArrayLike) -> Reals:
    """Mass matrix M(q) by composite rigid bodies."""
    M = np.zeros((system.nv, system.nv))
    _crba.crba(system.tree, new_workspace(system), as_vector("q", q, system.nq), np.zeros(system.nv), M)
    return M + np.tril(M, -1).T


def accelerations(system: System, q: ArrayLike, v: ArrayLike, t: float = 0.0) -> Reals:
    """Rates of v under gravity and all force elements, O(n) for a tree; closed loops and constraints are obeyed."""
    q, v = as_state(system, q, v)
    a = np.zeros(system.nv)
    if system.links.rows:
        y = np.zeros((1, size_of_state(system.tree)))
        y[0, : system.nq], y[0, system.nq : system.nq + system.nv] = q, v
        return observe(system, np.array([float(t)]), y, ACCELERATIONS).a[0]
    _forward.forward_dynamics(system.tree, system.loads, new_workspace(system), float(t), q, v, a)
    return a


def inverse_dynamics(system: System, q: ArrayLike, v: ArrayLike, a: ArrayLike, t: float = 0.0) -> Reals:
    """Generalised forces that must act in the joints, beside the force elements, for the accelerations a; O(n)."""
    q, v = as_state(system, q, v)
    tau = np.zeros(system.nv)
    work = new_workspace(system)
    _forward.inverse_dynamics(system.tree, system.loads, work, float(t), q, v, as_vector("a", a, system.nv), tau)
    return tau


def generalised_forces(system: System, q: ArrayLike, v: ArrayLike, t: float = 0.0) -> Reals:
    """What the force elements do in each coordinate: tau such that M a + h = tau, with h by gravity and velocities."""
    q, v = as_state(system, q, v)
    zero = np.zeros(system.nv)
    with_forces, bias = np.zeros(system.nv), np.zeros(system.nv)
    work = new_workspace(system)
    _forward.inverse_dynamics(system.tree, system.loads, work, float(t), q, v, zero, with_forces)
    bare = system.loads._replace(count=0)
    _forward.inverse_dynamics(system.tree, bare, work, float(t), q, v, zero, bias)
    return bias - with_forces


def jacobian(system: System, marker: Body | Marker | str, q: ArrayLike) -> Reals:
    """6 x nv: angular velocity (rows 0-2) and velocity (rows 3-5) of a marker or body, world axes, per unit of v."""
    q = as_vector("q", q, system.nq)
    J = np.zeros((6, system.nv))
    m = system.marker_index(name_of(marker))
    _kinematics.marker_jacobian(system.tree, system.loads, new_workspace(system), q, np.zeros(system.nv), m, J)
    return J


class Energies(NamedTuple):
    """Energies [J] and powers [W] of the force elements at an instant."""

    kinetic: float
    gravity: float
    elastic: float
    supplied_power: float
    dissipated_power: float


def _observed(system: System, q: ArrayLike, v: ArrayLike, t: float) -> Reals:
    q, v = as_state(system, q, v)
    y = np.zeros((1, size_of_state(system.tree)))
    y[0, : len(q)], y[0, len(q) : len(q) + len(v)] = q, v
    return observe(system, np.array([float(t)]), y, ENERGIES).energies[0]


def energies(system: System, q: ArrayLike, v: ArrayLike, t: float = 0.0) -> Energies:
    """Energies and powers at an instant; the zero of gravity's is at the world's origin."""
    return Energies(*(float(e) for e in _observed(system, q, v, t)[:5]))


class Momentum(NamedTuple):
    """Angular momentum about the mass centre [N m s], linear momentum [N s] and mass centre [m], world axes."""

    angular: Reals
    linear: Reals
    mass_centre: Reals


def momentum(system: System, q: ArrayLike, v: ArrayLike) -> Momentum:
    """Momentum of all bodies at an instant."""
    seen = _observed(system, q, v, 0.0)
    return Momentum(seen[5:8], seen[8:11], seen[11:14])
