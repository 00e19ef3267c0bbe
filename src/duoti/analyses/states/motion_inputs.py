"""Prescribed motions as inputs of a linear system: what they prescribe is changed by a small u(t).

With s = u of a motion whose row of the closures is r, and (2) of `analyses.states.linearised_equations`,

    G_h delta = e_r u,    G dv + Gq delta = e_r du/dt,    G da + Av dv + Aq delta = e_r d²u/dt²              (1)

so that deviations have, beside those of the independent coordinates, the parts

    p = P_h e_r u,    p' = P (e_r du/dt - Gq p),    p'' = P (e_r d²u/dt² - Av p' - Aq p)                     (2)

with P the solution for dependent coordinates. u, du/dt and d²u/dt² are three inputs, "drive.value", "drive.rate" and
"drive.acceleration", that go together: whoever gives one of them gives the others. A prescribed speed has the last two.
"""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import numpy as np

from duoti.analyses.states.linearised_equations import Chart, Variation, spin
from duoti.model.constraints.joint_motion import JointMotion
from duoti.model.constraints.marker_motion import MarkerMotion
from duoti.model.errors import ChannelError
from duoti.model.model import Model
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import build_system
from duoti.system.system import System

QUANTITIES = ("value", "rate", "acceleration")
LETTERS = "xyz"
MOTIONS = (JointMotion, MarkerMotion)
FIELDS = {JointMotion: ("value", "velocity"), MarkerMotion: ("position", "velocity")}
"""Parameters of the motions, by the derivative that they prescribe."""


class MotionInput(NamedTuple):
    """One prescribed quantity: a row of the closures."""

    label: str
    constraint: str
    component: int | None  # of markers
    row: int
    least: int  # derivative that is prescribed: 0 a position, 1 a speed

    @property
    def names(self) -> tuple[str, ...]:
        """Of its inputs."""
        return tuple(f"{self.label}.{each}" for each in QUANTITIES[self.least :])


def motions_named(system: System, name: str) -> list[MotionInput]:
    """The prescribed quantities that a name means: of a constraint, or one component of it; none if it is no motion."""
    whole, _, letter = name.rpartition(".")
    constraints = system.model.constraints
    item = name if name in constraints else whole if letter in LETTERS else ""
    element = constraints.get(item)
    if not isinstance(element, MOTIONS):
        return []
    closure = next(k for k, each in enumerate(system.closure_names) if (each.kind, each.name) == ("constraint", item))
    first, least = int(system.closures.first[closure]), int(element.velocity is not None)
    if isinstance(element, JointMotion):
        return [MotionInput(item, item, None, first, least)] if item == name else []
    values = element.position if element.velocity is None else element.velocity
    given = [i for i, value in enumerate(values or ()) if value is not None]
    found = [MotionInput(f"{item}.{LETTERS[i]}", item, i, first + k, least) for k, i in enumerate(given)]
    return found if item == name else [each for each in found if each.component == LETTERS.index(letter)]


class Shift(NamedTuple):
    """What one input does to all joints, the independent coordinates held."""

    delta: Reals
    v: Reals
    a: Reals


def shifts(full: System, here: Variation, rates: Chart, positions: Chart, motion: MotionInput) -> list[Shift]:
    """(2), for each of the inputs of a motion."""
    holonomic = full.closures.nonholonomic == 0
    e, none = np.zeros(full.closures.rows), np.zeros(full.closures.rows)
    e[motion.row] = 1.0
    found: list[Shift] = []
    for order in range(motion.least, 3):
        p = positions.particular((e if order == 0 else none)[holonomic])
        dp = rates.particular((e if order == 1 else none) - here.Gq @ p)
        found.append(Shift(p, dp, rates.particular((e if order == 2 else none) - here.Av @ dp - here.Aq @ p)))
    return found


def motion_column(
    full: System, v: Reals, here: Variation, charts: tuple[Chart, Chart], generator: Reals, mass: Reals, moved: Shift
) -> Reals:
    """Rates of (y, u, z) by one input; compare `linearise.state_matrix`."""
    rates, positions = charts
    pushed = here.M @ moved.a + here.C @ moved.v + here.K @ moved.delta
    turned = (generator - spin(full, v)) @ moved.delta
    return np.concatenate(
        [
            (moved.v + turned)[positions.independent],
            -np.linalg.solve(mass, rates.left(pushed)) + (generator @ moved.v)[rates.independent],
            here.Fq @ moved.delta + here.Fv @ moved.v,
        ]
    )


def shifted_system(full: System, motion: MotionInput, order: int, step: float, t: float) -> System:
    """The system with `step` added to what a motion prescribes, to its rate, or to its second derivative."""
    terms = (f"{step!r}", f"{step!r}*(t - {t!r})", f"{0.5 * step!r}*(t - {t!r})^2")
    term = terms[order - motion.least]
    model: Model = copy.copy(full.model)
    element: Any = copy.copy(model.constraints[motion.constraint])
    field = FIELDS[type(element)][motion.least]
    old: Any = getattr(element, field)
    law = old if motion.component is None else old[motion.component]
    if not isinstance(law, int | float | str):
        raise ChannelError(
            f'input "{motion.label}" is a function: reactions, accelerations and powers as outputs need a number or an '
            "expression there"
        )
    law = f"({law}) + ({term})"
    new: Any = law if motion.component is None else [law if i == motion.component else x for i, x in enumerate(old)]
    setattr(element, field, new)
    model.constraints = {**model.constraints, motion.constraint: element}
    assert full.topology is not None
    return build_system(model, full.topology, fuse=True)


def whole_responses(response: Any, s: Any, groups: tuple[tuple[int, ...], ...], least: tuple[int, ...]) -> Any:
    """Frequency responses [outputs, inputs] at s in which value, rate and acceleration of a motion go together."""
    found = response.copy()
    for columns, lowest in zip(groups, least, strict=True):
        by_value = sum(response[:, k] * s ** (lowest + n) for n, k in enumerate(columns))
        for n, k in enumerate(columns):
            with np.errstate(divide="ignore", invalid="ignore"):
                found[:, k] = by_value / s ** (lowest + n)
    return found
