"""Points of contact between features of two shapes: corners, edges, faces, rims, each with a smooth gap of its own."""

from __future__ import annotations

from duoti.contact.features.base import FeaturePair
from duoti.contact.features.boxes import BoxBoxFeatures
from duoti.contact.features.capsule import CapsuleBoxFeatures
from duoti.contact.features.capsule_cylinder import CapsuleCylinderFeatures, CapsuleDiscFeatures
from duoti.contact.features.cylinder import BoxCylinderFeatures, BoxDiscFeatures
from duoti.contact.features.rims import PlaneConeRim, PlaneCylinderRim, PlaneDiscRim, PlaneTorusRim, RimPair
from duoti.contact.features.two_cylinders import CylinderDiscFeatures, TwoCylindersFeatures
from duoti.model.pairs import ShapePair

FEATURES: dict[tuple[str, str], type[ShapePair]] = {
    (each.first, each.second): each
    for each in (
        BoxBoxFeatures,
        CapsuleBoxFeatures,
        CapsuleCylinderFeatures,
        CapsuleDiscFeatures,
        BoxCylinderFeatures,
        BoxDiscFeatures,
        TwoCylindersFeatures,
        CylinderDiscFeatures,
        PlaneCylinderRim,
        PlaneDiscRim,
        PlaneConeRim,
        PlaneTorusRim,
    )
}


def event_driven_kind(kind: type[ShapePair]) -> type[ShapePair]:
    """The kind of pair that event-driven runs take in the place of one whose points come and go; itself if there is
    none.
    """
    return FEATURES.get((kind.first, kind.second), kind)


__all__ = ["FeaturePair", "RimPair", "event_driven_kind"]
