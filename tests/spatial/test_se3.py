"""Exponential coordinates of poses against matrix exponentials, logarithms and finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm, logm

from duoti.kernel import kernel
from duoti.spatial.se3 import end_wrenches, inverse_coefficients, log_pose, tangent_inverse


@kernel
def logarithm(X, back):
    """Coordinates of a pose of twelve numbers."""
    R = (X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8])
    e = log_pose((R, (X[9], X[10], X[11])))
    for i in range(3):
        back[i], back[3 + i] = e[0][i], e[1][i]


@kernel
def inverse(d, V, out):
    """T^-1 V."""
    x = ((d[0], d[1], d[2]), (d[3], d[4], d[5]))
    result = tangent_inverse(x, inverse_coefficients(x), ((V[0], V[1], V[2]), (V[3], V[4], V[5])))
    for i in range(3):
        out[i], out[3 + i] = result[0][i], result[1][i]


def hat(d):
    """4x4 matrix of a motion."""
    x, y, z = d[:3]
    return np.array([[0, -z, y, d[3]], [z, 0, -x, d[4]], [-y, x, 0, d[5]], [0, 0, 0, 0]])


def ad(d):
    """6x6 matrix of `cross_motion`, angular part first."""
    w, v = hat(d)[:3, :3], hat(np.r_[d[3:], 0, 0, 0])[:3, :3]
    return np.block([[w, np.zeros((3, 3))], [v, w]])


def tangent_by_series(d):
    """T = sum of (-ad)^k / (k + 1)!, the first six columns of an exponential of twice the size."""
    A = np.zeros((12, 12))
    A[:6, :6], A[:6, 6:] = -ad(d), np.eye(6)
    return expm(A)[:6, 6:]


ANGLES = [
    0.0,
    1e-9,
    1e-4,
    0.1,
    0.505,
    0.506,
    1.0,
    2.0,
    3.0,
    3.14159,
]  # the logarithm's series ends between 0.505, 0.506


def some(angle, seed=0):
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    return np.r_[axis / np.linalg.norm(axis) * angle, rng.normal(size=3)]


@pytest.mark.parametrize("angle", ANGLES)
def test_logarithm(angle):
    d = some(angle)
    X, back = expm(hat(d)), np.zeros(6)
    logarithm(np.r_[X[:3, :3].ravel(), X[:3, 3]], back)
    # near half a turn the sine, from which the axis comes, is small: round-off over its size
    np.testing.assert_allclose(back, d, atol=2e-15 / max(np.sin(angle) if angle > 1 else 1.0, 1e-6))
    if angle < 3.0:
        np.testing.assert_allclose(hat(back), logm(X).real, atol=1e-13)


@kernel
def wrenches(d, F, out):
    """A wrench by exponential coordinates at both ends."""
    x = ((d[0], d[1], d[2]), (d[3], d[4], d[5]))
    at_b, at_a = end_wrenches(x, inverse_coefficients(x), ((F[0], F[1], F[2]), (F[3], F[4], F[5])))
    for i in range(3):
        out[0, i], out[0, 3 + i] = at_b[0][i], at_b[1][i]
        out[1, i], out[1, 3 + i] = at_a[0][i], at_a[1][i]


@pytest.mark.parametrize("angle", ANGLES)
def test_wrenches_at_both_ends(angle):
    """At B: T^-T F. At A it is the same wrench, moved to A and turned to A's axes."""
    d, F, out = some(angle), some(1.0, 3), np.zeros((2, 6))
    wrenches(d, F, out)
    np.testing.assert_allclose(out[0], np.linalg.inv(tangent_by_series(d)).T @ F, atol=2e-14)
    X = expm(hat(d))
    R, p = X[:3, :3], X[:3, 3]
    moved = np.r_[R @ out[0, :3] + np.cross(p, R @ out[0, 3:]), R @ out[0, 3:]]
    np.testing.assert_allclose(out[1], moved, atol=2e-14)


@pytest.mark.parametrize("angle", ANGLES)
def test_inverse_tangent(angle):
    d, V, out = some(angle), some(0.9, 4), np.zeros(6)
    inverse(d, V, out)
    np.testing.assert_allclose(tangent_by_series(d) @ out, V, atol=4e-14)


def test_series_is_the_tangent_of_the_exponential():
    """X^-1 dX/dt is T dd/dt."""
    d, rate = some(1.3), some(0.8, 2)
    h = 1e-6
    X, rise = expm(hat(d)), (expm(hat(d + h * rate)) - expm(hat(d - h * rate))) / (2 * h)
    np.testing.assert_allclose(
        np.linalg.inv(X) @ rise, hat(tangent_by_series(d) @ rate), atol=1e-9
    )  # h², round-off / h
