"""Channels of forces, constraints, contacts, joint friction, frames and energies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from duoti.dynamics.joint_friction.installation import joint_friction_of
from duoti.dynamics.tree.forward import call_forces
from duoti.dynamics.tree.kinematics import poses_and_velocities
from duoti.dynamics.workspace import add_given_multipliers, new_workspace
from duoti.elements.markers import marker_point, write_frame
from duoti.integrate.record import CONTACT, PLACES, RecordLayout
from duoti.kernel import cold_kernel, run_entry, unpack
from duoti.model.element_id import ElementId
from duoti.model.elements import name_of
from duoti.model.equations.base import AT_REST_LAW, ExpressionEquation
from duoti.model.errors import ChannelError
from duoti.model.forces.base import Force
from duoti.model.forces.channels import Seen
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.model.joint_friction import span_of
from duoti.model.joints.base import quaternions_of
from duoti.model.plot_requests import matching
from duoti.model.quantities import AXES, Quantity, find_quantity, is_implicit
from duoti.results.evaluate.observe import ACCELERATIONS, FRAMES, POWERS, ROWS_AT_ONCE, observe
from duoti.spatial.algebra import cross, get3, get9, mul, sub
from duoti.system.arrays import Reals, Work
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import FrameKey, System

if TYPE_CHECKING:
    from duoti.results.result import Result


def observed_joint_friction(
    system: System, force: JointFriction | JointStop, t: Reals, y: Any, multipliers: Any, work: Work | None = None
) -> Seen:
    """Forces of an element with joint friction laws in its joint, loads and bounds, in the states y at the times t.

    work: with rigid contacts in their states, if there are any.
    """
    work = new_workspace(system, ydot=True) if work is None else work
    x = np.zeros((len(y), 0)) if multipliers is None else np.asarray(multipliers[0 : len(y)])
    if multipliers is not None:
        add_given_multipliers(work)
    first, count = span_of(system.model, force)
    rates = [int(i) for i in system.joints[name_of(force.joint)].v]  # pyright: ignore[reportArgumentType]
    forces, bounds = np.zeros((len(t), system.nv)), np.zeros((len(t), count, 3))
    if not count:
        return Seen(np.zeros((len(t), 0, 18)), np.zeros((len(t), 0, 6)), forces[:, rates], bounds)
    jf, context = joint_friction_of(work), int(work.at[0].system)
    for n in range(len(t)):
        work.clock[0], work.y[:] = t[n], y[n]
        given = x.shape[1] > 0 and not np.isnan(x[n, 0])
        if given:
            work.multipliers[:] = x[n, : len(work.multipliers)]
        run_entry(int(work.calls[0].given_multipliers if given else work.calls[0].ydot), context)
        for s in range(first, first + count):
            size, j = int(jf.size[s]), int(jf.first[s])
            forces[n, j : j + size] = jf.x[s, :size]
            bounds[n, s - first] = jf.load[s], jf.bound[s], jf.rest[s]
    return Seen(np.zeros((len(t), 0, 18)), np.zeros((len(t), 0, 6)), forces[:, rates], bounds)


@cold_kernel("i d1 d2 l1 d3 d3 d2 i d2")
def _observe_forces(context, t, y, markers, frames, wrenches, tau, place, written):
    """All force elements of a system: frames of markers, wrenches on their bodies about them, generalised forces.

    written: what stands in the scratch from `place` on.
    """
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    for n in range(t.shape[0]):
        q, v = y[n][:nq], y[n][nq : nq + nv]
        for i in range(y.shape[1]):
            w.y[i] = y[n, i]
        poses_and_velocities(tree, w, q, v)
        call_forces(tree, loads, w, t[n], q, v)
        for m in range(markers.shape[0]):
            write_frame(loads, w, markers[m], frames[n, m])
            b = loads.markers.body[markers[m]]
            R_WB = get9(w.X_WB, b, 0)
            force = mul(R_WB, get3(w.F_ext, b, 3))
            _, arm = marker_point(loads, w, markers[m])
            torque = sub(mul(R_WB, get3(w.F_ext, b, 0)), cross(arm, force))
            for i in range(3):
                wrenches[n, m, i], wrenches[n, m, 3 + i] = torque[i], force[i]
        for i in range(nv):
            tau[n, i] = w.tau[i]
        for i in range(written.shape[1]):
            written[n, i] = w.block_scratch[place + i]


def is_joint_friction_force(force: Force) -> TypeGuard[JointFriction | JointStop]:
    """Whether an element is friction in a joint, or a rigid stop."""
    return is_implicit(force)


class LoneForce:
    """The force element number k of a system, by itself."""

    def __init__(self, system: System, k: int):
        name, force = list(system.model.forces.items())[k]
        references = [reference for _, reference in force.markers()]
        bodies = [system.model.body_name(reference) for reference in references]
        if len(set(bodies)) < (2 if force.repeats_bodies else len(bodies)):
            raise ChannelError(
                f'force "{name}" acts between two points of body "{bodies[0]}": it has no effect to be seen'
            )
        if len({system.bodies[body] for body in bodies}) < len(set(bodies)):  # bodies that are welded together
            system = system.unfused
        self.nv = system.nv
        self.markers = np.array([system.marker_index(name_of(reference)) for reference in references], dtype=np.int64)
        self.rates = [int(i) for _, joint in force.joints() for i in system.joints[name_of(joint)].v]  # pyright: ignore[reportArgumentType]
        self.system = system.with_one_force(k)  # whose arrays the workspace reads
        self.work = new_workspace(self.system)
        forces = self.system.loads.forces
        self.written = force.written(forces.integers[0], forces.block_integers)

    def seen(self, t: Reals, y: Any) -> Seen:
        """What it does in the states y, one row per time."""
        n, m = len(y), len(self.markers)
        frames, wrenches, tau = np.zeros((n, m, 18)), np.zeros((n, m, 6)), np.zeros((n, self.nv))
        place, count = self.written
        written = np.zeros((n, count))
        for first in range(0, n, ROWS_AT_ONCE):
            rows = slice(first, first + ROWS_AT_ONCE)
            _observe_forces(
                self.work.at[0].system, np.array(t[rows]), np.array(y[rows]), self.markers, frames[rows],
                wrenches[rows], tau[rows], place, written[rows],
            )  # fmt: skip
        return Seen(frames, wrenches, tau[:, self.rates], written=written)


def seen_force(system: System, k: int, t: Reals, y: Any, multipliers: Any = None) -> Seen:
    """The force element number k, by itself, in the states y; multipliers: those that the solver has recorded."""
    force = list(system.model.forces.values())[k]
    if is_joint_friction_force(force):
        return observed_joint_friction(system, force, t, y, multipliers)
    return LoneForce(system, k).seen(t, y)


def force_values(result: Result, quantity: Quantity) -> Reals:
    """A channel of a force element."""
    k = list(result.model.forces).index(quantity.item)
    channels = result.model.forces[quantity.item].channels(result.model)
    run, force = result.contact_run, result.model.forces[quantity.item]
    if is_joint_friction_force(force) and run is None and result.record_layout.columns_of(CONTACT):
        return _time_stepping_joint_friction(result, force, quantity)
    if quantity.what in channels:
        if is_joint_friction_force(force) and run is not None:
            return channels[quantity.what].read(run.observed_joint_friction(force, result.t, result.states))
        return channels[quantity.what].read(
            seen_force(result.system, k, result.t, result.states, result.recorded_multipliers)
        )
    if run is not None:
        seen = run.observe(result.t, result.states, POWERS, forces=[k])
    else:
        given = result.recorded_multipliers
        seen = observe(result.system, result.t, result.states, POWERS, forces=[k], multipliers=given)
    energy, supplied, dissipated = seen.powers[:, 0].T
    values = {"energy": energy, "power_supplied": supplied, "power_dissipated": dissipated}
    return values.get(quantity.what, supplied - dissipated)[:, None]


def _time_stepping_joint_friction(result: Result, force: JointFriction | JointStop, quantity: Quantity) -> Reals:
    """A channel of friction or stops of joints in a run by time stepping with rigid contacts."""
    if result.time_stepping is None:
        raise ChannelError(
            f'"{quantity.item}.{quantity.what}": the file was written by a version of duoti that did not record it; '
            f'"{quantity.item}.mode" is there'
        )
    channels = force.channels(result.model)
    if quantity.what in channels:
        return channels[quantity.what].read(result.time_stepping.observed_joint_friction(force))
    lost = result.time_stepping.dissipated_by(force)
    return {"power_dissipated": lost, "power": -lost}.get(quantity.what, np.zeros(len(lost)))[:, None]


def constraint_values(result: Result, quantity: Quantity) -> Reals:
    """A channel of a constraint."""
    system, name = result.system, quantity.item
    if quantity.what in ("reaction_force", "reaction_torque"):
        closure = system.closure_names.index(ElementId("constraint", name))
        wrench = result.closing_wrenches[:, closure]
        return wrench[:, 3:] if quantity.what == "reaction_force" else wrench[:, :3]
    multipliers = result.multipliers(f"constraint:{name}")
    return multipliers if quantity.what != "power" else _power(result, name, multipliers)


def _power(result: Result, name: str, multipliers: Reals) -> Reals:
    """What a constraint with changing values puts in: multipliers times the rates of the values."""
    system, (t, _) = result.system, result.force_states
    closures = system.closures
    k = system.closure_names.index(ElementId("constraint", name))
    power = np.zeros(len(t))
    for i, row in enumerate(range(closures.first[k], closures.first[k + 1])):
        if issubclass(system.equation_kinds[closures.equation_kind[row]], ExpressionEquation):
            power -= multipliers[:, i] * _velocities_at_rest(result, row)
            continue
        rate = system.laws[closures.law[row, 1]].program if closures.law[row, 0] >= 0 else None
        if rate is not None:
            rates = [rate.evaluate({"t": time} if rate.inputs else {}) for time in t.tolist()]
            power += multipliers[:, i] * np.array(rates)
    return power[:, None]


def _velocities_at_rest(result: Result, row: int) -> Reals:
    """Rate of an equation of the user's where nothing moves: what changes by itself."""
    system = result.system
    program = system.laws[system.closures.table[row, 0] + AT_REST_LAW].program
    assert program is not None
    read = {each: result.t if each == "t" else np.ravel(result[each]) for each in program.inputs}
    return np.array([program.evaluate({each: float(read[each][n]) for each in read}) for n in range(len(result.t))])


