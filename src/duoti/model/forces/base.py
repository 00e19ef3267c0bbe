"""What every force element supplies.

A type is one file: the class says which bodies, markers or joints it acts on; its law, a kernel, adds its wrenches to
the bodies and its generalised forces to the joints, and returns three numbers from the same evaluation,

    (potential energy [J], power that it supplies [W], power that it dissipates [W])

so that for every element   power on the bodies = supplied - dissipated - d(potential)/dt   holds at every instant.

Its `tangent`, a second kernel, subtracts the derivatives of these wrenches and forces by position, velocity and
first-order states from the matrices K, C and Z of `tan` (they belong to the side of M a in the equations of motion).
For an element between two markers `duoti.model.pairs` says how; laws of the user's have their derivatives from
`duoti.model.law_gradient`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar, Protocol

from duoti.kernel import helper, part
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement, Reference, name_of
from duoti.model.laws import Value, marker_point, marker_rates
from duoti.model.pairs import LINE, displacement, pair_ready, path_between, shift_of
from duoti.spatial.algebra import (
    ZERO3,
    add,
    cross,
    dot,
    get3,
    get9,
    get_spatial,
    mulT,
    put_spatial,
    scale,
    sqrt,
    sub,
    vscale,
)

TINY = 1e-300  # keeps a length that vanishes from dividing zero by zero


class Compiler(Protocol):
    """What the system compiler offers to a force element that writes its row of numbers."""

    def marker(self, reference: Reference) -> int:
        """Index of a marker."""
        ...

    def coordinate(self, joint: JointElement | str, coordinate: int) -> tuple[int, int]:
        """Where a joint's coordinate stands in q and in v."""
        ...

    def coordinates(self, joint: JointElement | str) -> tuple[int, int]:
        """Where a joint's rates begin in v, and how many they are."""
        ...

    def law(self, value: Value, local: Mapping[str, Any], outputs: int = 1) -> int:
        """Index of a law."""
        ...

    def table(self, rows: Any) -> tuple[int, int]:
        """Where the rows of a table begin and end."""
        ...


@dataclass
class Row:
    """What a force element's law reads: whole numbers (indices) and real numbers."""

    integers: Sequence[int] = field(default_factory=list)
    reals: Sequence[float] = field(default_factory=list)


class Force(ABC):
    """A type of force element; see the module's text."""

    kind: ClassVar[str]
    units: ClassVar[Mapping[str, str]] = {}
    """Units of parameters whose names alone do not say them: {"stiffness": "N m/rad or N/m"}; see `model.fields`."""
    law: ClassVar[Callable[..., Any]]
    """Kernel `law(f, t, q, v, loads, w)` of force element f."""
    tangent: ClassVar[Callable[..., Any]]
    """Kernel `tangent(f, t, q, v, tree, loads, w, tan, way)`, returns what remains to be done (see `model.pairs`)."""

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """(parameter, reference) of the markers or bodies that it acts on."""
        return ()

    def joints(self) -> Iterable[tuple[str, JointElement | str]]:
        """(parameter, joint) of the joints that it acts on."""
        return ()

    def driven_joints(self) -> Iterable[str]:
        """Names of joints that it actuates."""
        return ()

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """(role, value, names of its own quantities, number of outputs) of the user's laws in it."""
        return ()

    def faults(self) -> list[Fault]:
        """What is wrong with its numbers, in words."""
        return []

    @abstractmethod
    def row(self, compiler: Compiler) -> Row:
        """The numbers that its law reads."""

    def __repr__(self) -> str:
        fields = ", ".join(f"{k}={_show(v)}" for k, v in vars(self).items())
        return f"{type(self).__name__}({fields})"


def _show(value: Any) -> str:
    return repr(name_of(value)) if hasattr(value, "name") else repr(value)


class LineElement(Force):
    """A force along the line between two markers."""

    marker_a: Reference
    marker_b: Reference

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """Both ends."""
        return (("marker_a", self.marker_a), ("marker_b", self.marker_b))


class JointElementForce(Force):
    """A force that acts on one coordinate of a joint.

    `coordinate` counts the joint's velocity coordinates from 0; it may be left out if the joint has only one.
    """

    joint: JointElement | str
    coordinate: int | None
    reads_position: ClassVar[bool] = False
    """True if the law needs the coordinate itself, which an angular velocity is not the rate of."""

    def joints(self) -> Iterable[tuple[str, JointElement | str]]:
        """The joint."""
        return (("joint", self.joint),)

    @property
    def own_quantities(self) -> dict[str, Any]:
        """Names under which the law knows the joint's own coordinate and rate."""
        here = (self.joint, 0 if self.coordinate is None else self.coordinate)
        return {"q": ("q", *here), "v": ("v", *here)}


