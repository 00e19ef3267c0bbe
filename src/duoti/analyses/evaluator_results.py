"""What an evaluator returns: named tuples of arrays."""

from __future__ import annotations

from typing import NamedTuple

from duoti.system.arrays import Reals


class Frame(NamedTuple):
    """A frame in world axes: rotation matrix (3 x 3), position [m], angular velocity [rad/s], velocity [m/s]."""

    rotation: Reals
    position: Reals
    angular_velocity: Reals
    velocity: Reals


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
