"""Where the parts of a car are in a model: the names that `car` gives, below a prefix in larger models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.model.model import Model
from duoti.vehicle.car import AXLES, SIDES, WHEELS


@dataclass(frozen=True)
class CarNames:
    """Names of the parts of a car, and its measures."""

    prefix: str
    wheelbase: float
    track: float
    steering_ratio: float

    @property
    def chassis(self) -> str:
        """The body."""
        return f"{self.prefix}chassis"

    @property
    def air(self) -> str:
        """The marker at its centre of gravity."""
        return f"{self.prefix}air"

    def hubs(self, end: str) -> tuple[str, str]:
        """Markers of the wheel centres of an axle, left and right."""
        left, right = (f"{self.prefix}{end}.{side}.hub" for side in SIDES)
        return left, right

    @property
    def wheels(self) -> tuple[str, ...]:
        """Names before ".wheel", ".hub", ..."""
        return tuple(f"{self.prefix}{wheel}" for wheel in WHEELS)

    def command(self, name: str) -> str:
        """The parameter of a command: "steer", "drive" or "brake"."""
        return f"{self.prefix}{name}"


def names_of_car(model: Model) -> CarNames:
    """The car in a model. Raises ValueError if there is none, or more than one."""
    bodies = [name for name in model.bodies if name.rpartition(".")[2] == "chassis"]
    if len(bodies) != 1:
        found = ", ".join(bodies) or "none"
        raise ValueError(f"manoeuvres need one car, as dt.vehicle.car makes it; bodies called chassis: {found}")
    prefix = bodies[0].removesuffix("chassis")
    missing = [f"{prefix}{end}.{side}.hub" for end in AXLES for side in SIDES]
    if missing := [name for name in missing if name not in model.markers]:
        raise ValueError(f"manoeuvres need the markers that dt.vehicle.car makes; missing: {', '.join(missing)}")
    places = {end: np.mean([place(model, f"{prefix}{end}.{side}.hub") for side in SIDES], axis=0) for end in AXLES}
    left, right = (place(model, f"{prefix}front.{side}.hub") for side in SIDES)
    ratio = model.parameters.get(f"{prefix}front.steering_ratio", float("nan"))
    base = float(np.linalg.norm(places["front"] - places["rear"]))
    return CarNames(prefix, base, float(np.linalg.norm(left - right)), ratio)


def wheels_in_the_air(model: Model, names: CarNames) -> list[str]:
    """Wheels on which no force and no contact acts: the parts of a car alone hold them by the joints of its axles."""
    ends: set[str] = set()
    for element in (*model.forces.values(), *model.contacts.values()):
        for value in vars(element).values():
            ends.update(
                str(getattr(each, "name", each)) for each in (value if isinstance(value, list | tuple) else [value])
            )
    on: dict[str, set[str]] = {
        wheel: {f"{wheel}.{part}" for part in ("wheel", "hub", "contact")} for wheel in names.wheels
    }
    for name, marker in model.markers.items():
        body = str(getattr(marker.body, "name", marker.body))
        if body.removesuffix(".wheel") in on:
            on[body.removesuffix(".wheel")].add(name)
    return [wheel for wheel, places in on.items() if not ends & places]


def place(model: Model, marker: str) -> Any:
    """Place of a marker in the design position [m]."""
    m = model.markers[marker]
    body = str(getattr(m.body, "name", m.body))
    return np.asarray((model.bodies[body].pose @ m.pose).position if body in model.bodies else m.pose.position)
