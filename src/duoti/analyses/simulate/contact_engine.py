"""The event-driven engine of a run with rigid contacts: which runs have one, and how it starts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.states.supported import rigid_elements
from duoti.contact.event_driven.records import ContactError
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.loops.constraint_methods import Projection
from duoti.dynamics.loops.constraint_methods.base import ConstraintMethod
from duoti.integrate import Solver, Tolerances
from duoti.model.constraints.joint_motion import JointMotion
from duoti.model.constraints.marker_motion import MarkerMotion
from duoti.model.joint_friction import follows_load, slots_of
from duoti.model.laws.expressions.derivative import derivatives
from duoti.model.mechanism.placement import place_bodies
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.contact.build import ContactSet
    from duoti.contact.event_driven.engine import ContactEngine
    from duoti.contact.event_driven.tunnelling import DriveBends
    from duoti.model.pairs import ShapePair


# How long steps may be where bodies meet compliant contacts, whose forces are zero until they overlap.
#
# Before two bodies meet, nothing in their motion tells that they will, and an adaptive solver takes steps as long as
# a free fall allows: over a thin body, or through a terrain.


FRACTION = 0.5  # of the smallest shape that may be passed in a step


def with_contact_steps(system: System, solver: Solver, chosen_by_user: bool) -> Solver:
    """The solver with steps in which no shape falls through another; one that the user chose, only on open surfaces."""
    if not isinstance(solver, Tolerances) or not solver.adaptive or not math.isinf(solver.max_step):
        return solver
    from duoti.contact.build import compliant_contacts  # with the kernels of all pairs of shapes

    of = compliant_contacts(system)
    if of is None or (chosen_by_user and not any(kind.surfaces for kind in of.kinds)):
        return solver
    return replace(solver, max_step=longest_step(system, of))


def longest_step(system: System, of: ContactSet) -> float:
    """Time [s] in which a shape moves by a part of the smallest one, as fast as it may be when it meets another.

    That is the speed at the start, and that of a fall over all heights at which there are bodies.
    """
    from duoti.elements.neighbour_list import ENDLESS

    reach = of.contacts.reach[np.unique(of.contacts.pair_shapes)]
    finite = reach[(reach > 0.0) & (reach < ENDLESS)]
    if not len(finite):
        return math.inf
    gravity = np.asarray(system.model.gravity, dtype=float)
    g = float(np.linalg.norm(gravity))
    heights = [0.0, *(float(np.dot(gravity, pose.position)) for pose in place_bodies(system.model).bodies.values())]
    _, v = system.initial_state()
    size = FRACTION * float(finite.min())
    speed = float(np.max(np.abs(v), initial=0.0)) + math.sqrt(2.0 * (np.ptp(heights) + g * size))
    return size / speed if speed > 0.0 else math.inf


# What notes and messages say of rigid contacts: which bodies touch, and which engines treat them.


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


DRIVE_TIMES = 4000  # at which prescribed motions are looked at before a run: pulses that are shorter may be missed


def drive_bends(system: System, begin: float, end: float) -> DriveBends | None:
    """How much motions that are prescribed as functions of time bend during a run; None if there are none."""
    from duoti.contact.event_driven.tunnelling import DriveBends

    if not (system.closures.rows and system.closures.timed) or not end > begin:
        return None
    times = np.linspace(begin, end, DRIVE_TIMES)
    h, bends = times[1] - times[0], {"m": np.zeros(DRIVE_TIMES), "rad": np.zeros(DRIVE_TIMES)}
    for unit, law, is_rate in _drives(system):
        values = _values_of(system, law, times)
        if values is None:
            continue
        second = np.abs(np.diff(values, n=1 if is_rate else 2)) / (h if is_rate else h * h)
        second = np.where(np.isfinite(second), second, 0.0)
        for shift in range(-1, 2):  # a difference belongs to the intervals on both sides
            at = np.arange(len(second)) + (1 - int(is_rate)) + shift
            inside = (at >= 0) & (at < DRIVE_TIMES)
            np.maximum.at(bends[unit], at[inside], second[inside])
    return DriveBends(times, bends["m"], bends["rad"])


def _drives(system: System) -> Iterator[tuple[str, Any, bool]]:
    """Unit ("m" or "rad") and law of each prescribed motion, and whether the law is of its rate."""
    model = system.model
    for constraint in model.constraints.values():
        if isinstance(constraint, JointMotion):
            joint = model.joints.get(str(getattr(constraint.joint, "name", constraint.joint)))
            units = [] if joint is None else [c.unit for c in joint.joint.coordinates for _ in range(c.nq)]
            k = constraint.coordinate
            unit = "m" if 0 <= k < len(units) and units[k] == "m" else "rad"
            law = constraint.value if constraint.velocity is None else constraint.velocity
            yield unit, law, constraint.velocity is not None
        elif isinstance(constraint, MarkerMotion):
            for law in (constraint.position if constraint.velocity is None else constraint.velocity) or ():
                yield "m", law, constraint.velocity is not None


def _values_of(system: System, law: Any, times: Reals) -> Reals | None:
    """A law of the time alone at some times; None if it is none, or constant."""
    if isinstance(law, str):
        try:
            (program,) = derivatives(law, "t", order=0, constants=system.model.named_values, known=("t",))
        except ValueError:  # it reads more than the time
            return None
        return program.evaluate_all(times) if program.inputs else None
    if callable(law):
        function: Any = law
        return np.array([float(np.ravel(function(float(t)))[0]) for t in times])
    return None


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
