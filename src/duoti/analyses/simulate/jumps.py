"""Jumps of the state at events: what the user's function makes of it, checked, with the balance of energy kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.states.assemble import concerned, loop_joints
from duoti.analyses.states.diagnose import refuse_unsolved_states
from duoti.analyses.states.friction_states import put_on_springs
from duoti.contact.joint_friction.friction_states import RESTS, FrictionStates, JammedError
from duoti.dynamics.close_loops import CLOSED, SINGULAR
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.law_values import law_values
from duoti.dynamics.loops.constraints import closure_state
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.integrate import SolverLoop
from duoti.integrate.record import PLACES
from duoti.integrate.set_states import readings_in_record
from duoti.kernel import run_entry
from duoti.model.checks.findings import Findings
from duoti.model.errors import ModelError
from duoti.model.event import SampleEvent
from duoti.model.joint_friction import FrictionStateEvent
from duoti.model.laws.contact_readings import readings_of
from duoti.model.sensors import SensorEvent
from duoti.results.evaluate.observe import ENERGIES, observe
from duoti.system.arrays import Reals, Work
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.constraint_units import amounts
from duoti.system.system import System

if TYPE_CHECKING:  # for systems with rigid contacts
    from duoti.contact.event_driven.engine import ContactEngine


class JumpError(Exception):
    """An event or a controller whose function failed: the run ends there and keeps its results."""

    def __init__(self, who: str, t: float, why: BaseException | str):
        self.cause = why if isinstance(why, BaseException) else None
        text = f"its function raised {type(why).__name__}: {why}" if self.cause else str(why)
        super().__init__(f"{who} failed at t = {t:.9g} s: {text}")


UNIT = 1e-6  # by which the length of a quaternion may differ from 1


def jump(system: System, loop: SolverLoop, engine: ContactEngine | None = None) -> None:
    """Let the events that ended the last step change the state, and make the loop go on from there.

    engine: that of rigid contacts, whose impacts follow what the events of the model do. Jumps that only set states
    are made by the loop itself (`integrate.set_states`), unless their function failed.
    """
    run, work = loop.run, loop.work
    t, before = float(run.clock[0].t), run.y.copy()
    for owner, error in system.callbacks.errors:  # of a function that the compiled loop has called
        if owner.kind == "event":
            raise JumpError(_who(system, owner.name), t, error) if isinstance(error, Exception) else error
    fired = [name for name, watch in zip(system.model.events, run.watches, strict=False) if watch.fired]
    own = [name for name in fired if not isinstance(system.model.events[name], FrictionStateEvent)]
    if own:
        _read_contacts(system, loop, engine, t)
    for name in own:
        _set_states(system, work, name, t, run.y)
        if system.model.events[name].jump is not None:
            _apply(system, name, t, run.y)
    if own:
        _keep_loops_closed(system, work, own, t, before, run.y)
    if len(own) < len(fired):
        put_on_springs(system, run.y, fired)
    if has_joint_friction(system) and engine is None:
        friction_states = loop.friction_states = loop.friction_states or FrictionStates(system, work)
        friction_states.rests = max(RESTS, float(run.clock[0].rtol))  # slower ones are errors of the solver
        try:
            passed = [s for s, slot in enumerate(friction_states.slots) if slot.friction_state in fired]
            friction_states.change(t, run.y, passed, at_root=np.array_equal(before[: system.nq], run.y[: system.nq]))
        except JammedError as error:
            friction_states.jammed = str(error)
            return
    if np.any(system.closures.equation_axes[:, 2] >= 0):
        work.loops[0].rank = -1  # constraints may have been switched: it must be found anew
    if fired or engine is None:
        own_memory = engine is not None or has_joint_friction(system) or has_reaction_feedback(system)
        free = None if own_memory else work  # all that the loop reads of it is computed anew
        seen = observe(system, np.array([t, t]), np.array([before, run.y]), ENERGIES, work=free)
        energy = seen.energies[:, :3].sum(axis=1)
        run.y[-1] += energy[0] - energy[1]
    if engine is not None:
        try:
            engine.transition(t, run.y, engine.fired(run.watches))
        except JammedError as error:
            assert loop.friction_states is not None
            loop.friction_states.jammed = str(error)
            return
        engine.forget_fired(run.watches)
        engine.limit_steps(run.clock[0], run.y)
        run.counts[0].jumps_in_row, run.counts[0].jumped_by = 0, -1  # sequences of impacts are the engine's
    loop.restart()
    refuse_unsolved_states(system, work, t)


def _read_contacts(system: System, loop: SolverLoop, engine: ContactEngine | None, t: float) -> None:
    """Write the forces of rigid contacts that events read into the state: those of an instant, or of the last step."""
    wanted = readings_of(system.model)
    if not wanted:
        return
    y = loop.run.y
    if engine is None:
        column, place = readings_in_record(system, loop.record_layout)
        y[place] = loop.run.x[column]
        return
    from duoti.results.evaluate.event_driven_contacts import contact_forces_now

    found, first, names = contact_forces_now(engine, t, y), system.nq + system.nv, list(system.state_names)
    for name, quantity in wanted.items():
        row = found[list(engine.of.names).index(quantity.item)]
        y[first + names.index(name)] = row[PLACES[quantity.what][0] + (quantity.component or 0)]


def set_at_start(system: System, work: Work, t: float, y: Reals) -> None:
    """Let the events with `at_start` set their states, if their values are not negative."""
    before, fired = y.copy(), list[str]()
    system.callbacks.errors.clear()  # of an earlier run
    for k, (name, event) in enumerate(system.model.events.items()):
        if event.at_start:
            value = np.zeros(1)
            law_values(system.tree, system.loads, work, int(system.loads.laws.event_law[k]), float(t), y, value)
            if value[0] >= 0.0:
                fired.append(name)
    for name in fired:
        _set_states(system, work, name, t, y)
    _keep_loops_closed(system, work, fired, t, before, y)


def _who(system: System, name: str) -> str:
    event = system.model.events[name]
    if isinstance(event, SensorEvent):
        return f'sensor "{name.rpartition(".")[0]}"'
    return f'{"controller" if isinstance(event, SampleEvent) else "event"} "{name}"'


def _set_states(system: System, work: Work, name: str, t: float, y: Reals) -> None:
    """The states that an event sets, all from the state before."""
    first = system.nq + system.nv
    found: list[tuple[int, float]] = []
    for law, states in system.event_sets.get(name, ()):
        values = np.zeros(len(states))
        law_values(system.tree, system.loads, work, law, float(t), y, values)
        if system.callbacks.stopped_by is not None:
            raise system.callbacks.stopped_by
        if system.callbacks.errors:
            error = system.callbacks.errors[-1][1]
            raise JumpError(_who(system, name), t, error) if isinstance(error, Exception) else error
        if not np.all(np.isfinite(values)):
            names = ", ".join(system.state_names[k] for k in states)
            raise JumpError(_who(system, name), t, f"it would set {names} to {values.tolist()}")
        found += zip(states, values.tolist(), strict=True)
    for k, value in found:
        y[first + k] = value


def give_impulse(system: System, work: Work, t: float, y: Reals) -> None:
    """Rates brought onto the constraints by their impulses, v += M^-1 G^T D^-1 (-dg/dt): a plastic impact."""
    from duoti.analyses.instant.dynamics import mass_matrix

    nq, nv = system.nq, system.nv
    _, gdot = _closures(system, work, t, y)
    G = dense_jacobian(system.closures, nv, work.G)
    M_inverse_GT = np.linalg.solve(mass_matrix(system, y[:nq]), G.T)
    y[nq : nq + nv] -= M_inverse_GT @ np.linalg.lstsq(G @ M_inverse_GT, gdot, rcond=SINGULAR)[0]


def apply_event(system: System, work: Work, name: str, t: float, y: Reals, nz: int) -> None:
    """y after one event of the model alone; its function sees the first nz states."""
    before = y.copy()
    _set_states(system, work, name, t, y)
    if system.model.events[name].jump is not None:
        _apply(system, name, t, y, nz)
    _keep_loops_closed(system, work, [name], t, before, y)


def _apply(system: System, name: str, t: float, y: Reals, nz: int | None = None) -> None:
    """y after the jump of one event."""
    nq, nv, nz = system.nq, system.nv, system.nz if nz is None else nz
    parts = [y[:nq].copy(), y[nq : nq + nv].copy(), y[nq + nv : nq + nv + nz].copy()]
    function: Any = system.model.events[name].jump
    who = f'event "{name}": its jump at t = {t:.9g} s'
    try:
        found = function(t, *(each.copy() for each in parts))
    except Exception as error:
        raise JumpError(f'event "{name}"', t, error) from error
    try:
        new = [np.array(each, dtype=float) for each in found]
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{who} returned {found!r}; it must return (q, v, z)") from None
    wanted, shapes = [each.shape for each in parts], [each.shape for each in new]
    if shapes != wanted:
        raise ValueError(f"{who} returned arrays of shapes {shapes}; q, v and z have the shapes {wanted}")
    if not all(np.all(np.isfinite(each)) for each in new):
        raise ValueError(f"{who} returned numbers that are not finite: {new}")
    for k in system.tree.quat_q:
        length = float(np.linalg.norm(new[0][k : k + 4]))
        if abs(length - 1.0) > UNIT:
            joint = system.coordinate_names[k].rpartition(".")[0]
            raise ValueError(f'{who} gave the quaternion of joint "{joint}" the length {length:.6g}, not 1')
        new[0][k : k + 4] /= length
    y[: nq + nv + nz] = np.concatenate(new)


def _keep_loops_closed(system: System, work: Work, fired: list[str], t: float, before: Reals, y: Reals) -> None:
    """Refuse positions that open loops; rates are brought onto the loops by the impulses of these."""
    closures, nq, nv = system.closures, system.nq, system.nv
    if not closures.rows or np.array_equal(before[: nq + nv + system.nz], y[: nq + nv + system.nz]):
        return
    if np.array_equal(before[: nq + nv], y[: nq + nv]) and not np.any(closures.equation_axes[:, 2] >= 0):
        return  # states have changed that switch no constraint
    g, _ = _closures(system, work, t, y)
    wrong = {
        name: _largest(g[closures.first[i] : closures.first[i + 1]]) for i, name in enumerate(system.closure_names)
    }
    limit = max(CLOSED, 2.0 * _largest(_closures(system, work, t, before)[0]))
    who = " and ".join(f'event "{name}"' for name in fired)
    found = Findings()
    for name, residual in wrong.items():
        if residual > limit:
            joints = loop_joints(system, name)
            found.error(
                "jump-opens-loop", concerned(name, joints),
                f"the jump of {who} at t = {t:.9g} s opens {name} by {amounts(system, name, g, limit)}",
                f"it concerns joints {', '.join(joints)}; a jump may change their positions only together",
                "change rates only, or the positions of all joints of the loop so that it stays closed",
            )  # fmt: skip
    if found.found:
        raise ModelError(found.report(system.model.name, system.model.source_locations))
    moved = not np.array_equal(before[:nq], y[:nq])
    if work.calls[0].project and moved:
        work.clock[0], work.y[:] = t, y
        run_entry(work.calls[0].project, work.at[0].system)
        y[: nq + nv] = work.y[: nq + nv]
    give_impulse(system, work, t, y)
    gdot = _closures(system, work, t, y)[1]
    if _largest(gdot) > 1e-6 * (1.0 + _largest(y[nq : nq + nv])):
        closure = int(np.searchsorted(closures.first, int(np.argmax(np.abs(gdot))), side="right")) - 1
        torn = system.closure_names[closure]
        raise ValueError(
            f"the jump of {who} at t = {t:.9g} s tears {torn} apart at {amounts(system, torn, gdot, per='/s')}; give "
            "all joints of its loop rates that fit together"
        )


def _closures(system: System, work: Work, t: float, y: Reals) -> tuple[Reals, Reals]:
    q, v = y[: system.nq].copy(), y[system.nq : system.nq + system.nv].copy()
    work.y[:] = y  # states that switch constraints
    closure_state(work, t, q, v)
    return work.g.copy(), work.gdot.copy()


def _largest(values: Reals) -> float:
    return float(np.max(np.abs(values), initial=0.0))
