"""Check of friction in joints in the initial state: loads that are not unique, and jams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.analyses.checks.context import CheckContext
from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import register_check
from duoti.model.element_id import ElementId
from duoti.model.errors import ModelError
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.joint_friction import follows_load, slots_of

if TYPE_CHECKING:  # imported when there is such friction
    from duoti.system.arrays import Reals
    from duoti.system.system import System

MOST_SLOTS = 40  # of friction in joints that is looked at
MOST_DOFS = 600


@register_check("forces", order=610, cost="solves")
def check_friction_state(context: CheckContext, found: Findings) -> None:
    """Add what is worth knowing about friction from loads in a model that is otherwise sound."""
    model = context.model
    if not any(isinstance(force, JointFriction) for force in model.forces.values()):
        return
    if not any(follows_load(model, slot) for slot in slots_of(model)):
        return
    from duoti.analyses.states.supported import refuse_undetermined_loads

    try:
        with np.errstate(all="ignore"):
            system = context.system
            refuse_undetermined_loads(system)
            q, v = context.initial
    except ModelError as error:
        found.found += [f for f in error.report.findings if f.code == "friction"]  # the others are reported elsewhere
        return
    if len(slots_of(system.model)) <= MOST_SLOTS and system.nv <= MOST_DOFS:
        _jams(system, q, v, found)


def _jams(system: System, q: Reals, v: Reals, found: Findings) -> None:
    """Add joints whose friction makes more load than it takes to bear it, and states from which no motion goes on."""
    from duoti.analyses.states.contact_problem import contact_problem
    from duoti.contact.joint_friction.acceleration_problem import JointFrictionState
    from duoti.contact.joint_friction.all_solutions import FORWARD, critical_in_joints

    try:
        state = JointFrictionState(system, None, 0.0, system.whole_state(q, v))
        problem = state.problem([], [])
    except np.linalg.LinAlgError:
        return  # a mass matrix that cannot be used, which is reported elsewhere
    critical = critical_in_joints(problem, (FORWARD,) * len(problem.slots))
    jammed = [k for k, slot in enumerate(problem.slots) if slot.friction >= critical[k]]
    for k in jammed:
        slot = state.slots[state.friction[k]]
        who, joint = ElementId("force", slot.friction), ElementId("joint", slot.joint)
        found.warning(
            "critical-friction", (who, joint), f"{who}: its coefficient of friction, {problem.slots[k].friction:g}, is "
            f"above the critical one, {critical[k]:.3g}, of {joint} in the initial position",
            "more friction makes more load there than it takes to bear it: at rest the joint jams, and if it slides "
            "there may be no motion, or several",
            "lower friction=, or lengthen the guide (overlap=, bending_arm=); ask dt.contact_problem",
        )  # fmt: skip
    if jammed:
        whole = contact_problem(system, q, v)
        if not whole.consistent:
            names = tuple(ElementId("joint", state.slots[state.friction[k]].joint) for k in jammed)
            found.warning(
                "jammed-start", names, f"no motion can begin in the initial state: {whole.reason}",
                "a joint that slides cannot go on, and a run ends there at once",
                "start at rest, or lower friction",
            )  # fmt: skip
