"""Suspensions of one wheel: sub-models whose ground is the chassis.

Points are in metres from the point of the road below the left wheel, in the axes of ISO 8855: x forward, y left, z up.
The chassis is to the right, at negative y. Every corner has the bodies `upright` and `wheel`, the joint `bearing`, the
joint `arm` (an anti-roll bar acts on it), the markers `hub` (wheel centre) and `contact` on the carrier of the wheel,
and the force `spring`. The defaults are round figures for a mid-size saloon, not a particular car.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.model.constraints.distance import Distance
from duoti.model.constraints.point_on_line import PointOnLine
from duoti.model.forces.spring_damper import SpringDamper
from duoti.model.joints.revolute import Revolute
from duoti.model.joints.spherical import Spherical
from duoti.model.model import Model
from duoti.model.submodel_parts import with_units
from duoti.spatial import Inertia, Shape
from duoti.strict import explained

Point = ArrayLike
Array = NDArray[np.float64]
POINTS = ("lower_front", "lower_rear", "lower_ball", "upper_front", "upper_rear", "upper_ball", "strut_top",
          "strut_foot", "tie_inner", "tie_outer", "spring_top", "spring_foot", "pivot")  # fmt: skip
MASSES = ("lower_mass", "upper_mass", "upright_mass", "wheel_mass", "arm_mass", "axle_mass", "rack_mass")
UNITS = {
    **dict.fromkeys(POINTS, "m"), **dict.fromkeys(MASSES, "kg"), "stiffness": "N/m", "damping": "N s/m", "sweep": "rad",
    **dict.fromkeys(("track", "spring_base", "roll_centre", "spring_length"), "m"), "anti_roll": "N m/rad",
    "rack_stiffness": "N/m", "rack_damping": "N s/m", "steering_ratio": "1",
}  # fmt: skip
STEEL = "lightsteelblue"


def between(*points: Point) -> Array:
    """The mean of points."""
    return np.mean(np.asarray(points, dtype=float), axis=0)


def rod_shape(a: Point, b: Point, centre: Point, radius: float = 0.012, colour: str = STEEL) -> Shape:
    """A cylinder from a to b, in a frame at the centre."""
    start, end = (np.asarray(each, dtype=float) - np.asarray(centre) for each in (a, b))
    length = float(np.linalg.norm(end - start))
    return Shape.cylinder(radius, length, (end - start) / length, position=0.5 * (start + end), colour=colour)


def _arm(model: Model, name: str, mass: float, front: Point, rear: Point, ball: Point) -> None:
    """A wishbone: a body whose mass is that of two rods, with its hinge on the chassis."""
    centre = between(front, rear, ball)
    shapes = [rod_shape(front, ball, centre), rod_shape(rear, ball, centre)]
    inertia = sum_of_rods(mass, [(front, ball), (rear, ball)], centre)
    model.add_body(name, inertia, position=centre, shapes=shapes)


def sum_of_rods(mass: float, rods: Sequence[tuple[Point, Point]], centre: Point) -> Inertia:
    """Inertia of thin rods of the same mass each, in a frame at the centre."""
    parts: list[Inertia] = []
    for a, b in rods:
        d = np.asarray(b, dtype=float) - np.asarray(a)
        length = float(np.linalg.norm(d))
        com = between(a, b) - np.asarray(centre)
        parts.append(Inertia.rod(mass / len(rods), length=length, axis=d / length, com=com))
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return Inertia(total.mass, com=total.com, matrix=total.matrix)


def add_wheel(model: Model, carrier: str, radius: float, width: float, wheel_mass: float, origin: Point) -> None:
    """The wheel on its bearing, and the markers of the hub and of the point on the road below it."""
    centre = (0.0, 0.0, radius)
    shape = Shape.cylinder(radius, width, "y", colour="dimgray")
    hub = Shape.box((1.2 * radius, 1.1 * width, 0.1 * radius), colour="silver")
    solid = Inertia.cylinder(wheel_mass, radius=radius, length=width, axis="y")
    inertia = Inertia(solid.mass, com=solid.com, matrix=solid.matrix)
    model.add_body("wheel", inertia, position=centre, shapes=[shape, hub])
    model.add_joint("bearing", Revolute("y"), carrier, "wheel", at=centre)
    model.add_marker("hub", carrier, position=np.asarray(centre) - np.asarray(origin))
    model.add_marker("contact", carrier, position=-np.asarray(origin, dtype=float))


def _upright(model: Model, mass: float, points: Sequence[Point], radius: float) -> Array:
    """The carrier of the wheel, with its origin at the wheel centre."""
    centre = np.array([0.0, 0.0, radius])
    size = 0.22
    model.add_body("upright", Inertia.box(mass, size=(0.08, 0.06, size)), position=centre,
                   shapes=[rod_shape(centre, point, centre, 0.018) for point in points])  # fmt: skip
    return centre


def _tie_rod(model: Model, tie_inner: Point, tie_outer: Point, centre: Point) -> None:
    """A tie rod without mass, from the chassis (or a rack) to the upright."""
    model.add_marker("tie_inner", "ground", tie_inner)
    model.add_marker("tie_outer", "upright", np.asarray(tie_outer) - np.asarray(centre))
    length = float(np.linalg.norm(np.asarray(tie_outer, dtype=float) - np.asarray(tie_inner)))
    model.add_constraint("tie_rod", Distance("tie_inner", "tie_outer", length))


def _spring(model: Model, body: str, top: Point, foot: Point, origin: Point, stiffness: float, damping: float) -> None:
    model.add_marker("spring_top", "ground", top)
    model.add_marker("spring_foot", body, np.asarray(foot, dtype=float) - np.asarray(origin))
    length = float(np.linalg.norm(np.asarray(top, dtype=float) - np.asarray(foot)))
    model.add_force("spring", SpringDamper("spring_top", "spring_foot", stiffness, damping, rest_length=length))


@explained
@with_units(UNITS)
def double_wishbone(
    *,
    lower_front: Point = (0.15, -0.42, 0.18),
    lower_rear: Point = (-0.20, -0.42, 0.18),
    lower_ball: Point = (0.0, -0.08, 0.17),
    upper_front: Point = (0.12, -0.37, 0.45),
    upper_rear: Point = (-0.13, -0.37, 0.45),
    upper_ball: Point = (-0.015, -0.12, 0.46),
    tie_inner: Point = (-0.13, -0.4105, 0.2128),
    tie_outer: Point = (-0.13, -0.085, 0.206),
    spring_top: Point = (0.0, -0.33, 0.62),
    spring_foot: Point = (0.0, -0.20, 0.18),
    stiffness: float = 70e3,
    damping: float = 5.0e3,
    lower_mass: float = 5.0,
    upper_mass: float = 3.0,
    upright_mass: float = 12.0,
    wheel_mass: float = 20.0,
    radius: float = 0.31,
    width: float = 0.2,
) -> Model:
    """Two wishbones, an upright and a tie rod: the left wheel of an axle.

    Parameters
    ----------
    lower_front, lower_rear, upper_front, upper_rear:
        Bushings of the wishbones on the chassis [m].
    lower_ball, upper_ball:
        Ball joints on the upright [m].
    tie_inner, tie_outer:
        Ends of the tie rod, on the chassis or rack and on the upright [m]. It has no mass.
    spring_top, spring_foot:
        Ends of spring and damper, on the chassis and on the lower wishbone [m].
    stiffness, damping:
        Of the spring [N/m] and of the damper [N s/m].
    lower_mass, upper_mass, upright_mass, wheel_mass:
        Masses [kg].
    radius, width:
        Height of the wheel centre above the road, and width of the wheel [m].
    """
    m = Model("double wishbone")
    _arm(m, "lower", lower_mass, lower_front, lower_rear, lower_ball)
    _arm(m, "upper", upper_mass, upper_front, upper_rear, upper_ball)
    centre = _upright(m, upright_mass, (lower_ball, upper_ball, tie_outer), radius)
    add_wheel(m, "upright", radius, width, wheel_mass, centre)
    for name, front, rear in (("arm", lower_front, lower_rear), ("upper_arm", upper_front, upper_rear)):
        axis = np.asarray(front, dtype=float) - np.asarray(rear)
        body = "lower" if name == "arm" else "upper"
        m.add_joint(name, Revolute(axis / np.linalg.norm(axis)), "ground", body, at=between(front, rear))
    m.add_joint("lower_ball", Spherical(), "lower", "upright", at=lower_ball)
    m.add_joint("upper_ball", Spherical(), "upper", "upright", at=upper_ball)
    _tie_rod(m, tie_inner, tie_outer, centre)
    foot = between(lower_front, lower_rear, lower_ball)
    _spring(m, "lower", spring_top, spring_foot, foot, stiffness, damping)
    return m


@explained
@with_units(UNITS)
def mcpherson(
    *,
    lower_front: Point = (0.10, -0.42, 0.18),
    lower_rear: Point = (-0.25, -0.42, 0.18),
    lower_ball: Point = (0.0, -0.08, 0.17),
    strut_top: Point = (-0.03, -0.22, 0.80),
    strut_foot: Point = (-0.005, -0.11, 0.36),
    tie_inner: Point = (-0.13, -0.4305, 0.2112),
    tie_outer: Point = (-0.13, -0.085, 0.206),
    stiffness: float = 26e3,
    damping: float = 1.9e3,
    lower_mass: float = 5.0,
    upright_mass: float = 14.0,
    wheel_mass: float = 20.0,
    radius: float = 0.31,
    width: float = 0.2,
) -> Model:
    """A strut that slides through its top mount, a lower arm and a tie rod: the left wheel of an axle.

    Parameters
    ----------
    lower_front, lower_rear:
        Bushings of the lower arm on the chassis [m].
    lower_ball:
        Its ball joint on the upright [m].
    strut_top, strut_foot:
        Top mount on the chassis, and lower end of the spring on the upright; the strut slides along this line [m].
    tie_inner, tie_outer:
        Ends of the tie rod, on the chassis or rack and on the upright [m]. It has no mass.
    stiffness, damping:
        Of the spring [N/m] and of the damper [N s/m], along the strut.
    lower_mass, upright_mass, wheel_mass:
        Masses [kg].
    radius, width:
        Height of the wheel centre above the road, and width of the wheel [m].
    """
    m = Model("McPherson strut")
    _arm(m, "lower", lower_mass, lower_front, lower_rear, lower_ball)
    centre = _upright(m, upright_mass, (lower_ball, strut_foot, tie_outer), radius)
    m.bodies["upright"].shapes.append(rod_shape(strut_foot, strut_top, centre, 0.014))
    add_wheel(m, "upright", radius, width, wheel_mass, centre)
    axis = np.asarray(lower_front, dtype=float) - np.asarray(lower_rear)
    at = between(lower_front, lower_rear)
    m.add_joint("arm", Revolute(axis / np.linalg.norm(axis)), "ground", "lower", at=at)
    m.add_joint("lower_ball", Spherical(), "lower", "upright", at=lower_ball)
    _tie_rod(m, tie_inner, tie_outer, centre)
    _spring(m, "upright", strut_top, strut_foot, centre, stiffness, damping)
    line = np.asarray(strut_top, dtype=float) - np.asarray(strut_foot)
    m.add_constraint("strut", PointOnLine("spring_foot", "spring_top", line / np.linalg.norm(line)))
    return m


@explained
@with_units(UNITS)
def trailing_arm(
    *,
    pivot: Point = (0.42, -0.12, 0.26),
    sweep: float = 0.0,
    spring_top: Point = (0.0, -0.16, 0.62),
    spring_foot: Point = (0.02, -0.16, 0.24),
    stiffness: float = 25e3,
    damping: float = 1.8e3,
    arm_mass: float = 16.0,
    wheel_mass: float = 20.0,
    radius: float = 0.31,
    width: float = 0.2,
) -> Model:
    """An arm that turns about a transverse or oblique axis: the left wheel of an axle.

    Parameters
    ----------
    pivot:
        A point of the axis [m].
    sweep:
        Angle of the axis to the transverse direction [rad]; positive: its inner end is behind (a semi-trailing arm).
    spring_top, spring_foot:
        Ends of spring and damper, on the chassis and on the arm [m].
    stiffness, damping:
        Of the spring [N/m] and of the damper [N s/m].
    arm_mass, wheel_mass:
        Masses [kg].
    radius, width:
        Height of the wheel centre above the road, and width of the wheel [m].
    """
    m = Model("trailing arm")
    end = (0.0, -0.12, radius)
    centre = between(pivot, end)
    inertia = sum_of_rods(arm_mass, [(pivot, end), (end, (0.0, 0.0, radius))], centre)
    shapes = [rod_shape(pivot, end, centre, 0.03), rod_shape(end, (0.0, 0.0, radius), centre, 0.03)]
    m.add_body("upright", inertia, position=centre, shapes=shapes)
    axis = (np.sin(sweep), np.cos(sweep), 0.0)
    m.add_joint("arm", Revolute(axis), "ground", "upright", at=pivot)
    add_wheel(m, "upright", radius, width, wheel_mass, centre)
    _spring(m, "upright", spring_top, spring_foot, centre, stiffness, damping)
    return m
