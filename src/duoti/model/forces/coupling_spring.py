"""Spring and damper between joint coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np

from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement, name_of
from duoti.model.forces.base import Compiler, Force, number_faults

Joint = JointElement | str
INTEGERS = ("first", "last")
FIRST, LAST = range(len(INTEGERS))  # rows of a table: coordinate, rate, coefficient
REALS = ("stiffness", "damping", "rest")
STIFFNESS, DAMPING, REST = range(len(REALS))
TERM_Q, TERM_V, COEFFICIENT = range(3)


@helper
def _coupling_spring(f, t, q, v, loads, w):
    forces = loads.forces
    terms = forces.tables
    stretch, speed = 0.0 * w.tau[0] - forces.reals[f, REST], 0.0 * w.tau[0]
    for n in range(forces.integers[f, FIRST], forces.integers[f, LAST]):
        stretch += terms[n, COEFFICIENT] * q[int(terms[n, TERM_Q].real)]
        speed += terms[n, COEFFICIENT] * v[int(terms[n, TERM_V].real)]
    stiffness, damping = forces.reals[f, STIFFNESS], forces.reals[f, DAMPING]
    for n in range(forces.integers[f, FIRST], forces.integers[f, LAST]):
        w.tau[int(terms[n, TERM_V].real)] -= terms[n, COEFFICIENT] * (stiffness * stretch + damping * speed)
    return 0.5 * stiffness * stretch * stretch, 0.0 * speed, damping * speed * speed


@helper
def _coupling_spring_tangent(f, t, q, v, tree, loads, w, tan, path):
    forces = loads.forces
    terms = forces.tables
    for n in range(forces.integers[f, FIRST], forces.integers[f, LAST]):
        i = int(terms[n, TERM_V].real)
        for m in range(forces.integers[f, FIRST], forces.integers[f, LAST]):
            j, product = int(terms[m, TERM_V].real), terms[n, COEFFICIENT] * terms[m, COEFFICIENT]
            tan.K[i, j] += product * forces.reals[f, STIFFNESS]
            tan.C[i, j] += product * forces.reals[f, DAMPING]


class CouplingSpring(Force):
    r"""Spring and damper in a linear combination of joint coordinates.

    $$x = \sum_j c_j q_j, \qquad \tau_j = -c_j \left( k\,(x - x_0) + d\,\dot x \right)$$

    `{"A": 1, "B": -1}` is an elastic shaft between two hinges. Gear ratios go into the coefficients.

    Parameters
    ----------
    coefficients:
        Joint (its first coordinate) or (joint, coordinate) → coefficient $c_j$.
    stiffness:
        Stiffness $k$.
    damping:
        Damping coefficient $d$.
    rest:
        Value $x_0$ without force.
    """

    kind = "coupling_spring"
    units: ClassVar = {"stiffness": "N m/rad or N/m", "damping": "N m s/rad or N s/m", "rest": "rad or m"}
    INTEGERS, REALS = INTEGERS, REALS
    law = lanes_law = staticmethod(_coupling_spring)
    tangent = staticmethod(_coupling_spring_tangent)

    def __init__(
        self,
        coefficients: Mapping[Joint | tuple[Joint, int], float],
        stiffness: float = 0.0,
        damping: float = 0.0,
        rest: float = 0.0,
    ):
        self.coefficients = coefficients
        self.stiffness, self.damping, self.rest = stiffness, damping, rest

    def terms(self) -> list[tuple[Joint, int, float]]:
        """(joint, coordinate, coefficient) of each."""
        items = self.coefficients.items()
        return [(key[0], key[1], float(c)) if isinstance(key, tuple) else (key, 0, float(c)) for key, c in items]

    def joints(self) -> Iterable[tuple[str, Joint]]:
        """All of them."""
        return [("coefficients", joint) for joint, _, _ in self.terms()]

    def faults(self) -> list[Fault]:
        found = number_faults(stiffness=self.stiffness, positive_damping=self.damping, rest=self.rest)
        if not isinstance(self.coefficients, Mapping) or not self.coefficients:  # pyright: ignore[reportUnnecessaryIsInstance]
            text = f"coefficients are {self.coefficients!r}; give a mapping such as {{'A': 1.0, 'B': -1.0}}"
            return [*found, Fault(text, "coefficients")]
        for key, c in self.coefficients.items():
            found += [Fault(fault.text, "coefficients") for fault in number_faults(**{f"coefficient of {key!r}": c})]
        return found

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        rows = np.zeros((len(self.coefficients), 6))
        for row, (joint, coordinate, c) in zip(rows, self.terms(), strict=True):
            try:
                k, j = compiler.coordinate(joint, coordinate)
            except IndexError:
                k = j = -1
            if k < 0:
                who = name_of(joint)  # pyright: ignore[reportArgumentType]
                raise ValueError(
                    f'coupling spring: joint "{who}" has no coordinate {coordinate} that is an angle or a position'
                )
            row[:3] = k, j, c
        first, last = compiler.table(rows)
        return {"first": first, "last": last}
