"""Which solver treats the rigid contacts of a model, and by which engine."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.contact_notes import (
    can_be_located,
    jumping,
    located_note,
    names_of_contacts,
)
from duoti.analyses.dry_modes import TRIED_TOGETHER, Modes
from duoti.analyses.initial import closed_state
from duoti.analyses.treatable import rigid_elements, rolling_elements
from duoti.contact.records import ContactError
from duoti.dynamics.constraint_methods import Projection
from duoti.dynamics.constraint_methods.base import ConstraintMethod
from duoti.dynamics.dry.installation import is_dry
from duoti.dynamics.workspace import new_workspace
from duoti.integrate import DOPRI5, Solver
from duoti.integrate.state import Run, new_run
from duoti.model.dry import slots_of
from duoti.model.forces.base import SLENDER_ELEMENTS
from duoti.model.model import Model
from duoti.results.result import Result
from duoti.strict import user_level
from duoti.system.system import System

if TYPE_CHECKING:  # imported when there are contacts
    from duoti.contact.build import ContactSet
    from duoti.contact.engine import ContactEngine

STEP = 1e-3  # s
LOST = ("contact-unsolved", "jumps-without-end", "energy-lost")  # ends of runs in which impacts could not be located
SHORT_STEP = 1e-4  # s, of few contacts whose impacts could not be located
BEAM_RTOL, BEAM_ATOL = 1e-3, 1e-6  # of beams that touch: impacts send waves through them that no mesh resolves
STIFF = 6e4  # spectral radius times duration: DOPRI5 needs a third as many steps, whatever the motion
MANY = 16  # points of contact from which on time stepping is the better choice
MANY_OF_BEAMS = 24  # the same of beams, which are too stiff for the step of time stepping


def treats_contacts(solver: Solver) -> bool:
    """Whether a solver has contacts in its own steps."""
    return bool(getattr(solver, "treats_contacts", False))


def solver_for_contacts(system: System, duration: float) -> Solver:
    """The solver for rigid contacts where the user chose none: impacts are located while contacts are few.

    Where forces are stiff by the look of the start, it is one that watches stiffness; beams are stiff anyway.
    """
    from duoti.contact.build import rigid_contacts
    from duoti.integrate.auto import Auto
    from duoti.integrate.moreau import Moreau

    of = rigid_contacts(system)
    if of is None:
        return DOPRI5()
    wander = any(kind.manifold is not None and kind.points > 1 for kind in of.kinds)  # points that come and go
    if rolling_elements(system):  # creep forces are stiff at low speeds only, and time stepping is of first order
        return Auto()
    beams = has_beams(system.model)
    few = (
        of.contacts.slots <= (MANY_OF_BEAMS if beams else MANY)
        and not wander
        and can_be_located(system, of)
        and _few_dry(system)
    )
    if not few:
        return Moreau(STEP)
    if beams:
        return Auto(rtol=BEAM_RTOL, atol=BEAM_ATOL)
    return Auto() if _is_stiff(system, duration) else DOPRI5()


def has_beams(model: Model) -> bool:
    """Whether a model has elements of beams."""
    return any(getattr(force, "kind", "") in SLENDER_ELEMENTS for force in model.forces.values())


def _is_stiff(system: System, duration: float) -> bool:
    """Whether stability asks an explicit solver for many steps, judged in the initial state without contacts."""
    if not system.model.forces or not isinstance(duration, Real):  # pyright: ignore[reportUnnecessaryIsInstance]
        return False  # what is no time is refused later
    from duoti.integrate.stiffness import spectral_radius

    work = new_workspace(system, rates=True)
    run = new_run(system.tree, system.loads, 1, 1, None, capacity=2)
    q, v = closed_state(system, 0.0, None) if system.closures.rows else system.initial_state()
    run.y[: system.nq], run.y[system.nq : system.nq + system.nv] = q, v
    run.y[system.nq + system.nv :][: system.nz] = system.initial_z()
    radius = spectral_radius(work.at[0].system, run, np.zeros_like(run.y), np.zeros_like(run.y))
    return float(radius) * float(duration) > STIFF


def _few_dry(system: System) -> bool:
    """Whether friction and stops in joints are so few that all their modes can be tried."""
    if not is_dry(system):
        return True
    slots = [slot for slot in slots_of(system.model) if slot.mode]
    return len(slots) <= TRIED_TOGETHER


def events_or_steps(
    simulate: Callable[..., Result], system: System, duration: float, solver: Solver, given: dict[str, Any]
) -> Result:
    """A run whose solver nobody chose: impacts located or, where no motion was found that way, time stepping."""
    from duoti.integrate.moreau import Moreau

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        located = simulate(system, duration, solver=solver, **given)
    if located.reason_code in LOST:
        short = min(SHORT_STEP, float(duration) / 1000.0)
        implicit = has_beams(system.model) and not system.closures.rows and not is_dry(system)
        stepped = simulate(system, duration, solver=Moreau(short, implicit=implicit), **given)
        if stepped.ok:
            note = f"impacts could not be located throughout ({located.reason}): time stepping instead"
            stepped.stats = replace(stepped.stats, notes=(note, *stepped.stats.notes))
            return stepped
    for each in said:
        warnings.warn(each.message, each.category, stacklevel=user_level())
    return located


def contact_engine(
    system: System, solver: Solver, constraints: ConstraintMethod, painleve: str
) -> ContactEngine | None:
    """The event-driven engine of a system's rigid contacts; None if it has none, or the solver treats them itself."""
    if painleve not in ("impact", "stop"):
        raise ValueError(f'painleve={painleve!r}: choose "impact" or "stop"')
    names = rigid_elements(system)
    if not names or treats_contacts(solver):
        return None
    from duoti.contact.build import located_contacts, rigid_contacts

    listed, whole = names_of_contacts(system), rigid_contacts(system)
    if not solver.locates_impacts:
        choices = "dt.Moreau(step=0.001)"
        if whole is None or can_be_located(system, whole):
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
    of = located_contacts(system)
    if of is None or not of.contacts.slots:
        return None
    if hulls := jumping(of):
        raise ValueError(
            f"rigid contacts ({listed}) between shapes of the kinds {hulls[0].first} and {hulls[0].second} are not "
            f"treated by the event-driven engine of {type(solver).__name__}: their points jump; choose "
            "dt.Moreau(step=0.001)"
        )
    engine = _engine(system, of, painleve)
    engine.notes.append(located_note(system, of))
    return engine


