"""Two capsules."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair, axis_of, between_balls, clamped, none_here
from duoti.spatial.algebra import add, cross, dot, scale, sub

PARALLEL = 1e-12  # square of the sine of the angle between axes that count as parallel


@helper
def _capsule_capsule(X_A, X_B, s_a, s_b, k):
    """The nearest points of two straight lines of finite length (Ericson 2005, section 5.1.9).

    Where the axes are parallel, the two ends of the stretch that they have in common touch.
    """
    a, b = axis_of(X_A[0], 2), axis_of(X_B[0], 2)
    d = sub(X_B[1], X_A[1])
    c, along_a, along_b = dot(a, b), dot(a, d), dot(b, d)
    other = cross(a, b)
    square = dot(other, other)
    if square.real > PARALLEL:
        if k == 1:
            return none_here(X_A[1])
        s = clamped((along_a - c * along_b) / (1.0 - c * c), -s_a[1], s_a[1])
    else:
        half = abs(c.real) * s_b[1]
        low = max(-s_a[1], along_a.real - half)
        high = min(s_a[1], along_a.real + half)
        if low >= high and k == 1:
            return none_here(X_A[1])
        s = (low if k == 0 else high) + 0.0 * c
        if low >= high:
            s = clamped(along_a, -s_a[1], s_a[1])
        other = axis_of(X_A[0], 0)
    t = clamped(c * s - along_b, -s_b[1], s_b[1])
    s = clamped(c * t + along_a, -s_a[1], s_a[1]) if square.real > PARALLEL else s
    return between_balls(add(X_A[1], scale(s, a)), s_a[0], add(X_B[1], scale(t, b)), s_b[0], other)


class CapsuleCapsule(ShapePair):
    """One point, or two where the axes are parallel."""

    kind, first, second, points = "capsule_capsule", "capsule", "capsule", 2
    law = staticmethod(_capsule_capsule)
