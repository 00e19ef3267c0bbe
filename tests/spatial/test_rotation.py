"""Rotations against SciPy, closed forms and finite differences.

Tolerances: a rotation matrix is computed with a handful of operations on numbers of size one, each good to
1.1e-16, so EPS = 2e-15 (nine units of 2.2e-16) bounds what may differ; conversions that divide by a small
sine lose as much as that sine is small, and say so where they are tested.
"""

from __future__ import annotations

import copy
import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation as Oracle

from duoti.spatial import (
    Rotation,
    angular_acceleration_to_euler_accelerations,
    angular_velocity_from_quaternion_rate,
    angular_velocity_to_euler_rates,
    angular_velocity_to_rotation_vector_rates,
    axis_vector,
    euler_accelerations_to_angular_acceleration,
    euler_angles,
    euler_matrix,
    euler_rate_matrix,
    euler_rate_matrix_derivative,
    euler_rates_to_angular_velocity,
    quaternion_rate,
    rotation_vector_rate_matrix,
    rotation_vector_rates_to_angular_velocity,
)

EPS = 2e-15
UPPER = ["".join(s) for s in itertools.product("XYZ", repeat=3) if s[0] != s[1] != s[2]]
SEQUENCES = UPPER + [s.lower() for s in UPPER]
every_sequence = pytest.mark.parametrize("sequence", SEQUENCES)
both_frames = pytest.mark.parametrize("frame", ["body", "space"])

angle = st.floats(-10.0, 10.0)
vector = st.tuples(angle, angle, angle)


def random_rotations(n: int, seed: int = 0) -> list[Rotation]:
    q = np.random.default_rng(seed).normal(size=(n, 4))
    return [Rotation.from_quaternion(x / np.linalg.norm(x)) for x in q]


def regular_angles(sequence: str, rng: np.random.Generator) -> np.ndarray:
    """Random angles whose second is at least 0.3 rad away from the singular ones."""
    a = rng.uniform(-3.0, 3.0, 3)
    proper = sequence[0] == sequence[2]
    a[1] = rng.uniform(0.3, np.pi - 0.3) - (0.0 if proper else np.pi / 2)
    return a


def close(a, b, tolerance=EPS):
    np.testing.assert_allclose(a, b, rtol=0.0, atol=tolerance)


# -------------------------------------------------------------------------------------- forms of one rotation


def test_there_are_24_conventions():
    assert len(SEQUENCES) == len(set(SEQUENCES)) == 24


@every_sequence
@settings(max_examples=30, deadline=None)
@given(angles=vector)
def test_from_euler_agrees_with_scipy(sequence, angles):
    R = Rotation.from_euler(sequence, angles)
    close(R.matrix, Oracle.from_euler(sequence, angles).as_matrix())
    close(R.matrix, euler_matrix(sequence, angles))


@every_sequence
def test_euler_agrees_with_scipy(sequence):
    rng = np.random.default_rng(1)
    for _ in range(50):
        a = regular_angles(sequence, rng)
        R = Rotation.from_euler(sequence, a)
        # the angles of a matrix with error 2e-15 divided by sin(0.3) = 0.3, on numbers of size 3
        close(R.euler(sequence), a, 2e-14)
        close(R.euler(sequence), Oracle.from_matrix(R.matrix).as_euler(sequence), 2e-14)


@every_sequence
@settings(max_examples=30, deadline=None)
@given(angles=vector, tiny=st.sampled_from([0.0, 1e-16, 1e-13, 1e-11, 1e-9, 1e-7, 1e-4]), k=st.integers(-2, 2))
def test_euler_reproduces_the_rotation_at_and_near_singular_angles(sequence, angles, tiny, k):
    proper = sequence[0] == sequence[2]
    second = k * np.pi + tiny if proper else (k + 0.5) * np.pi + tiny
    R = Rotation.from_euler(sequence, (angles[0], second, angles[2]))
    found = R.euler(sequence)
    # below a sine of 1e-12 the third angle is put to zero, which costs at most that sine
    close(euler_matrix(sequence, found), R.matrix, 1e-12 if tiny <= 1e-12 else 4 * EPS)
    if tiny < 1e-13:
        assert found[2] == 0.0


@every_sequence
def test_euler_ranges(sequence):
    low, high = (0.0, np.pi) if sequence[0] == sequence[2] else (-np.pi / 2, np.pi / 2)
    for R in random_rotations(50):
        a, b, c = R.euler(sequence)
        assert low <= b <= high
        assert abs(a) <= np.pi
        assert abs(c) <= np.pi


