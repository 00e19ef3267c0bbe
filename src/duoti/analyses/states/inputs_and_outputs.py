"""Inputs and outputs of a linear system: a copy of the model in which they are first-order states.

An input is a state with the rate zero that the laws read: derivatives by it are those by a state (`Tangent.Z`, `Fz`).
A prescribed motion is an input of its own kind (`motion_inputs`). An output that an expression can say is a state whose
rate is that expression: its derivatives are those of a rate (`Fq`, `Fv`, `Fz`). So both are exact, with nothing written
for them. Other outputs (reactions, accelerations, powers) are channels, whose derivatives are differences.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from duoti.analyses.states.motion_inputs import MOTIONS, MotionInput, motions_named
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.expand_bond_graphs import described, expanded
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.laws.law import Function, make_law
from duoti.model.model import Model
from duoti.model.quantities import ends_in, find_quantity, known_signal
from duoti.model.state import State
from duoti.system.compile.compiler import build_system
from duoti.system.system import System

INPUT, OUTPUT = "duoti_input_{}", "duoti_output_{}"  # names of the added states
LETTERS = "xyz"
OUT = "-> "
EFFORTS = ("torque", "force", "joint_force")
"""Channels of force elements with one number, after which an input may be named: "motor.torque"."""


@dataclass
class Ports:
    """The system with its inputs and outputs as states, and where they are.

    input_states, output_states: places in z by name; channels: outputs without an expression. inputs, outputs: all
    names, in the order that was asked for.
    """

    system: System
    inputs: list[str] = field(default_factory=list[str])
    outputs: list[str] = field(default_factory=list[str])
    made: dict[str, str] = field(default_factory=dict[str, str])
    """Names of the added states, by those of inputs and outputs."""
    input_states: dict[str, int] = field(default_factory=dict[str, int])
    output_states: dict[str, int] = field(default_factory=dict[str, int])
    channels: list[str] = field(default_factory=list[str])
    motions: list[MotionInput] = field(default_factory=list[MotionInput])
    """Prescribed motions among the inputs: these are no states."""

    @property
    def motion_names(self) -> list[str]:
        """Of the inputs that are no states, in their order."""
        return [name for motion in self.motions for name in motion.names]


def add_ports(system: System, inputs: Sequence[str], outputs: Sequence[str]) -> Ports:
    """The system with states for inputs and outputs; the same coordinates, and the user's own states first."""
    ports = Ports(system)
    if not inputs and not outputs:
        return ports
    model = copy.copy(described(system.model))  # bond graphs are put in again below: they may read an input
    model.parameters, model.forces, model.states = dict(model.parameters), dict(model.forces), dict(model.states)
    faults: list[str] = []
    given: tuple[object, ...] = (*inputs, *outputs)
    if wrong := [name for name in given if not isinstance(name, str)]:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"inputs and outputs are given by their names, not as {wrong[0]!r}")
    for name in inputs:
        _add_input(ports, model, name, faults)
    for name in outputs:
        _add_output(ports, model, name, faults)
    if faults:
        raise ChannelError("; ".join(faults))
    if model.bond_graphs:
        model = expanded(model)
        if wrong := model.expansion.found.report(model.name).errors:
            raise ChannelError("; ".join(finding.what for finding in wrong))
        first = dict.fromkeys(name for name in system.model.states if name in model.states)
        model.states = {name: model.states[name] for name in {**first, **model.states}}
    places = {name: k for k, name in enumerate(model.states)}
    ports.input_states = {name: places[ports.made[name]] for name in ports.inputs if name in ports.made}
    ports.output_states = {name: places[ports.made[OUT + name]] for name in ports.outputs if OUT + name in ports.made}
    assert system.topology is not None
    if len(model.states) > len(system.model.states):
        ports.system = build_system(model, system.topology, fuse=True)
    return ports


def _add_input(ports: Ports, model: Model, name: str, faults: list[str]) -> None:
    system = ports.system
    rates = dict(zip(system.rate_names, range(system.nv), strict=True))
    item, _, letter = name.rpartition(".")
    if name in model.parameters:
        if not _is_read(system.model, name):
            faults.append(f'input "{name}": no law reads this parameter, so that nothing follows it')
            return
        model.states[name] = State(name, 0.0, float(model.parameters.pop(name)))
        ports.made[name] = name
    elif name in system.model.forces or (item in system.model.forces and (letter in LETTERS or letter in EFFORTS)):
        ports.inputs += _with_input(ports, model, name, faults)
        return
    elif motions := motions_named(system, name):
        ports.motions += motions
        ports.inputs += [each for motion in motions for each in motion.names]
        return
    elif name in rates:
        _joint_input(ports, model, name, rates[name])
    elif name in system.joints and len(system.joints[name].v):
        for k in system.joints[name].v.tolist():
            label = system.rate_names[k] if len(system.joints[name].v) > 1 else name
            _joint_input(ports, model, label, k)
            ports.inputs.append(label)
        return
    else:
        driven = [n for n, constraint in model.constraints.items() if isinstance(constraint, MOTIONS)]
        known = [*model.parameters, *model.forces, *system.joints, *driven]
        faults.append(
            f'there is no input "{name}": give a parameter that laws read, a force element with a law, a joint or one '
            f"of its rates, or a prescribed motion.{did_you_mean(name, known, or_list=False)}"
        )
        return
    ports.inputs.append(name)


