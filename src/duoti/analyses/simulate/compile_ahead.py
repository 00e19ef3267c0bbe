"""All kernels of a simulation are compiled side by side before it begins; a run that has them pays nothing."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from duoti.analyses.states.supported import rigid_elements
from duoti.dynamics.close_loops import shift
from duoti.dynamics.evaluation import link
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.dynamics.loops.constraints import closure_state_kernel
from duoti.dynamics.workspace import entries_of_run
from duoti.integrate import Solver
from duoti.integrate.events import EVENT_ENTRIES
from duoti.integrate.state import example_run
from duoti.integrate.stepping import advance, start
from duoti.kernel import JIT, prepare, signature
from duoti.results.evaluate.observe import observing_kernel
from duoti.system.system import System

_DONE: set[Any] = set()
_SEEN: WeakKeyDictionary[System, set[Any]] = WeakKeyDictionary()


def compile_ahead(system: System, solver: Solver, constraints: ConstraintMethod) -> None:
    """Compile what is missing for a simulation; kinds of simulations that were seen are not looked at again."""
    if not JIT:
        return
    seen = _SEEN.setdefault(system, set())
    if (kind := (type(solver), type(constraints))) in seen:
        return
    seen.add(kind)
    entries = entries_of_run(system, constraints, linearised=solver.needs_derivatives(system))
    own, contacts = solver.entries_for(system), _of_contacts(system, solver)
    events = len(system.loads.laws.event_law) > 0 or (bool(contacts) and not solver.treats_contacts)
    key = (type(solver), system.closures.rows > 0, events, *map(id, (*entries, *own, *contacts)))
    if key in _DONE:
        return
    _DONE.add(key)
    run, vector = example_run(), np.zeros(1)
    wanted = [(each, "") for each in (*entries, *own, *contacts)]
    if own:
        wanted += [(start, signature(0, run, 0.0)), (advance, signature(0, run, 0))]
        if events:
            wanted += [(each, "") for each in EVENT_ENTRIES]
    if system.closures.rows:
        wanted += [(closure_state_kernel, signature(0, 0.0, vector, vector))]
        wanted += [(shift, signature(system.tree, vector, vector, vector))]
    prepare([*wanted, observing_kernel()])


def _of_contacts(system: System, solver: Solver) -> list[Any]:
    """Entries of rigid contacts: of time stepping, or of a run that locates impacts."""
    if not rigid_elements(system):
        return []
    from duoti.contact.build import event_driven_contacts, rigid_contacts
    from duoti.contact.workspace import contact_entries

    whole = rigid_contacts(system)
    found = [] if whole is None else contact_entries(whole)
    if solver.treats_contacts or not solver.event_driven:
        return found
    of = event_driven_contacts(system)
    if of is None or not of.contacts.slots:
        return found
    from duoti.contact.event_driven.engine import contact_stage, friction_beside_contacts
    from duoti.contact.event_driven.transition import transition_entry

    stages = [contact_stage(), *([friction_beside_contacts()] if has_joint_friction(system) else [])]
    return [*found, transition_entry, *link(stages).entries(), *contact_entries(of, biases=True)]
