"""Checks of the model as such: gravity, parameters, at least one body; what its bond graphs were found to be."""

from __future__ import annotations

from duoti.model.checks.findings import Findings
from duoti.model.checks.parameters import number_fault, shown, vector_fault
from duoti.model.checks.registry import register_check
from duoti.model.element_id import ElementId
from duoti.model.model import Model


@register_check("structure", order=100)
def check_bond_graphs(model: Model, found: Findings) -> None:
    """Add what was found while the bond graphs were put in."""
    if model.expansion is not None:
        found.found += model.expansion.found.found


@register_check("structure", order=120)
def check_model(model: Model, found: Findings) -> None:
    """Add what is wrong with gravity and parameters, and that there is no body."""
    if fault := vector_fault(model.gravity, 3):
        found.error("gravity", (), f"gravity: {fault}", remedy="give three components in m/s², e.g. (0, 0, -9.81)",
                    key="gravity")  # fmt: skip
    for name, value in model.parameters.items():
        if fault := number_fault(value):
            who = ElementId("parameter", str(name))
            found.error("parameter", (who,), f"{who} is {shown(value)}", remedy=fault)
    if not model.bodies:
        found.error("no-bodies", (), "the model has no bodies", remedy="add some: model.add_body(name, inertia)")
