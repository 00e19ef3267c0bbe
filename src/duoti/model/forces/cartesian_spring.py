"""Springs and dampers along the axes of the world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from duoti.elements.body_pairs import add_pair, add_rank_one, displacement, path_between
from duoti.elements.markers import marker_point, marker_velocities
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper, part
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import MARKER_A, MARKER_B, Compiler, Force
from duoti.spatial.algebra import (
    ZERO3,
    add,
    cross,
    dot,
    get3,
    get_column,
    get_spatial,
    put_spatial,
    scale,
    shift_of,
    sub,
)

REALS = tuple(f"{what}_{axis}" for what in ("stiffness", "damping", "offset") for axis in "xyz")
STIFFNESS, DAMPING, OFFSET = 0, 3, 6


@helper
def _force(f, loads, w):
    """Force on b, potential energy and lost power."""
    integers, reals = loads.forces.integers, loads.forces.reals
    a, b = integers[f, MARKER_A], integers[f, MARKER_B]
    p_a, arm_a = marker_point(loads, w, a)
    p_b, arm_b = marker_point(loads, w, b)
    _, v_a = marker_velocities(loads, w, a, arm_a)
    _, v_b = marker_velocities(loads, w, b, arm_b)
    x = sub(sub(p_b, p_a), get3(reals, f, OFFSET))
    speed = sub(v_b, v_a)
    k, d = get3(reals, f, STIFFNESS), get3(reals, f, DAMPING)
    elastic = (k[0] * x[0], k[1] * x[1], k[2] * x[2])
    viscous = (d[0] * speed[0], d[1] * speed[1], d[2] * speed[2])
    return scale(-1.0, add(elastic, viscous)), 0.5 * dot(elastic, x), dot(viscous, speed), arm_a, arm_b


@helper
def _cartesian_spring(f, t, q, v, loads, w):
    force, potential, lost, arm_a, arm_b = _force(f, loads, w)
    apply_wrench(loads, w, loads.forces.integers[f, MARKER_B], arm_b, force, ZERO3)
    apply_wrench(loads, w, loads.forces.integers[f, MARKER_A], arm_a, scale(-1.0, force), ZERO3)
    return potential, 0.0 * lost, lost


@part
def _point_rows(tree, loads, w, tan, path, m, by_position, by_velocity):
    """path.row_q, row_v += derivatives of by_position . p + by_velocity . v of marker m."""
    p, _ = marker_point(loads, w, m)
    r = sub(p, get3(w.X_WB, 1, 9))
    b = loads.markers.body[m]
    V_b = get_spatial(tan.V_W, b)
    while b > 0:
        for k in range(tree.first[b], tree.first[b + 1]):
            j = tree.rate[k]
            S_j, y_j = displacement(tan, k, V_b)
            moved = shift_of(S_j, r)
            faster = add(shift_of(y_j, r), cross(V_b[0], moved))
            path.row_q[0, j] += dot(by_position, moved) + dot(by_velocity, faster)
            path.row_v[0, j] += dot(by_velocity, moved)
        b = tree.parent[b]


@helper
def _cartesian_spring_tangent(f, t, q, v, tree, loads, w, tan, path):
    """The force is that of two points in the world; each end is a force applied there."""
    integers, reals = loads.forces.integers, loads.forces.reals
    force, _, _, _, _ = _force(f, loads, w)
    for end in range(2):
        m, sign = (integers[f, MARKER_B], 1.0) if end == 0 else (integers[f, MARKER_A], -1.0)
        p, _ = marker_point(loads, w, m)
        r = sub(p, get3(w.X_WB, 1, 9))
        body = loads.markers.body[m]
        for c in range(3):
            axis = (1.0 * (c == 0), 1.0 * (c == 1), 1.0 * (c == 2))
            k, d = scale(reals[f, STIFFNESS + c], axis), scale(reals[f, DAMPING + c], axis)
            _point_rows(tree, loads, w, tan, path, integers[f, MARKER_B], scale(-1.0, k), scale(-1.0, d))
            _point_rows(tree, loads, w, tan, path, integers[f, MARKER_A], k, d)
            n = path_between(tree, path, 0, body)
            add_rank_one(tree, tan, path, n, (scale(sign, cross(r, axis)), scale(sign, axis)))
        n = path_between(tree, path, 0, body)
        here = scale(sign, force)
        for i in range(n):
            moved = shift_of(get_column(tan.S, path.column[i]), r)
            put_spatial(path.W_q, i, (cross(moved, here), ZERO3))
        add_pair(tree, tan, path, n, (cross(r, here), here), np.int64(0))


class CartesianSpring(Force):
    r"""Springs and dampers between two points along the world axes x, y and z.

    $$f_{b,i} = -k_i\, (d_i - d_{0,i}) - c_i\, \dot d_i, \qquad d = r_b - r_a, \qquad i = x, y, z$$

    The opposite force acts on marker_a. The orientation of the bodies does not matter. If the stiffnesses differ, the
    two forces are not collinear, and the world axes take up a torque.

    Parameters
    ----------
    marker_a, marker_b:
        Ends of the springs.
    stiffness:
        Stiffnesses $k$: one number, or three.
    damping:
        Damping coefficients $c$: one number, or three.
    offset:
        Distances $d_0$ without force: one number, or three.
    """

    kind = "cartesian_spring"
    mirrored: ClassVar[Mapping[str, str]] = {"stiffness": "same", "damping": "same", "offset": "vector"}
    units: ClassVar = {"stiffness": "N/m", "damping": "N s/m", "offset": "m"}
    INTEGERS = ("marker_a", "marker_b")
    REALS = REALS
    world_axes = True
    law = lanes_law = staticmethod(_cartesian_spring)
    tangent = staticmethod(_cartesian_spring_tangent)

    def __init__(
        self,
        marker_a: Reference,
        marker_b: Reference,
        stiffness: float | ArrayLike = 0.0,
        damping: float | ArrayLike = 0.0,
        offset: float | ArrayLike = 0.0,
    ):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.stiffness, self.damping, self.offset = stiffness, damping, offset

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """Both ends."""
        return (("marker_a", self.marker_a), ("marker_b", self.marker_b))

    def faults(self) -> list[Fault]:
        found: list[Fault] = []
        for key in ("stiffness", "damping", "offset"):
            given = getattr(self, key)
            try:
                numbers = np.broadcast_to(np.asarray(given, dtype=float), (3,))
            except (TypeError, ValueError, OverflowError):
                found.append(Fault(f"{key} is {given!r}; give one number, or three for x, y and z", key))
                continue
            if not np.all(np.isfinite(numbers)):
                found.append(Fault(f"{key} is {given!r}; give finite numbers", key))
            elif key == "damping" and np.any(numbers < 0.0):
                found.append(Fault(f"damping is {given!r}; it must not be negative", key))
        return found

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        return {"marker_a": compiler.marker(self.marker_a), "marker_b": compiler.marker(self.marker_b)}

    def reals(self) -> Mapping[str, float]:
        each = [np.broadcast_to(np.asarray(x, float), (3,)) for x in (self.stiffness, self.damping, self.offset)]
        return dict(zip(REALS, np.concatenate(each).tolist(), strict=True))
