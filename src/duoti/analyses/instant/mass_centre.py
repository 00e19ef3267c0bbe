"""Mass centre of a model as it was drawn."""

from __future__ import annotations

import numpy as np

from duoti.model.checks.findings import Findings
from duoti.model.checks.structure import check_structure
from duoti.model.element_id import ElementId
from duoti.model.errors import ModelError
from duoti.model.mechanism.placement import place_bodies
from duoti.model.model import Model
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

ELSEWHERE = (
    "unattached",
    "massless-end",
    "bad-law",
    "bad-force",
    "bad-event",
    "coordinate",
)  # faults that do not matter


@explained
def mass_centre(model: Model | System) -> tuple[float, Reals]:
    r"""Total mass and mass centre of the reference configuration.

    $$m = \sum_i m_i, \qquad c = \frac{1}{m} \sum_i m_i r_i$$

    Returns
    -------
    The mass [kg] and the mass centre [m] in world axes.
    """
    if isinstance(model, System):
        model = model.model
    report = check_structure(model)
    if any(f.code not in ELSEWHERE for f in report.errors):
        raise ModelError(report)
    poses = place_bodies(model).bodies
    parts = [(body.inertia, poses[name]) for name, body in model.bodies.items() if body.inertia is not None]
    mass = sum(inertia.mass for inertia, _ in parts)
    if mass <= 0.0:
        found = Findings()
        found.error(
            "no-mass",
            tuple(ElementId("body", name) for name in model.bodies),
            "no body has a mass, so there is no mass centre",
        )
        raise ModelError(found.report(model.name, model.source_locations))
    moment = np.sum([inertia.mass * (X_WB @ inertia.com) for inertia, X_WB in parts], axis=0)
    return mass, moment / mass
