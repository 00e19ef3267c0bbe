"""What forces and torques applied at a marker have in common: three laws and a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from duoti.kernel import helper
from duoti.model.elements import Reference
from duoti.model.forces.base import Compiler, Force, Row
from duoti.model.laws import Function, Value, law_value
from duoti.spatial.algebra import get9, matmul, mul

FRAMES = ("world", "marker")


@helper
def applied_vector(f, t, q, v, loads, w):
    """The three values of force element f in world axes: fixed there, or carried along by its marker."""
    m, follows, first = loads.integers[f, 0], loads.integers[f, 1], loads.integers[f, 2]
    zero = 0.0 * w.X_WB[0, 0]
    x = law_value(loads, w, first, t, q, v, zero, zero)
    if loads.integers[f, 3] == 1:  # one function that gives all three
        vector = (x, w.law_out[1], w.law_out[2])
    else:
        y = law_value(loads, w, first + 1, t, q, v, zero, zero)
        vector = (x, y, law_value(loads, w, first + 2, t, q, v, zero, zero))
    if follows == 1:
        b = loads.marker_body[m]
        vector = mul(matmul(get9(w.X_WB, b, 0), get9(loads.X_BM, m, 0)), vector)
    return vector


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

    def faults(self) -> list[str]:
        """See `Force.faults`."""
        found: list[str] = []
        if self.frame not in FRAMES:
            found.append(f'frame is {self.frame!r}; it is "world" (fixed direction) or "marker" (following)')
        if not self.single and (isinstance(self.value, str) or np.shape(self.value)[:1] != (3,)):  # pyright: ignore
            found.append(f"it needs three components (x, y, z) or one function that returns three; got {self.value!r}")
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
