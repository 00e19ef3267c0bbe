"""The event-driven engine of a run with rigid contacts: which runs have one, and how it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.analyses.simulate.contact_notes import can_be_event_driven, event_driven_note, jumping, names_of_contacts
from duoti.analyses.states.supported import rigid_elements
from duoti.contact.event_driven.records import ContactError
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.loops.constraint_methods import Projection
from duoti.dynamics.loops.constraint_methods.base import ConstraintMethod
from duoti.integrate import Solver
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:  # imported when there are contacts
    from duoti.contact.build import ContactSet
    from duoti.contact.event_driven.engine import ContactEngine


def contact_engine(
    system: System, solver: Solver, constraints: ConstraintMethod, painleve: str
) -> ContactEngine | None:
    """The event-driven engine of a system's rigid contacts; None if it has none, or the solver treats them itself."""
    if painleve not in ("impact", "stop"):
        raise ValueError(f'painleve={painleve!r}: choose "impact" or "stop"')
    names = rigid_elements(system)
    if not names or solver.treats_contacts:
        return None
    from duoti.contact.build import event_driven_contacts, rigid_contacts

    listed, whole = names_of_contacts(system), rigid_contacts(system)
    if not solver.event_driven:
        choices = "dt.Moreau(step=0.001)"
        if whole is None or can_be_event_driven(system, whole):
            choices = (
                "dt.DOPRI5() or, where forces are stiff, dt.Rodas(), which locate impacts, dt.Moreau(step=0.001) for "
                "many contacts"
            )
        raise ValueError(
            f"{type(solver).__name__} cannot treat rigid contacts ({listed}): choose {choices}, or make them compliant "
            "(dt.CompliantContact)"
        )
    if not isinstance(constraints, Projection):
        raise ValueError(
            f"constraints={type(constraints).__name__}(): with rigid contacts ({listed}), closed loops are kept by "
            "dt.Projection() only"
        )
    of = event_driven_contacts(system)
    if of is None or not of.contacts.slots:
        return None
    if hulls := jumping(of):
        raise ValueError(
            f"rigid contacts ({listed}) between shapes of the kinds {hulls[0].first} and {hulls[0].second} are not "
            f"treated by the event-driven engine of {type(solver).__name__}: their points jump; choose "
            "dt.Moreau(step=0.001)"
        )
    engine = new_engine(system, of, painleve)
    engine.notes.append(event_driven_note(system, of))
    return engine


def new_engine(system: System, of: ContactSet, painleve: str = "impact") -> ContactEngine:
    """The engine of these contacts, with friction and stops of joints if there are any."""
    from duoti.contact.event_driven.engine import ContactEngine

    if not has_joint_friction(system):
        return ContactEngine(system, of, painleve)
    from duoti.contact.joint_friction.engine import JointFrictionEngine

    engine = JointFrictionEngine(system, of, painleve)
    engine.refuse_laws()
    return engine


def start_contacts(engine: ContactEngine, t: float, y: Reals, solver: Solver) -> str:
    """States of rigid contacts at the start of a run; returns why there are none that obey all laws, if so."""
    try:
        engine.start(t, y)
    except (ContactError, np.linalg.LinAlgError) as error:  # a mass matrix without inverse is refused by name later on
        return str(error)
    engine.max_step = solver.longest_step
    from duoti.contact.event_driven.engine import OVERLAP

    if engine.given < -OVERLAP:  # what presses has been moved apart, what parts by itself may not have been
        engine.deepest = left = engine.deepest_of(y)
        then = "are moved apart before the motion begins"
        if left < -OVERLAP:
            then = f"those that press on each other are moved apart, others still overlap by {-left:.3g} m"
        engine.notes.append(f"bodies overlap by {-engine.given:.3g} m at the start, and {then}: see dt.check")
    return ""