def test_upper_case_turns_about_moving_axes_and_lower_case_about_fixed_ones():
    a, b = 0.3, 0.7
    moving = Rotation.about("z", a) @ Rotation.about("x", b)
    assert Rotation.from_euler("ZXZ", (a, b, 0.0)).almost_equal(moving, EPS)
    fixed = Rotation.about("x", b) @ Rotation.about("z", a)
    assert Rotation.from_euler("zxz", (a, b, 0.0)).almost_equal(fixed, EPS)


def test_histories_go_through_in_one_call():
    angles = np.random.default_rng(2).uniform(0.2, 1.2, (7, 3))
    R = euler_matrix("ZYX", angles)
    assert R.shape == (7, 3, 3)
    close(euler_angles("ZYX", R), angles, 1e-14)  # cos(1.2) = 0.36 in the denominator
    omega = euler_rates_to_angular_velocity("ZYX", angles, angles, "body")
    close(omega[3], euler_rates_to_angular_velocity("ZYX", angles[3], angles[3], "body"), 0.0)
    close(angular_velocity_to_euler_rates("ZYX", angles, omega), angles, 1e-14)


@given(w=vector)
def test_rotation_vector_agrees_with_scipy(w):
    R = Rotation.from_vector(w)
    close(R.matrix, Oracle.from_rotvec(w).as_matrix(), 4 * EPS)  # SciPy's own angle of up to 17 rad is rounded
    assert R.angle <= np.pi
    assert Rotation.from_vector(R.vector).almost_equal(R, 4 * EPS)


@pytest.mark.parametrize("size", [0.0, 1e-200, 1e-12, 1e-6, 1.0, 3.0, 3.1415926])
def test_vector_comes_back_for_every_size(size):
    w = size * axis_vector((1.0, -2.0, 0.5))
    np.testing.assert_allclose(Rotation.from_vector(w).vector, w, rtol=EPS, atol=0.0)


def test_matrix_round_trip_for_all_angles_including_half_turns():
    axes = [axis_vector(a) for a in [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -2, 3), (-1, 1e-9, 0)]]
    for axis, angle in itertools.product(axes, [0.0, 1e-9, 0.5, 2.0, 3.0, np.pi - 1e-9, np.pi, 4.0]):
        R = Rotation.about(axis, angle)
        assert Rotation.from_matrix(R.matrix).almost_equal(R, 2 * EPS)
        close(Rotation.from_matrix(R.matrix).matrix, R.matrix)


def test_about_letters_vectors_and_signs():
    close(Rotation.about("z", np.pi / 2) @ (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert Rotation.about("-z", 0.4).almost_equal(Rotation.about((0, 0, 5), -0.4), 0.0)
    assert Rotation.about("x", 0.4).axis.tolist() == [1.0, 0.0, 0.0]
    assert Rotation.about("x", 0.4).angle == pytest.approx(0.4, abs=EPS)
    assert Rotation.identity().angle == 0.0
    assert Rotation.identity().axis.tolist() == [0.0, 0.0, 1.0]


def test_composition_inverse_and_vectors():
    A, B = random_rotations(2)
    close((A @ B).matrix, A.matrix @ B.matrix)
    close((A @ A.inverse()).matrix, np.eye(3))
    rows = np.arange(12.0).reshape(4, 3)
    close(A @ rows, np.array([A.matrix @ r for r in rows]), 1e-14)  # numbers up to 11
    close((A @ B) @ rows[1], A @ (B @ rows[1]), 1e-14)
    close(A.matrix.T @ A.matrix, np.eye(3))


def test_a_thousand_compositions_stay_a_rotation():
    R, step = Rotation.identity(), Rotation.from_vector((0.1, 0.2, 0.3))
    for _ in range(1000):
        R = R @ step
    close(R.matrix.T @ R.matrix, np.eye(3))
    # a thousand roundings of 1e-16, all in the same direction at worst
    assert R.almost_equal(Rotation.from_vector((100.0, 200.0, 300.0)), 5e-13)


def test_small_rotations_commute_to_first_order():
    a, b = np.array([1e-5, 2e-5, 0.0]), np.array([0.0, -1e-5, 3e-5])
    both = Rotation.from_vector(a) @ Rotation.from_vector(b)
    # the first term left out is a x b / 2, the next ones of third order
    close(both.vector, a + b + 0.5 * np.cross(a, b), np.linalg.norm(a) * np.linalg.norm(b) * 1e-4)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("z", "z"),
        ("z", "x"),
        ("z", "-z"),
        ("x", "-x"),
        ((1, 2, 3), (-1, -2, -3 + 1e-9)),
        ((1, 0, 0), (-1, 1e-6, 0)),
    ],
)
def test_between_carries_one_direction_into_the_other(a, b):
    R = Rotation.between(a, b)
    close(R @ axis_vector(a), axis_vector(b))
    # shortest: the angle is that between the directions; within 1e-12 of opposite, any normal is the axis
    cosine, sine = axis_vector(a) @ axis_vector(b), np.linalg.norm(np.cross(axis_vector(a), axis_vector(b)))
    assert R.angle == pytest.approx(np.arctan2(sine, cosine), abs=2e-12)