def _engine(system: System, of: ContactSet, painleve: str) -> ContactEngine:
    from duoti.contact.engine import ContactEngine

    if not is_dry(system):
        return ContactEngine(system, of, painleve)
    from duoti.analyses.dry_contacts import DryContactEngine

    engine = DryContactEngine(system, of, painleve)
    engine.refuse_laws()
    return engine


def joints_of(engine: ContactEngine | None) -> Modes | None:
    """What chooses the modes of joints with friction or stops together with those of contacts, if anything."""
    return getattr(engine, "joints", None)


def start_contacts(engine: ContactEngine, run: Run) -> str:
    """Modes of rigid contacts at the start of a run; returns why there are none that obey all laws, if so."""
    try:
        engine.start(float(run.clock[0].t), run.y)
    except (ContactError, np.linalg.LinAlgError) as error:  # a mass matrix without inverse is refused by name later on
        return str(error)
    engine.max_step = float(run.clock[0].h_max)
    from duoti.contact.engine import OVERLAP

    if engine.given < -OVERLAP:  # what presses has been moved apart, what parts by itself may not have been
        engine.deepest = left = engine.deepest_of(run.y)
        then = "are moved apart before the motion begins"
        if left < -OVERLAP:
            then = f"those that press on each other are moved apart, others still overlap by {-left:.3g} m"
        engine.notes.append(f"bodies overlap by {-engine.given:.3g} m at the start, and {then}: see dt.check")
    return ""
