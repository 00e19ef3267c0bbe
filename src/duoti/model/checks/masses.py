"""Check for ends of the tree that have no mass."""

from __future__ import annotations

import numpy as np

from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import PlacedModel, register_check
from duoti.model.element_id import ElementId
from duoti.model.elements import JointElement


@register_check("placed", order=300)
def check_massless_ends(placed: PlacedModel, found: Findings) -> None:
    """A massless body at the end of a chain on a joint that moves makes its acceleration undefined."""
    model = placed.model
    degree: dict[str, list[JointElement]] = {name: [] for name in model.bodies}
    for element in model.joints.values():
        for name in (element.parent, element.child):
            if name in degree:
                degree[name].append(element)
    if (
        len(model.bodies) > 1
        and not model.mass
        and not any(any(element.rotor_inertias) for element in model.joints.values())
    ):
        moving = tuple(ElementId("joint", name) for name, element in model.joints.items() if element.nv)
        if moving and not any(body.inertia and np.any(body.inertia.matrix) for body in model.bodies.values()):
            found.error(
                "massless-end", moving, "no body has a mass or an inertia",
                "positions, velocities, Jacobians and drawings need none; accelerations, forces and simulations do",
                "give the bodies inertias: model.bodies[name].inertia = dt.Inertia.box(mass, size), or in their file",
            )  # fmt: skip
            return
    for name, elements in degree.items():
        inertia = model.bodies[name].inertia
        if inertia is None or len(elements) != 1 or elements[0].nv == 0 or all(elements[0].rotor_inertias):
            continue
        if inertia.mass == 0.0 and not np.any(inertia.matrix):
            element = elements[0]
            found.error(
                "massless-end", (ElementId("body", name), ElementId("joint", element.name)),
                f'body "{name}" at the end of joint "{element.name}" has no mass',
                f"nothing resists the motion of {element.kind} joint \"{element.name}\": its acceleration is undefined",
                f'give "{name}" a mass and inertia, or weld it with dt.Fixed() to a body that has them',
            )  # fmt: skip
