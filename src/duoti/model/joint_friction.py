"""Friction and stops in joints, as the model sees them: which coordinates they act on, by which arms, in which friction
states.

A *slot* is a group of rates of one joint on which one joint friction law acts: those of a pin, of a ball, of a slider,
or a coordinate with limits. Its friction state (at rest, sliding forward, ...) is a first-order state with the rate
zero that changes at events only, so that results, checkpoints and outputs have it like any other state.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from duoti.model.elements import JointElement, name_of
from duoti.model.event import Event
from duoti.model.forces.base import Force
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.model.model import Model
from duoti.model.state import State

# friction states of stops and of friction to begin with (`elements.joint_friction_memory`)
FREE, UNDETERMINED = 0.0, 2.0


class Arms(NamedTuple):
    """What loads count: bound = mu (sum of these times the magnitudes of the load's parts) + constant."""

    axial: float = 0.0
    """Of the force along the joint's axis,"""
    radial: float = 0.0
    """of the force across it,"""
    bending: float = 0.0
    """of the moment across it,"""
    twisting: float = 0.0
    """of the moment along it,"""
    whole: float = 0.0
    """of the whole force;"""
    thread_axial: float = 0.0
    """of the force along the axis and"""
    thread_twisting: float = 0.0
    """of the moment about it, which together press on a thread;"""
    always: float = 0.0
    """what is always there (preload)."""


NO_ARMS = Arms()


@dataclass(frozen=True)
class Slot:
    """One joint friction law in a joint."""

    owner: str
    """Name of the friction element, or of the joint with limits."""
    joint: str
    rates: tuple[int, ...]
    """Which of the joint's rates,"""
    scales: tuple[float, ...]
    """and the sliding speed that a unit of each makes, in the unit of the law."""
    arms: Arms = NO_ARMS
    axis: int | None = None
    """The joint's rate about whose axis the load is split; None: z of the joint."""
    friction_state: str = ""
    """Name of the state that holds the friction state; empty for laws without friction states."""
    lugre_states: tuple[str, ...] = ()
    friction: str = ""
    """Name of the friction element; empty for limits."""
    limits: tuple[float, float] = (-math.inf, math.inf)
    restitution: float = 0.0


@dataclass(eq=False, repr=False)
class FrictionState(State):
    """A state of a joint friction law; the model that a user wrote does not have it."""

    by_user: ClassVar[bool] = False


@dataclass(frozen=True)
class FrictionStateEvent(Event):
    """An event at which a joint friction law may change its friction state."""


class LimitStop(JointStop):
    """The rigid stop of a joint with limits for which the user gave none."""


def no_jump(*_: Any) -> Any:
    """Stands for the change of friction states, which is not the user's."""
    raise RuntimeError("friction states of joint friction laws change elsewhere")


def _arms(
    element: JointElement, law: JointFriction
) -> list[tuple[tuple[int, ...], tuple[float, ...], Arms, int | None]]:
    """(rates, scales, arms, rate of the axis) of each slot of a friction element."""
    pin, collar = law.radius or 0.0, law.axial_radius or 0.0
    bend = pin / law.bending_arm if law.bending_arm else 0.0
    pads = 2.0 / law.overlap if law.overlap else 0.0
    twist = 1.0 / law.torsion_arm if law.torsion_arm else 0.0
    kind = element.kind
    if kind == "revolute":
        return [((0,), (1.0,), Arms(collar, pin, bend, always=pin * law.preload), None)]
    if kind == "universal":
        return [((k,), (1.0,), Arms(collar, pin, bend, always=pin * law.preload), k) for k in (0, 1)]
    if kind == "spherical":
        return [((0, 1, 2), (1.0, 1.0, 1.0), Arms(whole=pin, always=pin * law.preload), None)]
    if kind == "prismatic":
        return [((0,), (1.0,), Arms(0.0, 1.0, pads, twist, always=law.preload), None)]
    if kind == "cylindrical":
        turn, slide = (k for k, _ in sorted(enumerate(_units(element)), key=lambda each: each[1] != "rad/s"))
        scales = {turn: pin, slide: 1.0}
        return [((0, 1), (scales[0], scales[1]), Arms(0.0, 1.0, pads, always=law.preload), None)]
    if kind == "planar":
        return [((0, 1, 2), (1.0, 1.0, pin), Arms(1.0, always=law.preload), None)]
    if kind == "screw":
        advance = element.joint.parameters()[0]
        slope = math.hypot(pin, advance)  # pin / cos(lead angle)
        if slope == 0.0:
            return [((0,), (1.0,), Arms(), None)]
        arms = Arms(thread_axial=pin, thread_twisting=-advance / pin if pin else 0.0, always=slope * law.preload)
        return [((0,), (1.0,), arms, None)]
    return []


def _units(element: JointElement) -> list[str]:
    return [c.rate_unit for c in element.joint.coordinates for _ in range(c.nv)]


FRICTION_JOINTS = ("revolute", "universal", "spherical", "prismatic", "cylindrical", "planar", "screw")


def slots_of_friction(model: Model, name: str) -> list[Slot]:
    """The slots of a friction element."""
    law = model.forces[name]
    assert isinstance(law, JointFriction)
    joint = name_of(law.joint)  # pyright: ignore[reportArgumentType]
    found: list[Slot] = []
    for k, (rates, scales, arms, axis) in enumerate(_arms(model.joints[joint], law)):
        suffix = str(k + 1) if k else ""
        friction_state = f"{name}.mode{suffix}" if law.friction_law == "coulomb" else ""
        lugre_states: tuple[str, ...] = ()
        if law.friction_law == "lugre":
            letters = [""] if len(rates) == 1 else ["_1", "_2", "_3"][: len(rates)]
            lugre_states = tuple(f"{name}.bristle{suffix}{letter}" for letter in letters)
        found.append(Slot(name, joint, rates, scales, arms, axis, friction_state, lugre_states, name))
    return found


def limited_coordinates(element: JointElement) -> list[tuple[int, float, float]]:
    """(rate, lower, upper) of the coordinates that have limits; those of a rotation have none."""
    if element.limits is None:
        return []
    limits = np.asarray(element.limits, dtype=float).reshape(-1, 2).tolist()
    found: list[tuple[int, float, float]] = []
    k = j = 0
    for c in element.joint.coordinates:
        if not c.quaternion:
            for i in range(c.size):
                low, high = limits[k + i]
                if math.isfinite(low) or math.isfinite(high):
                    found.append((j + i, low, high))
        k, j = k + c.nq, j + c.nv
    return found


def limit_rows(
    model: Model, joint: JointElement | str, place: Callable[[JointElement | str, int], tuple[int, int]]
) -> Any:
    """A table of the limits of a joint: place of the coordinate in q and in v, lower, upper, and two zeros."""
    limits = limited_coordinates(model.joints[name_of(joint)])  # pyright: ignore[reportArgumentType]
    return np.array([(*place(joint, k), low, high, 0.0, 0.0) for k, low, high in limits]).reshape(-1, 6)


def slots_of_limits(model: Model) -> list[Slot]:
    """A slot for each coordinate with limits at which a rigid stop acts."""
    stops = {name_of(each.joint): each for each in model.forces.values() if isinstance(each, JointStop)}  # pyright: ignore[reportArgumentType]
    found: list[Slot] = []
    for name, element in model.joints.items():
        stop = stops.get(name)
        if stop is not None and stop.stiffness is not None:
            continue  # a force
        for rate, low, high in limited_coordinates(element):
            friction_state = f"{name}.stop{rate + 1 if element.nv > 1 else ''}"
            restitution = 0.0 if stop is None else stop.restitution
            found.append(
                Slot(
                    name,
                    name,
                    (rate,),
                    (1.0,),
                    friction_state=friction_state,
                    limits=(low, high),
                    restitution=restitution,
                )
            )
    return found


def slots_of(model: Model) -> list[Slot]:
    """All slots of a model: those of its friction elements, in their order, then those of limits."""
    found: list[Slot] = []
    for name, force in model.forces.items():
        if isinstance(force, JointFriction):
            found += slots_of_friction(model, name)
    return found + slots_of_limits(model)


def follows_load(model: Model, slot: Slot) -> bool:
    """Whether the friction of a slot depends on the load of its joint."""
    law = model.forces.get(slot.friction)
    if not isinstance(law, JointFriction) or not any(slot.arms[: Arms._fields.index("always")]):
        return False
    reals = law.reals()
    return reals["friction"] > 0.0 or reals["static_friction"] > 0.0


def add_friction_states(model: Model) -> None:
    """Give a model (a copy of the user's) the stops of its limits, and the states and events of its joint friction
    laws.
    """
    stopped = {name_of(force.joint) for force in model.forces.values() if isinstance(force, JointStop)}  # pyright: ignore[reportArgumentType]
    for name in dict.fromkeys(slot.joint for slot in slots_of_limits(model)):
        if name not in stopped:
            model.forces[f"{name}.stop"] = LimitStop(name)
    _watch_springs(model)
    for slot in slots_of(model):
        if slot.friction_state:
            model.states[slot.friction_state] = FrictionState(
                slot.friction_state, 0.0, UNDETERMINED if slot.friction else FREE
            )
            model.events[slot.friction_state] = FrictionStateEvent(0.0, jump=no_jump, direction="falling")
        if slot.lugre_states:
            law = model.forces[slot.friction]
            assert isinstance(law, JointFriction)
            rates = [_rate_name(model.joints[slot.joint], slot.joint, k) for k in slot.rates]
            for name, rate in zip(slot.lugre_states, _lugre_derivatives(law, slot, rates), strict=True):
                model.states[name] = FrictionState(name, rate, 0.0, "rad" if slot.scales[0] == 1.0 else "m")


class SpringContact(NamedTuple):
    """A coordinate that a compliant stop pushes beyond its limits."""

    joint: str
    rate: int
    low: float
    high: float


def spring_contacts(model: Model) -> dict[str, SpringContact]:
    """What compliant stops act on, by the name of the event at which they begin and end to push."""
    found: dict[str, SpringContact] = {}
    for name, stop in model.forces.items():
        if isinstance(stop, JointStop) and stop.stiffness is not None:
            joint = name_of(stop.joint)  # pyright: ignore[reportArgumentType]
            element = model.joints[joint]
            for rate, low, high in limited_coordinates(element):
                event = f"{name}.contact{rate + 1 if element.nv > 1 else ''}"
                found[event] = SpringContact(joint, rate, low, high)
    return found


def _watch_springs(model: Model) -> None:
    """Events for compliant stops, so that no step passes over the instants at which they begin to push."""
    for event, (joint, rate, low, high) in spring_contacts(model).items():
        element = model.joints[joint]
        before = sum(c.nq - c.nv for c, end in _ends(element) if end <= rate)
        q = f"{joint}.q[{rate + before}]" if element.joint.nq > 1 else f"{joint}.q"
        parts = [f"{q} - {low!r}"] * math.isfinite(low) + [f"{high!r} - {q}"] * math.isfinite(high)
        value = f"min({', '.join(parts)})" if len(parts) > 1 else parts[0]
        model.events[event] = FrictionStateEvent(value, jump=no_jump)


def _ends(element: JointElement) -> list[tuple[Any, int]]:
    """Coordinates of a joint, with the number of the rate behind each."""
    found: list[tuple[Any, int]] = []
    end = 0
    for c in element.joint.coordinates:
        end += c.nv
        found.append((c, end))
    return found


def _rate_name(element: JointElement, joint: str, rate: int) -> str:
    return f"{joint}.v[{rate}]" if element.nv > 1 else f"{joint}.v"


def _lugre_derivatives(law: JointFriction, slot: Slot, rates: list[str]) -> list[str]:
    """dz/dt = u - sigma0 |u| / mu(u) z for each sliding speed u (Canudas de Wit et al. 1995), scaled by the load."""
    speeds = [f"({scale!r}*{rate})" for scale, rate in zip(slot.scales, rates, strict=True)]
    size = f"abs({speeds[0]})" if len(speeds) == 1 else "sqrt(" + " + ".join(f"{u}^2" for u in speeds) + ")"
    level, ratio = "1", law.static_ratio
    if law.stribeck_velocity and ratio != 1.0:
        level = f"(1 + {ratio - 1.0!r}*exp(-({size}/{law.stribeck_velocity!r})^2))"
    return [
        f"{u} - {law.bristle_stiffness!r}*{size}/{level}*{z}" for u, z in zip(speeds, slot.lugre_states, strict=True)
    ]


def span_of(model: Model, force: Force) -> tuple[int, int]:
    """Number of the first slot of a force element, and how many it has."""
    slots = slots_of(model)
    if isinstance(force, JointFriction):
        mine = [k for k, slot in enumerate(slots) if slot.friction and model.forces[slot.friction] is force]
    else:
        assert isinstance(force, JointStop)
        joint = name_of(force.joint)  # pyright: ignore[reportArgumentType]
        mine = [k for k, slot in enumerate(slots) if not slot.friction and slot.joint == joint]
    return (mine[0], len(mine)) if mine else (0, 0)


@dataclass(eq=False, repr=False)
class ElementState(FrictionState):
    """A state of a force element; its rate comes with the force (`Force.own_states`)."""

    by_graph: ClassVar[bool] = True


def add_element_states(model: Model) -> None:
    """Put the states of force elements into a model that is about to be compiled."""
    for name, force in model.forces.items():
        own = force.own_states(name)
        if own:
            force.state_names = tuple(own)
        for state, unit in own.items():
            model.states[state] = ElementState(state, 0.0, 0.0, unit)


HIDDEN = (FrictionState, FrictionStateEvent, LimitStop)
"""What `add_friction_states` adds, and files do not hold."""
