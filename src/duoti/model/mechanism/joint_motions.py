"""A joint as a sequence of elementary motions, from what its type says about itself; no kind is named here.

If every axis of motion is either carried along by another rate or left alone (`Joint.moves`), the pose of M in F is a
product of exponentials (Brockett 1984; Lynch and Park, Modern Robotics, 2017, eq. 4.14)

    X_FM(q) = exp(S_1 q_1) exp(S_2 q_2) ...                                                                   (1)

with the twists S_k of the reference configuration, in an order in which those that carry come before those that are
carried: dS_i/dq_k is S_k x S_i for k before i and zero otherwise. An attitude (a quaternion) is one factor of (1).

The viewer moves its joints by (1), and a URDF is a chain of such factors. Not every joint is such a product.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.model.joints.base import Joint
from duoti.spatial import Pose, Rotation

Array = NDArray[np.float64]
Twist = tuple[float, ...]
SAME = 1e-12  # numbers of order one that differ by less are equal up to round-off


class Motion(NamedTuple):
    """One factor of (1): a screw motion, or any rotation.

    at: number of its coordinate among those of the joint; of a rotation, the first of four (unit quaternion, scalar
    first). twist: angular [1], then linear [m/rad or 1], per unit of the coordinate; None for a rotation.
    """

    at: int
    twist: Twist | None

    @property
    def slides(self) -> bool:
        """Whether it is a pure shift by the coordinate."""
        return self.twist is not None and not any(self.twist[:3]) and _is_unit(self.twist[3:])

    @property
    def turns(self) -> bool:
        """Whether it is a pure turn by the coordinate about an axis through the joint's point."""
        return self.twist is not None and _is_unit(self.twist[:3]) and not any(self.twist[3:])

    @property
    def axis(self) -> Twist:
        """Unit vector of a pure turn or shift."""
        assert self.slides or self.turns
        return self.twist[3:] if self.slides else self.twist[:3]  # pyright: ignore[reportOptionalSubscript]

    def pose(self, q: Array) -> Pose:
        """The factor for given coordinates of the joint."""
        if self.twist is None:
            return Pose(Rotation.from_quaternion(q[self.at : self.at + 4]))
        w, v, x = np.array(self.twist[:3]), np.array(self.twist[3:]), float(q[self.at])
        square = float(w @ w)
        if square == 0.0:
            return Pose(position=v * x)
        R = Rotation.from_vector(w * x)
        aside = np.cross(w, v)
        return Pose(R, (aside - R @ aside + w * float(w @ v) * x) / square)  # Lynch and Park, eq. 3.88


def _is_unit(vector: Twist) -> bool:
    return abs(float(np.linalg.norm(vector)) - 1.0) <= SAME


def pose_of(motions: Sequence[Motion], q: ArrayLike) -> Pose:
    """X_FM by (1), in the axes in which the user gave the joint."""
    X, numbers = Pose(), np.asarray(q, dtype=float)
    for motion in motions:
        X = X @ motion.pose(numbers)
    return X


def motions_of(joint: Joint) -> tuple[Motion, ...] | None:
    """The factors of (1) in the axes in which the user gave the joint; None if it is no such product.

    This is what the type says of itself: whether its law agrees can be seen by comparing poses (`pose_of`).
    """
    found: list[Motion] = []
    first = 0
    for part in joint.parts:
        motions = law_motions(part)
        if motions is None:
            return None
        R = part.frame().matrix
        if any(m.twist is None for m in motions) and not np.allclose(R, np.eye(3), rtol=0.0, atol=SAME):
            return None  # its quaternion is in other axes than the user's
        found += [Motion(first + m.at, None if m.twist is None else _turned(R, m.twist)) for m in motions]
        first += part.nq
    return tuple(found)


def _turned(R: Array, twist: Twist) -> Twist:
    w, v = R @ np.array(twist[:3], dtype=float), R @ np.array(twist[3:], dtype=float)
    return (*w.tolist(), *v.tolist())