# ----------------------------------------------------------------------------------------- identity and value


def test_equality_hash_and_pickle():
    q = np.array([0.5, -0.5, 0.5, 0.5])
    A, B = Rotation.from_quaternion(q), Rotation.from_quaternion(-q)
    assert A == B
    assert hash(A) == hash(B)
    assert Rotation.about("z", np.pi) == Rotation.from_quaternion(-Rotation.about("z", np.pi).quaternion)
    assert Rotation.identity() != A
    assert A != "no rotation"
    for R in random_rotations(20):
        for again in (
            pickle.loads(pickle.dumps(R)),
            copy.deepcopy(R),
            Rotation.from_quaternion(R.quaternion),
        ):
            assert again.quaternion.tolist() == R.quaternion.tolist()  # bit for bit
            assert not again.quaternion.flags.writeable


def test_immutable():
    R = Rotation.identity()
    with pytest.raises(AttributeError):
        R.quaternion = np.zeros(4)
    with pytest.raises(ValueError, match="read-only"):
        R.matrix[0, 0] = 2.0
    assert R.matrix is R.matrix
    given = np.array([1.0, 0.0, 0.0, 0.0])
    R = Rotation.from_quaternion(given)
    given[0] = 5.0
    assert R.quaternion[0] == 1.0


def test_repr_can_be_read_back():
    R = Rotation.about((1, 2, 3), 0.7)
    assert eval(repr(R)).almost_equal(R, 1e-6)  # six digits of the axis are shown
    assert repr(Rotation.identity()) == "Rotation.identity()"
    assert repr(Rotation.about("y", 0.5)) == "Rotation.about((0, 1, 0), 0.5)"


def test_from_any():
    R = Rotation.about("y", 0.3)
    assert Rotation.from_any(None) == Rotation.identity()
    assert Rotation.from_any(R) is R
    assert Rotation.from_any(R.matrix.tolist()).almost_equal(R, EPS)
    assert Rotation.from_any(R.quaternion.tolist()) == R
    with pytest.raises(ValueError, match=r"no rotation.*3x3 matrix.*Rotation\.from_vector"):
        Rotation.from_any((1.0, 2.0, 3.0))
    with pytest.raises(ValueError, match="no rotation"):
        Rotation.from_any("x")
    with pytest.raises(ValueError, match="no rotation"):
        Rotation.from_any([[1.0], [1.0, 2.0]])


