"""How long steps may be where bodies meet compliant contacts, whose forces are zero until they overlap.

Before two bodies meet, nothing in their motion tells that they will, and an adaptive solver takes steps as long as
a free fall allows: over a thin body, or through a terrain.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from duoti.contact.build import ContactSet, compliant_contacts
from duoti.elements.neighbour_list import ENDLESS
from duoti.integrate import Solver, Tolerances
from duoti.model.mechanism.placement import place_bodies
from duoti.system.system import System

FRACTION = 0.5  # of the smallest shape that may be passed in a step


def with_contact_steps(system: System, solver: Solver, chosen_by_user: bool) -> Solver:
    """The solver with steps in which no shape falls through another; one that the user chose, only on open surfaces."""
    if not isinstance(solver, Tolerances) or not solver.adaptive or not math.isinf(solver.max_step):
        return solver
    of = compliant_contacts(system)
    if of is None or (chosen_by_user and not any(kind.surfaces for kind in of.kinds)):
        return solver
    return replace(solver, max_step=longest_step(system, of))


def longest_step(system: System, of: ContactSet) -> float:
    """Time [s] in which a shape moves by a part of the smallest one, as fast as it may be when it meets another.

    That is the speed at the start, and that of a fall over all heights at which there are bodies.
    """
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
