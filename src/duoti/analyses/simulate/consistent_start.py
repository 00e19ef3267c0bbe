"""`consistent_start`: the state in which a run begins, with closed loops and all laws obeyed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.analyses.instant.thin_bodies import refuse_thin_bodies
from duoti.analyses.simulate.contact_engine import start_contacts
from duoti.analyses.simulate.jumps import JumpError, set_at_start
from duoti.analyses.states.consistent import require_closed
from duoti.analyses.states.determinate_loads import refuse_undetermined_loads
from duoti.analyses.states.diagnose import owner_of
from duoti.analyses.states.initial_state import closed_state
from duoti.analyses.states.joint_friction import refuse_friction_in_loops
from duoti.analyses.states.reaction_feedback import refuse_reaction_feedback_run, solve_feedback
from duoti.contact.joint_friction.friction_states import JointFrictionModes
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.loops.constraint_methods import Baumgarte, ConstraintMethod
from duoti.dynamics.loops.constraint_methods.base import PenaltyMethod
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.integrate import Solver
from duoti.system.arrays import Reals, Work
from duoti.system.system import System

if TYPE_CHECKING:  # imported when there are contacts
    from duoti.contact.event_driven.engine import ContactEngine

NEARLY_CLOSED = 1e-4  # residual [m, rad] of a given state that the first step may close: other methods leave as much
UNIT = 1e-6  # by which the length of a quaternion may differ from 1


class Start(NamedTuple):
    """What was found beside the state."""

    modes: JointFrictionModes | None
    """Chooses stick and slip of joints, if any have friction or stops."""
    jump_failed: JumpError | None
    """An event with `at_start` whose function failed."""
    contact_failed: str
    """Why no motion obeys the laws of the rigid contacts; "" if one does."""


def consistent_start(
    system: System,
    state: Any,
    t: float,
    y: Reals,
    work: Work,
    solver: Solver,
    method: ConstraintMethod,
    engine: ContactEngine | None = None,
) -> Start:
    """Fill y with the state in which a run begins at the time t; refuses one that none can begin in.

    The given state, or that of the model, on closed loops; then what laws read of reactions, what events set at the
    start, stick or slip of joints, and impacts and states of rigid contacts, in this order.
    """
    q, v, z = state_on_loops(system, state, t, method, None if engine else work)
    y[: len(q)] = q
    y[len(q) : len(q) + len(v)] = v
    y[len(q) + len(v) :][: len(z)] = z
    if has_reaction_feedback(system):
        refuse_reaction_feedback_run(system, solver, t, y)
        solve_feedback(work, t, y)
    modes, jump_failed = None, None
    if any(event.at_start for event in system.model.events.values()):
        try:
            set_at_start(system, work, t, y)
        except JumpError as error:
            jump_failed = error
    if has_joint_friction(system):
        refuse_undetermined_loads(system)
        refuse_thin_bodies(system, y[: system.nq].copy())
        held = solver.holds_joints_in_loops or not system.closures.rows
        if not held:
            refuse_friction_in_loops(system, solver)
        modes = engine.joints if engine else JointFrictionModes(system, work)
        if engine is None and modes is not None:
            modes.start(t, y, stops=held)
    return Start(modes, jump_failed, start_contacts(engine, t, y, solver) if engine else "")


def state_on_loops(
    system: System, state: Any, t: float, method: ConstraintMethod, work: Work | None
) -> tuple[Reals, Reals, Reals]:
    """q, v and z: those given, or the initial values of the model with loops closed. work: one that may be used."""
    q, v = system.initial_state()
    z = system.initial_z()
    if state is None:
        return (*(closed_state(system, t, work) if system.closures.rows else (q, v)), z)
    try:
        if any(np.iscomplexobj(part) for part in state):
            raise ValueError("complex numbers")
        given_q, given_v, *rest = (np.asarray(part, dtype=float) for part in state)
        (given_z,) = rest or (z,)
    except (TypeError, ValueError, OverflowError):
        or_three = " or (q, v, z)" if system.nz else ""
        raise ValueError(
            f"state={state!r}: give a pair of arrays (q, v){or_three}; system.state(...) makes one"
        ) from None
    if rest and (given_z.shape != z.shape or not np.all(np.isfinite(given_z))):
        raise ValueError(f"state: z needs {len(z)} finite numbers, got {given_z.tolist()}")
    if given_q.shape != q.shape or given_v.shape != v.shape:
        raise ValueError(
            f"state: q needs {len(q)} numbers and v {len(v)}; got shapes {given_q.shape} and {given_v.shape}"
        )
    if not (np.all(np.isfinite(given_q)) and np.all(np.isfinite(given_v))):
        raise ValueError(f"state: not all numbers are finite: q {given_q.tolist()}, v {given_v.tolist()}")
    q, v = given_q.copy(), given_v
    for k in system.tree.quat_q:
        length = float(np.linalg.norm(q[k : k + 4]))
        if abs(length - 1.0) > UNIT:
            owner, _ = owner_of(system, int(k), "q")
            raise ValueError(f"state: the quaternion of {owner} has length {length:.6g}, not 1")
        q[k : k + 4] /= length
    if not isinstance(method, Baumgarte | PenaltyMethod):  # these pull an open loop together
        require_closed(system, q, v, t, given_z, work, NEARLY_CLOSED)
    return q, v, given_z
