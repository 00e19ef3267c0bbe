"""Structural check of a model: everything that can be checked before any equation is built, all at once."""

from __future__ import annotations

from typing import NamedTuple

from duoti.model.beams.add_beam import with_needed_joints
from duoti.model.checks.findings import Report
from duoti.model.checks.parameters import shown
from duoti.model.checks.registry import CheckRun, PlacedModel, find_checks
from duoti.model.expand_bond_graphs import expanded
from duoti.model.mechanism.placement import Placement, place_bodies
from duoti.model.model import Model, require_model


def check_structure(model: Model) -> Report:
    """Report on names, numbers, attachment, mass and joint definitions of a model."""
    return checked_model(model).report


class CheckedModel(NamedTuple):
    """The report on a model, and what was checked: a copy if the model has bond graphs or held nodes of beams."""

    report: Report
    model: Model
    """With bond graphs put in, and free joints only at nodes of beams that need one."""
    placement: Placement | None
    """Places of the bodies if all is well."""


def checked_model(model: Model) -> CheckedModel:
    """Check a model, which stays as it is."""
    return run_structure(model, CheckRun())


def run_structure(model: Model, checks: CheckRun) -> CheckedModel:
    """Run the stages of the table of checks that need no compiled model."""
    require_model(model)
    find_checks("duoti.model.checks")
    checks.model = shown(model.name)
    if not checks.run("sections", model):
        return CheckedModel(checks.report(), model, None)
    checks.model, checks.locations = model.name, model.source_locations
    model = expanded(with_needed_joints(model))
    placement: Placement | None = None
    if checks.run("structure", model):
        placement = place_bodies(model)
        checks.run("placed", PlacedModel(model, placement))
    return CheckedModel(checks.report(), model, placement)
