"""Checks of bodies and markers: inertias, masses that are probably in a wrong unit, places, shapes."""

from __future__ import annotations

import math
from typing import Any

from duoti.flexible.body import Flexible
from duoti.model.checks.findings import Findings
from duoti.model.checks.flexible import check_flexible_marker, check_modal_values
from duoti.model.checks.parameters import rotation_fault, shown, vector_fault
from duoti.model.checks.references import check_reference
from duoti.model.checks.registry import register_check
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND, Body, name_of
from duoti.model.errors import did_you_mean
from duoti.model.model import Model
from duoti.spatial import Inertia, Shape

HEAVIEST, LIGHTEST = 1e12, 1e-12  # kg, beyond which a unit is probably wrong
MOST_GYRATION, LEAST_GYRATION = 1e5, 1e-7  # m, likewise


@register_check("structure", order=140)
def check_bodies(model: Model, found: Findings) -> None:
    """Add what is wrong with the bodies."""
    for name, body in model.bodies.items():
        with found.about(ElementId("body", str(name))):
            _check_body(body, found)
            check_modal_values(body, found)


def _check_body(body: Body, found: Findings) -> None:
    name = body.name
    who = ElementId("body", str(name))
    if body.inertia is None:
        found.error("missing-inertia", (who,), f"{who} has no inertia", "a missing mass is never assumed",
                    "give one, e.g. dt.Inertia.sphere(mass, radius)", "inertia")  # fmt: skip
    elif not isinstance(body.inertia, Inertia | Flexible):  # pyright: ignore[reportUnnecessaryIsInstance]
        found.error("bad-inertia", (who,), f"{who}: {shown(body.inertia)} is not an inertia",
                    remedy="make one with dt.Inertia(mass, com, matrix) or its shapes", key="inertia")  # fmt: skip
    else:
        check_magnitudes(who, body.inertia if isinstance(body.inertia, Inertia) else body.inertia.rigid, found)
        _check_shapes(who, list(getattr(body.inertia, "shapes", ())), found)
    if body.position is not None and (fault := vector_fault(body.position, 3)):
        found.error("bad-position", (who,), f"position of {who}: {fault}", remedy="give (x, y, z) in metres",
                    key="position")  # fmt: skip
    if fault := rotation_fault(body.rotation):
        found.error("bad-rotation", (who,), f"rotation of {who}: {fault}", key="rotation")
    _check_shapes(who, body.shapes, found)


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


def _check_shapes(who: ElementId, shapes: Any, found: Findings) -> None:
    if not isinstance(shapes, list | tuple) or not all(isinstance(each, Shape) for each in shapes):
        found.error("bad-shapes", (who,), f"{who}: shapes is {shown(shapes)}", remedy="give a list of dt.Shape",
                    key="shapes")  # fmt: skip


@register_check("structure", order=150)
def check_markers(model: Model, found: Findings) -> None:
    """Add what is wrong with the markers."""
    for name, marker in model.markers.items():
        with found.about(ElementId("marker", str(name))):
            _check_marker(model, marker, found)
            check_flexible_marker(model, marker, found)


def _check_marker(model: Model, marker: Any, found: Findings) -> None:
    who = ElementId("marker", str(marker.name))
    body = name_of(marker.body)
    if body != GROUND and body not in model.bodies:
        found.error("unknown-name", (who,), f'{who}: its body "{body}" does not exist',
                    remedy=did_you_mean(body, [*model.bodies, GROUND]).strip(), key="body",
                    unknown=(body,))  # fmt: skip
    elif not isinstance(marker.body, str):
        check_reference(model, who, "body", marker.body, found)
    if fault := vector_fault(marker.position, 3):
        found.error("bad-position", (who,), f"position of {who}: {fault}",
                    remedy="give (x, y, z) in metres, in the body's frame", key="position")  # fmt: skip
    if fault := rotation_fault(marker.rotation):
        found.error("bad-rotation", (who,), f"rotation of {who}: {fault}", key="rotation")