def law_motions(joint: Joint) -> list[Motion] | None:
    """The factors of a simple joint in the frame of its law, None if it is no product (1)."""
    try:
        H, moves = np.array(joint.subspace_at_zero, dtype=float).reshape(-1, 6), np.array(joint.moves, dtype=int)
    except TypeError:  # the type does not say how its axes move
        return None
    if len(H) != joint.nv or moves.size != joint.nv**2:
        return None
    moves = moves.reshape(joint.nv, joint.nv)
    motions: list[Motion] = []
    rates: list[list[int]] = []  # of each motion
    at = rate = 0
    for c in joint.coordinates:
        if c.quaternion:
            three = list(range(rate, rate + 3))
            if not np.array_equal(H[three], np.eye(6)[:3]) or not np.all(moves[np.ix_(three, three)]):
                return None
            motions.append(Motion(at, None))
            rates.append(three)
        else:
            motions += [Motion(at + k, tuple(H[rate + k].tolist())) for k in range(c.size)]
            rates += [[rate + k] for k in range(c.size)]
        at, rate = at + c.nq, rate + c.nv
    order = _order(H, moves, rates)
    return None if order is None else [motions[k] for k in order]


def _order(H: Array, moves: NDArray[np.int64], rates: list[list[int]]) -> list[int] | None:
    """Motions so that what carries comes first; otherwise as the coordinates are. None if there is no such order."""
    count = len(rates)
    before = np.zeros((count, count), dtype=bool)  # [a, b]: a carries b
    for a in range(count):
        for b in range(a + 1, count):
            pairs = [(k, i) for k in rates[a] for i in rates[b] if not _commute(H[k], H[i])]
            if not pairs:
                continue
            ways = {(bool(moves[k, i]), bool(moves[i, k])) for k, i in pairs}
            if ways == {(True, False)}:
                before[a, b] = True
            elif ways == {(False, True)}:
                before[b, a] = True
            else:
                return None
    order: list[int] = []
    while len(order) < count:
        free = [
            k for k in range(count) if k not in order and not any(before[j, k] for j in range(count) if j not in order)
        ]
        if not free:
            return None
        order.append(free[0])
    return order


def _commute(a: Array, b: Array) -> bool:
    """Whether the motion cross product of two twists is zero."""
    angular = np.cross(a[:3], b[:3])
    linear = np.cross(a[:3], b[3:]) + np.cross(a[3:], b[:3])
    return bool(np.max(np.abs([angular, linear])) <= SAME)


def letters_of(joint: Joint, what: str) -> tuple[str, ...]:
    """A letter for each column of a joint's coordinate or rate; "" where it has none.

    Attitudes have w, x, y, z, angular velocities x, y, z. Any other column is called by the axis x, y or z along which
    it shifts or about which it turns in the reference configuration; one along another line, or one of two along the
    same axis, has a number only.
    """
    if what in ("q", "v", "a"):  # of a joint with coordinates of one kind, as these
        kinds = {(c.name, c.rate) for c in joint.coordinates}
        if len(kinds) != 1:
            return ("",) * (joint.nq if what == "q" else joint.nv)
        name, rate = kinds.pop()
        return letters_of(joint, name if what == "q" else rate)
    motions = {motion.at: motion for motion in motions_of(joint) or ()}
    found: list[str] = []
    at = 0
    for c in joint.coordinates:
        if what in (c.name, c.rate):
            if c.quaternion:
                found += "wxyz" if what == c.name else "xyz"
            else:
                along = [_letter(motions.get(at + k)) for k in range(c.nq)]
                found += along if motions or c.nq != 3 else "xyz"
        at += c.nq
    return tuple(letter if found.count(letter) == 1 else "" for letter in found)


def _letter(motion: Motion | None) -> str:
    """The axis of a pure shift or turn, or nothing."""
    if motion is None or not (motion.slides or motion.turns):
        return ""
    return next(("xyz"[k] for k in range(3) if abs(motion.axis[k] - 1.0) <= SAME), "")
