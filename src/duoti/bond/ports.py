"""Where the ports of a graph are connected: to joints, along lines, or to the relative motion of two markers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duoti.bond.compiled.port_kernels import FORCE, JOINT, LINE, TORQUE
from duoti.model.elements import GROUND, JointElement, Reference, name_of
from duoti.strict import Explained

AXES = "xyz"


@dataclass(frozen=True)
class PortPlace:
    """One flow of the mechanism: of a joint's rate, or between two markers."""

    kind: int
    joint: str = ""
    coordinate: int = 0
    markers: tuple[Reference, ...] = ()
    axis: int = 0

    def integers(self, compiler: Any) -> tuple[int, int, int, int]:
        """What kernels read: kind, rate or markers, axis."""
        if self.kind == JOINT:
            return JOINT, compiler.coordinate(self.joint, self.coordinate)[1], 0, 0
        a, b = (compiler.marker(marker) for marker in self.markers)
        return self.kind, a, b, self.axis

    def flow_text(self) -> str:
        """The flow as an expression of the mechanism, for constraints of velocities."""
        if self.kind == JOINT:
            return f"{self.joint}.v[{self.coordinate}]"
        a, b = (name_of(marker) for marker in self.markers)
        d, v, omega = (
            [f"({b}.{what}.{axis} - {a}.{what}.{axis})" for axis in AXES]
            for what in ("position", "velocity", "angular_velocity")
        )
        if self.kind == LINE:
            return f"({_dot(d, v)})/sqrt({_dot(d, d)})"
        n = [f"{a}.axis_{AXES[self.axis]}.{axis}" for axis in AXES]
        if self.kind == TORQUE:
            return _dot(n, omega)
        turn = [f"{a}.angular_velocity.{axis}" for axis in AXES]
        cross = [f"({turn[i]}*{d[k]} - {turn[k]}*{d[i]})" for i, k in ((1, 2), (2, 0), (0, 1))]
        return f"{_dot(n, v)} - ({_dot(n, cross)})"


def _dot(a: Sequence[str], b: Sequence[str]) -> str:
    return " + ".join(f"{x}*{y}" for x, y in zip(a, b, strict=True))


@dataclass(frozen=True)
class JointPort(Explained):
    """Port in a joint: the velocity of a coordinate, and the torque or force along it.

    Parameters
    ----------
    joint:
        The joint.
    coordinate:
        Number of the coordinate, from 0.
    """

    joint: JointElement | str
    coordinate: int = 0

    def places(self) -> list[PortPlace]:
        """One."""
        return [PortPlace(JOINT, name_of(self.joint), self.coordinate)]  # pyright: ignore[reportArgumentType]


@dataclass(frozen=True)
class LinePort(Explained):
    """Port along the line between two markers.

    Flow: rate of the distance [m/s]. Effort: force that pushes the markers apart [N].

    Parameters
    ----------
    marker_a, marker_b:
        Markers or bodies.
    """

    marker_a: Reference
    marker_b: Reference

    def places(self) -> list[PortPlace]:
        """One."""
        return [PortPlace(LINE, markers=(self.marker_a, self.marker_b))]


@dataclass(frozen=True)
class TorquePort(Explained):
    """Port about an axis: the relative angular velocity, and the torque.

    Flow: angular velocity of marker b seen from marker a about an axis of a [rad/s]. Effort: torque on b [N m].

    Parameters
    ----------
    marker_a, marker_b:
        Markers or bodies.
    axis:
        Axis of marker a: "x", "y" or "z".
    """

    marker_a: Reference
    marker_b: Reference
    axis: str = "z"

    def places(self) -> list[PortPlace]:
        """One."""
        return [PortPlace(TORQUE, markers=(self.marker_a, self.marker_b), axis=AXES.index(self.axis))]


@dataclass(frozen=True)
class ForcePort(Explained):
    """Port along an axis: the velocity of a point, and the force on it.

    Flow: velocity of marker b seen from marker a along an axis of a [m/s]. Effort: force on b [N].

    Parameters
    ----------
    marker_a, marker_b:
        Markers or bodies.
    axis:
        Axis of marker a: "x", "y" or "z".
    """

    marker_a: Reference
    marker_b: Reference
    axis: str = "z"

    def places(self) -> list[PortPlace]:
        """One."""
        return [PortPlace(FORCE, markers=(self.marker_a, self.marker_b), axis=AXES.index(self.axis))]


@dataclass(frozen=True)
class WrenchPort(Explained):
    """Six ports between two markers, for `Port(6)`.

    Flows: angular velocity, then velocity, along the axes of marker a. Efforts: torque, then force.

    Parameters
    ----------
    marker_b:
        Marker or body that moves.
    marker_a:
        Marker or body from which the motion is seen.
    """

    marker_b: Reference
    marker_a: Reference = GROUND

    def places(self) -> list[PortPlace]:
        """Six."""
        pair = (self.marker_a, self.marker_b)
        return [PortPlace(kind, markers=pair, axis=axis) for kind in (TORQUE, FORCE) for axis in range(3)]


Connection = JointPort | LinePort | TorquePort | ForcePort | WrenchPort
WORDS: Mapping[str, tuple[type[Any], tuple[str, ...]]] = {
    "joint": (JointPort, ("coordinate",)),
    "line": (LinePort, ()),
    "torque": (TorquePort, ("axis",)),
    "force": (ForcePort, ("axis",)),
    "wrench": (WrenchPort, ()),
}
"""How model files write connections: {line: [a, b]}, {joint: J, coordinate: 1}, {wrench: tool}."""


def connection(given: Any) -> Connection:
    """What a user means: a joint or its name, a pair of markers (a line), a mapping from a file, or an object."""
    if isinstance(given, Connection):
        return given
    if isinstance(given, str | JointElement):
        return JointPort(given)
    if isinstance(given, Mapping):
        words = [word for word in WORDS if word in given]
        if len(words) == 1:
            cls, options = WORDS[words[0]]
            extra = {key: value for key, value in given.items() if key != words[0]}
            unknown = [key for key in extra if key not in options]
            if not unknown:
                value = given[words[0]]
                if words[0] == "wrench" and not isinstance(value, str):
                    return WrenchPort(value[1], value[0])
                return cls(*(value if isinstance(value, list | tuple) else [value]), **extra)
        raise ValueError(f"{given!r}: give one of {', '.join(WORDS)}, such as {{line: [a, b]}} or {{joint: J1}}")
    if isinstance(given, Sequence) and len(given) == 2:
        first, second = given
        return JointPort(first, second) if isinstance(second, int) else LinePort(first, second)
    raise ValueError(
        f"{given!r} is no connection; give a joint's name, a pair of markers, or dt.bond.TorquePort(a, b, 'x')"
    )


def written(given: Any) -> Any:
    """The connection as a model file writes it."""
    place = connection(given)
    if isinstance(place, JointPort):
        name = name_of(place.joint)  # pyright: ignore[reportArgumentType]
        return {"joint": name, "coordinate": place.coordinate} if place.coordinate else name
    if isinstance(place, WrenchPort):
        return {"wrench": [name_of(place.marker_a), name_of(place.marker_b)]}
    pair = [name_of(place.marker_a), name_of(place.marker_b)]
    if isinstance(place, LinePort):
        return {"line": pair}
    return {"torque" if isinstance(place, TorquePort) else "force": pair, "axis": place.axis}
