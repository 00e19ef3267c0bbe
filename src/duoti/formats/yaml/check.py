"""The check of a model that was just read: what is new beside the faults that its file is known to have."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from duoti.formats.errors import Faults
from duoti.formats.yaml.context import Context
from duoti.model.checks.findings import Finding, key_in_file
from duoti.model.checks.structure import check_structure
from duoti.model.element_id import KINDS, ElementId
from duoti.model.elements import GROUND
from duoti.model.joints.revolute import Revolute
from duoti.model.model import Model
from duoti.model.sections import ALL
from duoti.model.submodel import INCOMPLETE
from duoti.spatial import Inertia


def add_check(model: Model, context: Context) -> None:
    """Add what the check of the model finds, but for what follows from faults already known, or may be missing."""
    if context.unsound or context.faults.full:
        return
    spoiled = context.faults.spoiled
    spoiled |= _missing(model)
    _stand_in(model, spoiled)
    with np.errstate(all="ignore"):
        errors = check_structure(model).errors
    further = []
    for finding in errors:
        follows = _about_spoiled(finding, context.faults)
        follows |= any(_belongs_to(name, spoiled) for name in finding.unknown)
        if finding.code not in INCOMPLETE and not follows:
            further.append(finding)
    if context.faults.found or spoiled or further:  # the file is refused; otherwise `check` tells what its tasks lack
        from duoti.analyses.study.tasks import check_tasks

        further += [
            f
            for f in check_tasks(model)
            if not (_about_spoiled(f, context.faults) or any(_belongs_to(name, spoiled) for name in f.unknown))
        ]
    context.faults.found += further


def _about_spoiled(finding: Finding, faults: Faults) -> bool:
    """Whether a finding is about what is not known of an element with faults, or about more of them."""
    first, *others = finding.elements or (None,)
    if any(element in faults.spoiled for element in others):
        return True
    if first is None or first not in faults.spoiled:
        return False
    return key_in_file(finding) not in faults.sound_keys.get(first, ())


def _missing(model: Model) -> set[ElementId]:
    """Elements of the file that are not in the model, because of faults elsewhere: of a parameter, of a material."""
    sections = [each.name for each in ALL.values() if each.referred]
    return {
        ElementId(KINDS[section], name)
        for section, name, *more in (place for place in model.source_locations if len(place) > 1)
        if section in sections and not more and name != GROUND and name not in getattr(model, section)
    }


def _belongs_to(name: str, spoiled: Iterable[ElementId]) -> bool:
    """Whether an unknown name is that of such an element, or of a quantity of it: "A.angle", "joint:A.angle"."""
    return any(
        spelled == element.name or spelled.startswith((f"{element.name}.", f"{element.name}["))
        for element in spoiled
        for spelled in (name, name.removeprefix(f"{element.kind}:"))
    )


def _stand_in(model: Model, spoiled: Iterable[ElementId]) -> None:
    """Give the names of faulty elements to something, so that others may refer to them; nobody gets this model."""
    for kind, name in spoiled:
        if kind == "body" and name not in (*model.bodies, GROUND):
            model.add_body(name, Inertia.point(1.0), position=(0.0, 0.0, 0.0))
        if kind == "marker" and name not in model.markers:
            model.add_marker(name, model.ground)
        if kind == "table" and name not in model.tables:
            model.add_table(name, (0.0, 1.0, 2.0), (0.0, 0.0, 0.0), "cubic")
        if kind == "joint" and name not in model.joints:
            model.add_joint(name, Revolute("z"), model.ground, model.ground)
