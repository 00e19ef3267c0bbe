"""What every law of contact supplies: its numbers, and what is wrong with them."""

from __future__ import annotations

import math
from typing import Any, ClassVar, NamedTuple

from duoti.model.element_id import Fault
from duoti.spatial.axes import is_finite_number
from duoti.strict import Strict


class SetValued(NamedTuple):
    """Numbers of a rigid contact; those of `RigidContact` that a law does not have are as if left out."""

    restitution: float = 0.0
    impact: str = "newton"
    static_friction: float | None = None
    rolling_friction: float = 0.0
    torsional_friction: float = 0.0


class ContactLaw(Strict):
    """A law of contact: what happens where two surfaces meet. The geometry is that of the contact's shapes."""

    kind: ClassVar[str]
    rigid: ClassVar[bool]
    """True if the law is set-valued (nothing penetrates), False if it is a force that grows with the penetration."""

    friction: float

    def set_valued(self) -> SetValued:
        """What the solvers of rigid contacts read of it; of a compliant one nothing."""
        return SetValued()

    def faults(self) -> list[Fault]:
        """What is wrong with its numbers, in words."""
        return []

    def __repr__(self) -> str:
        fields = ", ".join(f"{k}={v!r}" for k, v in vars(self).items())
        return f"{type(self).__name__}({fields})"


def range_faults(item: Any, *names: str, most: float = math.inf) -> list[Fault]:
    """Faults of attributes that must be numbers from zero to `most`; None is a number that was left out."""
    found: list[Fault] = []
    for name in names:
        value = getattr(item, name)
        if value is None:
            continue
        if not is_finite_number(value):
            found.append(Fault(f"{name} is {value!r}; give a finite number", name))
        elif not 0.0 <= float(value) <= most:
            limit = "it must not be negative" if most == math.inf else f"it must be from 0 to {most:g}"
            found.append(Fault(f"{name} is {value}; {limit}", name))
    return found
