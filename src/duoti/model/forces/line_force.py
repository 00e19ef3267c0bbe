"""Force of any law along the line between two points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from duoti.elements.laws import add_law_gradient, law_value, reads_state
from duoti.elements.wrenches import add_tension_tangent, apply_tension, line_between
from duoti.kernel import helper
from duoti.model.elements import Reference
from duoti.model.forces.base import MARKER_A, MARKER_B, Compiler, LineElement
from duoti.model.laws.law import Value

INTEGERS = (*LineElement.INTEGERS, "law")
LAW = len(LineElement.INTEGERS)


@helper
def _line_force(f, t, q, v, loads, w):
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    length, speed, n, arm_a, arm_b = line_between(loads, w, a, b)
    tension = law_value(loads, w, loads.forces.integers[f, LAW], t, q, v, length, speed)
    apply_tension(loads, w, a, b, arm_a, arm_b, n, tension)
    return 0.0 * tension, -tension * speed, 0.0 * tension


@helper
def _line_force_tangent(f, t, q, v, tree, loads, w, tan, path):
    integers = loads.forces.integers
    a, b, law = integers[f, MARKER_A], integers[f, MARKER_B], integers[f, LAW]
    length, speed, _, _, _ = line_between(loads, w, a, b)
    tension = law_value(loads, w, law, t, q, v, length, speed)
    by_length, by_speed = add_law_gradient(
        tree, loads, w, tan, path, law, np.int64(0), t, q, v, length, speed, 1.0, path.row_q, path.row_v, path.row_z,
        np.int64(0),
    )  # fmt: skip
    add_tension_tangent(tree, loads, w, tan, path, a, b, tension, by_length, by_speed, reads_state(loads, law))


class LineForce(LineElement):
    r"""Force along the line between two markers, by a law.

    $$f_b = -T\, e, \qquad f_a = T\, e, \qquad e = \frac{r_b - r_a}{\ell}$$

    A positive tension $T$ pulls the markers together. The law depends on the time `t`, the `length` $\ell$, the `speed`
    $\dot\ell$, and on any quantity of the model.

    Parameters
    ----------
    marker_a, marker_b:
        Ends of the line.
    tension:
        Tension $T$: a number, an expression or a function.
    """

    kind = "line_force"
    INTEGERS = INTEGERS
    law = staticmethod(_line_force)
    tangent = staticmethod(_line_force_tangent)

    def __init__(self, marker_a: Reference, marker_b: Reference, tension: Value):
        self.marker_a, self.marker_b, self.tension = marker_a, marker_b, tension

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """The tension."""
        return (("tension", self.tension, OWN, 1),)

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        return {**super().integers(compiler), "law": compiler.law(self.tension, OWN)}


OWN: Mapping[str, Any] = {"length": ("local", 0), "speed": ("local", 1)}