def number_faults(**numbers: float | None) -> list[Fault]:
    """Faults of arguments that must be finite numbers; those named `positive_...` must not be negative either."""
    found: list[Fault] = []
    for key, value in numbers.items():
        name = key.removeprefix("positive_")
        if not isinstance(value, Real) or not math.isfinite(value):
            found.append(Fault(f"{name} is {value!r}; give a finite number", name))
        elif key.startswith("positive_") and value < 0.0:
            found.append(Fault(f"{name} is {value}; it must not be negative", name))
    return found


# ---------------------------------------------------------------------------------------------- for use in the laws


@helper
def apply_wrench(loads, w, m, arm, force, torque):
    """Add a force at marker m (lever arm `arm` from its body's origin) and a torque, all in world axes, to its body."""
    b = loads.marker_body[m]
    R_WB = get9(w.X_WB, b, 0)
    n = mulT(R_WB, add(torque, cross(arm, force)))
    f = mulT(R_WB, force)
    w.F_ext[b, 0] += n[0]
    w.F_ext[b, 1] += n[1]
    w.F_ext[b, 2] += n[2]
    w.F_ext[b, 3] += f[0]
    w.F_ext[b, 4] += f[1]
    w.F_ext[b, 5] += f[2]


@helper
def line_between(loads, w, a, b):
    """Length, rate of length and unit vector of the line from marker a to marker b, and the markers' lever arms."""
    p_a, arm_a = marker_point(loads, w, a)
    p_b, arm_b = marker_point(loads, w, b)
    _, v_a = marker_rates(loads, w, a, arm_a)
    _, v_b = marker_rates(loads, w, b, arm_b)
    d = sub(p_b, p_a)
    length = sqrt(dot(d, d) + TINY)
    n = scale(1.0 / length, d)
    return length, dot(n, sub(v_b, v_a)), n, arm_a, arm_b


@helper
def apply_tension(loads, w, a, b, arm_a, arm_b, n, tension):
    """Pull markers a and b together along the unit vector n from a to b."""
    f = scale(tension, n)
    apply_wrench(loads, w, a, arm_a, f, ZERO3)
    apply_wrench(loads, w, b, arm_b, scale(-1.0, f), ZERO3)


# ------------------------------------------------------------------------------------------------ and their derivatives


@helper
def line_ready(path, a, b, tension, by_length, by_speed, has_rows):
    """Leave the derivatives of `pull` to `line_change`; by_length, by_speed: those of the tension.

    has_rows: 1 if the rows of path hold derivatives of the tension by the state.
    """
    path.order[0], path.order[1], path.order[2] = a, b, has_rows
    path.numbers[0], path.numbers[1], path.numbers[2] = tension, by_length, by_speed
    return LINE


@part
def line_change(tree, loads, w, tan, path):
    """Derivatives of `pull`, left by `line_ready`, made ready for `add_pair`; returns the wrench of a unit tension.

    When the point of b moves by x, the length changes by n . x and n by the part of x across the line over the length.
    """
    a, b = path.order[0], path.order[1]
    tension, by_length, by_speed = path.numbers[0], path.numbers[1], path.numbers[2]
    A, B = loads.marker_body[a], loads.marker_body[b]
    centre = get3(w.X_WB, 1, 9)
    p_a, _ = marker_point(loads, w, a)
    p_b, _ = marker_point(loads, w, b)
    r, d = sub(p_b, centre), sub(p_b, p_a)
    length = sqrt(dot(d, d) + TINY)
    n = scale(1.0 / length, d)
    V_B = get_spatial(tan.V_W, B)
    v_rel = sub(shift_of(V_B, r), shift_of(get_spatial(tan.V_W, A), sub(p_a, centre)))
    count = path_between(tree, path, A, B)
    for k in range(count):
        S_j, y_j = displacement(tan, path.rate[k], V_B)
        x = shift_of(S_j, r)
        along = dot(n, x)
        across = sub(x, scale(along, n))
        accelerated = add(shift_of(y_j, r), cross(V_B[0], x))
        faster = dot(across, v_rel) / length + dot(n, accelerated)
        f = add(scale(by_length * along + by_speed * faster, n), scale(tension / length, across))
        put_spatial(path.W_q, k, (scale(-1.0, add(cross(r, f), scale(tension, cross(x, n)))), scale(-1.0, f)))
        f = scale(-by_speed * along, n)
        put_spatial(path.W_v, k, (cross(r, f), f))
    unit = (scale(-1.0, cross(r, n)), scale(-1.0, n))
    pair_ready(path, count, vscale(tension, unit), 1)
    return unit
