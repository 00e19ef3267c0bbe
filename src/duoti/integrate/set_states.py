"""States that events set (samples of controllers, switches), and compliant stops, within the compiled loop.

Where events change nothing but first-order states, Python has nothing to do: an entry evaluates what they set, which
may be a function in Python, and the loop goes on. Where a joint meets or leaves a compliant stop, its coordinate is put
on the limit, of which it was off by round-off. The rest is left to Python (`analyses.simulate.jumps`): jumps of
positions and rates, contacts, joints that friction or a stop holds, switched constraints, and functions that failed.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.joint_friction.installation import joint_friction_of
from duoti.dynamics.tree.energy import gravity_energy, kinetic_energy
from duoti.dynamics.tree.forward import call_forces
from duoti.dynamics.tree.kinematics import poses_and_velocities
from duoti.elements.joint_friction_memory import AT_REST, LOWER, TOUCHES, UPPER
from duoti.elements.laws import law_value
from duoti.integrate.record import NO_RECORD, RecordLayout
from duoti.integrate.state import NOT_FINITE, Run, example_run
from duoti.kernel import ContextType, cold_entry, entry_address, pack, part, unpack
from duoti.model.joint_friction import FrictionStateEvent, slots_of, spring_contacts
from duoti.model.laws.contact_readings import readings_of
from duoti.system.arrays import JUMPS, Work
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System

PLACE = 8192  # in the block of a workspace, where this context stands: behind that of the system
ROOM = 4096  # bytes


class SetStates(NamedTuple):
    """What the events of a model set."""

    counts: Any  # [1] of the run
    watches: Any  # [events] of the run
    first: Any  # [events + 1] where the assignments of each event begin; none: its jump is made by Python
    law: Any  # [assignments]
    first_place: Any  # [assignments + 1] where the places of each assignment begin
    place: Any  # [...] in y
    value: Any  # [...] what is put there
    holds: Any  # [slots, 3] place in y of a friction state, and the values with which it holds its joint
    stops: Any  # [events, 3] of a compliant stop: place of the coordinate, lower and upper limit; place -1: of others
    x: Any  # record of the last step ...
    column: Any  # [readings] ... and the columns of it that events read
    reading: Any  # [readings] where they stand in y


def _example() -> tuple[Any, ...]:
    run, integers = example_run(), np.zeros(1, np.int64)
    one, rows = np.zeros(1), np.zeros((1, 3))
    return (
        SetStates(
            run.counts, run.watches, integers, integers, integers, integers, one, rows, rows, one, integers, integers,
        ),
    )  # fmt: skip


SET_STATES_CONTEXT = ContextType(_example)


@part
def some_joint_is_held(y, holds):
    """Whether friction or a stop holds a joint: what changes may set it free."""
    for s in range(holds.shape[0]):
        state = y[int(holds[s, 0])]
        if state == holds[s, 1] or state == holds[s, 2]:
            return True
    return False


@part
def _energy(tree, loads, w, moved):
    """Of all force elements, in the state w.y; if coordinates are moved, of the motion and of gravity, too."""
    q, v = w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
    poses_and_velocities(tree, w, q, v)
    w.wanted[0].energies = 1
    call_forces(tree, loads, w, w.clock[0], q, v)
    w.wanted[0].energies = 0
    return w.powers[0] + kinetic_energy(tree, w, v) + gravity_energy(tree, w) if moved else w.powers[0]


@part
def _put_on_stops(w, s):
    """Coordinates of the stops that begin or cease to push, which are off the limit by round-off."""
    for e in range(s.stops.shape[0]):
        k = int(s.stops[e, 0])
        if s.watches[e].fired == 1 and k >= 0:
            low, high = s.stops[e, 1], s.stops[e, 2]
            near = high if abs(w.y[k] - high) < abs(w.y[k] - low) else low
            if abs(w.y[k] - near) < TOUCHES:
                w.y[k] = near


@part
def _set_states(loads, w, s, e, q, v):
    """Set the states of one event in w.y, all from the state before it; False if a value is not finite."""
    for k in range(s.first[e], s.first[e + 1]):
        value = law_value(loads, w, s.law[k], w.clock[0], q, v, 0.0, 0.0)
        begin = s.first_place[k]
        for i in range(begin, s.first_place[k + 1]):
            s.value[i] = value if i == begin else w.law_out[i - begin]
            if not abs(s.value[i]) < 1e300:
                return False
    for i in range(s.first_place[s.first[e]], s.first_place[s.first[e + 1]]):
        w.y[s.place[i]] = s.value[i]
    return True


@cold_entry
def set_states_entry(address):
    """Entry JUMP: first-order states in w.y as the events that ended the step set them, and the energy balance.

    Events at the same time act in the order of the model: a controller reads what a sensor has sampled before it.
    Reports NOT_FINITE in counts.outcome if Python has to make the jump; w.y is then no state of the run.
    """
    tree, loads, _, w = unpack(address, REAL_CONTEXT)
    (s,) = unpack(address + PLACE, SET_STATES_CONTEXT)
    moved = False
    for e in range(s.first.shape[0] - 1):
        if s.watches[e].fired == 1 and s.first[e] == s.first[e + 1]:
            if s.stops[e, 0] < 0.0 or s.holds.shape[0] > 0:
                s.counts[0].outcome = NOT_FINITE
                return
            moved = True
    if some_joint_is_held(w.y, s.holds):
        s.counts[0].outcome = NOT_FINITE
        return
    for k in range(s.reading.shape[0]):
        w.y[s.reading[k]] = s.x[s.column[k]]
    before = _energy(tree, loads, w, moved)
    q, v = w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
    for e in range(s.first.shape[0] - 1):
        if s.watches[e].fired == 1 and not _set_states(loads, w, s, e, q, v):
            s.counts[0].outcome = NOT_FINITE
            return
    if moved:
        _put_on_stops(w, s)
    w.y[w.y.shape[0] - 1] += before - _energy(tree, loads, w, moved)


def joint_holds(system: System, work: Work) -> Any:
    """Rows of `SetStates.holds`; none for time stepping, which decides in each step what holds."""
    if work.at[0].joint_friction and joint_friction_of(work).options[0].time_stepping:
        return np.zeros((0, 3))
    first, names, rows = system.nq + system.nv, list(system.state_names), list[tuple[float, float, float]]()
    for slot in slots_of(system.model):
        if slot.friction_state:
            values = (AT_REST, AT_REST) if slot.friction else (UPPER, LOWER)
            rows.append((first + names.index(slot.friction_state), *values))
    return np.array(rows, dtype=float).reshape(-1, 3)


class Readings(NamedTuple):
    """Forces of rigid contacts that events read: columns of the record of a step, and places in y."""

    column: Any
    place: Any


def readings_in_record(system: System, layout: RecordLayout) -> Readings:
    """Those that a record of this layout has: of time stepping."""
    first, names, rows = system.nq + system.nv, list(system.state_names), list[tuple[int, int]]()
    for name, quantity in readings_of(system.model).items():
        rows += [(column, first + names.index(name)) for column in layout.columns_of_contact(quantity)]
    pairs = np.array(rows, np.int64).reshape(-1, 2)
    return Readings(pairs[:, 0].copy(), pairs[:, 1].copy())


def set_states_in_kernels(system: System, work: Work, run: Run, layout: RecordLayout = NO_RECORD) -> SetStates | None:
    """Let the compiled loop make those jumps of a run that only set states, if there are any.

    layout: of the record of the run. Returns what has to live as long as the run.
    """
    events = system.model.events
    if not events:
        return None
    sets = {
        name: [] if event.jump is not None else list(system.event_sets.get(name, ()))
        for name, event in events.items()
        if not isinstance(event, FrictionStateEvent)
    }
    stops = _stops(system)
    jumps = np.any(system.loads.laws.event_action == JUMPS)
    more = bool(np.any(system.closures.equation_axes[:, 2] >= 0)) or not system.loads.laws.state_mass.all()
    if not jumps or not (any(sets.values()) or np.any(stops[:, 0] >= 0.0)) or more or work.at[0].contact_states:
        return None
    listed = [sets.get(name, []) for name in events]
    each = [(law, states) for assignments in listed for law, states in assignments]
    places = [system.nq + system.nv + k for _, states in each for k in states]
    assignments = np.array([law for law, _ in each], np.int64), _bounds([states for _, states in each])
    readings = readings_in_record(system, layout)
    made = SetStates(
        run.counts, run.watches, _bounds(listed), *assignments, np.array(places, np.int64), np.zeros(len(places)),
        joint_holds(system, work), stops, run.x if len(readings.column) else np.zeros(1), *readings,
    )  # fmt: skip
    pack(work.block[PLACE // 8 : (PLACE + ROOM) // 8], (made,), SET_STATES_CONTEXT)
    work.calls[0].jump = _address()
    return made


def _stops(system: System) -> Any:
    """Rows of `SetStates.stops`."""
    contacts, rows = spring_contacts(system.model), list[tuple[float, float, float]]()
    for name in system.model.events:
        if name in contacts:
            joint, rate, low, high = contacts[name]
            rows.append((float(system.tree.q_of_v[system.joints[joint].v[rate]]), low, high))
        else:
            rows.append((-1.0, 0.0, 0.0))
    return np.array(rows).reshape(-1, 3)


def jumps_without_python(system: System) -> bool:
    """Whether all events that make the state jump are usually done by the entry, and none of them at the start."""
    jumping = np.flatnonzero(system.loads.laws.event_action == JUMPS)
    events, stops = list(system.model.events.items()), _stops(system)
    return all(
        stops[e, 0] >= 0.0
        or (events[e][1].jump is None and bool(system.event_sets.get(events[e][0])) and not events[e][1].at_start)
        for e in jumping.tolist()
    )


def _bounds(lists: Any) -> Any:
    return np.array([0, *accumulate(map(len, lists))], np.int64)


@cache
def _address() -> int:
    return entry_address(set_states_entry)
