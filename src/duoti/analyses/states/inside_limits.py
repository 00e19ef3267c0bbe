"""Systems whose joints have rigid stops and no friction: strictly inside all limits no stop acts.

There the equations are those of the system without stops, whose evaluation is quick. An arm from a URDF file with its
limits is such a system.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import numpy as np

from duoti.analyses.states.supported import rigid_elements
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.model.joint_friction import FrictionState, FrictionStateEvent, limited_coordinates
from duoti.system.arrays import Ints, Reals
from duoti.system.compile.compiler import build_system
from duoti.system.system import System


@dataclass(frozen=True)
class InsideLimits:
    """The system without its rigid stops, and where it is the same."""

    system: System
    places: Ints
    low: Reals
    high: Reals

    def __contains__(self, q: Reals) -> bool:
        """Whether coordinates are strictly inside all limits."""
        here = q[self.places]
        return bool((here > self.low).all() and (here < self.high).all())


def inside_limits(system: System) -> InsideLimits | None:
    """The system without stops, if stops are all that its joints have; None if there are none, or friction too."""
    model = system.model
    friction = any(isinstance(force, JointFriction) for force in model.forces.values())
    plain = not friction and not has_reaction_feedback(system) and model.expansion is None and not model.bond_graphs
    if not plain or not has_joint_friction(system) or system.topology is None or rigid_elements(system):
        return None
    rigid = {name for name, force in model.forces.items() if isinstance(force, JointStop) and force.stiffness is None}
    if any(model.switched(name) is not None and model.switched(name).name in rigid  # pyright: ignore[reportOptionalMemberAccess]
           for state in model.states.values() for name in state.switches):  # fmt: skip
        return None
    stopped = {model.forces[name].joint for name in rigid}  # pyright: ignore[reportAttributeAccessIssue]
    names = sorted({each if isinstance(each, str) else each.name for each in stopped})
    places, low, high = list[int](), list[float](), list[float]()
    free = copy.copy(model)
    free.joints, free.forces = dict(model.joints), dict(model.forces)
    free.states, free.events = dict(model.states), dict(model.events)
    for name in names:
        element, layout = model.joints[name], system.joints[name]
        for rate, least, most in limited_coordinates(element):
            places.append(int(np.flatnonzero(system.tree.plain_v == layout.v[rate])[0]))
            low.append(least)
            high.append(most)
        free.joints[name] = made = copy.copy(element)
        made.limits = None
    for name in rigid:
        del free.forces[name]
    for name in [name for name, state in free.states.items() if isinstance(state, FrictionState)]:
        del free.states[name]
    for name in [name for name, event in free.events.items() if isinstance(event, FrictionStateEvent)]:
        del free.events[name]
    fused = any(layout.fused for layout in system.joints.values())
    made = replace(build_system(free, system.topology, fused), lacking=system.lacking)
    if made.nq != system.nq or made.nv != system.nv or has_joint_friction(made):
        return None
    return InsideLimits(made, system.tree.plain_q[np.array(places, np.int64)], np.array(low), np.array(high))
