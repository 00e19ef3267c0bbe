"""Soft constraints of MuJoCo as springs and dampers: what solref and solimp mean for one contact or limit.

MuJoCo gives a constraint with residual r (penetration -r) and rate v the force f with (A + R) f = a* - a0. Here a0 is
the acceleration without it, A the inverse of the mass that it feels, and

    a* = -b v - k r,   R = (1 - d) / d * A,   d = d(r) by solimp,
    b = 2 / (dmax T),  k = d / (dmax T z)^2   of solref = (T, z),
    b = B / dmax,      k = K d / dmax^2       of solref = (-K, -B).

At rest f = a* / R: a spring whose force is d k / ((1 - d) A) times the penetration, and grows faster than linearly.
A is MuJoCo's own estimate: the inverse weights of the bodies, or that of the joint. The linear spring here has the same
penetration under the weight m g of m = 1/A, and the damping ratio of MuJoCo's motion about it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

SOLREF, SOLIMP = (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)
"""MuJoCo's defaults."""
LEAST, MOST = 0.0001, 0.9999  # of d
STEPS = 200


class Softness(NamedTuple):
    """solref and solimp of a constraint, with the weight by which they are mixed."""

    solref: tuple[float, float] = SOLREF
    solimp: tuple[float, float, float, float, float] = SOLIMP
    weight: float = 1.0

    def mixed(self, other: Softness) -> Softness:
        """Of two geoms of the same priority that touch."""
        total = self.weight + other.weight
        w = 0.5 if total < 1e-15 else self.weight / total
        if self.solref[0] > 0.0 and other.solref[0] > 0.0:
            a, b = (w * x + (1.0 - w) * y for x, y in zip(self.solref, other.solref, strict=True))
        else:
            a, b = (min(x, y) for x, y in zip(self.solref, other.solref, strict=True))
        c, d, e, f, g = (w * x + (1.0 - w) * y for x, y in zip(self.solimp, other.solimp, strict=True))
        return Softness((a, b), (c, d, e, f, g), total)

    def impedance(self, depth: float) -> float:
        """d at a penetration."""
        low, high, width, middle, power = self.solimp
        low, high = (min(max(each, LEAST), MOST) for each in (low, high))
        x = min(abs(depth) / width, 1.0) if width > 1e-15 else 1.0
        middle, power = min(max(middle, LEAST), MOST), max(power, 1.0)
        if power == 1.0:
            y = x
        elif x <= middle:
            y = x**power / middle ** (power - 1.0)
        else:
            y = 1.0 - (1.0 - x) ** power / (1.0 - middle) ** (power - 1.0)
        return low + y * (high - low)

    def numbers(self, d: float) -> tuple[float, float]:
        """k and b of the reference acceleration."""
        most = min(max(self.solimp[1], LEAST), MOST)
        a, b = self.solref
        if a <= 0.0 and b <= 0.0:
            return -a * d / most**2, -b / most
        return d / (most * a * b) ** 2, 2.0 / (most * a)

    def spring(self, inverse_mass: float, load: float) -> tuple[float, float]:
        """(stiffness, damping) of the linear spring; load: acceleration that it bears at rest."""
        depth = _rest(self, load)
        d = self.impedance(depth)
        k, b = self.numbers(d)
        stiffness = load / (inverse_mass * depth) if depth > 0.0 else d * k / ((1.0 - d) * inverse_mass)
        ratio = 0.5 * b * math.sqrt(d / k) if k else 0.0
        return stiffness, 2.0 * ratio * math.sqrt(stiffness / inverse_mass)


DEFAULT = Softness()


def _rest(softness: Softness, load: float) -> float:
    """Penetration r at which d k r = (1 - d) load, by bisection: the left side grows, the right side does not."""

    def missing(r: float) -> float:
        d = softness.impedance(r)
        return d * softness.numbers(d)[0] * r - (1.0 - d) * load

    low, high = 0.0, 1.0
    while missing(high) < 0.0 and high < 1e6:
        high *= 10.0
    if load <= 0.0 or high >= 1e6:
        return 0.0
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if missing(middle) < 0.0 else (low, middle)
    return high


def softness_of(solref: Sequence[float], solimp: Sequence[float], weight: float = 1.0) -> Softness:
    """From the numbers of a file, completed by the defaults."""
    a, b = (*solref, *SOLREF[len(solref) :])[:2]
    c, d, e, f, g = (*solimp, *SOLIMP[len(solimp) :])[:5]
    return Softness((a, b), (c, d, e, f, g), weight)
