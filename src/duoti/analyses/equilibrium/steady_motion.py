"""Steady motions in which bodies are carried along: the nodes of a blade on a hub that turns.

Nodes of beams, and other bodies that no joint holds, have coordinates against ground. That all their rates are zero is
then no steady motion, but that they move with the hub is. So the same model is looked at with such bodies on free
joints on the body that carries them (`_carried_model`); a steady motion is an equilibrium in these coordinates. The
state is carried over to the coordinates of the model as it was given.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from duoti.analyses.equilibrium.equations import Balance
from duoti.analyses.equilibrium.equilibrium import Equilibrium, search
from duoti.analyses.linear.linear_system import LinearSystem
from duoti.analyses.states.initial_state import joint_state
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND, JointElement
from duoti.model.joints.free import Free
from duoti.model.model import Model
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.results.evaluate.relative_coordinates import moved_frame, relative_state
from duoti.spatial import Rotation
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.system import FrameKey, JointLayout, System


class _Loose(NamedTuple):
    """A body on a free joint on ground, given or added by the program, and what carries it."""

    body: str
    joint: str | None
    carrier: str


class CarriedEquilibrium(Equilibrium):
    """A steady motion in the coordinates of the model as given; `relative`: the same with bodies on their carriers."""

    def __init__(self, balance: Balance, relative: Equilibrium, q: Reals, v: Reals):
        held = _Held(balance, v)
        super().__init__(
            held, held.look(q, relative.z), relative.ok, relative.reason, relative.iterations, relative.method
        )
        self._relative = relative

    @property
    def relative(self) -> Equilibrium:
        """See `Equilibrium`."""
        return self._relative

    @property
    def running(self) -> Any:
        """See `Equilibrium`."""
        return np.zeros(self.system.nv, dtype=bool)

    @property
    def linear(self) -> LinearSystem:  # pyright: ignore[reportIncompatibleVariableOverride]
        """See `Equilibrium`; deviations of bodies that are carried are those against their carriers."""
        return self._relative.linear

    @cached_property
    def indifferent(self) -> tuple[str, ...]:
        """See `Equilibrium`."""
        return self._relative.indifferent


class _Held(Balance):
    """The equations at the rates of a motion that is known."""

    def __init__(self, balance: Balance, v: Reals):
        self.__dict__.update(balance.__dict__)
        self._v = v

    def steady_velocities(self, q: Reals) -> tuple[Reals, Reals]:
        """The rates that were given, and the accelerations that they have."""
        self.equations.put(q, self._v, self.equations.z, self.t)
        return self._v.copy(), self.equations.accelerations()


def search_carried(balance: Balance, q: Reals, z: Reals, rates: Mapping[str, Any], stable: bool) -> Equilibrium | None:
    """The search for a steady motion with bodies on their carriers; None if nothing is carried."""
    carriage = Carriage.of(balance, q)
    if carriage is None:
        return None
    q_other = carriage.position(q)
    there = Balance(carriage.other, balance.t, rates)
    there.measure(q_other)
    there.find_cyclic(q_other, z)
    return carriage.back(search(there, q_other, z, stable))


class Carriage(NamedTuple):
    """A model with bodies on the bodies that carry them, beside the model as it was given."""

    balance: Balance
    loose: list[_Loose]
    other: System

    @staticmethod
    def of(balance: Balance, q: Reals) -> Carriage | None:
        """That of a model; None if nothing is carried."""
        loose = _carried(balance, q)
        if not loose:
            return None
        other = compile_model(_carried_model(balance.system.model, loose))
        return Carriage(balance, loose, other) if other.state_names == balance.system.state_names else None

    def position(self, q: Reals) -> Reals:
        """A position of the model as given in the coordinates of the other one."""
        rates = self.balance.steady_velocities(q)[0]
        return _carry_over(self.balance.system, q, rates, self.other, self.loose, back=False)[0]

    def back(self, relative: Equilibrium) -> CarriedEquilibrium:
        """A steady motion of the other model in the coordinates of the one as given."""
        q, v = _carry_over(self.other, relative.q, relative.v, self.balance.system, self.loose, back=True)
        return CarriedEquilibrium(self.balance, relative, q, v)


def carried_bodies(balance: Balance, q: Reals) -> list[str]:
    """Names of the bodies that others carry along."""
    return [each.body for each in _carried(balance, q)]


def _carried(balance: Balance, q: Reals) -> list[_Loose]:
    """Bodies on free joints on ground that force elements or joints connect with a body that steady rates move."""
    system, v = balance.system, balance.steady_velocities(q)[0]
    model = system.model
    free: dict[str, str | None] = dict.fromkeys(system.virtual)
    for name, element in model.joints.items():
        still = system.joints[name].closure < 0 and not np.any(v[system.joints[name].v])
        if element.kind == Free.kind and element.parent == GROUND and still:
            free[element.child] = name
    if not free:
        return []
    neighbours: dict[str, set[str]] = {name: set() for name in model.bodies}
    groups = [[element.parent, element.child] for name, element in model.joints.items() if name not in free.values()]
    groups += [[model.body_name(reference) for _, reference in force.markers()] for force in model.forces.values()]
    for group in groups:
        for name in set(group) - {GROUND}:
            neighbours[name] |= set(group) - {GROUND, name}
    markers = [system.markers[FrameKey(ElementId("body", name))] for name in neighbours]
    frames = _frames(system, q, v, markers)
    reached = {
        name: name
        for name, frame in zip(neighbours, frames, strict=True)
        if name not in free and np.any(frame[12:18] != 0.0)
    }
    found: list[_Loose] = []
    ahead = list(reached)
    while ahead:
        name = ahead.pop(0)
        for other in sorted(neighbours[name] - set(reached)):
            reached[other] = reached[name]
            ahead.append(other)
            if other in free:
                found.append(_Loose(other, free[other], reached[name]))
    return found


def _carried_model(model: Model, loose: Sequence[_Loose]) -> Model:
    """The model with these bodies on free joints on their carriers."""
    made = copy.copy(model)
    made.joints = dict(model.joints)
    for each in loose:
        carrier = made.bodies[each.carrier]
        name = _joint_name(each)
        if each.joint is None:
            made.joints[name] = JointElement(name, Free(), carrier, made.bodies[each.body], body_name=made.body_name)
        else:
            made.joints[name] = replace(made.joints[name], parent_reference=carrier, at=None, q0=None, v0=None)
    return made


def _joint_name(loose: _Loose) -> str:
    return f"{loose.body}.carried" if loose.joint is None else loose.joint


def _frames(system: System, q: Reals, v: Reals, markers: Sequence[int]) -> Reals:
    return observe(system, np.zeros(1), system.whole_state(q, v)[None], FRAMES, list(markers)).frames[0]


def _carry_over(
    source: System, q: Reals, v: Reals, target: System, loose: Sequence[_Loose], back: bool
) -> tuple[Reals, Reals]:
    """The same state in the coordinates of the model with bodies on their carriers, or back."""
    made_q, made_v = target.initial_state()
    names = {_joint_name(each) for each in loose}
    for name, layout in target.joints.items():
        if layout.closure < 0 and name not in names:
            made_q[layout.q], made_v[layout.v] = joint_state(source, name, q, v)
    for name, modes in target.flexible.items():
        there = source.flexible[name]
        made_q[modes.q], made_v[modes.v] = q[there.q], v[there.v]
    for body, layout in target.virtual.items():
        if body in source.virtual:
            made_q[layout.q], made_v[layout.v] = q[source.virtual[body].q], v[source.virtual[body].v]
    for each in loose:
        is_added = back and each.joint is None
        layout: JointLayout = target.virtual[each.body] if is_added else target.joints[_joint_name(each)]
        key = FrameKey(ElementId("body", each.body))
        parent, child, body = _frames(
            target, made_q, made_v, [layout.parent_marker, layout.child_marker, target.markers[key]]
        )
        R = body[:9].reshape(3, 3)
        offset, turn = R.T @ (child[9:12] - body[9:12]), R.T @ child[:9].reshape(3, 3)
        now = _frames(source, q, v, [source.markers[key]])
        moved = moved_frame(now, offset, Rotation.from_matrix(turn))
        found_q, found_v = relative_state(Free(), parent[None], moved)
        made_q[layout.q], made_v[layout.v] = found_q[0], found_v[0]
    return made_q, made_v
