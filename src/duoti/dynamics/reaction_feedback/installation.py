"""Memory of fed-back reactions into workspaces."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.dynamics.reaction_feedback.memory import (
    CLOSING,
    FEEDBACK_BYTES,
    FEEDBACK_CALLS,
    FEEDBACK_CONTEXT,
    MULTIPLIER,
    TREE,
    FeedbackData,
)
from duoti.dynamics.stage_memory import add_memory, memory_at
from duoti.model.element_id import ElementId
from duoti.model.laws.law import STATE
from duoti.model.laws.reaction_feedback import FeedbackState, feedback_names, feedback_quantities
from duoti.model.quantities import Quantity
from duoti.system.arrays import Work
from duoti.system.system import System


def has_reaction_feedback(system: System) -> bool:
    """Whether laws of a system read reactions or multipliers."""
    return system.tree.nz > 0 and any(isinstance(state, FeedbackState) for state in system.model.states.values())


def feedback_of(work: Work) -> FeedbackData | None:
    """The memory of the fed-back quantities of a workspace, if it has any."""
    return memory_at(work, "reaction_feedback")


def force_readers(system: System) -> list[ElementId]:
    """Force elements whose laws read fed-back quantities."""
    first = system.nq + system.nv
    places = {first + k for k, state in enumerate(system.model.states.values()) if isinstance(state, FeedbackState)}
    laws, found = system.loads.laws, dict[ElementId, None]()
    for law, owner in enumerate(system.law_owners):
        signals = laws.signals[laws.law_signals[law, 0] : laws.law_signals[law, 1]]
        if owner.kind == "force" and any(kind == STATE and i in places for kind, i, _ in signals.tolist()):
            found[owner] = None
    return list(found)


def _where(system: System, quantity: Quantity) -> tuple[int, int, tuple[int, int]]:
    """Kind, index, and frames on child and parent of what a quantity is read from."""
    if quantity.kind == "constraint":
        closure = system.closure_names.index(ElementId("constraint", quantity.item))
        if quantity.what == "multipliers":
            return MULTIPLIER, int(system.closures.first[closure]) + (quantity.component or 0), (0, 0)
        return CLOSING, closure, (0, 0)
    layout = system.joints[quantity.item]
    if layout.closure >= 0:
        return CLOSING, layout.closure, (0, 0)
    return TREE, layout.body, (layout.child_marker, layout.parent_marker)


def _build(system: System) -> FeedbackData:
    quantities = feedback_quantities(system.model)
    names = feedback_names(system.model)
    states, n = list(system.model.states), len(names)
    chosen = [quantities[name] for name in names]
    found = [_where(system, each) for each in chosen]

    def integers(values: Any) -> Any:
        return np.array(values, np.int64)

    return FeedbackData(
        count=n, fed=int(bool(force_readers(system))), kind=integers([kind for kind, _, _ in found]),
        index=integers([index for _, index, _ in found]),
        component=integers([(q.component or 0) + 3 * (q.what == "reaction_force") for q in chosen]),
        place=integers([system.nq + system.nv + states.index(name) for name in names]),
        markers=integers([markers for _, _, markers in found]), calls=np.zeros(1, FEEDBACK_CALLS),
        unsolved=np.zeros(1, np.int64), wrench=np.zeros((system.tree.nb, 6)), closing=np.zeros(6),
        value=np.zeros(n), size=np.zeros(n),
        left=np.zeros((2, n)), change=np.zeros(n), inverse=np.zeros((n, n)), product=np.zeros((2, n)),
        given_a=np.zeros(system.nv), given_multipliers=np.zeros(system.closures.rows),
    )  # fmt: skip


def add_reaction_feedback(system: System, work: Work) -> None:
    """Memory for the fed-back quantities of a system, into a workspace."""
    add_memory(work, "reaction_feedback", _build(system), FEEDBACK_CONTEXT, FEEDBACK_BYTES)
