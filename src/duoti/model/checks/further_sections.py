"""Check of the elements of further sections: their parameters, and the bodies, markers and joints that they name."""

from __future__ import annotations

from typing import Any

from duoti.model.checks.findings import Findings
from duoti.model.checks.parameters import faults_of
from duoti.model.checks.references import check_joint_reference, check_reference
from duoti.model.checks.registry import register_check
from duoti.model.constructor_schema import arguments_of, fields_of
from duoti.model.element_id import KINDS, ElementId
from duoti.model.model import Model
from duoti.model.quantities import law_fault
from duoti.model.sections import further_sections


@register_check("structure", order=250)
def check_further_sections(model: Model, found: Findings) -> None:
    """Add what is wrong with elements of further sections."""
    for section in further_sections():
        for name, item in section.of(model).items():
            who = ElementId(KINDS[section.name], str(name))
            with found.about(who):
                _check_element(model, who, item, found)


def _check_element(model: Model, who: ElementId, item: Any, found: Findings) -> None:
    faults = faults_of(item)
    wrong = {fault.key for fault in faults}
    for fault in faults:
        found.error("bad-element", (who,), f"{who}: {fault.text}", key=fault.key)
    fields = fields_of(type(item))
    for key, value in arguments_of(item, fields).items():
        kind = fields[key].kind
        if key in wrong or value is None:
            continue
        if kind in ("marker or body", "body"):
            check_reference(model, who, key, value, found)
        elif kind == "markers or bodies":
            for each in value:
                check_reference(model, who, key, each, found)
        elif kind == "joint":
            check_joint_reference(model, who, key, value, found)
        elif kind == "law" and (fault := law_fault(model, value)):
            found.error("bad-law", (who,), f"{who}: its {key}: {fault.text}", key=key, unknown=fault.unknown)
