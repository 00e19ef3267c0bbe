"""Reactions and multipliers that laws read: numbers that follow from the forces, while forces may depend on them.

Each is an algebraic state of the compiled model under the name by which laws read it, `A.reaction_force.x`, with the
equation 0 = (what the equations of motion give) - (the state); `dynamics.reaction_feedback` solves it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from duoti.model.laws.law import Function, make_law
from duoti.model.model import Model
from duoti.model.quantities import FEEDBACK, Quantity, feedback_quantity, known_signal
from duoti.model.state import State


@dataclass(eq=False, repr=False)
class FeedbackState(State):
    """A reaction or multiplier that laws read; the model that a user wrote does not have it."""

    by_user: ClassVar[bool] = False


def _laws(model: Model) -> Iterable[tuple[Any, Iterable[str], int, bool]]:
    """All laws that may read such quantities: value, names of its own, number of outputs, whether of an event."""
    for force in model.forces.values():
        for _, value, own, outputs in force.values():
            yield value, own, outputs, False
    for state in model.states.values():
        yield state.rate, (), 1, False
    for event in model.events.values():
        yield event.value, (), 1, True
        for names, value in event.assignments():
            yield value, (), len(names), True


def _may_measure(value: Any) -> bool:
    """Whether a law may read a reaction, at a glance: its name has dots, so that no plain function asks for it."""
    if isinstance(value, str):
        return any(word in value for word in FEEDBACK)
    return isinstance(value, Function) and any(word in name for name in value.inputs for word in FEEDBACK)


def feedback_quantities(model: Model) -> dict[str, Quantity]:
    """The reactions and multipliers that laws of a model read, by the names by which they do."""
    found: dict[str, Quantity] = {}
    for value, own, outputs, in_event in _laws(model):
        if not _may_measure(value):
            continue
        known = known_signal(model, set(own), feedback=True, forces=in_event, contacts=in_event)
        law = make_law(value, known, model.named_values, outputs)
        for name in law.inputs:
            if name not in found and name not in own and (quantity := feedback_quantity(model, name)):
                found[name] = quantity
    return found


def add_reaction_feedback(model: Model) -> None:
    """Give a model (a copy of the user's) the states for what its laws measure, if they are not there yet."""
    for name, quantity in feedback_quantities(model).items():
        if name not in model.states:
            model.states[name] = FeedbackState(name, f"-{name}", math.nan, quantity.unit, algebraic=True)


def feedback_names(model: Model) -> list[str]:
    """Names of the states that `add_reaction_feedback` added."""
    return [name for name, state in model.states.items() if isinstance(state, FeedbackState)]


def feedback_of_welds(model: Model) -> bool:
    """Whether laws read the reaction of a fixed joint: what passes between two rows, which must then not be one."""
    if not feedback_names(model):
        return False
    joints = (each.item for each in feedback_quantities(model).values() if each.kind == "joint")
    return any(model.joints[joint].kind == "fixed" for joint in joints)
