"""Checks of masses: their magnitude, and ends of the tree that have none."""

from __future__ import annotations

import math

import numpy as np

from duoti.model.checks.findings import Findings
from duoti.model.element_id import ElementId
from duoti.model.elements import JointElement
from duoti.model.model import Model
from duoti.spatial import Inertia

HEAVIEST, LIGHTEST = 1e12, 1e-12  # kg, beyond which a unit is probably wrong
MOST_GYRATION, LEAST_GYRATION = 1e5, 1e-7  # m, likewise


def check_magnitudes(who: ElementId, inertia: Inertia, found: Findings) -> None:
    """Masses and radii of gyration that are probably in a wrong unit."""
    mass = inertia.mass
    if mass > 0 and not LIGHTEST <= mass <= HEAVIEST:
        found.warning("magnitude", (who,), f"{who} has a mass of {mass:.3g} kg", "perhaps a unit is wrong",
                      "duoti takes kilograms", "inertia")  # fmt: skip
    (xx, _, _), (_, yy, _), (_, _, zz) = inertia.matrix.tolist()
    trace = xx + yy + zz  # from two to three times the largest moment, which is dear to compute
    if mass >= LIGHTEST and trace > 0.0 and not LEAST_GYRATION < math.sqrt(trace / mass) / 2.0 < MOST_GYRATION / 2.0:
        moments = inertia.principal()[0]
        gyration = math.sqrt(max(float(moments[2]), 0.0) / mass)
        if gyration > MOST_GYRATION or 0.0 < gyration < LEAST_GYRATION:
            found.warning(
                "magnitude", (who,), f"{who} has a radius of gyration of {gyration:.3g} m",
                f"its mass is {mass:.4g} kg, its largest moment {moments[2]:.4g} kg m²: perhaps a unit is wrong",
                "duoti takes kg m²; 1 kg mm² is 1e-6 kg m²", "inertia")  # fmt: skip


def check_massless_ends(model: Model, found: Findings) -> None:
    """A massless body at the end of a chain on a joint that moves makes its acceleration undefined."""
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
