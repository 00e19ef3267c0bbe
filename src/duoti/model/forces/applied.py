"""What forces and torques applied at a marker have in common: three laws and a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.elements.body_pairs import add_pair, add_rank_one, path_between
from duoti.elements.laws import add_law_gradient, law_vector, reads_state
from duoti.elements.markers import marker_point, marker_rotation, marker_velocities
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper, part
from duoti.model.elements import Reference
from duoti.model.forces.base import Compiler, Force
from duoti.model.forces.channels import FORCE, TORQUE, ForceChannel
from duoti.model.forces.vector_value import VectorValue
from duoti.model.laws.law import Function, Value
from duoti.spatial.algebra import (
    ZERO3,
    cross,
    cross_force,
    dot,
    get3,
    get_column,
    mul,
    put_spatial,
    scale,
    shift_of,
    sub,
)

INTEGERS = ("marker", "follows", "law", "single")
MARKER, FOLLOWS, LAW, SINGLE = range(len(INTEGERS))  # LAW: the first of three, or one that gives all three


@helper
def applied_vector(f, t, q, v, loads, w):
    """The three values of force element f in world axes: fixed there, or carried along by its marker."""
    integers = loads.forces.integers
    m, follows, first = integers[f, MARKER], integers[f, FOLLOWS], integers[f, LAW]
    zero = 0.0 * w.X_WB[0, 0]
    vector = law_vector(loads, w, first, 0 if integers[f, SINGLE] == 1 else 3, t, q, v, zero, zero)
    if follows == 1:
        vector = mul(marker_rotation(loads, w, m), vector)
    return vector


@part
def applied_tangent(f, t, q, v, tree, loads, w, tan, path, is_force):
    """Derivatives of a force (at the marker's origin) or torque by `applied_vector`; ground is the other body."""
    integers = loads.forces.integers
    m, follows, first = integers[f, MARKER], integers[f, FOLLOWS], integers[f, LAW]
    vector = applied_vector(f, t, q, v, loads, w)
    p, _ = marker_point(loads, w, m)
    r = sub(p, get3(w.X_WB, 1, 9))
    b = loads.markers.body[m]
    W = _wrench(r, vector, is_force)
    n = path_between(tree, path, 0, b)
    for k in range(n):
        S_j = get_column(tan.S, path.column[k])
        change = cross_force(S_j, W)
        if follows == 0:
            change = (scale(1.0 * is_force, cross(shift_of(S_j, r), vector)), ZERO3)
        put_spatial(path.W_q, k, change)
    R_WM = marker_rotation(loads, w, m)
    for c in range(3):
        single = integers[f, SINGLE] == 1
        law, output = (first, c) if single else (first + c, 0)
        if reads_state(loads, law) == 1:
            add_law_gradient(
                tree, loads, w, tan, path, law, output, t, q, v, 0.0, 0.0, 1.0, path.row_q, path.row_v, path.row_z,
                np.int64(0),
            )  # fmt: skip
            axis = (1.0 * (c == 0), 1.0 * (c == 1), 1.0 * (c == 2))
            if follows == 1:
                axis = (R_WM[c], R_WM[3 + c], R_WM[6 + c])
            add_rank_one(tree, tan, path, n, _wrench(r, axis, is_force))
    add_pair(tree, tan, path, n, W, np.int64(0))


@helper
def _wrench(r, vector, is_force):
    """A force at the point r or a torque."""
    return (cross(r, vector), vector) if is_force == 1 else (vector, scale(0.0, vector))


class Applied(VectorValue, Force):
    """A vector of three laws, or one function that returns three numbers, at a marker."""

    FRAMES: ClassVar = {"world": "fixed direction", "marker": "following"}
    INTEGERS = INTEGERS

    def __init__(
        self,
        marker: Reference,
        value: Sequence[Value] | Callable[..., Any] | Function,
        frame: str = "world",
    ):
        self.marker, self.value, self.frame = marker, value, frame

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """The marker."""
        return (("marker", self.marker),)

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """The force or torque in world axes."""
        return {"force": FORCE} if self.kind == "applied_force" else {"torque": TORQUE}

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        laws = [compiler.law(value, own, outputs) for _, value, own, outputs in self.values()]
        return {
            "marker": compiler.marker(self.marker), "follows": int(self.frame == "marker"), "law": laws[0],
            "single": int(self.single),
        }  # fmt: skip


# Force applied at a marker.


@helper
def _applied_force(f, t, q, v, loads, w):
    m = loads.forces.integers[f, MARKER]
    force = applied_vector(f, t, q, v, loads, w)
    _, arm = marker_point(loads, w, m)
    _, velocity = marker_velocities(loads, w, m, arm)
    apply_wrench(loads, w, m, arm, force, ZERO3)
    power = dot(force, velocity)
    return 0.0 * power, power, 0.0 * power


@helper
def _applied_force_tangent(f, t, q, v, tree, loads, w, tan, path):
    applied_tangent(f, t, q, v, tree, loads, w, tan, path, np.int64(1))


class AppliedForce(Applied):
    r"""Force on a body at the origin of a marker, by three laws.

    $$f = R_{W A}\, (f_x, f_y, f_z)$$

    $A$ is the world or the marker. The components depend on the time `t` and on any quantity of the model.

    Parameters
    ----------
    marker:
        Marker or body at whose origin the force acts.
    value:
        Three components, each a number, an expression or a function; or one function that returns all three.
    frame:
        "world" keeps the direction in space; "marker" lets it follow the axes of the marker.
    """

    kind = "applied_force"
    mirrored: ClassVar[Mapping[str, str]] = {"value": "vector"}
    units: ClassVar = {"value": "N"}
    law = staticmethod(_applied_force)
    tangent = staticmethod(_applied_force_tangent)


# Torque applied to the body of a marker.


@helper
def _applied_torque(f, t, q, v, loads, w):
    m = loads.forces.integers[f, MARKER]
    torque = applied_vector(f, t, q, v, loads, w)
    omega, _ = marker_velocities(loads, w, m, ZERO3)
    apply_wrench(loads, w, m, ZERO3, ZERO3, torque)
    power = dot(torque, omega)
    return 0.0 * power, power, 0.0 * power


@helper
def _applied_torque_tangent(f, t, q, v, tree, loads, w, tan, path):
    applied_tangent(f, t, q, v, tree, loads, w, tan, path, np.int64(0))


class AppliedTorque(Applied):
    r"""Torque on a body, by three laws.

    $$\tau = R_{W A}\, (\tau_x, \tau_y, \tau_z)$$

    $A$ is the world or the marker. The components depend on the time `t` and on any quantity of the model.

    Parameters
    ----------
    marker:
        Marker or body on which the torque acts.
    value:
        Three components, each a number, an expression or a function; or one function that returns all three.
    frame:
        "world" keeps the direction in space; "marker" lets it follow the axes of the marker.
    """

    kind = "applied_torque"
    mirrored: ClassVar[Mapping[str, str]] = {"value": "pseudovector"}
    units: ClassVar = {"value": "N m"}
    law = staticmethod(_applied_torque)
    tangent = staticmethod(_applied_torque_tangent)
