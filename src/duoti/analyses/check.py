"""`check`: everything that is worth knowing about a model before a simulation."""

from __future__ import annotations

import numpy as np

from duoti.analyses.tasks import check_tasks
from duoti.model.check import check_structure
from duoti.model.check_topology import check_topology
from duoti.model.errors import ModelError
from duoti.model.findings import Finding, Findings, Report
from duoti.model.model import Model
from duoti.strict import explained


@explained
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
    further = found.report(model.name, model.source_locations)
    errors = _assembly_errors(model)
    return Report(report.model, (*report.errors, *errors, *report.warnings, *further.findings, *_remarks(report)))


def _remarks(report: Report) -> tuple[Finding, ...]:
    return tuple(f for f in report.findings if f.severity == "info")


def _assembly_errors(model: Model) -> tuple[Finding, ...]:
    """Why a simulation could not begin: loops and constraints that cannot be closed, rates that tear them apart."""
    if len(model.joints) <= len(model.bodies) and not model.constraints:
        return ()  # a tree
    from duoti.analyses.initial import closed_state
    from duoti.system.compiler import compile_model

    try:
        with np.errstate(all="ignore"):  # numbers beyond all measure
            system = compile_model(model)
            if system.closures.rows:
                closed_state(system)
    except ModelError as error:
        return error.report.errors
    return ()
