"""What the event-driven engine adds to a system and its workspace: event functions, entries, room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from duoti.contact.build import ContactSet
from duoti.contact.collide.arrays import resists
from duoti.contact.event_driven.contact_states import EVENTS_OF_RESISTANCE, EVENTS_PER_SLOT
from duoti.dynamics.evaluation import Stage, friction_calls
from duoti.dynamics.workspace import new_workspace
from duoti.elements.joint_friction_memory import JOINT_FRICTION_CALLS
from duoti.kernel import pack
from duoti.system.arrays import JUMPS, Work
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System


@cache
def contact_stage() -> Stage:
    """The motion with contacts in their modes."""
    from duoti.contact.event_driven.smooth_motion import (
        contact_events_entry,
        contact_project_entry,
        contact_ydot_entry,
    )
    from duoti.dynamics.loops.equations import constraints_entry, equations_entry

    entries = {
        "ydot": contact_ydot_entry,
        "events": contact_events_entry,
        "project": contact_project_entry,
        "equations": equations_entry,
        "constraints": constraints_entry,
    }
    return Stage("contacts", entries)


@cache
def friction_beside_contacts() -> Stage:
    """Friction and stops in joints, by modes, where there are contacts too."""
    from duoti.contact.joint_friction import smooth_motion as flow

    entries = {
        "ydot": flow.joint_friction_contact_ydot_entry,
        "events": flow.joint_friction_contact_events_entry,
        "project": flow.joint_friction_contact_project_entry,
    }
    needs = {"residual": flow.joint_friction_contact_wrenches_entry}
    return Stage("joint friction beside contacts", entries, JOINT_FRICTION_CALLS, friction_calls, needs)


def contact_events(of: ContactSet) -> int:
    """How many event functions contacts have: those of all slots, then those of resistance if any contact has it."""
    return (EVENTS_PER_SLOT + (EVENTS_OF_RESISTANCE if resists(of.contacts) else 0)) * of.contacts.slots


def with_contact_events(system: System, of: ContactSet) -> System:
    """The same system with event functions of the contacts behind those of the model."""
    laws, count = system.loads.laws, contact_events(of)
    more = np.zeros(count, np.int64)
    extended = laws._replace(
        event_law=np.concatenate([laws.event_law, more]),
        event_action=np.concatenate([laws.event_action, more + JUMPS]),
        event_direction=np.concatenate([laws.event_direction, more - 1]),
    )  # fmt: skip
    for each in (extended.event_law, extended.event_action, extended.event_direction):
        each.setflags(write=False)
    return replace(system, loads=system.loads._replace(laws=extended))


def contact_workspace(system: System, stages: Sequence[Stage]) -> Work:
    """A workspace with these stages and the mass matrix, which forward dynamics of a tree does without."""
    tree = system.tree
    work = new_workspace(system, ydot=True, contacts=stages)
    if not len(work.M):
        mass = tree.nv + int(np.sum(tree.depth))
        work = work._replace(M=np.zeros(mass), dense_row=np.zeros(tree.nv), S_W=np.zeros((6, tree.nc)))
        pack(work.block, (tree, system.loads, system.closures, work), REAL_CONTEXT)
    return work