def test_nearly_unit_quaternion_is_normalised():
    R = Rotation.from_quaternion((1.0 + 5e-7, 0.0, 0.0, 0.0))
    assert Rotation.identity() == R


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Rotation.from_quaternion((2, 0, 0, 0)), r"length 2, not 1; divide it by its length"),
        (lambda: Rotation.from_quaternion((0, 0, 0, 0)), "length 0, not 1"),
        (
            lambda: Rotation.from_quaternion((1, 0, 0)),
            r"quaternion has shape \(3,\), but 4 numbers are needed",
        ),
        (lambda: Rotation.from_quaternion((np.nan, 0, 0, 0)), "quaternion = .*nan.* holds NaN"),
        (
            lambda: Rotation.from_matrix(2 * np.eye(3)),
            r"not orthonormal.*\|R\^T R - 1\| is 3; .*orthonormalise",
        ),
        (
            lambda: Rotation.from_matrix(np.diag([1, 1, -1])),
            "left-handed: its determinant is -1, .*reverse one",
        ),
        (lambda: Rotation.from_matrix(np.eye(2)), "shape .* 3 x 3 numbers are needed"),
        (lambda: Rotation.from_matrix(np.full((3, 3), np.inf)), "NaN or infinity"),
        (lambda: Rotation.about("w", 1.0), "unknown axis 'w'; use 'x'"),
        (lambda: Rotation.about("", 1.0), "unknown axis ''"),
        (lambda: Rotation.about("xy", 1.0), "unknown axis 'xy'"),
        (lambda: Rotation.about((0, 0, 0), 1.0), r"axis \(0, 0, 0\) has no direction"),
        (lambda: Rotation.about((0, np.nan, 0), 1.0), "axis = .* holds NaN"),
        (lambda: Rotation.about((1, 2), 1.0), "axis has shape"),
        (lambda: Rotation.about("x", np.nan), "angle is nan; give a finite"),
        (lambda: Rotation.from_vector((np.nan, 0, 0)), "rotation vector = .*NaN"),
        (lambda: Rotation.from_vector("abc"), "rotation vector = 'abc' is not an array of 3 numbers"),
        (lambda: Rotation.from_euler("ZZX", (0, 0, 0)), "'ZZX' is no Euler sequence; .*neighbours different"),
        (lambda: Rotation.from_euler("ZxZ", (0, 0, 0)), "'ZxZ' is no Euler sequence"),
        (lambda: Rotation.from_euler("ZX", (0, 0, 0)), "'ZX' is no Euler sequence"),
        (lambda: Rotation.from_euler("ZXZ", (0, np.nan, 0)), "Euler angles = .*NaN"),
        (lambda: Rotation.identity() @ (1.0, 2.0), r"turns vectors \(3,\) or rows .* not an array \(2,\)"),
        (lambda: euler_rate_matrix("ZXZ", (0, 0)), "Euler angles has shape"),
        (lambda: euler_rate_matrix("ZXZ", (0, 0, 0), "world"), "frame is 'body' or 'space'.*not 'world'"),
        (lambda: rotation_vector_rate_matrix((0, 0, 0), "B"), "frame is 'body' or 'space'.*not 'B'"),
    ],
)
def test_refusals_say_what_and_how_to_mend(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_an_array_on_the_left_is_an_error():
    with pytest.raises(TypeError):
        np.eye(3) @ Rotation.identity()


def test_axis_vector():
    assert axis_vector("-y").tolist() == [0.0, -1.0, 0.0]
    assert axis_vector("+z").tolist() == [0.0, 0.0, 1.0]
    close(axis_vector((3e-200, 4e-200, 0.0)), (0.6, 0.8, 0.0))
    close(axis_vector((3e200, 4e200, 0.0)), (0.6, 0.8, 0.0))
    assert not axis_vector((1, 1, 1)).flags.writeable


# --------------------------------------------------------------------------------------- rates, accelerations

# Central differences with step h = 1e-3 and Richardson extrapolation err by h^4/480 f^(5) = 2e-15 f^(5), with
# f^(5) below 5^5 for rates that add up to less than 5 rad/s: 6e-12; round-off 1e-15/h adds 1e-12.
STEP, DIFFERENCE = 1e-3, 1e-11


def derivative(f, t=0.0):
    def central(h):
        return (f(t + h) - f(t - h)) / (2 * h)

    return (4 * central(STEP / 2) - central(STEP)) / 3


def vee(W):
    return np.array([W[2, 1], W[0, 2], W[1, 0]])


def omega_of(R, frame, t=0.0):
    """Angular velocity of a matrix function: R^T dR/dt in body axes, dR/dt R^T in space axes."""
    dR = derivative(R, t)
    return vee(R(t).T @ dR if frame == "body" else dR @ R(t).T)


@every_sequence
@both_frames
def test_euler_rates_against_finite_differences(sequence, frame):
    rng = np.random.default_rng(3)
    a, v = regular_angles(sequence, rng), rng.uniform(-1, 1, 3)
    omega = euler_rates_to_angular_velocity(sequence, a, v, frame)
    close(omega, omega_of(lambda t: euler_matrix(sequence, a + t * v), frame), DIFFERENCE)
    # inverse: condition number below 1/sin(0.3)^2 = 11
    close(angular_velocity_to_euler_rates(sequence, a, omega, frame), v, 11 * EPS)


@every_sequence
@both_frames
def test_euler_accelerations_against_finite_differences(sequence, frame):
    rng = np.random.default_rng(4)
    a, v, w = regular_angles(sequence, rng), rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)

    def omega(t):
        return euler_rates_to_angular_velocity(sequence, a + t * v + t * t / 2 * w, v + t * w, frame)

    alpha = euler_accelerations_to_angular_acceleration(sequence, a, v, w, frame)
    close(alpha, derivative(omega), DIFFERENCE)
    close(angular_acceleration_to_euler_accelerations(sequence, a, v, alpha, frame), w, 11 * 2 * EPS)
    slope = derivative(lambda t: euler_rate_matrix(sequence, a + t * v, frame))
    close(euler_rate_matrix_derivative(sequence, a, v, frame), slope, DIFFERENCE)


