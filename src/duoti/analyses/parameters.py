"""Numbers of a model by name: "crank.mass", "spring.stiffness", "tip.position.x", "gravity.z", or a named parameter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.expansion import described
from duoti.model.model import Model
from duoti.spatial import Inertia
from duoti.system.preparation import own_copy

MATRIX = {"xx": (0, 0), "xy": (0, 1), "yy": (1, 1), "xz": (0, 2), "yz": (1, 2), "zz": (2, 2)}


class Parameter(NamedTuple):
    """A number of a model: name, value, a size that changes of it compare with, and how it is put into a copy."""

    name: str
    value: float
    size: float
    put: Callable[[Model, float], None]


def parameters_of(model: Model) -> dict[str, Parameter]:
    """All numbers of a model that have a name."""
    found: dict[str, Parameter] = {}

    def add(name: str, value: Any, size: float, put: Callable[[Model, float], None]) -> None:
        found.setdefault(name, Parameter(name, float(value), size, put))

    for name, value in model.parameters.items():
        add(name, value, abs(value) or 1.0, lambda m, x, n=name: m.parameters.__setitem__(n, x))
    for i, axis in enumerate("xyz"):
        add(f"gravity.{axis}", np.asarray(model.gravity, dtype=float)[i], 9.81, lambda m, x, i=i: _put_gravity(m, i, x))
    for name, body in model.bodies.items():
        inertia: Any = body.inertia
        if isinstance(inertia, Inertia):
            _add_inertia(add, name, inertia)
    for name, marker in model.markers.items():
        for i, axis in enumerate("xyz"):
            value = np.asarray(marker.position, dtype=float)[i]
            add(f"{name}.position.{axis}", value, 1.0, lambda m, x, n=name, i=i: _put_position(m.markers[n], i, x))
    for name, body in model.bodies.items():
        if body.position is not None:
            for i, axis in enumerate("xyz"):
                value = np.asarray(body.position, dtype=float)[i]
                add(f"{name}.position.{axis}", value, 1.0, lambda m, x, n=name, i=i: _put_position(m.bodies[n], i, x))
    for name, element in model.joints.items():
        if element.at is not None:
            for i, axis in enumerate("xyz"):
                value = np.asarray(element.at, dtype=float)[i]
                add(f"{name}.at.{axis}", value, 1.0,
                    lambda m, x, n=name, i=i: setattr(m.joints[n], "at", _changed(m.joints[n].at, i, x)))  # fmt: skip
        if isinstance(element.rotor_inertia, int | float):
            size = abs(element.rotor_inertia) or 1.0
            add(f"{name}.rotor_inertia", element.rotor_inertia, size,
                lambda m, x, n=name: setattr(m.joints[n], "rotor_inertia", x))  # fmt: skip
    for kind, items in (("forces", model.forces), ("constraints", model.constraints)):
        for name, item in items.items():
            for key, value in vars(item).items():
                if isinstance(value, float | int) and not isinstance(value, bool) and key != "coordinate":
                    add(f"{name}.{key}", value, abs(value) or 1.0,
                        lambda m, x, k=kind, n=name, a=key: setattr(getattr(m, k)[n], a, x))  # fmt: skip
    return found


def find_parameter(model: Model, name: str) -> Parameter:
    """The number of this name; ChannelError with suggestions if there is none."""
    known = parameters_of(model)
    if name not in known:
        raise ChannelError(f'model "{model.name}" has no parameter "{name}".{did_you_mean(name, known)}')
    return known[name]


def with_value(model: Model, parameter: Parameter, value: float) -> Model:
    """A copy of a model with another value."""
    changed = own_copy(described(model))
    parameter.put(changed, value)
    return changed


def _add_inertia(add: Callable[..., None], name: str, inertia: Inertia) -> None:
    """Mass, mass centre, and moments about it."""
    length = float(np.sqrt(np.trace(inertia.matrix) / max(inertia.mass, 1e-300))) or 1.0

    def changed(m: Model, **fields: Any) -> None:
        old: Any = m.bodies[name].inertia
        now = {"mass": old.mass, "com": old.com, "matrix": old.matrix, **fields}
        m.bodies[name] = _with(m.bodies[name], Inertia._unchecked(now["mass"], now["com"], now["matrix"]))  # pyright: ignore[reportPrivateUsage]

    add(f"{name}.mass", inertia.mass, inertia.mass or 1.0, lambda m, x: changed(m, mass=x))
    for i, axis in enumerate("xyz"):
        add(f"{name}.com.{axis}", inertia.com[i], length,
            lambda m, x, i=i: changed(m, com=_changed(m.bodies[name].inertia.com, i, x)))  # fmt: skip
    size = float(np.max(np.abs(inertia.matrix))) or 1.0
    for key, (i, j) in MATRIX.items():
        add(f"{name}.inertia.{key}", inertia.matrix[i, j], size,
            lambda m, x, i=i, j=j: changed(m, matrix=_symmetric(m.bodies[name].inertia.matrix, i, j, x)))  # fmt: skip


def _with(body: Any, inertia: Inertia) -> Any:
    body.inertia = inertia
    return body


def _changed(vector: Any, i: int, x: float) -> Any:
    made = np.array(vector, dtype=float)
    made[i] = x
    return made


def _symmetric(matrix: Any, i: int, j: int, x: float) -> Any:
    made = np.array(matrix, dtype=float)
    made[i, j] = made[j, i] = x
    return made


def _put_gravity(model: Model, i: int, x: float) -> None:
    model.gravity = _changed(model.gravity, i, x)


def _put_position(marker: Any, i: int, x: float) -> None:
    marker.position = _changed(marker.position, i, x)
