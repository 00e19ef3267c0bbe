"""`check`: everything that is worth knowing about a model before a simulation."""

from __future__ import annotations

from duoti.analyses.tasks import check_tasks
from duoti.model.check import check_structure
from duoti.model.check_topology import check_topology
from duoti.model.findings import Findings, Report
from duoti.model.model import Model


def check(model: Model) -> Report:
    """Check a model and report all findings, each with the names concerned, why, and what to do."""
    report = check_structure(model)
    tasks = check_tasks(model) if model.tasks else ()
    if tasks:
        report = Report(report.model, (*report.errors, *tasks, *(f for f in report.findings if f.severity != "error")))
    if not report.ok:
        return report
    found = Findings()
    check_topology(model, found)
    return Report(report.model, (*report.findings, *found.report(model.name, model.source_locations).findings))
