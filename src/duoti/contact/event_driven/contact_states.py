"""What the event-driven engine knows about each point of contact, and its scratch.

A point (slot) is open, or closed: sticking, or sliding in a direction. While states do not change, contacts are
equations like those of closed loops, and the motion is smooth.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.arrays import Contacts, resists
from duoti.contact.workspace import ContactWorkspace
from duoti.kernel import ContextType, pack, record_dtype
from duoti.system.arrays import Reals
from duoti.system.system import System

OPEN, STICK, SLIDE = range(3)  # as in records and channels (`integrate.record.STATE`)
FREE, ROLLS, HOLDS = range(3)  # of rolling, and of turning about the normal, in contacts that resist it
CLOSURE, JOINT_HELD = -1, -2  # in ContactStates.slot_of: rows of closures, and of joints that friction or a stop holds
ENDS = 2  # the last of the events of a slot
EVENTS_PER_SLOT = 3  # gap or normal force; slip speed or distance from the edge of the cone; ends of a feature
ROLLING, TORSIONAL = range(
    2
)  # events of resistance, behind those of all slots: see `contact.event_driven.rolling_friction`
EVENTS_OF_ROLLING_FRICTION = 2
CONTACT_STATES_WORDS = 512
MOST_OF_PAIR = 24  # points of one pair that may be closed at once

COUNTS = record_dtype(
    "ContactStateCounts",
    rows=int,  # of closures and closed contacts
    redundant=int,  # 1 if the rows of the last evaluation were dependent
    closed=int,  # contacts that are not open
    held=int,  # joint velocities that friction or a stop holds
    updating=int,  # 1: looks for events follow the direction of slip
    events=int,  # event functions of the model, before those of the contacts
    resisting=int,  # 1: contacts resist rolling or turning
)


class ContactStates(NamedTuple):
    """States and scratch; sizes: slots; rows = those of closures + 3 for each slot + rates that may be held."""

    contact: int  # address of the context (contacts, contact work)
    counts: Any  # [1] of type COUNTS
    state: Any  # [slots] OPEN, STICK or SLIDE
    hold: Any  # [slots] how far a point is inside its ends [m]: `contact.features`
    direction: Any  # [slots, 3] unit vector of the slip when it was last seen, world axes
    offset: Any  # [slots] gap at which an open contact closes, slip speed at which a sliding one stops: round-off
    pull: Any  # [slots] normal force by which a closed contact may pull before it opens [N]: round-off
    force: Any  # [slots, 3] along n, t1, t2, on b [N]
    anchor: Any  # [slots, 3] forces that obey all laws, to which those that are not unique stay near: `load_sharing`
    anchored: Any  # [2] 1 if there are any; by how much friction may go beyond its bound before it is seen [N]
    speed: Any  # [slots, 3] of closed contacts, as `force` [m/s]
    held: Any  # [rates that may be held] those that are, by number
    held_force: Any  # [the same] what holds them [N or N m]
    held_bound: Any  # [the same] what friction can hold; of stops without end
    slow: Any  # [2] slip speed [m/s] and speed of rolling [rad/s] up to which a direction is round-off
    slot_of: Any  # [rows] slot of a row, CLOSURE or HELD
    axis_of: Any  # [rows] 0, 1, 2: n, t1, t2; 3, 4, 5: turning about these
    G: Any  # [rows, nv] rows
    X: Any  # [rows, nv] M^-1 times the generalised force of a unit multiplier
    packed: Any  # [6, width] rows of one slot
    D: Any  # [rows, rows]
    LU: Any  # [rows, rows]
    pivot: Any  # [rows]
    scale: Any  # [rows]
    vectors: Any  # [5, rows]
    zeros: Any  # [nv]
    column: Any  # [nv]
    free: Any  # [nv] accelerations without contacts
    rolling_states: Any  # [slots, 2] FREE, ROLLS or HOLDS: ROLLING and TORSIONAL
    rolling: Any  # [slots, 3] unit vector of the rolling when it was last seen, world axes
    torsional: Any  # [slots] 1 or -1: how it turns about the normal
    begun: Any  # [slots, 2] speed at which rolling and turning end [rad/s]: round-off
    moment: Any  # [slots, 3] of resistance, on b, about n, t1, t2 [N m]
    turning: Any  # [slots, 3] angular velocity of b less that of a, about n, t1, t2 [rad/s]
    towards: Any  # [pairs, 2] of pairs with rims: side of point 0, as it was last seen: `features.rims`
    seen: Any  # [pairs, 2] likewise: where the lowest point is


class KeptContactStates(NamedTuple):
    """What is remembered of `ContactStates` from one transition to the next: copies of its arrays."""

    state: Any
    direction: Any
    offset: Any
    rolling_states: Any
    rolling: Any
    torsional: Any
    begun: Any
    towards: Any
    slow: Any
    anchor: Any
    anchored: Any


def states_of(m: ContactStates) -> KeptContactStates:
    """Copies, for `put_states`."""
    return KeptContactStates(*(getattr(m, name).copy() for name in KeptContactStates._fields))


def put_states(m: ContactStates, kept: KeptContactStates) -> None:
    """What `states_of` has kept."""
    for name, values in zip(KeptContactStates._fields, kept, strict=True):
        getattr(m, name)[:] = values


def row_of_states(time: float, kept: KeptContactStates) -> Reals:
    """One row of a file: the time from which on they hold, and all numbers; integers are exact as reals."""
    return np.concatenate([[time], *(np.ravel(each) for each in kept)])


def columns_of_states(m: ContactStates) -> int:
    """Length of such a row."""
    return 1 + sum(getattr(m, name).size for name in KeptContactStates._fields)


def states_in_row(m: ContactStates, row: Reals) -> tuple[float, KeptContactStates]:
    """What `row_of_states` was made of; m: states of the same contacts."""
    found: list[Any] = []
    at = 1
    for name in KeptContactStates._fields:
        like = getattr(m, name)
        found.append(row[at : at + like.size].reshape(like.shape).astype(like.dtype))
        at += like.size
    return float(row[0]), KeptContactStates(*found)


def most_closed(contacts: Contacts) -> int:
    """How many points may be closed at once: of many feature pairs only few can."""
    return int(np.sum(np.minimum(np.diff(contacts.first), MOST_OF_PAIR)))


def allocate_contact_states(
    contacts: Contacts, closure_rows: int, nv: int, contact: ContactWorkspace | None, holdable: int = 0
) -> ContactStates:
    """All contacts open. contact: their workspace. holdable: joint velocities that friction or stops may hold."""
    s, address = contacts.slots, contact.address if contact else 0
    state, hold, towards, seen = (
        (contact.closed, contact.hold, contact.towards, contact.seen) if contact else
        (np.zeros(s, np.int64), np.zeros(s), np.zeros((contacts.pairs, 2)), np.zeros((contacts.pairs, 2)))
    )  # fmt: skip
    n = max(closure_rows + (6 if resists(contacts) else 3) * most_closed(contacts) + holdable, 1)
    return ContactStates(
        contact=address,
        counts=np.zeros(1, COUNTS),
        state=state,
        hold=hold,
        direction=np.zeros((s, 3)),
        offset=np.zeros(s),
        pull=np.zeros(s),
        force=np.zeros((s, 3)),
        anchor=np.zeros((s, 3)),
        anchored=np.zeros(2),
        speed=np.zeros((s, 3)),
        held=np.zeros(holdable, np.int64),
        held_force=np.zeros(holdable),
        held_bound=np.zeros(holdable),
        slow=np.zeros(2),
        slot_of=np.zeros(n, np.int64),
        axis_of=np.zeros(n, np.int64),
        G=np.zeros((n, nv)),
        X=np.zeros((n, nv)),
        packed=np.zeros((6, contacts.width)),
        D=np.zeros((n, n)),
        LU=np.zeros((n, n)),
        pivot=np.zeros(n, np.int64),
        scale=np.zeros(n),
        vectors=np.zeros((5, n)),
        zeros=np.zeros(nv),
        column=np.zeros(nv),
        free=np.zeros(nv),
        rolling_states=np.zeros((s, 2), np.int64),
        rolling=np.zeros((s, 3)),
        torsional=np.ones(s),
        begun=np.zeros((s, 2)),
        moment=np.zeros((s, 3)),
        turning=np.zeros((s, 3)),
        towards=towards,
        seen=seen,
    )


def pack_contact_states(system: System, contact: ContactWorkspace, holdable: int = 0) -> tuple[ContactStates, Any]:
    """States of a system's contacts and the memory whose address its workspace needs."""
    made = allocate_contact_states(contact.contacts, system.closures.rows, system.nv, contact, holdable)
    made.counts[0].resisting = int(resists(contact.contacts))
    block = np.zeros(CONTACT_STATES_WORDS)
    pack(block, (made,), CONTACT_STATES_CONTEXT)
    return made, block


def _example() -> tuple[Any, ...]:
    from duoti.contact.collide.arrays import example_contacts

    return (allocate_contact_states(example_contacts(), 1, 1, None, 1),)


CONTACT_STATES_CONTEXT = ContextType(_example)