def energy_values(result: Result, quantity: Quantity) -> Reals:
    """A channel of the energies."""
    return getattr(result.energy, quantity.what)[:, None]


def chosen_channels(result: Result, names: Sequence[str]) -> list[str]:
    """Names of channels; `*` in a name stands for any characters: "spring.*", "*.tension"."""
    found: list[str] = []
    for name in names:
        if "*" not in name:
            found.append(name)
            continue
        found += matching(result.channels, name)
    return found


def frame_values(result: Result, quantity: Quantity) -> Reals:
    """A quantity of a body or marker over time, one row for each time."""
    system, y = result.system, result.states
    if quantity.what in ("modes", "modal_rates"):
        layout = system.flexible[quantity.item]
        return result.q[:, layout.q] if quantity.what == "modes" else result.v[:, layout.v]
    marker = system.markers[FrameKey(ElementId("body" if quantity.kind == "body" else "marker", quantity.item))]
    if quantity.what in ("acceleration", "angular_acceleration"):
        seen = result.observed(ACCELERATIONS, [marker]).frame_accelerations[:, 0]
        return seen[:, 3:] if quantity.what == "acceleration" else seen[:, :3]
    frames = observe(system, result.t, y, FRAMES, [marker]).frames[:, 0]
    if quantity.what == "rotation":
        return quaternions_of(frames[:, :9].reshape(-1, 3, 3))
    if quantity.what in AXES:
        return frames[:, AXES.index(quantity.what) : 9 : 3]
    local = quantity.what.startswith("local_")
    first = {"position": 9, "angular_velocity": 12, "velocity": 15}[quantity.what.removeprefix("local_")]
    found = frames[:, first : first + 3]
    if local:
        found = np.einsum("nji,nj->ni", frames[:, :9].reshape(-1, 3, 3), found)
    return found


