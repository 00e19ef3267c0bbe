"""The slots of a system: where its friction and stops in joints act, as arrays for the kernels."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from duoti.dynamics.stage_memory import add_memory, memory_at
from duoti.elements.joint_friction_memory import (
    DOFS_IN_SLOT,
    JOINT_FRICTION_BYTES,
    JOINT_FRICTION_CALLS,
    JOINT_FRICTION_CONTEXT,
    JOINT_FRICTION_OPTIONS,
    JOINT_FRICTION_STATUS,
    LOAD_ITERATES,
    STOP,
    JointFrictionData,
)
from duoti.model.forces.joint_friction import FRICTION_LAWS, JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.model.joint_friction import Slot, follows_load, slots_of
from duoti.system.arrays import Work
from duoti.system.system import System


def build_joint_friction(system: System) -> JointFrictionData | None:
    """The slots of a system, with fresh memory; None if it has none."""
    slots = slots_of(system.model)
    if not slots:
        return None
    n, nq, nv = len(slots), system.nq, system.nv
    m = sum(len(slot.rates) for slot in slots)
    forces, states, events = list(system.model.forces), list(system.model.states), list(system.model.events)
    user_events = sum(name not in {slot.friction_state for slot in slots} for name in events)
    prescribed = _prescribed(system)

    def integers(values: list[int]) -> Any:
        return np.array(values, np.int64)

    layouts = [system.joints[slot.joint] for slot in slots]
    jf = JointFrictionData(
        count=n,
        user_events=user_events,
        kind=integers([_kind(system, slot) for slot in slots]),
        force=integers([forces.index(slot.friction) if slot.friction else -1 for slot in slots]),
        row=integers([layout.body for layout in layouts]),
        first=integers([int(layout.v[slot.rates[0]]) for slot, layout in zip(slots, layouts, strict=True)]),
        size=integers([len(slot.rates) for slot in slots]),
        axis=integers([_column(system, slot) for slot in slots]),
        friction_state=integers(
            [nq + nv + states.index(slot.friction_state) if slot.friction_state else -1 for slot in slots]
        ),
        event=integers([events.index(slot.friction_state) if slot.friction_state else -1 for slot in slots]),
        coordinate=integers([_coordinate(system, slot) for slot in slots]),
        lugre_state=integers(
            [nq + nv + states.index(slot.lugre_states[0]) if slot.lugre_states else -1 for slot in slots]
        ),
        driven=integers([int(bool(prescribed & _rates(system, slot))) for slot in slots]),
        loaded=integers([int(follows_load(system.model, slot)) for slot in slots]),
        scales=np.array([[*slot.scales, 0.0, 0.0][:DOFS_IN_SLOT] for slot in slots]),
        arms=np.array([list(slot.arms) for slot in slots]),
        limits=np.array([slot.limits for slot in slots]),
        calls=np.zeros(1, JOINT_FRICTION_CALLS),
        options=np.zeros(1, JOINT_FRICTION_OPTIONS),
        status=np.zeros(1, JOINT_FRICTION_STATUS),
        x=np.zeros((n, 3)),
        bound=np.zeros(n),
        rest=np.zeros(n),
        load=np.zeros(n),
        direction=np.zeros((n, 3)),
        unknown_slot=np.zeros(m, np.int64),
        unknown_dof=np.zeros(m, np.int64),
        p=np.zeros(m),
        matrix=np.zeros((m, m + 2)),
        held=np.zeros((m + 1, m)),
        wrench=np.zeros((m + 1, n, 6)),
        scratch=np.zeros(6),
        inertia=np.ones(n),
        fastest=np.zeros(n),
        restitution=np.array([slot.restitution for slot in slots]),
        before=np.zeros(nv),
        velocity=np.zeros(nv),
        impulse=np.zeros(m),
        response=np.zeros((m, nv)),
        block=np.full(n, -1, np.int64),
        next_friction_state=np.zeros(n),
        step=np.zeros(2),
        pushes=np.zeros((system.tree.nb, 6)),
        iterates=np.zeros((LOAD_ITERATES, n)),
    )
    for s, slot in enumerate(slots):
        if slot.friction:
            reals = system.model.forces[slot.friction].reals()
            jf.load[s] = slot.arms.always
            jf.bound[s] = reals["friction"] * slot.arms.always + reals["constant"]
            jf.rest[s] = reals["static_friction"] * slot.arms.always + reals["static_constant"]
    return jf


def _kind(system: System, slot: Slot) -> int:
    if not slot.friction:
        return STOP
    law = system.model.forces[slot.friction]
    assert isinstance(law, JointFriction)
    return FRICTION_LAWS.index(law.friction_law)


def _rates(system: System, slot: Slot) -> set[int]:
    return {int(system.joints[slot.joint].v[k]) for k in slot.rates}


def _column(system: System, slot: Slot) -> int:
    if slot.axis is None:
        return -1
    layout, tree = system.joints[slot.joint], system.tree
    rate = int(layout.v[slot.axis])
    columns = range(int(tree.first[layout.body]), int(tree.first[layout.body + 1]))
    return next(k for k in columns if int(tree.rate[k]) == rate)


def _coordinate(system: System, slot: Slot) -> int:
    if slot.friction:
        return -1
    rate = int(system.joints[slot.joint].v[slot.rates[0]])
    return int(system.tree.q_of_v[rate])


def _prescribed(system: System) -> set[int]:
    """Rates that a constraint prescribes by themselves."""
    closures = system.closures
    found: set[int] = set()
    for r in range(closures.rows):
        terms = closures.term_v[closures.terms[r] : closures.terms[r + 1]]
        if len(terms) == 1 and closures.equation_axes[r, 2] < 0:
            found.add(int(terms[0]))
    return found


# Memory of joint friction laws into workspaces.


_KNOWN: WeakKeyDictionary[System, bool] = WeakKeyDictionary()


def has_joint_friction(system: System) -> bool:
    """Whether a system has friction or rigid stops in joints."""
    if not any(issubclass(each, JointFriction | JointStop) for each in system.force_types):
        return False
    if system not in _KNOWN:
        _KNOWN[system] = bool(slots_of(system.model))
    return _KNOWN[system]


def joint_friction_of(work: Work) -> JointFrictionData:
    """The memory of the joint friction laws of a workspace."""
    found = memory_at(work, "joint_friction")
    assert found is not None
    return found


def add_joint_friction(system: System, work: Work) -> None:
    """Memory for the joint friction laws of a system, into a workspace."""

    jf = build_joint_friction(system)
    if jf is None:
        return
    add_memory(work, "joint_friction", jf, JOINT_FRICTION_CONTEXT, JOINT_FRICTION_BYTES)
