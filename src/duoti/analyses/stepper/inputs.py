"""Names of numbers that a stepper holds: parameters of the model, and inputs.

A parameter is a number of the model by the grammar of `model.parameters`. An input is a force: that of an element with
a law, by its name ("motor", or "motor.torque"), or a generalised force in a joint ("shoulder"). In a copy of the model
an input is a declared parameter which the law reads; so all numbers that are held are parameters.
"""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

from duoti.model.errors import AmbiguousNameError, ParameterError, did_you_mean
from duoti.model.forces.applied import AppliedForce, AppliedTorque
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.laws.law import Function, make_law
from duoti.model.model import Model
from duoti.model.parameters import find, number_names
from duoti.model.quantities import known_signal

HELD = "held_{}"  # names of the declared parameters of inputs
LETTERS = "xyz"
INITIAL = ("q0", "v0", "initial")


class Input(NamedTuple):
    """A number that is held: the parameter that stands for it in the copy of the model, and its value so far."""

    parameter: str
    value: float


def add_input(model: Model, name: str) -> Input:
    """What a name means; where it is an input, the model (a copy) gets its parameter. ParameterError if it is none."""
    try:
        parameter = find(model, name)
    except ParameterError as error:
        if name in model.forces and name in model.joints:
            raise ParameterError(
                f'"{name}" is a force element and a joint: write "{name}.value" for the law of the element, or '
                f'"{name}.v[0]" for a force that is added in the joint'
            ) from None
        found = _force(model, name) or _joint(model, name)
        if found is None:
            raise ParameterError(_unknown(model, name, error)) from None
        return found
    if parameter.field in INITIAL:
        raise ParameterError(f'"{name}" is an initial value: give it to reset(parameters=...)')
    owner = parameter.element
    if owner is not None and owner.kind == "force":
        roles = [role for role, *_ in model.forces[owner.name].values()]
        if parameter.field in roles and parameter.component is None and _is_number(parameter.get(model)):
            return _replaced(model, owner.name, parameter.field, None)
        if parameter.field in roles and _is_held(model, parameter.get(model)):
            return Input(parameter.get(model), 0.0)
        if parameter.field in roles and isinstance(parameter.get(model), str):
            raise ParameterError(
                f'"{name}" is the expression {parameter.get(model)!r}: let it read a declared parameter, and set that; '
                f'or set "{owner.name}", which is added to it'
            )
    return Input(name, parameter.number(model))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_held(model: Model, law: Any) -> bool:
    """Whether a law is the parameter of an input already."""
    return isinstance(law, str) and law in model.parameters and law.startswith(HELD.format(""))


def _new_parameter(model: Model, value: float) -> str:
    k = len(model.parameters)
    while HELD.format(k) in model.parameters or HELD.format(k) in model.states:
        k += 1
    model.parameters = {**model.parameters, HELD.format(k): value}
    return HELD.format(k)


def _force(model: Model, name: str) -> Input | None:
    """The law of a force element, by the element's name or that of its channel."""
    if name in model.forces:
        roles = list(model.forces[name].values())
        if len(roles) != 1 or roles[0][3] != 1:
            return None
        return _replaced(model, name, roles[0][0], None)
    item, _, what = name.rpartition(".")
    force = model.forces.get(item)
    if isinstance(force, JointTorque) and what in force.channels(model):
        if not _is_number(force.value) and not _is_held(model, force.value):
            raise ParameterError(
                f'"{name}" follows from the law {force.value!r}: let it read a declared parameter, and set that; or '
                f'set "{item}", which is added to it'
            )
        return _replaced(model, item, "value", None)
    vector = item if item in model.forces else item.rpartition(".")[0]
    if what in tuple(LETTERS) and isinstance(model.forces.get(vector), AppliedForce | AppliedTorque):
        if item not in (vector, *(f"{vector}.{channel}" for channel in model.forces[vector].channels(model))):
            return None
        return _replaced(model, vector, "value", LETTERS.index(what))
    return None


def _replaced(model: Model, name: str, role: str, component: int | None) -> Input:
    """The law of a force element becomes a declared parameter; one that is no number gets it added."""
    element: Any = copy.copy(model.forces[name])
    whole = getattr(element, role)
    if component is None:
        old, own = whole, next(own for each, _, own, _ in element.values() if each == role)
    elif isinstance(whole, tuple | list) and len(whole) == 3:  # pyright: ignore[reportUnknownArgumentType]
        old, own = whole[component], {}
    else:
        raise ParameterError(f'force "{name}": its law gives all components at once; let it read a declared parameter')
    if _is_held(model, old):
        return Input(old, 0.0)
    value = float(old) if _is_number(old) else 0.0
    made = _new_parameter(model, value)
    new = made if _is_number(old) else _plus(model, old, own, made)
    setattr(
        element, role, new if component is None else tuple(new if i == component else x for i, x in enumerate(whole))
    )
    model.forces = {**model.forces, name: element}
    return Input(made, value)


def _plus(model: Model, value: Any, own: Any, parameter: str) -> Any:
    if isinstance(value, str):
        return f"({value}) + {parameter}"
    law = make_law(value, known_signal(model, own), model.parameters)
    raise ParameterError(
        f"the law of a force is a function of {', '.join(law.inputs)}: let it read a first-order state with rate 0"
        if isinstance(value, Function) or callable(value)
        else f"{value!r} is no law"
    )


def _joint(model: Model, name: str) -> Input | None:
    """A generalised force in a joint, by its name or that of one of its rates."""
    item, k = name, 0
    if name not in model.joints:
        item, bracket, number = name.rpartition("[")
        if not bracket or item.removesuffix(".v") not in model.joints or not number.removesuffix("]").isdigit():
            return None
        item, k = item.removesuffix(".v"), int(number.removesuffix("]"))
    count = model.joints[item].nv
    if not 0 <= k < count or (item == name and count != 1):
        rates = ", ".join(f'"{item}.v[{i}]"' for i in range(count))
        raise ParameterError(f'joint "{item}" has {count} rates: set {rates or "another one"}')
    made = _new_parameter(model, 0.0)
    model.forces = {**model.forces, made: JointTorque(item, made, coordinate=k if count > 1 else None)}
    return Input(made, 0.0)


def _unknown(model: Model, name: str, error: ParameterError) -> str:
    motors = [each for each, force in model.forces.items() if isinstance(force, JointTorque)]
    known = [*model.parameters, *motors, *model.joints, *number_names(model)]
    hint = did_you_mean(name, known, or_list=False)
    if isinstance(error, AmbiguousNameError):
        return str(error)
    return (
        f'nothing that can be held has the name "{name}": give a parameter, a force element with one law, or a joint '
        f"(a force in it is added).{hint}"
    )
