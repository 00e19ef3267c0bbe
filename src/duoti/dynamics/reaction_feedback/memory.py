"""Fed-back reactions and multipliers, as kernels see them: where each is found, and where laws read it.

`Work.at[0].reaction_feedback` is the address of a packed `Measured`; it is 0 if no law of the system reads any.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.kernel import ContextType, record_dtype

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
