"""What forces and torques applied at a marker have in common: three laws and a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from duoti.kernel import helper, part
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import Compiler, Force, Row
from duoti.model.law_gradient import ROWS, call_gradient, reads_state
from duoti.model.laws import Function, Value, law_value, marker_point
from duoti.model.pairs import add_rank_one, pair_ready, path_between, shift_of
from duoti.spatial.algebra import (
    ZERO3,
    cross,
    cross_force,
    get3,
    get9,
    get_column,
    matmul,
    mul,
    put_spatial,
    scale,
    sub,
)

FRAMES = ("world", "marker")


@helper
def applied_vector(f, t, q, v, loads, w):
    """The three values of force element f in world axes: fixed there, or carried along by its marker."""
    m, follows, first = loads.integers[f, 0], loads.integers[f, 1], loads.integers[f, 2]
    zero = 0.0 * w.X_WB[0, 0]
    single = loads.integers[f, 3] == 1  # one function that gives all three
    x = y = z = zero
    for c in range(1 if single else 3):  # in a loop, so that the code of laws is compiled here only once
        value = law_value(loads, w, first + c, t, q, v, zero, zero)
        x, y, z = (value if c == 0 else x), (value if c == 1 else y), (value if c == 2 else z)
    vector = (x, w.law_out[1], w.law_out[2]) if single else (x, y, z)
    if follows == 1:
        b = loads.marker_body[m]
        vector = mul(matmul(get9(w.X_WB, b, 0), get9(loads.X_BM, m, 0)), vector)
    return vector


@part
def applied_tangent(f, t, q, v, tree, loads, w, tan, path, is_force):
    """Derivatives of a force (at the marker's origin) or torque by `applied_vector`; ground is the other body."""
    m, follows, first = loads.integers[f, 0], loads.integers[f, 1], loads.integers[f, 2]
    vector = applied_vector(f, t, q, v, loads, w)
    p, _ = marker_point(loads, w, m)
    r = sub(p, get3(w.X_WB, 1, 9))
    b = loads.marker_body[m]
    W = _wrench(r, vector, is_force)
    n = path_between(tree, path, 0, b)
    for k in range(n):
        S_j = get_column(tan.S, path.rate[k])
        change = cross_force(S_j, W)
        if follows == 0:
            change = (scale(1.0 * is_force, cross(shift_of(S_j, r), vector)), ZERO3)
        put_spatial(path.W_q, k, change)
    R_WM = matmul(get9(w.X_WB, b, 0), get9(loads.X_BM, m, 0))
    for c in range(3):
        single = loads.integers[f, 3] == 1
        law, output = (first, c) if single else (first + c, 0)
        if reads_state(loads, law) == 1:
            call_gradient(w, path, law, output, 0.0, 0.0, 1.0, ROWS, 0)
            axis = (1.0 * (c == 0), 1.0 * (c == 1), 1.0 * (c == 2))
            if follows == 1:
                axis = (R_WM[c], R_WM[3 + c], R_WM[6 + c])
            add_rank_one(tree, tan, path, n, _wrench(r, axis, is_force))
    return pair_ready(path, n, W, 0)


@helper
def _wrench(r, vector, is_force):
    """A force at the point r or a torque."""
    return (cross(r, vector), vector) if is_force == 1 else (vector, scale(0.0, vector))


class Applied(Force):
    """A vector of three laws, or one function that returns three numbers, at a marker."""

    def __init__(
        self,
        marker: Reference,
        value: Sequence[Value] | Callable[..., Any] | Function,
        frame: str = "world",
    ):
        self.marker, self.value, self.frame = marker, value, frame

    @property
    def single(self) -> bool:
        """True if one function gives all three components."""
        return callable(self.value) or isinstance(self.value, Function)

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """The marker."""
        return (("marker", self.marker),)

    def faults(self) -> list[Fault]:
        """See `Force.faults`."""
        found: list[Fault] = []
        if self.frame not in FRAMES:
            text = f'frame is {self.frame!r}; it is "world" (fixed direction) or "marker" (following)'
            found.append(Fault(text, "frame"))
        if not self.single and (isinstance(self.value, str) or np.shape(self.value)[:1] != (3,)):  # pyright: ignore
            text = f"it needs three components (x, y, z) or one function that returns three; got {self.value!r}"
            found.append(Fault(text, "value"))
        return found

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """The components."""
        if self.single:
            return (("value", self.value, {}, 3),)  # pyright: ignore[reportReturnType]
        return tuple((f"{letter} component", value, {}, 1) for letter, value in zip("xyz", self.value, strict=False))  # pyright: ignore

    def row(self, compiler: Compiler) -> Row:
        """See `Force.row`."""
        laws = [compiler.law(value, own, outputs) for _, value, own, outputs in self.values()]
        return Row([compiler.marker(self.marker), int(self.frame == "marker"), laws[0], int(self.single)])
