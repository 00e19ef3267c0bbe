"""What is done to a model before it is compiled: a copy of its own."""

from __future__ import annotations

import copy

from duoti.model.model import Model


def own_copy(model: Model) -> Model:
    """A copy, so that what the user changes later does not reach the system; functions stay the user's own."""
    values = [value for force in model.forces.values() for _, value, _, _ in force.values()]
    values += [event.value for event in model.events.values()] + [state.rate for state in model.states.values()]
    values += [row.value for constraint in model.constraints.values() for row in constraint.rows()]
    keep = {id(x): x for value in values for x in (value, getattr(value, "function", None)) if callable(x)}
    return copy.deepcopy(model, keep)
