"""Sensors: what a real one reads of the motion, with noise, bias, delay and sampling.

A sensor without `period` reads at every instant: its channels follow from the state, as those of a marker do. With a
period it is sampled: its readings are first-order states of the compiled model, held between samples, which scheduled
events set (`add_sensor_states`). So laws, controllers, results and files find them as they find any state.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from duoti.model.element_id import Fault
from duoti.model.elements import Body, JointElement, Marker, Reference
from duoti.model.event import SampleEvent
from duoti.model.laws.law import Function
from duoti.model.sections import Section, register_section
from duoti.model.state import State
from duoti.strict import explained

WHOLE = 1e-9  # part of the period by which a delay may miss a whole number of samples
TYPES: dict[str, tuple[str, ...]] = {
    "accelerometer": ("marker",), "gyroscope": ("marker",), "force_torque": ("joint",), "contact_sensor": ("contact",),
    "encoder": ("joint",), "tachometer": ("joint",),
}  # fmt: skip
"""What each type must be given."""
DIRECTIONS = ("child_to_parent", "parent_to_child")
IDEAL = "ideal"
"""Before the name of a quantity of a sensor: without noise, bias, delay and sampling."""


@dataclass(eq=False)
class Sensor:
    """A sensor. `dt.Accelerometer`, `dt.Gyroscope`, ... make one."""

    type: str
    marker: Reference | None = None
    joint: JointElement | str | None = None
    contact: str | Sequence[str] | None = None
    direction: str = "child_to_parent"
    period: float | None = None
    noise: ArrayLike = 0.0
    bias: ArrayLike = 0.0
    delay: float = 0.0
    resolution: float = 0.0
    seed: int = 0
    units: ClassVar[Mapping[str, str]] = {"period": "s", "delay": "s"}

    @property
    def sampled(self) -> bool:
        """Whether it reads at sample times only."""
        return self.period is not None

    @property
    def contacts(self) -> tuple[str, ...]:
        """Names of the contacts whose normal forces it adds up."""
        return () if self.contact is None else (self.contact,) if isinstance(self.contact, str) else (*self.contact,)

    def quantities(self, model: Any) -> dict[str, tuple[str, int]]:
        """Units and sizes of what it reads; "" is called by the name of the sensor alone."""
        if self.type == "accelerometer":
            return {"": ("m/s^2", 3)}
        if self.type == "gyroscope":
            return {"": ("rad/s", 3)}
        if self.type == "force_torque":
            return {"force": ("N", 3), "torque": ("N m", 3)}
        if self.type == "contact_sensor":
            return {"": ("N", 1)}
        element = model.joints.get(joint_name(self.joint)) if self.joint is not None else None
        if element is None or not hasattr(element.joint, "coordinates"):
            return {"": ("mixed", 1)}
        coordinates = element.joint.coordinates
        turn = self.type == "tachometer"
        units = {c.rate_unit if turn else c.unit for c in coordinates} or {"1"}
        return {"": (units.pop() if len(units) == 1 else "mixed", sum(c.nv if turn else c.nq for c in coordinates))}

    def faults(self) -> list[Fault]:
        """What is wrong, in words."""
        found = list[Fault]()
        if self.type not in TYPES:
            return [Fault(f"type is {self.type!r}; it is one of {', '.join(TYPES)}", "type")]
        needs = TYPES[self.type]
        lacking = [key for key in needs if getattr(self, key) is None]
        found += [Fault(f"a sensor of type {self.type} needs its {key}", key) for key in lacking]
        allowed = (*needs, "marker") if self.type == "force_torque" else needs
        for key in ("marker", "joint", "contact"):
            if getattr(self, key) is not None and key not in allowed:
                found.append(Fault(f"a sensor of type {self.type} has no {key}", key))
        named: tuple[Any, ...] = self.contacts
        if self.contact is not None and not (named and all(isinstance(each, str) for each in named)):
            found.append(
                Fault(f"contact is {self.contact!r}; it is the name of a contact, or a list of such", "contact")
            )
        if self.direction not in DIRECTIONS:
            found.append(Fault(f"direction is {self.direction!r}; it is one of {', '.join(DIRECTIONS)}", "direction"))
        for key in ("period", "delay", "resolution"):
            value: Any = getattr(self, key)
            if value is not None and (not _is_number(value) or value < 0.0 or (key == "period" and value == 0.0)):
                least = "positive" if key == "period" else "zero or positive"
                found.append(Fault(f"{key} is {value!r}; it is a number, {least}", key))
        for key in ("noise", "bias"):
            values = np.asarray(getattr(self, key), dtype=object).ravel()
            if not all(_is_number(x) for x in values):
                found.append(Fault(f"{key} is {getattr(self, key)!r}; it is a number, or one for each component", key))
            elif key == "noise" and any(x < 0.0 for x in values):
                found.append(Fault("noise is a standard deviation: zero or positive", key))
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(Fault(f"seed is {self.seed!r}; it is a whole number, not negative", "seed"))
        if found:
            return found
        if self.period is None:
            given = [key for key in ("noise", "delay") if np.any(np.asarray(getattr(self, key)))]
            found += [Fault(f"{key} needs a period: noise and delay are those of samples", key) for key in given]
        elif abs((late := self.delay / self.period) - round(late)) > WHOLE * max(1.0, late):
            text = f"delay={self.delay:g} s is no whole number of periods of {self.period:g} s"
            found.append(Fault(f"{text}; the nearest is {round(late) * self.period:g} s", "delay"))
        return found

    def size_faults(self, model: Any) -> list[Fault]:
        """Noise and bias that have another number of components than the sensor."""
        if self.faults():
            return []
        n = sum(size for _, size in self.quantities(model).values())
        return [
            Fault(f"{key} has {np.size(getattr(self, key))} numbers; the sensor has {n}", key)
            for key in ("noise", "bias")
            if np.size(getattr(self, key)) not in (1, n)
        ]

    def components(self, model: Any, name: str) -> list[str]:
        """Names of all its numbers: "imu.x", or "wrist.force.x", ..."""
        found = list[str]()
        for what, (_, size) in self.quantities(model).items():
            base = f"{name}.{what}" if what else name
            ends = [""] if size == 1 else [f".{x}" for x in {3: "xyz", 4: "wxyz"}.get(size, ())]
            found += [base + end for end in ends or [f"[{k}]" for k in range(size)]]
        return found

    def reading(self, ideal: Any, columns: slice, n: int) -> Any:
        """What it reads without noise where the true values are `ideal` (rows over time), for some of n components."""
        return self._rounded(ideal + np.broadcast_to(np.asarray(self.bias, float), (n,))[columns])

    def _rounded(self, values: Any) -> Any:
        return np.round(values / self.resolution) * self.resolution if self.resolution else values

    def sampler(self, name: str, n: int) -> Callable[..., Any]:
        """A function of the time and of the true values that returns a sample."""
        noise, bias = (np.broadcast_to(np.asarray(x, float), (n,)) for x in (self.noise, self.bias))
        period, key = self.period, (int(self.seed), zlib.crc32(name.encode()))
        noisy, adds = bool(np.any(noise)), self.type == "contact_sensor"
        assert period is not None

        def sample(t: float, *true: float) -> Any:
            values = np.array([sum(true)] if adds else true) + bias
            if noisy:  # numbers of this very sample: the same after a restart, and whatever was sampled before
                number = round(t / period)
                values = values + noise * np.random.default_rng((*key, number)).standard_normal(n)
            values = self._rounded(values)
            return values if n > 1 else float(values[0])

        return sample


register_section(Section("sensors", "sensor", element=Sensor))


def joint_name(joint: JointElement | str) -> str:
    """Name of a joint, given by itself or by its name."""
    return joint if isinstance(joint, str) else joint.name


def normal_force_of(contact: str) -> str:
    """Name of the normal force of a contact."""
    return f"contact:{contact}.normal_force"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and math.isfinite(float(value))


@dataclass(eq=False, repr=False)
class SensorState(State):
    """A reading that is held, one that is delayed, or the time of the next sample; no file holds it."""


class SensorEvent(SampleEvent):
    """The samples of a sensor; no file holds them."""


def rigid_fault(model: Any, sensor: Sensor) -> tuple[str, str, str] | None:
    """Why a sensor cannot be read during a run: what, why, remedy; None if it can."""
    rigid = [name for name, each in model.contacts.items() if getattr(each.law, "rigid", False)]
    if sensor.type not in ("accelerometer", "force_torque") or not rigid:
        return None
    return (
        f"it cannot be sampled while contact {', '.join(rigid[:3])} is rigid",
        "accelerations and reactions with rigid contacts do not follow from the state of an instant",
        "leave out period= and read it in the result, or give the contact a compliant law",
    )


def add_sensor_states(model: Any) -> None:
    """Give a model (a copy of the user's) the states and events of its sampled sensors, if they are not there yet.

    Their events come before those of controllers, which read what was sampled at the same instant.
    """
    from duoti.model.controller import MERGED

    events: dict[str, Any] = {}
    for name, sensor in vars(model).get("sensors", {}).items():
        clock = f"{name}.next_sample"
        if not sensor.sampled or clock in model.states:
            continue
        period, names = float(sensor.period), sensor.components(model, name)
        units = [unit for unit, size in sensor.quantities(model).values() for _ in range(size)]
        late = round(sensor.delay / period)
        stages = [[_delayed(each, k) for each in names] for k in range(late + 1)]
        for stage in stages:
            for each, unit in zip(stage, units, strict=True):
                model.states[each] = SensorState(each, 0.0, 0.0, unit)
        model.states[clock] = SensorState(clock, 0.0, 0.0, "s")
        sets: dict[Any, Any] = {
            to: source for k in range(late) for to, source in zip(stages[k], stages[k + 1], strict=True)
        }
        sample = Function(sensor.sampler(name, len(names)), ("t", *_inputs(sensor, name, len(names))))
        sets[tuple(stages[-1]) if len(names) > 1 else stages[-1][0]] = sample
        sets[clock] = f"(floor(t/{period!r} + {MERGED!r}) + 1)*{period!r}"
        events[f"{name}.sample"] = SensorEvent(f"t - {clock}", direction="rising", sets=sets, at_start=True)
    if events:
        model.events = {**events, **model.events}


def _inputs(sensor: Sensor, name: str, n: int) -> list[str]:
    """Names of the true values: of quantities that all laws may read where there are any."""
    if sensor.type in ("encoder", "tachometer"):
        assert sensor.joint is not None
        what = "q" if sensor.type == "encoder" else "v"
        quantity = f"joint:{joint_name(sensor.joint)}.{what}"
        return [quantity] if n == 1 else [f"{quantity}[{k}]" for k in range(n)]
    if sensor.type == "gyroscope" and sensor.marker is not None:
        kind = "marker:" if isinstance(sensor.marker, Marker) else ""
        kind = "body:" if isinstance(sensor.marker, Body) else kind
        at = sensor.marker if isinstance(sensor.marker, str) else sensor.marker.name
        return [f"{kind}{at}.local_angular_velocity.{x}" for x in "xyz"]
    if sensor.type == "contact_sensor":
        return [normal_force_of(each) for each in sensor.contacts]
    return [f"{name}.{IDEAL}[{k}]" if n > 1 else f"{name}.{IDEAL}" for k in range(n)]


def _delayed(component: str, stage: int) -> str:
    """Name of a component that will be read after some more samples."""
    if not stage:
        return component
    return f"{component.replace('[', '.').replace(']', '')}.delayed{stage}"


# ---------------------------------------------------------------------------------------------------- types of sensors


@explained
def Accelerometer(
    marker: Reference, *, period: float | None = None, noise: ArrayLike = 0.0, bias: ArrayLike = 0.0,
    delay: float = 0.0, resolution: float = 0.0, seed: int = 0,
) -> Sensor:  # fmt: skip
    r"""An accelerometer: the acceleration of a marker less that of gravity, in the axes of the marker [m/s²].

    $$f = R^T (\ddot r - g)$$

    At rest it reads 9.81 upward, in free fall zero.

    Parameters
    ----------
    marker:
        A marker or body.
    period:
        Time between samples [s]; without it, it reads at every instant.
    noise:
        Standard deviation of each sample [m/s²], a number or three.
    bias:
        What is added to all readings [m/s²], a number or three.
    delay:
        Time from a sample until it can be read [s], a whole number of periods.
    resolution:
        Step to which readings are rounded [m/s²].
    seed:
        Seed of the noise; sensors of other names have other noise.
    """
    return Sensor("accelerometer", marker, None, None, DIRECTIONS[0], period, noise, bias, delay, resolution, seed)


@explained
def Gyroscope(
    marker: Reference, *, period: float | None = None, noise: ArrayLike = 0.0, bias: ArrayLike = 0.0,
    delay: float = 0.0, resolution: float = 0.0, seed: int = 0,
) -> Sensor:  # fmt: skip
    r"""A gyroscope: the angular velocity of a marker in its own axes [rad/s].

    $$R^T \omega$$

    Parameters
    ----------
    marker:
        A marker or body.
    period, noise, bias, delay, resolution, seed:
        As of `Accelerometer`, in rad/s.
    """
    return Sensor("gyroscope", marker, None, None, DIRECTIONS[0], period, noise, bias, delay, resolution, seed)


@explained
def ForceTorque(
    joint: JointElement | str, marker: Reference | None = None, *, direction: str = "child_to_parent",
    period: float | None = None, noise: ArrayLike = 0.0, bias: ArrayLike = 0.0, delay: float = 0.0,
    resolution: float = 0.0, seed: int = 0,
) -> Sensor:  # fmt: skip
    r"""A force-torque sensor in a joint, usually a fixed one: quantities `force` [N] and `torque` [N m].

    The force is that of the child on the parent: the weight of a tool, the push of its contact. Motors and springs in
    the joint itself are not part of it.

    Parameters
    ----------
    joint:
        The joint.
    marker:
        Gives the axes and the point that the torque is about. By default the axes of the child, and the joint point.
    direction:
        "child_to_parent" or "parent_to_child".
    period, noise, bias, delay, resolution, seed:
        As of `Accelerometer`; noise and bias are a number or six, the force first.
    """
    return Sensor("force_torque", marker, joint, None, direction, period, noise, bias, delay, resolution, seed)


@explained
def ContactSensor(
    contact: str | Sequence[str], *, period: float | None = None, noise: ArrayLike = 0.0, bias: ArrayLike = 0.0,
    delay: float = 0.0, resolution: float = 0.0, seed: int = 0,
) -> Sensor:  # fmt: skip
    """A touch sensor: the normal force of a contact, or the sum of several [N], zero while they are open.

    Samples of rigid contacts are what time stepping found in its last step, a mean over that step, or the forces at
    the instant in an event-driven run.

    Parameters
    ----------
    contact:
        Name of a contact, or a list of names.
    period, noise, bias, delay, resolution, seed:
        As of `Accelerometer`, in N.
    """
    return Sensor("contact_sensor", None, None, contact, DIRECTIONS[0], period, noise, bias, delay, resolution, seed)


@explained
def Encoder(
    joint: JointElement | str, *, period: float | None = None, noise: ArrayLike = 0.0, bias: ArrayLike = 0.0,
    delay: float = 0.0, resolution: float = 0.0, seed: int = 0,
) -> Sensor:  # fmt: skip
    """An encoder: the coordinates of a joint [rad or m].

    Parameters
    ----------
    joint:
        The joint.
    period, noise, bias, delay, resolution, seed:
        As of `Accelerometer`, in the units of the joint.
    """
    return Sensor("encoder", None, joint, None, DIRECTIONS[0], period, noise, bias, delay, resolution, seed)


@explained
def Tachometer(
    joint: JointElement | str, *, period: float | None = None, noise: ArrayLike = 0.0, bias: ArrayLike = 0.0,
    delay: float = 0.0, resolution: float = 0.0, seed: int = 0,
) -> Sensor:  # fmt: skip
    """A tachometer: the rates of a joint [rad/s or m/s].

    Parameters
    ----------
    joint:
        The joint.
    period, noise, bias, delay, resolution, seed:
        As of `Accelerometer`, in the units of the rates.
    """
    return Sensor("tachometer", None, joint, None, DIRECTIONS[0], period, noise, bias, delay, resolution, seed)
