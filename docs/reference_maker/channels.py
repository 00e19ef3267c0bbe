"""The result channels of an element, with units and meanings."""

from __future__ import annotations

import duoti as dt
from duoti.model.quantities import Kind, quantities

MEANINGS: dict[str, dict[str, str]] = {
    "joints": {
        "angle": "joint angle", "rate": "its rate",
        "position": "displacement of the child's joint frame in the parent's", "velocity": "its rate",
        "rotation": "unit quaternion of the child's joint frame in the parent's, scalar first",
        "angular_velocity": "angular velocity of the child relative to the parent, in the child's joint frame",
        "q": "all coordinates", "v": "all velocities", "a": "all accelerations",
        "reaction_force": "force of the parent on the child at the joint point, world axes",
        "reaction_torque": "torque of the parent on the child about the joint point, world axes",
    },
    "forces": {
        "energy": "elastic energy stored", "power": "power of the element on the bodies",
        "power_supplied": "power that the element feeds in", "power_dissipated": "power that the element dissipates",
        "length": "distance of the markers, or length of the rope",
        "speed": "rate of the length; of a tyre: speed of travel",
        "tension": "tension; positive pulls the ends together",
        "force": "force on the last body or in the joint", "torque": "torque on the last body or in the joint",
        "joint_force": "generalised forces in the joint's coordinates",
        "load": "load of the joint times its arms; of a tyre: vertical force", "bound": "largest sliding friction",
        "static_bound": "largest static friction", "bending_moment": "bending moments at the nodes",
        "section_force": "normal force and shear forces in the middle, section axes",
        "section_moment": "torque and bending moments in the middle, section axes",
        "strain": "stretch and shears in the middle", "curvature": "twist and curvatures in the middle",
        "play": "play of the teeth along the pitch circle; they touch beyond half the backlash",
        "wrap_angle": "angle by which the rope wraps each sheave",
        "slip": "speed of the rope against each sheave with friction, positive towards the end",
        "slip_angle": "arc of each of these sheaves in which the rope slips; of a tyre: its slip angle",
        "slip_ratio": "longitudinal slip that the forces belong to",
        "camber": "camber; positive if the top leans right",
        "fx": "longitudinal force", "fy": "lateral force, positive to the left", "fz": "vertical force",
        "mx": "overturning couple", "my": "rolling resistance torque", "mz": "aligning torque",
        "deflection": "deflection of the tyre", "loaded_radius": "distance of wheel centre and contact point",
        "effective_radius": "effective rolling radius", "spin": "angular velocity about the wheel's axis",
        "slip_speed_x": "speed of travel less that of the tread", "slip_speed_y": "lateral speed of the contact point",
        "friction": "factor of friction at the contact point", "contact_point": "contact point, world",
        "place": "place along the curve, measured as it is at rest",
    },
    "constraints": {
        "multipliers": "Lagrange multipliers, one for each equation", "power": "power that the constraint feeds in",
        "reaction_force": "force on the second body at its marker, world axes",
        "reaction_torque": "torque on the second body about its marker, world axes",
        "torque": "driving torque", "force": "driving force",
    },
    "contacts": {
        "gap": "smallest distance of the surfaces; negative for a penetration",
        "force": "force of a on b, world axes", "normal_force": "its component along the normal",
        "signorini_residual": "what is left of Signorini's condition in a step of time stepping",
        "cone_residual": "friction beyond Coulomb's cone, likewise",
        "dissipation_residual": "what friction lacks of maximum dissipation, likewise",
        "slip_speed": "relative tangential speed", "point": "point of application, world",
        "state": "0 open, 1 sticking, 2 sliding", "energy_lost": "energy lost since the start",
        "moment": "moment of rolling and torsional resistance, world axes",
    },
}  # fmt: skip
KINDS: dict[str, Kind] = {"joints": "joint", "forces": "force", "constraints": "constraint", "contacts": "contact"}


def element_of(group: str, model: dt.Model, cls: type) -> str:
    """The name of the first element of a type in a model."""
    elements = {"joints": model.joints, "forces": model.forces, "constraints": model.constraints,
                "contacts": model.contacts}[group]  # fmt: skip
    for name, element in elements.items():
        own = getattr(element, {"joints": "joint", "contacts": "law"}.get(group, ""), element)
        if type(own) is cls:
            return name
    raise LookupError(f"the example has no {cls.__name__}")


def channels_of(group: str, model: dt.Model, cls: type) -> tuple[str, list[tuple[str, str, int, str]]]:
    """Name of the element, and (channel, unit, numbers, meaning) of each of its channels."""
    name = element_of(group, model, cls)
    found = quantities(model, KINDS[group], name)
    return name, [(what, unit, size, MEANINGS[group].get(what, "")) for what, (unit, size) in found.items()]
