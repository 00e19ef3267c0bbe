"""Memory of fed-back reactions into workspaces."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.stage_memory import add_memory, memory_at
from duoti.kernel import ContextType, record_dtype
from duoti.model.element_id import ElementId
from duoti.model.laws.law import STATE
from duoti.model.laws.reaction_feedback import FeedbackState, feedback_names, feedback_quantities
from duoti.model.quantities import Quantity
from duoti.system.arrays import Work
from duoti.system.system import System

# Fed-back reactions and multipliers, as kernels see them: where each is found, and where laws read it.
#
# `Work.at[0].reaction_feedback` is the address of a packed `FeedbackData`; it is 0 if no law of the system reads any.


FEEDBACK_BYTES = 1024
TREE, CLOSING, MULTIPLIER = range(3)  # reaction of a joint of the tree, of a cut joint or constraint; a multiplier

FEEDBACK_CALLS = record_dtype(
    "FeedbackCalls",
    ydot=int,  # entries that know nothing of fed-back quantities, as in `Work.calls`
    residual=int,
    events=int,
    plain_residual=int,  # that of the bare system: `residual` may know joint friction
)
"""Addresses of the entries that those with fed-back quantities call."""


class FeedbackData(NamedTuple):
    """What kernels read and write of the fed-back quantities."""

    count: int  # pyright: ignore[reportIncompatibleMethodOverride]
    fed: int  # 1 if a force depends on some of them
    kind: Any  # [count] TREE, CLOSING or MULTIPLIER
    index: Any  # [count] row of the outboard body; closure; row of the closures
    component: Any  # [count] 0-2: of the torque, 3-5: of the force
    place: Any  # [count] in y
    markers: Any  # [count, 2] frames of a joint of the tree on the user's child and parent
    calls: Any  # [1] of type FEEDBACK_CALLS
    unsolved: Any  # [1] 1 + number of the first that was not found in the last evaluation, or 0
    wrench: Any  # [nb, 6] reactions of the joints of the tree, scratch
    closing: Any  # [6] scratch
    value: Any  # [count] what the equations of motion give
    size: Any  # [count] largest component of what it is a part of
    left: Any  # [2, count] value less the number that laws read: of the present and of the last iteration
    change: Any  # [count] of the numbers that laws read, in the last iteration
    inverse: Any  # [count, count] of the derivatives of `left`, by Broyden's formula
    product: Any  # [2, count] scratch of the formula
    given_a: Any  # [nv] accelerations and
    given_multipliers: Any  # [rows] multipliers of an implicit solver, while those of the state are computed


def _example() -> tuple[Any, ...]:
    def array(field: str) -> Any:
        integers = {"kind", "index", "component", "place", "markers", "unsolved"}
        if field == "calls":
            return np.zeros(1, FEEDBACK_CALLS)
        flat = {"markers", "wrench", "left", "inverse", "product"}
        return np.zeros((1, 1) if field in flat else 1, np.int64 if field in integers else np.float64)

    return (FeedbackData(1, 0, *(array(field) for field in FeedbackData._fields[2:])),)


FEEDBACK_CONTEXT = ContextType(_example)


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
