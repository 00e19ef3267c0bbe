"""Friction and stops of joints in single states, and what analyses cannot treat of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from duoti.contact.joint_friction.friction_states import FrictionStates
from duoti.dynamics.workspace import new_workspace
from duoti.elements.joint_friction_memory import TOUCHES
from duoti.kernel import run_entry
from duoti.model.joint_friction import follows_load, slots_of, spring_contacts
from duoti.system.arrays import Reals, Work
from duoti.system.system import System


def joint_friction_states(system: System, q: Reals, v: Reals, t: float, z: Reals | None) -> Reals:
    """z with the states that friction and stops have in a state, where none were chosen yet."""
    y = system.whole_state(q, v, z)
    if z is None:
        FrictionStates(system, new_workspace(system, ydot=True)).at_instant(t, y)
    return y[system.nq + system.nv :][: system.nz]


def refuse_friction_in_loops(system: System, solver: object) -> None:
    """Raise ValueError if an implicit method would have to hold joints of a system with closed loops by friction."""
    names = dict.fromkeys(slot.joint for slot in slots_of(system.model) if slot.friction_state and slot.friction)
    if names:
        quoted = ", ".join(f'"{name}"' for name in names)
        raise ValueError(
            f"{type(solver).__name__} cannot hold joints {quoted} by their friction in a system with closed loops; "
            'take dt.DOPRI5() (the default), dt.Rodas() for stiff forces, or friction_law="regularised" or "lugre"'
        )


def put_on_springs(system: System, y: Reals, fired: Iterable[str]) -> None:
    """Coordinates at the limits of compliant stops that begin or end to push: not on one side but for round-off."""
    contacts = spring_contacts(system.model)
    for name in fired:
        if name in contacts:
            joint, rate, low, high = contacts[name]
            k = int(system.tree.q_of_v[system.joints[joint].v[rate]])
            near = high if abs(y[k] - high) < abs(y[k] - low) else low
            if abs(y[k] - near) < TOUCHES:
                y[k] = near


def workspace_with_friction_states(system: System, q: Reals, v: Reals, t: float, z: Reals | None) -> Work:
    """A workspace in which the forces of friction and stops are those of a state."""
    work = new_workspace(system, ydot=True)
    y = system.whole_state(q, v, z)
    if z is None:
        FrictionStates(system, work).at_instant(t, y)
    work.clock[0], work.y[:] = t, y
    run_entry(work.calls[0].ydot, int(work.at[0].system))
    return work


def refuse_sliding(system: System, v: Reals, what: str) -> None:
    """Raise ValueError where derivatives would need those of loads: friction from loads in joints that move."""
    for slot in slots_of(system.model):
        loaded = follows_load(system.model, slot)
        if loaded and np.any(v[[int(system.joints[slot.joint].v[k]) for k in slot.rates]] != 0.0):
            raise ValueError(
                f'{what}: joint "{slot.joint}" slides with friction from its load, whose derivatives are not known; '
                "take a state in which it rests, or friction that no load changes (constant=)"
            )
