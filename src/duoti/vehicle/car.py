"""A car of two axles: chassis, suspensions, tyres, brakes, differential, drag."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from duoti.model.forces.applied import AppliedForce
from duoti.model.forces.coupling_spring import CouplingSpring
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.forces.tyre_force import TyreForce
from duoti.model.joints.free import Free
from duoti.model.model import Model
from duoti.model.roads.road import Road
from duoti.model.submodel_parts import with_units
from duoti.model.tyres.tyre import Tyre
from duoti.spatial import Inertia, Shape
from duoti.strict import explained
from duoti.vehicle.axles import SIDES, axle, command, is_axle, loaded
from duoti.vehicle.corners import rod_shape

AXLES = ("front", "rear")
WHEELS = tuple(f"{end}.{side}" for end in AXLES for side in SIDES)
GRAVITY = 9.81
AIR = 1.225
"""Density of air [kg/m^3] at sea level and 15 degrees (ISO 2533)."""
BRAKE_SPEED = 0.2
"""Speed of a wheel [rad/s] below which its brake torque fades: it then holds the wheel like a stiff damper."""
STEERING_RATIO = 15.0
PAINT = "steelblue"


@explained
@with_units({
    "inertia": "kg m^2", "cg_height": "m", "wheelbase": "m", "front_share": "1", "track": "m", "lock": "N m s/rad",
    "brake_share": "1", "drag_area": "m^2", "speed": "m/s",
})  # fmt: skip
def car(
    front: Model,
    rear: Model,
    *,
    tyre: Tyre | None = None,
    rear_tyre: Tyre | None = None,
    road: Road | None = None,
    mass: float = 1350.0,
    inertia: Sequence[float] = (480.0, 2000.0, 2200.0),
    cg_height: float = 0.58,
    wheelbase: float = 2.7,
    front_share: float = 0.55,
    track: float = 1.55,
    drive: str = "rear",
    lock: float = 0.0,
    brake_share: float = 0.65,
    drag_area: float = 0.65,
    speed: float = 0.0,
    path: str | None = None,
) -> Model:
    """A car from the suspensions of its front and its rear wheels.

    The origin is the point of the road below the centre of gravity of the chassis; x is forward, y left, z up (ISO
    8855). Three parameters command it, as numbers or, by `command`, as expressions: `steer`, the angle of the handwheel
    [rad, positive to the left]; `drive`, the torque of all driven wheels [N m]; `brake`, that of all brakes [N m].

    Parameters
    ----------
    front, rear:
        A corner, of which an axle is made with `track`, or an axle. A corner in front is steered, with a ratio of 15.
    tyre, rear_tyre:
        A `dt.Tyre` of the left wheels; by default, round figures for a saloon, and behind the same as in front.
    road:
        A `dt.Road`. Without one there are no tyre forces: add your own.
    mass, inertia:
        Mass [kg] and moments of inertia [kg m^2] of the chassis about its centre of gravity: all but the suspensions.
    cg_height:
        Height of its centre of gravity above the road [m].
    wheelbase:
        Distance of the axles [m].
    front_share:
        Part of the weight of the chassis that the front axle carries.
    track:
        Distance of the wheels of an axle that is given as a corner [m].
    drive:
        Driven axle: "front", "rear" or "all".
    lock:
        Coefficient of a viscous lock of the differentials [N m s/rad]; 0 for open ones, which give both wheels the same
        torque.
    brake_share:
        Part of the brake torque that is in front.
    drag_area:
        Drag coefficient times frontal area [m^2].
    speed:
        Initial speed [m/s]; the wheels roll.
    path:
        Path of a driver that holds this speed: an expression of `x` that gives y [m]; see `follow_path`.
    """
    if drive not in (*AXLES, "all"):
        raise ValueError(f'drive is {drive!r}; it is "front", "rear" or "all"')
    if not 0.0 < front_share < 1.0:
        raise ValueError(f"front_share is {front_share!r}; give a part of the weight, between 0 and 1")
    m = Model("car")
    a = (1.0 - front_share) * wheelbase  # from the centre of gravity to the front axle
    places = {"front": a, "rear": a - wheelbase}
    m.add_body("chassis", Inertia(mass, matrix=np.diag(inertia)), position=(0.0, 0.0, cg_height),
               shapes=_cage(places["front"], places["rear"], track, cg_height))  # fmt: skip
    m.add_joint("motion", Free(), "ground", "chassis")
    for end, given in (("front", front), ("rear", rear)):
        share = front_share if end == "front" else 1.0 - front_share
        part = given if is_axle(given) else axle(given, track=track, steering_ratio=_ratio(given, end))
        weight = GRAVITY * (0.5 * share * mass + 0.5 * part.mass)
        m.add_submodel(end, loaded(part, weight), position=(places[end], 0.0, 0.0), ground="chassis")
    if "front.handwheel" in m.parameters:
        m.parameters["steer"] = 0.0
        m = command(m, {"front.handwheel": "steer"})
    _tyres(m, tyre, rear_tyre, road)
    _drive(m, drive, lock)
    _brakes(m, brake_share)
    m.add_marker("air", "chassis")
    v = "air.local_velocity.x"
    drag = f"{-0.5 * AIR * drag_area!r}*{v}*abs({v})"
    m.add_force("drag", AppliedForce("air", (drag, 0.0, 0.0), frame="marker"))
    if path is not None:
        from duoti.vehicle.driver import follow_path

        m = follow_path(m, path, speed)
    return running(m, speed)


def _cage(front: float, rear: float, track: float, height: float) -> list[Shape]:
    """What is drawn of the chassis: a floor, and the edges of a body above it."""
    floor = Shape.box(
        (front - rear, 0.5 * track, 0.06), position=(0.5 * (front + rear), 0.0, 0.2 - height), colour=PAINT
    )
    shapes = [floor]
    middle, side = 0.5 * (front + rear), 0.46 * track
    outline = [
        (front + 0.8, 0.55), (front + 0.75, 0.8), (middle + 0.75, 0.95), (middle + 0.2, 1.4), (middle - 0.75, 1.4),
        (rear - 0.1, 1.0), (rear - 0.75, 0.95), (rear - 0.8, 0.55),
    ]  # fmt: skip
    for y in (side, -side):
        corners = [(x, y * (1.0 if z < 1.2 else 0.8), z - height) for x, z in outline]
        shapes += [rod_shape(a, b, (0, 0, 0), 0.02, PAINT) for a, b in pairwise(corners)]
    for x, z in outline:
        y = side * (1.0 if z < 1.2 else 0.8)
        shapes.append(rod_shape((x, y, z - height), (x, -y, z - height), (0, 0, 0), 0.02, PAINT))
    return shapes


def _ratio(corner: Model, end: str) -> float | None:
    return STEERING_RATIO if end == "front" and "tie_inner" in corner.markers else None


def saloon_tyre() -> Tyre:
    """A tyre of round figures for a saloon (TMeasy; forces as those of a passenger car in Rill's book)."""
    return Tyre.tmeasy(
        radius=0.33, nominal_load=3200.0, vertical_stiffness=2e5, vertical_damping=300.0,
        slope_x=(90e3, 160e3), slip_max_x=(0.09, 0.11), force_max_x=(3300.0, 6500.0), slip_sliding_x=(0.40, 0.50),
        force_sliding_x=(3200.0, 6000.0), slope_y=(70e3, 100e3), slip_max_y=(0.18, 0.20), force_max_y=(3100.0, 5400.0),
        slip_sliding_y=(0.60, 0.80), force_sliding_y=(3100.0, 5300.0), rolling_resistance=0.01,
    )  # fmt: skip


def _tyres(m: Model, tyre: Tyre | None, rear_tyre: Tyre | None, road: Road | None) -> None:
    """A tyre on each wheel, those on the right mirrored; the car is lifted so that they carry it."""
    if road is None:
        if tyre is not None or rear_tyre is not None:
            raise ValueError("a tyre needs a road: road=dt.Road.flat()")
        return
    front = saloon_tyre() if tyre is None else tyre
    lifts: list[float] = []
    for end, given in (("front", front), ("rear", rear_tyre or front)):
        for side in SIDES:
            wheel = f"{end}.{side}"
            fitted = given if side == "left" else given.mirrored()
            m.add_force(f"{wheel}.tyre", TyreForce(f"{wheel}.wheel", road, fitted))
            loaded_radius = float(fitted.forces(wheel_load(m, wheel)).loaded_radius)
            if not math.isfinite(loaded_radius):
                raise ValueError(f"the tyres cannot carry the car: {wheel_load(m, wheel):.0f} N on {wheel}")
            lifts.append(loaded_radius - hub_place(m, wheel)[2])
    m.joints["motion"].q0 = {"position": (0.0, 0.0, float(np.mean(lifts)))}


def wheel_load(model: Model, wheel: str) -> float:
    """Static load of a wheel on a level road [N], from the masses of the car."""
    prefix = wheel.rpartition(".")[0].rpartition(".")[0]
    prefix = f"{prefix}." if prefix else ""
    of_car = [body for name, body in model.bodies.items() if name.startswith(prefix)]
    moments = [body.inertia.mass * (body.pose @ body.inertia.com)[0] for body in of_car if body.inertia is not None]
    mass = sum(body.inertia.mass for body in of_car if body.inertia is not None)
    front, rear = (hub_place(model, f"{prefix}{end}.left")[0] for end in AXLES)
    share = (sum(moments) / mass - rear) / (front - rear)
    on_front = wheel.removeprefix(prefix).startswith("front")
    return float(0.5 * GRAVITY * mass * (share if on_front else 1.0 - share))


def hub_place(model: Model, wheel: str) -> Any:
    """Place of a wheel centre in the design position [m]."""
    hub = model.markers[f"{wheel}.hub"]
    body = model.bodies[str(getattr(hub.body, "name", hub.body))]
    return (body.pose @ hub.pose).position


def _drive(m: Model, drive: str, lock: float) -> None:
    """Open differentials: each driven wheel gets the same torque. It acts against the carrier of the wheel."""
    m.parameters["drive"] = 0.0
    driven = [w for w in WHEELS if drive in ("all", w.partition(".")[0])]
    for wheel in driven:
        m.add_force(f"{wheel}.drive", JointTorque(f"{wheel}.bearing", f"drive/{len(driven)}"))
    if lock:
        for end in AXLES if drive == "all" else (drive,):
            joints_of = {f"{end}.left.bearing": 1.0, f"{end}.right.bearing": -1.0}
            m.add_force(f"{end}.lock", CouplingSpring(joints_of, 0.0, lock))


def _brakes(m: Model, share: float) -> None:
    m.parameters["brake"] = 0.0
    for wheel in WHEELS:
        part = 0.5 * (share if wheel.startswith("front") else 1.0 - share)
        m.add_force(f"{wheel}.brake", JointTorque(f"{wheel}.bearing", f"-{part!r}*brake*tanh(v/{BRAKE_SPEED})"))


def running(model: Model, speed: float) -> Model:
    """Set the initial speed [m/s] of a car that runs straight on; the wheels roll. It changes the model."""
    prefix = next(name for name in model.bodies if name.rpartition(".")[2] == "chassis").removesuffix("chassis")
    model.joints[f"{prefix}motion"].v0 = {"velocity": (speed, 0.0, 0.0)}
    for wheel in (f"{prefix}{each}" for each in WHEELS):
        model.joints[f"{wheel}.bearing"].v0 = speed / rolling_radius(model, wheel)
    return model


def rolling_radius(model: Model, wheel: str) -> float:
    """Rolling radius of a wheel [m]: of its tyre, or the height of its centre in the design position."""
    tyre = model.forces.get(f"{wheel}.tyre")
    if isinstance(tyre, TyreForce):
        return float(tyre.tyre.forces(wheel_load(model, wheel)).effective_radius)
    return float(hub_place(model, wheel)[2])
