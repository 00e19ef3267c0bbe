"""Exponential coordinates of poses against matrix exponentials, logarithms and finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm, logm

from duoti.kernel import kernel
from duoti.spatial.se3 import (
    end_wrenches,
    exp_pose,
    inverse_coefficients,
    log_pose,
    tangent,
    tangent_coefficients,
    tangent_derivative,
    tangent_inverse,
    tangent_inverse_derivative,
    tangent_inverse_transpose,
    tangent_inverse_transpose_derivative,
    tangent_transpose,
    tangent_transpose_derivative,
)


@kernel
def both_ways(d, there, back):
    """Pose of d, as twelve numbers, and the coordinates of that pose."""
    X = exp_pose(((d[0], d[1], d[2]), (d[3], d[4], d[5])))
    e = log_pose(X)
    for i in range(9):
        there[i] = X[0][i]
    for i in range(3):
        there[9 + i] = X[1][i]
        back[i], back[3 + i] = e[0][i], e[1][i]


@kernel
def operators(d, e, V, out):
    """T, T^-1, their transposes, and the derivatives of the four, applied to V."""
    x = ((d[0], d[1], d[2]), (d[3], d[4], d[5]))
    y = ((e[0], e[1], e[2]), (e[3], e[4], e[5]))
    z = ((V[0], V[1], V[2]), (V[3], V[4], V[5]))
    c, k = tangent_coefficients(x), inverse_coefficients(x)
    results = (
        tangent(x, c, z),
        tangent_inverse(x, k, z),
        tangent_transpose(x, c, z),
        tangent_inverse_transpose(x, k, z),
        tangent_derivative(x, c, y, z),
        tangent_inverse_derivative(x, k, y, z),
        tangent_transpose_derivative(x, c, y, z),
        tangent_inverse_transpose_derivative(x, k, y, z),
    )
    for n in range(8):
        for i in range(3):
            out[n, i], out[n, 3 + i] = results[n][0][i], results[n][1][i]


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


def of(d, e=None):
    """The eight operators as matrices."""
    e = np.zeros(6) if e is None else e
    d = np.asarray(d)
    M = np.zeros((8, 6, 6), dtype=d.dtype)
    for j in range(6):
        out = np.zeros((8, 6), dtype=d.dtype)
        operators(d, np.asarray(e, d.dtype), np.eye(6, dtype=d.dtype)[j], out)
        M[:, :, j] = out
    return M


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
def test_exponential_and_logarithm(angle):
    d = some(angle)
    there, back = np.zeros(12), np.zeros(6)
    both_ways(d, there, back)
    X = expm(hat(d))
    np.testing.assert_allclose(there, np.r_[X[:3, :3].ravel(), X[:3, 3]], atol=4e-15)
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
def test_tangent_and_its_inverse(angle):
    d = some(angle)
    T = tangent_by_series(d)
    M = of(d)
    np.testing.assert_allclose(M[0], T, atol=1e-14)
    np.testing.assert_allclose(M[1], np.linalg.inv(T), atol=2e-14)
    np.testing.assert_allclose(M[2], T.T, atol=1e-14)
    np.testing.assert_allclose(M[3], np.linalg.inv(T).T, atol=2e-14)


@pytest.mark.parametrize("angle", [0.0, 0.1, 1.0, 3.0])
def test_derivatives_by_complex_steps(angle):
    """Complex steps have no error beyond round-off, and show that complex numbers pass through."""
    d, e = some(angle), some(0.7, 1)
    M = of(d, e)
    slope = of(d + 1e-30j * e).imag / 1e-30
    np.testing.assert_allclose(M[4:], slope[:4], atol=2e-14)


def test_tangent_is_that_of_the_exponential():
    """X^-1 dX/dt is T dd/dt."""
    d, rate = some(1.3), some(0.8, 2)
    h = 1e-6
    X, rise = expm(hat(d)), (expm(hat(d + h * rate)) - expm(hat(d - h * rate))) / (2 * h)
    np.testing.assert_allclose(np.linalg.inv(X) @ rise, hat(of(d)[0] @ rate), atol=1e-9)  # h² and round-off / h
