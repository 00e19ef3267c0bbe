"""Force of any law along the line between two points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from duoti.kernel import helper
from duoti.model.elements import Reference
from duoti.model.forces.base import Compiler, LineElement, Row, apply_tension, line_between, line_ready
from duoti.model.law_gradient import ROWS, call_gradient, reads_state
from duoti.model.laws import Value, law_value


@helper
def _line_force(f, t, q, v, loads, w):
    a, b = loads.integers[f, 0], loads.integers[f, 1]
    length, speed, n, arm_a, arm_b = line_between(loads, w, a, b)
    tension = law_value(loads, w, loads.integers[f, 2], t, q, v, length, speed)
    apply_tension(loads, w, a, b, arm_a, arm_b, n, tension)
    return 0.0 * tension, -tension * speed, 0.0 * tension


@helper
def _line_force_tangent(f, t, q, v, tree, loads, w, tan, path):
    a, b, law = loads.integers[f, 0], loads.integers[f, 1], loads.integers[f, 2]
    length, speed, _, _, _ = line_between(loads, w, a, b)
    tension = law_value(loads, w, law, t, q, v, length, speed)
    by_length, by_speed = call_gradient(w, path, law, 0, length, speed, 1.0, ROWS, 0)
    return line_ready(path, a, b, tension, by_length, by_speed, reads_state(loads, law))


class LineForce(LineElement):
    """Tension [N] by a law of the time `t`, the `length` [m], the `speed` d(length)/dt [m/s] or anything else.

    A positive tension pulls the two markers together.
    """

    kind = "line_force"
    law = staticmethod(_line_force)
    tangent = staticmethod(_line_force_tangent)

    def __init__(self, marker_a: Reference, marker_b: Reference, tension: Value):
        self.marker_a, self.marker_b, self.tension = marker_a, marker_b, tension

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """The tension."""
        return (("tension", self.tension, OWN, 1),)

    def row(self, compiler: Compiler) -> Row:
        """See `Force.row`."""
        return Row([compiler.marker(self.marker_a), compiler.marker(self.marker_b), compiler.law(self.tension, OWN)])


OWN: Mapping[str, Any] = {"length": ("local", 0), "speed": ("local", 1)}
