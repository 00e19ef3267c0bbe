"""Euler angles of all 24 conventions: angles and matrices, rates, accelerations.

A sequence is three axis letters, neighbours different: six Tait-Bryan sequences (three different axes, such
as "ZYX") and six proper Euler sequences (first axis again last, such as "ZXZ").

    upper case   turns about the moving (body) axes, in order:  R = R_1(a1) R_2(a2) R_3(a3)
    lower case   turns about the fixed (space) axes, in order:  R = R_3(a3) R_2(a2) R_1(a1)

R turns body components into space components. Angles are in rad. All functions accept leading dimensions, so
that a whole time history of shape (n, 3) goes through in one call.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from duoti.spatial.axes import LETTERS, Array, Frame, apply3, check_frame, solve3

SINGULAR = 1e-9
"""Rates cannot be found when the second angle is within this distance [rad] of its singular value."""

LOCKED = 1e-12
"""Angles of a matrix count as singular below this sine (cosine for Tait-Bryan) of the second angle.

Far above the round-off of a matrix (1e-16), and the error of the matrix they rebuild is no larger than this.
"""


class _Order(NamedTuple):
    """A sequence read as turns about moving axes: fixed-axis turns are moving-axis turns in reverse order."""

    i: int
    j: int
    k: int
    reverse: bool

    @property
    def proper(self) -> bool:
        return self.i == self.k

    @property
    def third(self) -> int:
        """The axis that is neither i nor j."""
        return 3 - self.i - self.j

    @property
    def sign(self) -> int:
        """+1 when (i, j, third) is right-handed, else -1."""
        return 1 if (self.j - self.i) % 3 == 1 else -1

    def turned(self, a: Array) -> Array:
        """Angles or rates in the order of the moving-axis turns, and back."""
        return a[..., ::-1] if self.reverse else a


def _order(sequence: str) -> _Order:
    s = sequence.lower()
    valid = len(s) == 3 and set(s) <= set(LETTERS) and s[0] != s[1] != s[2]
    if not valid or sequence not in (s, s.upper()):
        raise ValueError(
            f"{sequence!r} is no Euler sequence; use three axis letters, neighbours different, all upper "
            "case for turns about moving axes ('ZXZ', 'ZYX') or all lower case for turns about fixed "
            "axes ('xyz')"
        )
    i, j, k = (LETTERS.index(c) for c in s)
    return _Order(k, j, i, True) if sequence == s else _Order(i, j, k, False)


def _triples(a: ArrayLike, what: str) -> Array:
    out = np.asarray(a, dtype=np.float64)
    if out.ndim == 0 or out.shape[-1] != 3:
        raise ValueError(f"{what} has shape {out.shape}; three numbers are needed along the last dimension")
    return out


def _turn(axis: int, angle: Array) -> Array:
    """Matrix of a turn about a coordinate axis."""
    c, s = np.cos(angle), np.sin(angle)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R = np.zeros((*np.shape(angle), 3, 3))
    R[..., axis, axis] = 1.0
    R[..., j, j] = R[..., k, k] = c
    R[..., k, j] = s
    R[..., j, k] = -s
    return R


def euler_matrix(sequence: str, angles: ArrayLike) -> Array:
    """Rotation matrix (..., 3, 3) of Euler angles (..., 3) [rad]."""
    o = _order(sequence)
    a = o.turned(_triples(angles, "Euler angles"))
    return _turn(o.i, a[..., 0]) @ _turn(o.j, a[..., 1]) @ _turn(o.k, a[..., 2])


def euler_angles(sequence: str, matrix: ArrayLike) -> Array:
    """Euler angles (..., 3) [rad] of rotation matrices (..., 3, 3).

    The first and third angle are within [-pi, pi]. The second is within [-pi/2, pi/2] for Tait-Bryan and [0, pi] for
    proper sequences. At the ends of that range the third angle is set to zero.
    """
    o = _order(sequence)
    i, j, l, e = o.i, o.j, o.third, o.sign
    R = np.asarray(matrix, dtype=np.float64)
    if o.proper:
        # R[:, i] = R_i(a) R_j(b) e_i,  R[i, i] = cos b
        across = np.hypot(R[..., i, j], R[..., i, l])
        b = np.arctan2(across, R[..., i, i])
        a = np.arctan2(R[..., j, i], -e * R[..., l, i])
    else:
        # R[:, k] = R_i(a) R_j(b) e_k,  R[i, k] = +-sin b
        across = np.hypot(R[..., i, i], R[..., i, j])
        b = np.arctan2(e * R[..., i, l], across)
        a = np.arctan2(-e * R[..., j, l], R[..., l, l])
    # singular: R_i(a) R_j(b) e_j = R_i(a) e_j shows a when c = 0
    alone = np.zeros_like(a) if o.reverse else np.arctan2(e * R[..., l, j], R[..., j, j])
    a = np.where(across < LOCKED, alone, a)
    # whatever a is, row j of R_i(a)^T R = R_j(b) R_k(c) shows the c that belongs to it
    ca, sa = np.cos(a)[..., None], np.sin(a)[..., None]
    row = ca * R[..., j, :] + e * sa * R[..., l, :]
    m = 3 - j - o.k
    c = np.arctan2(-row[..., m] if (j - o.k) % 3 == 1 else row[..., m], row[..., j])
    if not o.reverse:
        c = np.where(across < LOCKED, 0.0, c)
    return o.turned(np.stack([a, b, c], -1)).copy()


def _columns(o: _Order, a: Array, frame: Frame) -> Array:
    """Axes of the three turns in moving-axis order, as columns of an array (..., 3, 3)."""
    check_frame(frame)
    first, second, last = np.eye(3)[[o.i, o.j, o.k]]
    R1, R2, R3 = _turn(o.i, a[..., 0]), _turn(o.j, a[..., 1]), _turn(o.k, a[..., 2])
    if frame == "space":
        axes = [np.broadcast_to(first, a.shape), R1 @ second, R1 @ R2 @ last]
    else:
        axes = [first @ (R2 @ R3), second @ R3, np.broadcast_to(last, a.shape)]
    return np.stack(axes, -1)


def euler_rate_matrix(sequence: str, angles: ArrayLike, frame: Frame = "body") -> Array:
    """The matrix E (..., 3, 3) in omega = E(angles) rates; its determinant is zero at singular angles."""
    o = _order(sequence)
    return o.turned(_columns(o, o.turned(_triples(angles, "Euler angles")), frame))


def euler_rate_matrix_derivative(sequence: str, angles: ArrayLike, rates: ArrayLike, frame: Frame = "body") -> Array:
    """Time derivative of `euler_rate_matrix` when the angles change with `rates` [1/s]."""
    o = _order(sequence)
    E = _columns(o, o.turned(_triples(angles, "Euler angles")), frame)
    parts = E * o.turned(_triples(rates, "Euler rates"))[..., None, :]  # angular velocity of each turn
    # In space an axis is carried by the turns before it; seen from the body, backwards by the turns after it.
    carried = np.zeros_like(parts)
    if frame == "space":
        carried[..., 1] = parts[..., 0]
        carried[..., 2] = parts[..., 0] + parts[..., 1]
    else:
        carried[..., 0] = -(parts[..., 1] + parts[..., 2])
        carried[..., 1] = -parts[..., 2]
    return o.turned(np.cross(carried, E, axisa=-2, axisb=-2, axisc=-2))


def euler_rates_to_angular_velocity(sequence: str, angles: ArrayLike, rates: ArrayLike, frame: Frame = "body") -> Array:
    """Angular velocity [rad/s] in body or space axes from Euler angles and their rates."""
    return apply3(euler_rate_matrix(sequence, angles, frame), _triples(rates, "Euler rates"))


def angular_velocity_to_euler_rates(sequence: str, angles: ArrayLike, omega: ArrayLike, frame: Frame = "body") -> Array:
    """Rates of the Euler angles [rad/s] from the angular velocity in body or space axes.

    Raises ValueError within 1e-9 rad of the singular second angle, where no finite rates exist in general.
    """
    _refuse_singular(sequence, _triples(angles, "Euler angles"))
    return solve3(euler_rate_matrix(sequence, angles, frame), _triples(omega, "angular velocity"))


def euler_accelerations_to_angular_acceleration(
    sequence: str, angles: ArrayLike, rates: ArrayLike, accelerations: ArrayLike, frame: Frame = "body"
) -> Array:
    """Angular acceleration [rad/s^2] in body or space axes: alpha = E accelerations + dE/dt rates."""
    drift = euler_rate_matrix_derivative(sequence, angles, rates, frame)
    return euler_rates_to_angular_velocity(sequence, angles, accelerations, frame) + apply3(
        drift, _triples(rates, "Euler rates")
    )


def angular_acceleration_to_euler_accelerations(
    sequence: str, angles: ArrayLike, rates: ArrayLike, alpha: ArrayLike, frame: Frame = "body"
) -> Array:
    """Second derivatives of Euler angles [rad/s^2] from the angular acceleration; refuses singular angles."""
    drift = euler_rate_matrix_derivative(sequence, angles, rates, frame)
    rest = _triples(alpha, "angular acceleration") - apply3(drift, _triples(rates, "Euler rates"))
    return angular_velocity_to_euler_rates(sequence, angles, rest, frame)


def _refuse_singular(sequence: str, angles: Array) -> None:
    second = angles[..., 1]
    proper = _order(sequence).proper
    # distance to the nearest multiple of pi (proper), or odd multiple of pi/2 (Tait-Bryan)
    offset = second if proper else second - np.pi / 2
    distance = np.abs(offset - np.pi * np.round(offset / np.pi))
    if (distance <= SINGULAR).any():
        worst = float(second[np.unravel_index(np.argmin(distance), distance.shape)])
        where = "a multiple of pi" if proper else "an odd multiple of pi/2"
        raise ValueError(
            f"Euler sequence {sequence!r} is singular: its second angle, {worst:.12g} rad, is within "
            f"{SINGULAR:g} of {where}, where the first and third axes coincide; use another sequence there, "
            "a quaternion or a rotation vector"
        )