@every_sequence
def test_body_and_space_angular_velocity_are_one_vector(sequence):
    rng = np.random.default_rng(5)
    a, v, w = rng.normal(size=(3, 3))
    R = euler_matrix(sequence, a)
    close(R @ euler_rate_matrix(sequence, a, "body"), euler_rate_matrix(sequence, a, "space"))
    body, space = (euler_accelerations_to_angular_acceleration(sequence, a, v, w, f) for f in ("body", "space"))
    close(R @ body, space, 4 * EPS)  # sums of some ten terms of size one to three


@every_sequence
def test_rates_at_singular_angles_name_the_angle(sequence):
    proper = sequence[0] == sequence[2]
    singular = np.pi if proper else -np.pi / 2
    for off in (0.0, 5e-10):
        with pytest.raises(ValueError, match=rf"'{sequence}' is singular: its second angle, .* is within 1e-09"):
            angular_velocity_to_euler_rates(sequence, (0.1, singular + off, 0.2), (1, 2, 3))
    with pytest.raises(ValueError, match=r"multiple of pi.*another sequence"):
        angular_acceleration_to_euler_accelerations(sequence, (0.1, singular, 0.2), (1, 2, 3), (1, 2, 3))
    assert np.isfinite(angular_velocity_to_euler_rates(sequence, (0.1, singular + 1e-8, 0.2), (1, 2, 3))).all()
    # the first direction always works
    assert np.isfinite(euler_rates_to_angular_velocity(sequence, (0.1, singular, 0.2), (1, 2, 3))).all()


def test_zxz_rates_are_the_textbook_ones():
    a, b, c = 0.3, 0.8, -0.4
    sb, cb, sc, cc = np.sin(b), np.cos(b), np.sin(c), np.cos(c)
    close(euler_rate_matrix("ZXZ", (a, b, c)), [[sb * sc, cc, 0], [sb * cc, -sc, 0], [cb, 0, 1]])


def test_quaternion_rates():
    rng = np.random.default_rng(6)
    R, omega = random_rotations(1)[0], rng.normal(size=3)
    rate = quaternion_rate(R.quaternion, omega)

    def q(t):
        return (R @ Rotation.from_vector(t * omega)).quaternion  # a constant rate about body axes

    close(rate, derivative(q), DIFFERENCE)
    assert abs(rate @ R.quaternion) < EPS
    close(angular_velocity_from_quaternion_rate(R.quaternion, rate), omega)
    # of any length
    close(angular_velocity_from_quaternion_rate(3 * R.quaternion, 3 * rate), omega)
    q, w = rng.normal(size=(5, 4)), rng.normal(size=(5, 3))
    close(angular_velocity_from_quaternion_rate(q, quaternion_rate(q, w)), w, 4 * EPS)


@both_frames
@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-3, 0.4999, 0.5001, 2.0, 3.1, 5.0])
def test_rotation_vector_rates(frame, size):
    w, v = size * axis_vector((1, -2, 3)), np.array([0.3, 0.5, -0.2])
    omega = rotation_vector_rates_to_angular_velocity(w, v, frame)
    close(omega, omega_of(lambda t: Rotation.from_vector(w + t * v).matrix, frame), DIFFERENCE)
    # 1/sinc(5/2)^2 = 17 is the condition number at the largest angle
    close(angular_velocity_to_rotation_vector_rates(w, omega, frame), v, 17 * EPS)


def test_tangent_operator_is_continuous_where_the_series_takes_over():
    u = axis_vector((1, -2, 3))
    jump = rotation_vector_rate_matrix(0.5 * u) - rotation_vector_rate_matrix(np.nextafter(0.5, 0) * u)
    close(jump, np.zeros((3, 3)))
    close(rotation_vector_rate_matrix((0, 0, 0)), np.eye(3), 0.0)
    history = rotation_vector_rate_matrix(np.outer([0.0, 0.2, 1.0], u))
    close(history[1], rotation_vector_rate_matrix(0.2 * u), 0.0)


def test_rotation_vector_rates_refuse_a_full_turn():
    with pytest.raises(ValueError, match=r"length 6\.28318530718 rad is within 1e-9 of a full turn.*shorter vector"):
        angular_velocity_to_rotation_vector_rates((2 * np.pi, 0, 0), (0, 1, 0))
    with pytest.raises(ValueError, match="full turn"):
        angular_velocity_to_rotation_vector_rates([(0.0, 0, 0), (2 * np.pi, 0, 0)], (0, 1, 0))
