"""What loads along a vector have in common: three laws, or one function that gives all three, and their axes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.model.element_id import Fault
from duoti.model.laws.law import Function, Value


class VectorValue:
    """Components x, y, z of a force element."""

    FRAMES: ClassVar[Mapping[str, str]]
    """The axes that `frame` may name, and what happens to the direction there."""
    OWN: ClassVar[Mapping[str, Any]] = {}
    """Names that only these laws know."""

    value: Sequence[Value] | Callable[..., Any] | Function
    frame: str

    @property
    def single(self) -> bool:
        """True if one function gives all three components."""
        return callable(self.value) or isinstance(self.value, Function)

    def faults(self) -> list[Fault]:
        """See `Force.faults`."""
        found: list[Fault] = []
        if self.frame not in self.FRAMES:
            known = " or ".join(f'"{name}" ({meaning})' for name, meaning in self.FRAMES.items())
            found.append(Fault(f"frame is {self.frame!r}; it is {known}", "frame"))
        if not self.single and (isinstance(self.value, str) or np.shape(self.value)[:1] != (3,)):  # pyright: ignore
            text = f"it needs three components (x, y, z) or one function that returns three; got {self.value!r}"
            found.append(Fault(text, "value"))
        return found

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """The components."""
        if self.single:
            return (("value", self.value, self.OWN, 3),)  # pyright: ignore[reportReturnType]
        components: Any = zip("xyz", self.value, strict=False)  # pyright: ignore[reportArgumentType]
        return tuple((f"{letter} component", value, self.OWN, 1) for letter, value in components)
