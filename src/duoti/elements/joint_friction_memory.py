"""Friction and stops in joints, as kernels see them: what each slot acts on, and what was found of it last.

`Work.at[0].joint_friction` is the address of a packed `JointFrictionData`; workspaces of systems without joint friction
laws have none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.kernel import ContextType, record_dtype

JOINT_FRICTION_BYTES = 2048

COULOMB, REGULARISED, LUGRE, STOP = range(4)  # kinds of slots
# friction states: of a friction slot at rest; sliding, for a single rate forward or backward. Of a stop: free, at the
# upper or the lower limit, and beyond one from the beginning on: the joint is free to come back, and is held where it
# turns
AT_REST, FORWARD, BACKWARD = 1.0, 0.0, -1.0
UNDETERMINED = 2.0  # no one has chosen: friction acts where the joint moves
FREE, UPPER, LOWER, ABOVE, BELOW = 0.0, 1.0, -1.0, 2.0, -2.0
IMPACT, FROM_OUTSIDE = 1.0, 2.0  # of stops in a step of time stepping, in place of static friction (`jf.rest`): one
# that has an impact with restitution, and one whose joint began and ends the step beyond its limit
IGNORED = 3.0  # by a solver that cannot hold a joint at its stop
DOFS_IN_SLOT = 3
TOUCHES = 1e-9  # [rad or m] distance to a limit that is none
LOAD_ITERATES = 20  # rows of `JointFrictionData.iterates`

JOINT_FRICTION_CALLS = record_dtype(
    "JointFrictionCalls",
    ydot=int,  # entries without friction and stops, as in `Work.calls`
    residual=int,
    events=int,
    linearise=int,
    given_multipliers=int,
    project=int,
    responses=int,  # of time stepping
    loads=int,
)
"""Addresses of the entries that those with friction and stops call."""

JOINT_FRICTION_OPTIONS = record_dtype(
    "JointFrictionOptions",
    time_stepping=int,  # 1: steps hold joints (`Moreau`), not friction states
    # 1: `JOINT_FRICTION_CALLS.ydot` holds joints, by rows beside those of contacts (`smooth_motion`)
    held_in_rows=int,
)

JOINT_FRICTION_STATUS = record_dtype(
    "JointFrictionStatus",
    jammed=int,  # 1 + slot of a joint that jams in the present evaluation
    jams=int,  # 1 + slot of the last that did while it moved
)


class JointFrictionData(NamedTuple):
    """What kernels read and write of the slots."""

    count: int  # pyright: ignore[reportIncompatibleMethodOverride]
    user_events: int  # events of the user's come first
    kind: Any  # [slots]
    force: Any  # [slots] number of the force element, -1 for stops
    row: Any  # [slots] body outboard of the joint
    first: Any  # [slots] first rate
    size: Any  # [slots] how many rates
    axis: Any  # [slots] column of H whose axis splits the load, -1: z
    friction_state: Any  # [slots] place of the friction state in y, -1: none
    event: Any  # [slots] number of its event, -1: none
    coordinate: Any  # [slots] of a stop, place in q
    lugre_state: Any  # [slots] place in y of the first bristle, -1: none
    driven: Any  # [slots] 1 if a constraint prescribes the rate: it cannot be held
    loaded: Any  # [slots] 1 if its bound depends on the load
    scales: Any  # [slots, 3] sliding speed for a unit of each rate
    arms: Any  # [slots, ...] fields of `Arms`
    limits: Any  # [slots, 2]
    calls: Any  # [1] of type JOINT_FRICTION_CALLS
    options: Any  # [1] of type JOINT_FRICTION_OPTIONS
    status: Any  # [1] of type JOINT_FRICTION_STATUS
    x: Any  # [slots, 3] generalised forces
    bound: Any  # [slots] of sliding friction
    rest: Any  # [slots] of static friction
    load: Any  # [slots] sum of the load's parts times their arms; of a stop, how far beyond it a free joint may be
    direction: Any  # [slots, 3] generalised force of a unit bound, times -1
    unknown_slot: Any  # [m] unknowns of an evaluation: a held rate, or the bound of a sliding slot
    unknown_dof: Any  # [m] which rate of the slot, -1: the bound
    p: Any  # [m] values
    matrix: Any  # [m, m + 2] Newton's matrix, right-hand side, scratch
    held: Any  # [m + 1, m] accelerations of held rates without, and for a unit of each unknown
    wrench: Any  # [m + 1, slots, 6] loads likewise
    scratch: Any  # [6]
    # of time stepping
    restitution: Any  # [slots]
    before: Any  # [nv] velocities before the step ...
    velocity: Any  # [nv] ... and after it
    impulse: Any  # [m] of each rate of each slot
    response: Any  # [m, nv] of the rates to a unit of each, of stops
    block: Any  # [slots] block of the contact problem of a step, -1: none
    next_friction_state: Any  # [slots]
    step: Any  # [2] its length; what the impulses took
    pushes: Any  # [nb, 6] forces of contact on each body, in its frame
    fastest: Any  # [slots] speed of the fastest impact at each stop so far, beside which bounces come to an end
    iterates: Any  # [..., slots] loads of the last iterations, see `moreau.joint_friction`
    inertia: Any  # [slots] of a held rate, in whose units its equation stands (implicit methods)


def remembered(jf: JointFrictionData) -> list[Any]:
    """Arrays that the next call may read, and that change."""
    return [
        jf.status, jf.x, jf.bound, jf.rest, jf.load, jf.direction, jf.p, jf.impulse, jf.next_friction_state, jf.step,
        jf.pushes, jf.fastest, jf.inertia, jf.iterates,
    ]  # fmt: skip


def _example() -> tuple[Any, ...]:
    def array(field: str) -> Any:
        integers = {
            "kind",
            "force",
            "row",
            "first",
            "size",
            "axis",
            "friction_state",
            "event",
            "coordinate",
            "lugre_state",
            "driven",
            "loaded",
            "unknown_slot",
            "unknown_dof",
            "block",
        }
        flat = ("scales", "arms", "limits", "x", "direction", "matrix", "held", "response", "pushes", "iterates")
        deep = {"wrench": 3, **dict.fromkeys(flat, 2)}
        records = {"calls": JOINT_FRICTION_CALLS, "options": JOINT_FRICTION_OPTIONS, "status": JOINT_FRICTION_STATUS}
        if field in records:
            return np.zeros(1, records[field])
        return np.zeros((1,) * deep.get(field, 1), np.int64 if field in integers else np.float64)

    return (JointFrictionData(1, 0, *(array(field) for field in JointFrictionData._fields[2:])),)


JOINT_FRICTION_CONTEXT = ContextType(_example)
