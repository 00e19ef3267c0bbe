"""Poses against their 4x4 matrices.

Tolerance 1e-14: numbers of size ten, rounded a few times at 1e-16 of that.
"""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from duoti.spatial import Pose, Rotation

A = Pose(Rotation.from_vector((0.3, -0.5, 0.9)), (1.0, 2.0, 3.0))
B = Pose(Rotation.about("x", 2.0), (-4.0, 5.0, 0.5))


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=0.0, atol=1e-14)


def test_composition_is_the_product_of_matrices():
    close((A @ B).matrix4, A.matrix4 @ B.matrix4)
    close((A @ Rotation.about("x", 2.0)).matrix4, (A @ Pose(Rotation.about("x", 2.0))).matrix4)


def test_inverse():
    close((A @ A.inverse()).matrix4, np.eye(4))
    close(A.inverse().matrix4, np.linalg.inv(A.matrix4))


def test_points():
    points = np.arange(12.0).reshape(4, 3)
    expected = (A.matrix4 @ np.c_[points, np.ones(4)].T).T[:, :3]
    close(A @ points, expected)
    close(A @ points[2], expected[2])
    close((A @ B) @ points, A @ (B @ points))


def test_identity_and_from_any():
    assert Pose.identity() == Pose() == Pose.from_any(None)
    assert Pose.from_any(A) is A
    assert Pose.from_any(A.rotation) == Pose(A.rotation)
    assert Pose.from_any((1, 2, 3)) == Pose(position=np.array([1.0, 2.0, 3.0]))
    assert Pose.from_any(A.matrix4).almost_equal(A, 1e-14)
    assert Pose(A.rotation.matrix, A.position).almost_equal(A, 1e-14)
    assert not A.almost_equal(B)


@pytest.mark.parametrize(
    ("x", "words"),
    [
        ("here", "no pose; give a Pose"),
        (np.eye(4)[::-1], r"last row of the pose matrix is .* not \[0, 0, 0, 1\]"),
        ((1.0, np.nan, 0.0), "position = .* holds NaN"),
        (2 * np.eye(4) - np.diag([0, 0, 0, 1]), "not orthonormal"),
        ([[1.0], [1.0, 2.0]], "no pose"),
    ],
)
def test_refusals(x, words):
    with pytest.raises(ValueError, match=words):
        Pose.from_any(x)


def test_value_semantics():
    again = pickle.loads(pickle.dumps(A))
    assert again == A
    assert hash(again) == hash(A)
    assert not again.position.flags.writeable
    assert A != B
    assert A != "pose"
    with pytest.raises(AttributeError):
        A.position = np.zeros(3)
    with pytest.raises(ValueError, match="read-only"):
        A.position[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        A.matrix4[0, 0] = 1.0
