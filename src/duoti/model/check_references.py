"""The part of the model check that looks at references: names, or objects that the model's add_... methods returned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND, JointElement, name_of
from duoti.model.errors import did_you_mean
from duoti.model.findings import Findings
from duoti.model.model import Model


def _known_reference(model: Model, reference: Any) -> bool:
    if isinstance(reference, str):
        return reference in model.bodies or reference in model.markers or reference == GROUND
    name = name_of(reference)
    ours = model.ground if name == GROUND else model.bodies.get(name)
    return reference is not None and (reference is ours or reference is model.markers.get(name))


def markers_among(model: Model, references: Iterable[Any]) -> tuple[ElementId, ...]:
    """Those of the references that are markers of the model."""
    return tuple(ElementId("marker", name) for name in map(name_of, references) if name in model.markers)


def check_reference(model: Model, owner: ElementId, key: str, reference: Any, found: Findings, role: str = "") -> bool:
    """Whether a body or marker, given by name or as an object, is one of the model; if not, adds why.

    key: the parameter of the owner that gives it; role: what messages call it, if not that.
    """
    if _known_reference(model, reference):
        return True
    name = name_of(reference)
    if isinstance(reference, str) or model.marker(name) is None:
        found.error("unknown-name", (owner,), f'{owner}: its {role or key} "{name}" does not exist',
                    remedy=did_you_mean(name, [*model.bodies, *model.markers, GROUND]).strip(),
                    key=key, unknown=(name,))  # fmt: skip
    else:
        found.error("foreign", (owner,), f'{owner}: its {role or key} "{name}" belongs to another model',
                    remedy="use what this model's add_body or add_marker returned, or the name", key=key)  # fmt: skip
    return False


def check_joint_reference(
    model: Model, owner: ElementId, key: str, joint: Any, found: Findings, role: str = ""
) -> JointElement | None:
    """The joint of the model that is meant; None if it is none of the model, which is added to what was found."""
    name = name_of(joint)
    if name not in model.joints:
        found.error("unknown-name", (owner,), f'{owner}: its {role or key} "{name}" does not exist',
                    remedy=did_you_mean(name, model.joints).strip(), key=key, unknown=(name,))  # fmt: skip
        return None
    if not isinstance(joint, str) and joint is not model.joints[name]:
        found.error("foreign", (owner,), f'{owner}: its {role or key} "{name}" belongs to another model',
                    remedy="use what this model's add_joint returned, or the name", key=key)  # fmt: skip
        return None
    return model.joints[name]
