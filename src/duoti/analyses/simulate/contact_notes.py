"""What notes and messages say of rigid contacts: which bodies touch, and which engines treat them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duoti.analyses.states.supported import rigid_elements
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.model.joint_friction import follows_load, slots_of
from duoti.system.system import System

if TYPE_CHECKING:  # imported when there are contacts
    from duoti.contact.build import ContactSet
    from duoti.model.pairs import ShapePair

MOST_NAMES = 4


def names_of_contacts(system: System) -> str:
    """The rigid contacts of a system by name, the first few of them."""
    names = rigid_elements(system)
    return ", ".join(f'"{name}"' for name in names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")


def bodies_of_contacts(of: ContactSet) -> str:
    """Between whom contacts are: the two bodies by name, or how many pairs of bodies there are."""
    pairs = list(dict.fromkeys(of.bodies))
    return f'between "{pairs[0][0]}" and "{pairs[0][1]}"' if len(pairs) == 1 else f"{len(pairs)} pairs of bodies"


def only_time_stepping(system: System) -> bool:
    """Whether contacts rebound by Stronge's law beside friction from loads of joints: no event-driven run knows
    both.
    """
    laws = [system.model.contacts[name].law for name in rigid_elements(system)]
    rebound = any(law.impact == "stronge" and law.restitution > 0.0 for law in (each.set_valued() for each in laws))
    return (
        rebound
        and has_joint_friction(system)
        and any(follows_load(system.model, slot) for slot in slots_of(system.model))
    )


def jumping(of: ContactSet) -> list[type[ShapePair]]:
    """Kinds of pairs that the event-driven engine refuses, since their points jump."""
    from duoti.contact.features import event_driven_kind

    return [kind for kind in of.kinds if not event_driven_kind(kind).rates]


def can_be_event_driven(system: System, of: ContactSet) -> bool:
    """Whether the event-driven engine treats the rigid contacts of a system."""
    return not (only_time_stepping(system) or jumping(of))


def event_driven_note(system: System, of: ContactSet) -> str:
    """What a run that locates impacts says of itself."""
    return (
        f"rigid contacts ({names_of_contacts(system)}; {bodies_of_contacts(of)}): impacts and changes between sticking "
        "and sliding are located; dt.Moreau(step=) is for many contacts"
    )