def contact_columns(model: Any, layout: RecordLayout, name: str) -> list[int]:
    """Where a channel of a rigid contact is in a record; empty if it is none."""
    try:
        return layout.columns_of_contact(find_quantity(model, name))
    except ChannelError:
        return []


def contact_values(result: Result, quantity: Quantity) -> Reals:
    """A channel of a contact."""
    name, what = quantity.item, quantity.what
    if what in ("gap", "slip_speed"):
        from duoti.results.evaluate.contact_points import gaps_and_slips

        return gaps_and_slips(result, name)[:, [0 if what == "gap" else 1]]
    if not result.model.contacts[name].law.rigid:
        if what == "moment":
            raise ChannelError(f'"{name}.{what}": a compliant contact has no resistance against rolling and turning')
        if what == "energy_lost":
            raise ChannelError(f'"{name}.{what}": of a compliant contact, "{name}.power_dissipated" is its rate')
        if what.endswith("_residual"):
            raise ChannelError(f'"{name}.{what}": a compliant contact has no complementarity conditions to solve')
        from duoti.results.evaluate.contact_points import compliant_values

        return compliant_values(result, name, what)
    columns = result.record_layout.columns_of(CONTACT).get(ElementId("contact", name))
    if columns is None:
        raise ChannelError(
            f'"{name}.{what}": this run has no record of contacts; forces of rigid contacts are unknowns of the solver '
            "and do not follow from the states"
        )
    first, size = PLACES[what]
    if first + size > len(columns):
        raise ChannelError(f'"{name}.{what}": the file was written by a version of duoti that did not record it')
    found = np.asarray(result.record[:, [columns[first + i] for i in range(size)]])
    if what.endswith("_residual") and len(found) and np.isnan(found).all():
        raise ChannelError(
            f'"{name}.{what}": an event-driven run keeps contacts as equations and solves no complementarity problem '
            "in a step; dt.Moreau does"
        )
    return found
