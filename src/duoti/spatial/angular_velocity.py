"""Rates of quaternions and rotation vectors, and the angular velocities that belong to them.

Leading dimensions are kept, so that whole time histories go through in one call. Quaternions are scalar
first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from duoti.spatial.axes import Array, Frame, apply3, check_frame, skew, solve3


def quaternion_rate(q: ArrayLike, omega_body: ArrayLike) -> Array:
    """dq/dt = q * (0, omega) / 2 for an angular velocity in body axes [rad/s]."""
    return 0.5 * quaternion_product(np.asarray(q, dtype=np.float64), _pure(omega_body))


def angular_velocity_from_quaternion_rate(q: ArrayLike, rate: ArrayLike) -> Array:
    """Angular velocity in body axes [rad/s]: the vector part of 2 q* dq/dt, divided by |q|^2."""
    q = np.asarray(q, dtype=np.float64)
    product = quaternion_product(quaternion_conjugate(q), np.asarray(rate, dtype=np.float64))
    return 2.0 * product[..., 1:] / np.sum(q * q, axis=-1, keepdims=True)


def quaternion_product(p: Array, q: Array) -> Array:
    """p * q: first turn by q, then by p."""
    pw, qw = p[..., :1], q[..., :1]
    pv, qv = p[..., 1:], q[..., 1:]
    scalar = pw * qw - np.sum(pv * qv, axis=-1, keepdims=True)
    return np.concatenate([scalar, pw * qv + qw * pv + np.cross(pv, qv)], axis=-1)


def quaternion_conjugate(q: Array) -> Array:
    """The inverse turn of a unit quaternion."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def _pure(a: ArrayLike) -> Array:
    a = np.asarray(a, dtype=np.float64)
    return np.concatenate([np.zeros_like(a[..., :1]), a], axis=-1)


def rotation_vector_rate_matrix(vector: ArrayLike, frame: Frame = "body") -> Array:
    """The tangent operator T (..., 3, 3) in omega = T(w) dw/dt for a rotation vector w [rad].

    T = 1 - (1 - cos a)/a^2 w~ + (a - sin a)/a^3 w~^2 in body axes, a = |w|; its transpose in space axes
    (Cardona & Geradin 1988). Accurate to round-off at and near a = 0.
    """
    check_frame(frame)
    w = np.asarray(vector, dtype=np.float64)
    a = np.linalg.norm(w, axis=-1)[..., None, None]
    W = skew(w)
    first = 0.5 * np.sinc(a / (2.0 * np.pi)) ** 2
    z = a * a
    # below 0.5 rad the first term left out is a^12/15! < 2e-16; above it the difference a - sin a is harmless
    series = (1 - z / 20 * (1 - z / 42 * (1 - z / 72 * (1 - z / 110 * (1 - z / 156))))) / 6
    safe = np.where(a < 0.5, 1.0, a)
    second = np.where(a < 0.5, series, (safe - np.sin(safe)) / safe**3)
    return np.eye(3) + (first if frame == "space" else -first) * W + second * (W @ W)


def rotation_vector_rates_to_angular_velocity(vector: ArrayLike, rates: ArrayLike, frame: Frame = "body") -> Array:
    """Angular velocity [rad/s] in body or space axes from a rotation vector and its rate."""
    return apply3(rotation_vector_rate_matrix(vector, frame), np.asarray(rates, dtype=np.float64))


def angular_velocity_to_rotation_vector_rates(vector: ArrayLike, omega: ArrayLike, frame: Frame = "body") -> Array:
    """Rate of the rotation vector [rad/s] from the angular velocity; refuses full turns (2 pi, 4 pi, ...)."""
    angle = np.linalg.norm(np.asarray(vector, dtype=np.float64), axis=-1)
    turns = np.round(angle / (2.0 * np.pi))
    near = (turns > 0) & (np.abs(angle - 2.0 * np.pi * turns) <= 1e-9)
    if near.any():
        worst = float(np.max(angle[near]) if angle.ndim else angle)
        raise ValueError(
            f"a rotation vector of length {worst:.12g} rad is within 1e-9 of a full turn, where its rate is "
            "not determined; replace w by w (1 - 2 pi / |w|), the same rotation with a shorter vector"
        )
    return solve3(rotation_vector_rate_matrix(vector, frame), np.asarray(omega, dtype=np.float64))
