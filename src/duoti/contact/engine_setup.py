"""What the event-driven engine adds to a system and its workspace: event functions, entries, room."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from duoti.contact.arrays import resists
from duoti.contact.build import ContactSet
from duoti.contact.modes import EVENTS_OF_RESISTANCE, EVENTS_PER_SLOT
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import entry_address, pack
from duoti.system.arrays import JUMPS, Work
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System


def motion_entries() -> tuple[Any, Any, Any]:
    """Entries RATES, EVENTS and PROJECT of the motion with contacts."""
    from duoti.contact.flow import contact_events_entry, contact_project_entry, contact_rates_entry

    return contact_rates_entry, contact_events_entry, contact_project_entry


@cache
def _addresses() -> tuple[int, ...]:
    return tuple(map(entry_address, motion_entries()))


def install_contacts(work: Work) -> None:
    """Entries of the motion with contacts into a workspace."""
    work.calls[0].rates, work.calls[0].events, work.calls[0].project = _addresses()


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


def contact_workspace(system: System) -> Work:
    """A workspace with the mass matrix, which forward dynamics of a tree does without."""
    tree = system.tree
    work = new_workspace(system, rates=True)
    if not len(work.M):
        mass = tree.nv + int(np.sum(tree.depth))
        work = work._replace(M=np.zeros(mass), dense_row=np.zeros(tree.nv), S_W=np.zeros((6, tree.nc)))
        pack(work.block, (tree, system.loads, system.closures, work), REAL_CONTEXT)
    return work