def _joint_input(ports: Ports, model: Model, label: str, rate: int) -> None:
    """A generalised force by the rate of a joint."""
    joint, layout = next((j, at) for j, at in ports.system.joints.items() if rate in at.v.tolist())
    state = INPUT.format(len(model.states))
    ports.made[label] = state
    model.states[state] = State(state, 0.0, 0.0)
    model.forces[state] = JointTorque(joint, state, coordinate=layout.v.tolist().index(rate))


def _with_input(ports: Ports, model: Model, name: str, faults: list[str]) -> list[str]:
    """The inputs that a force element has: each is added to its law, in a copy of the element."""
    original = ports.system.model
    item, _, letter = name.rpartition(".")
    item, letter = (name, "") if name in original.forces else (item, letter)
    element: Any = copy.copy(model.forces[item])
    laws = list(element.values())
    own = letter in EFFORTS and letter in element.channels(original) and element.channels(original)[letter].size == 1
    letter, label = ("", name) if own else (letter, item)
    if letter in EFFORTS:
        faults.append(f'input "{name}": force element "{item}" ({element.kind}) has no single {letter}')
        return []
    vector = hasattr(element, "value") and (len(laws) == 3 or any(outputs == 3 for *_, outputs in laws))
    if not vector and (len(laws) != 1 or letter):
        what = "has one number, no components" if len(laws) == 1 else "has no law to which an input could be added"
        faults.append(f'input "{name}": force element "{item}" ({element.kind}) {what}')
        return []
    made: list[str] = []
    for k in range(3) if vector and not letter else [LETTERS.index(letter) if letter else 0]:
        made.append(f"{item}.{LETTERS[k]}" if vector else label)
        state = INPUT.format(len(model.states))
        ports.made[made[-1]] = state
        model.states[state] = State(state, 0.0, 0.0)
        if not vector:
            role, value, own, _ = laws[0]
            setattr(element, role, _plus(original, value, own, state))
        elif len(laws) == 3:
            given: Any = element.value
            element.value = tuple(_plus(original, x, {}, state) if i == k else x for i, x in enumerate(given))
        else:
            element.value = _vector_plus(original, element.value, k, state)
    model.forces[item] = element
    return made


def _plus(model: Model, value: Any, own: Any, state: str) -> Any:
    """A law with a state added to it."""
    if isinstance(value, str):
        return f"({value}) + {state}"
    if not callable(value) and not isinstance(value, Function):
        return f"{float(value)!r} + {state}"
    law = make_law(value, known_signal(model, own), model.parameters)
    function: Any = law.function
    return Function(lambda *x: function(*x[:-1]) + x[-1], inputs=(*law.inputs, state))


def _vector_plus(model: Model, value: Any, k: int, state: str) -> Function:
    law = make_law(value, lambda name: True, model.parameters, outputs=3)
    function: Any = law.function
    unit = np.eye(3)[k]
    return Function(lambda *x: np.asarray(function(*x[:-1])) + x[-1] * unit, inputs=(*law.inputs, state))


def _is_read(model: Model, name: str) -> bool:
    """Whether some law of the model reads a parameter."""
    values = [value for force in model.forces.values() for _, value, _, _ in force.values()]
    values += [state.rate for state in model.states.values()]
    values += [text for graph in model.bond_graphs.values() for text in graph.texts(model)]
    others = {n: x for n, x in model.parameters.items() if n != name}
    for value in values:
        if not isinstance(value, str):
            continue
        try:
            if name in make_law(value, lambda text: True, others).inputs:
                return True
        except (ValueError, TypeError, OverflowError):
            continue
    return False


def _add_output(ports: Ports, model: Model, name: str, faults: list[str]) -> None:
    original = ports.system.model
    try:
        quantity = find_quantity(original, name)
    except ChannelError as error:
        try:
            make_law(name, known_signal(original), original.parameters)
        except (ValueError, TypeError, OverflowError) as reason:
            plain = all(c.isalnum() or c in "_.:[] " for c in name)
            faults.append(f'output "{name}": {error if plain else reason}')
            return
        ports.outputs.append(name)
        _new_output(ports, model, name, name)
        return
    names = [name]
    if quantity.component is None and quantity.size > 1:
        names = [name + end for end in ends_in(original, name)]
    readable = known_signal(original)
    for each in names:
        ports.outputs.append(each)
        if readable(each):
            _new_output(ports, model, each, _as_law(original, each))
        else:
            ports.channels.append(each)


def _new_output(ports: Ports, model: Model, name: str, law: Any) -> None:
    state = OUTPUT.format(len(model.states))
    ports.made[OUT + name] = state
    model.states[state] = State(state, law)


def _as_law(model: Model, name: str) -> Any:
    """A quantity as an expression, or, if its name cannot stand in one, as a function."""
    try:
        make_law(name, known_signal(model), model.parameters)
    except (ValueError, TypeError, OverflowError):
        return Function(lambda x: x, inputs=(name,))
    return name


def channel_differences(system: System, states: Any, t: float, channels: Sequence[str], step: float) -> Any:
    """Derivatives of channels along directions: states [directions, 2, size of y] are those at +step and -step."""
    values = channel_values(system, states.reshape(-1, states.shape[-1]), t, channels)
    values = values.reshape(len(channels), states.shape[0], 2)
    return (values[:, :, 0] - values[:, :, 1]) / (2.0 * step)


def channel_values(system: System, states: Any, t: float, channels: Sequence[str]) -> Any:
    """Channels [channels, states] in states [states, size of y]."""
    from duoti.results.records import Stats
    from duoti.results.result import Result

    seen = Result(system, np.full(len(states), t), states, True, "", Stats("none", 0, 0, 0, 0.0))
    return np.array([seen[name].reshape(len(states)) for name in channels])
