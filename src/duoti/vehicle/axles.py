"""Axles: two corners that mirror each other, steering, anti-roll bar; and the rigid axle."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from duoti.analyses.instant.dynamics import accelerations
from duoti.model.forces.applied import AppliedForce
from duoti.model.forces.coupling_spring import CouplingSpring
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.forces.line_force import LineForce
from duoti.model.forces.spring_damper import SpringDamper
from duoti.model.joints.composite import Composite
from duoti.model.joints.prismatic import Prismatic
from duoti.model.joints.revolute import Revolute
from duoti.model.model import Model
from duoti.model.submodel import renamed
from duoti.model.submodel_parts import with_units
from duoti.spatial import Inertia, Shape
from duoti.strict import explained
from duoti.system.compile.compiler import compile_model
from duoti.vehicle.corners import STEEL, UNITS, add_wheel, between, rod_shape, sum_of_rods

SIDES = ("left", "right")


def is_axle(model: Model) -> bool:
    """Whether a sub-model has two wheels."""
    return all(f"{side}.wheel" in model.bodies for side in SIDES)


def loaded(corner: Model, load: float) -> Model:
    """A copy of a corner, or of an axle, whose springs carry this load of each wheel [N] in the design position."""
    made = copy.deepcopy(corner)
    springs = [name for name in made.forces if name.rpartition(".")[2] == "spring"]
    tensions: list[dict[str, float]] = [dict.fromkeys(springs, 0.0), dict.fromkeys(springs, 1.0)]
    motions: list[np.ndarray] = []
    for tension in tensions:
        bench = copy.deepcopy(made)
        bench.gravity = (0.0, 0.0, -9.81)
        for name, value in tension.items():
            spring = made.forces[name]
            bench.forces[name] = LineForce(spring.marker_a, spring.marker_b, value)  # pyright: ignore
        for name in [name for name in bench.markers if name.rpartition(".")[2] == "contact"]:
            bench.add_force(f"{name} load", AppliedForce(name, (0.0, 0.0, load)))
        system = compile_model(bench)
        motions.append(accelerations(system, _zeros(system), np.zeros(system.nv)))
    rest, change = motions[0], motions[1] - motions[0]
    tension = -float(rest @ change) / float(change @ change)  # of all springs alike: the axle is symmetric
    for name in springs:
        spring: Any = made.forces[name]
        a, b = (made.markers[str(getattr(end, "name", end))] for end in (spring.marker_a, spring.marker_b))
        length = float(np.linalg.norm(_world(made, a) - _world(made, b)))
        made.forces[name] = SpringDamper(
            spring.marker_a, spring.marker_b, spring.stiffness, spring.damping, length - tension / spring.stiffness
        )
    return made


def _zeros(system: Any) -> np.ndarray:
    q = np.zeros(system.nq)
    q[system.tree.quat_q] = 1.0
    return q


def _world(model: Model, marker: Any) -> np.ndarray:
    body = str(getattr(marker.body, "name", marker.body))
    if body == "ground":
        return np.asarray(marker.pose.position)
    return np.asarray((model.bodies[body].pose @ marker.pose).position)


@explained
@with_units(UNITS)
def axle(
    corner: Model,
    *,
    track: float = 1.55,
    steering_ratio: float | None = None,
    rack_mass: float = 3.0,
    rack_stiffness: float = 1e7,
    rack_damping: float = 3e4,
    anti_roll: float = 0.0,
) -> Model:
    """Two wheels: a corner on the left, its mirror image on the right.

    The parameter `handwheel` [rad] of a steered axle is the angle of the handwheel, positive to the left. In a car it
    is `steer`.

    Parameters
    ----------
    corner:
        The left corner.
    track:
        Distance of the points of the road below the wheels [m].
    steering_ratio:
        Angle of the handwheel per angle of the wheels, about straight ahead. None: the axle is not steered. The
        corner needs a tie rod.
    rack_mass:
        Mass of the rack [kg].
    rack_stiffness, rack_damping:
        Of the steering gear between handwheel and rack [N/m, N s/m].
    anti_roll:
        Stiffness of an anti-roll bar between the angles of the arms [N m/rad].
    """
    m = Model("axle")
    m.add_submodel("left", corner, position=(0.0, 0.5 * track, 0.0))
    m.add_submodel("right", corner, position=(0.0, -0.5 * track, 0.0), mirror="y")
    if anti_roll:
        m.add_force("anti_roll_bar", CouplingSpring({"left.arm": 1.0, "right.arm": -1.0}, anti_roll))
    if steering_ratio is not None:
        _steer(m, steering_ratio, rack_mass, rack_stiffness, rack_damping)
    return m


def _steer(m: Model, ratio: float, mass: float, stiffness: float, damping: float) -> None:
    """A rack that carries the inner ends of the tie rods."""
    if "left.tie_inner" not in m.markers:
        raise ValueError("steering_ratio: this corner has no tie rod; double wishbones and struts have one")
    inner = np.asarray(m.markers["left.tie_inner"].pose.position)
    arm = float(
        _world(m, m.markers["left.tie_outer"])[0]
    )  # behind the axle: the rack goes right when the wheels go left
    if abs(arm) < 1e-3:
        raise ValueError("steering_ratio: tie_outer is level with the wheel centre (x = 0): give it an arm")
    centre = np.array([inner[0], 0.0, inner[2]])
    m.add_body("rack", Inertia.rod(mass, length=2.0 * inner[1], axis="y"), position=centre,
               shapes=[Shape.cylinder(0.015, 2.0 * inner[1], "y", colour=STEEL)])  # fmt: skip
    m.add_joint("rack", Prismatic("y"), "ground", "rack", at=centre)
    for side in SIDES:
        marker = m.markers[f"{side}.tie_inner"]
        marker.body, marker.position = "rack", np.asarray(marker.position) - centre
    m.parameters.update({"handwheel": 0.0, "steering_ratio": ratio})
    law = f"{stiffness!r}*({arm!r}*handwheel/steering_ratio - q) - {damping!r}*v"
    m.add_force("steering", JointTorque("rack", law))


@explained
@with_units(UNITS)
def rigid_axle(
    *,
    track: float = 1.5,
    spring_base: float = 1.1,
    roll_centre: float = 0.36,
    spring_length: float = 0.3,
    stiffness: float = 28e3,
    damping: float = 2.2e3,
    anti_roll: float = 0.0,
    axle_mass: float = 60.0,
    wheel_mass: float = 20.0,
    radius: float = 0.31,
    width: float = 0.2,
) -> Model:
    """A beam that carries both wheels, moves up and down and rolls about its roll centre on the chassis.

    Parameters
    ----------
    track, spring_base:
        Distances of the wheels and of the springs [m].
    roll_centre:
        Height of the point about which it rolls [m]: where a Panhard rod or a Watt linkage holds it sideways.
    spring_length:
        Length of the springs in the design position [m].
    stiffness, damping:
        Of each spring [N/m] and damper [N s/m]; they stand upright.
    anti_roll:
        Stiffness of an anti-roll bar between axle and chassis [N m/rad].
    axle_mass, wheel_mass:
        Masses of the beam and of each wheel [kg].
    radius, width:
        Height of the wheel centres above the road, and width of the wheels [m].
    """
    m = Model("rigid axle")
    ends = [(0.0, 0.5 * track, radius), (0.0, -0.5 * track, radius)]
    centre = between(*ends)
    inertia = sum_of_rods(axle_mass, [(ends[0], ends[1])], centre)
    matrix = np.asarray(inertia.matrix) + np.diag([0.0, 0.01 * axle_mass * 0.1, 0.0])  # of the differential about y
    m.add_body(
        "axle", Inertia(axle_mass, matrix=matrix), position=centre, shapes=[rod_shape(ends[0], ends[1], centre, 0.04)]
    )
    motion = Composite(Prismatic("z"), Revolute("x"))
    m.add_joint("axle", motion, "ground", "axle", at=(0.0, 0.0, roll_centre))
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        part = Model(side)
        add_wheel(part, "ground", radius, width, wheel_mass, (0.0, 0.0, 0.0))
        foot = (0.0, 0.5 * (spring_base - track), radius)
        part.add_marker("spring_foot", "ground", foot)
        m.add_submodel(side, part, (0.0, 0.5 * sign * track, 0.0), mirror=None if sign > 0 else "y", ground="axle")
        m.add_marker(f"{side}.spring_top", "ground", (0.0, 0.5 * sign * spring_base, radius + spring_length))
        top, foot_of = f"{side}.spring_top", f"{side}.spring_foot"
        m.add_force(f"{side}.spring", SpringDamper(top, foot_of, stiffness, damping, rest_length=spring_length))
    if anti_roll:
        m.add_force("anti_roll_bar", CouplingSpring({("axle", 1): 1.0}, anti_roll))
    return m


@explained
def command(model: Model, laws: Mapping[str, float | str]) -> Model:
    """A copy in which expressions take the place of parameters: {"steer": "0.5*sin(t)", "drive": 300.0}.

    Parameters
    ----------
    model:
        A car, or any model whose forces are expressions.
    laws:
        Parameter → number or expression.
    """
    if unknown := [name for name in laws if name not in model.parameters]:
        known = ", ".join(model.parameters) or "none"
        raise ValueError(f"the model has no parameter {', '.join(unknown)}; it has {known}")
    made = copy.deepcopy(model)
    texts = {name: law for name, law in laws.items() if isinstance(law, str)}
    made.parameters.update({name: law for name, law in laws.items() if not isinstance(law, str)})
    if not texts:
        return made

    def put(value: Any) -> Any:
        if isinstance(value, str):
            return renamed(value, lambda name: f"({texts[name]})" if name in texts else name)
        if isinstance(value, list | tuple) and not isinstance(value, str):
            return type(value)(put(each) for each in value)
        return value

    for force in made.forces.values():
        for key, value in vars(force).items():
            if isinstance(value, str | list | tuple) and key in ("value", "tension"):
                setattr(force, key, put(value))
    for name, state in made.states.items():
        made.states[name] = type(state)(
            name, put(state.rate), state.initial, state.unit, state.algebraic, state.switches
        )
    for name in texts:
        del made.parameters[name]
    return made
