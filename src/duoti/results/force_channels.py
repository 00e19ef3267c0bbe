"""Channels of force elements, constraints and energies, computed from the states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from duoti.dynamics.kinematics import poses_and_velocities
from duoti.dynamics.loads import call_forces
from duoti.dynamics.workspace import new_workspace
from duoti.elements.markers import marker_point
from duoti.integrate.record import CONTACT
from duoti.kernel import cold_kernel, unpack
from duoti.model.asked import matching
from duoti.model.element_id import ElementId
from duoti.model.elements import name_of
from duoti.model.errors import ChannelError
from duoti.model.forces.base import Force
from duoti.model.forces.channels import Seen
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.model.names import Quantity
from duoti.model.rows.base import AT_REST_LAW, ExpressionRow
from duoti.model.unread import is_implicit
from duoti.results.dry_channels import seen_dry
from duoti.results.observe import POWERS, ROWS_AT_ONCE, observe, write_frame
from duoti.spatial.algebra import cross, get3, get9, mul, sub
from duoti.system.arrays import Reals
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.results.result import Result


@cold_kernel("i d1 d2 l1 d3 d3 d2")
def _observe_forces(context, t, y, markers, frames, wrenches, tau):
    """All force elements of a system: frames of markers, wrenches on their bodies about them, generalised forces."""
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


def is_dry_force(force: Force) -> TypeGuard[JointFriction | JointStop]:
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

    def seen(self, t: Reals, y: Any) -> Seen:
        """What it does in the states y, one row per time."""
        n, m = len(y), len(self.markers)
        frames, wrenches, tau = np.zeros((n, m, 18)), np.zeros((n, m, 6)), np.zeros((n, self.nv))
        for first in range(0, n, ROWS_AT_ONCE):
            rows = slice(first, first + ROWS_AT_ONCE)
            _observe_forces(
                self.work.at[0].system, np.array(t[rows]), np.array(y[rows]), self.markers, frames[rows],
                wrenches[rows], tau[rows],
            )  # fmt: skip
        return Seen(frames, wrenches, tau[:, self.rates])


def seen_force(system: System, k: int, t: Reals, y: Any, multipliers: Any = None) -> Seen:
    """The force element number k, by itself, in the states y; multipliers: those that the solver has recorded."""
    force = list(system.model.forces.values())[k]
    if is_dry_force(force):
        return seen_dry(system, force, t, y, multipliers)
    return LoneForce(system, k).seen(t, y)


def force_values(result: Result, quantity: Quantity) -> Reals:
    """A channel of a force element."""
    k = list(result.model.forces).index(quantity.item)
    channels = result.model.forces[quantity.item].channels(result.model)
    run, force = result.contact_run, result.model.forces[quantity.item]
    if is_dry_force(force) and run is None and result.record_layout.columns_of(CONTACT):
        return _stepped_dry(result, force, quantity)
    if quantity.what in channels:
        if is_dry_force(force) and run is not None:
            return channels[quantity.what].read(run.seen_dry(force, result.t, result.states))
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


def _stepped_dry(result: Result, force: JointFriction | JointStop, quantity: Quantity) -> Reals:
    """A channel of friction or stops of joints in a run by time stepping with rigid contacts."""
    if result.stepped is None:
        raise ChannelError(
            f'"{quantity.item}.{quantity.what}": the file was written by a version of duoti that did not record it; '
            f'"{quantity.item}.mode" is there'
        )
    channels = force.channels(result.model)
    if quantity.what in channels:
        return channels[quantity.what].read(result.stepped.seen_dry(force))
    lost = result.stepped.dissipated_by(force)
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
        if issubclass(system.row_kinds[closures.row_kind[row]], ExpressionRow):
            power -= multipliers[:, i] * _rates_at_rest(result, row)
            continue
        rate = system.laws[closures.law[row, 1]].program if closures.law[row, 0] >= 0 else None
        if rate is not None:
            rates = [rate.evaluate({"t": time} if rate.inputs else {}) for time in t.tolist()]
            power += multipliers[:, i] * np.array(rates)
    return power[:, None]


def _rates_at_rest(result: Result, row: int) -> Reals:
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
