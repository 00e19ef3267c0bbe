"""What every law of contact supplies: its numbers, and what is wrong with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duoti.model.element_id import Fault
from duoti.spatial.axes import is_finite_number
from duoti.strict import Strict

Numbers = NDArray[np.float64]

MOST_NUMBERS = 8
"""Numbers that the law of a compliant contact can have."""


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


class CompliantLaw(ContactLaw):
    """A law that gives the force in a point of contact from its penetration and velocities: one file.

    The kernel `point_force(reals, f, gap, u, n)` returns the force on b in a point with gap < 0, its potential energy
    and the power that it dissipates. u is the velocity of b less that of a there, n the normal from a to b, and
    reals[f, i] the i-th of `NUMBERS`. Every pair of shapes then has such elements, compiled when a model first has one.
    """

    rigid = False
    NUMBERS: ClassVar[tuple[str, ...]]
    """Names of the numbers that the kernel reads: attributes of the law, unless `numbers` says otherwise."""
    point_force: ClassVar[Any]
    friction: float = 0.0
    slip_speed: float = 1e-3
    """Speed [m/s] above which a point counts as sliding."""

    def __init_subclass__(cls, **options: Any):
        super().__init_subclass__(**options)
        if isinstance(vars(cls).get("kind"), str):
            for name in ("point_force", "NUMBERS"):
                if not hasattr(cls, name):
                    raise TypeError(f"contact law {cls.kind!r} has no {name}, see duoti/model/contacts/base.py")
            if len(cls.NUMBERS) > MOST_NUMBERS:
                raise TypeError(f"contact law {cls.kind!r} has {len(cls.NUMBERS)} numbers; {MOST_NUMBERS} are the most")

    def numbers(self) -> Sequence[float]:
        """The numbers of `NUMBERS`."""
        return [float(getattr(self, name)) for name in self.NUMBERS]

    @property
    def lugre(self) -> bool:
        """Whether its friction has states (LuGre)."""
        return False

    @property
    def loses_unseen(self) -> bool:
        """Whether energy is lost where no force acts: surfaces that part before they have sprung back."""
        return False

    def normal_force(self, penetration: Numbers, rate: Numbers) -> Numbers:
        """Normal forces [N] of points that penetrate [m], and how fast they do [m/s]: as the kernel, for results."""
        raise NotImplementedError(f"{type(self).__name__} does not say its normal forces")

    def friction_force(self, normal: Numbers, slip: Numbers) -> Numbers:
        """Friction [..., 2] on b of points with these normal forces [...] and slip velocities [..., 2] of b."""
        return np.zeros_like(slip)


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
