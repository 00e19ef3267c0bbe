"""`check`: everything that is worth knowing about a model before a simulation."""

from __future__ import annotations

from duoti.model.check import check_structure
from duoti.model.findings import Report
from duoti.model.model import Model


def check(model: Model) -> Report:
    """Check a model and report all findings, each with the names concerned, why, and what to do."""
    return check_structure(model)
