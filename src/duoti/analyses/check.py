"""`check`: everything that is worth knowing about a model before a simulation."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from duoti.analyses.checks.contact_state import contact_findings
from duoti.analyses.checks.inertia import inertia_findings
from duoti.analyses.checks.joint_friction import joint_friction_findings
from duoti.analyses.checks.lengths import length_findings
from duoti.analyses.states.supported import rigid_elements
from duoti.analyses.study.tasks import check_tasks
from duoti.model.beams.add_beam import with_needed_joints
from duoti.model.checks.findings import Finding, Findings, Report
from duoti.model.checks.structure import check_structure
from duoti.model.checks.topology import check_topology
from duoti.model.element_id import ElementId
from duoti.model.errors import ModelError
from duoti.model.model import Model
from duoti.strict import explained
from duoti.topology import Topology

DURATION = 1.0  # s, of a simulation that the model does not ask for: whether forces are stiff depends on it


@explained
def check(model: Model) -> Report:
    """Check a model and report all findings, each with the names concerned, why, and what to do.

    The model stays as it is.
    """
    report = check_structure(model)
    tasks = check_tasks(model) if isinstance(model.tasks, dict) and model.tasks else ()  # pyright: ignore[reportUnnecessaryIsInstance]
    if tasks:
        report = Report(report.model, (*report.errors, *tasks, *(f for f in report.findings if f.severity != "error")))
    if not report.ok:
        return report
    model = with_needed_joints(model)
    found = Findings()
    topo, assembly = _assembled(model)
    check_topology(model, found, topo)
    further = found.report(model.name, model.source_locations)
    closes = not any(f.severity == "error" for f in assembly)
    if closes:
        assembly += inertia_findings(model)
        assembly += length_findings(model)
        closes = not any(f.severity == "error" for f in assembly)
    touching = contact_findings(model) if model.contacts and closes else ()
    solver = ""
    if closes:
        touching += joint_friction_findings(model)
    if closes and not any(f.severity == "error" for f in touching):
        solver, of_laws = _solver(model)
        touching += of_laws
    errors, doubts = ([f for f in (*assembly, *touching) if f.severity == word] for word in ("error", "warning"))
    remarks = (*_remarks(report), *(f for f in touching if f.severity == "info"))
    found_now = (*report.errors, *errors, *report.warnings, *doubts, *further.findings, *remarks)
    return Report(report.model, found_now, solver)


def _solver(model: Model) -> tuple[str, tuple[Finding, ...]]:
    """The solver that a simulation takes by default, and what it does otherwise than the model says."""
    from duoti.analyses.simulate.choose_solver import choose_solver, in_short
    from duoti.system.build.compiler import compile_model

    task: Any = model.tasks.get("simulate", {})
    duration = task.get("duration", DURATION) if isinstance(task, dict) else DURATION
    try:
        system = compile_model(model)
        choice = choose_solver(system, duration if isinstance(duration, int | float) else DURATION)
    except ModelError:  # what a simulation would say is told by others
        return "", ()
    found = Findings()
    for each in choice.remarks:
        contacts = tuple(ElementId("contact", name) for name in rigid_elements(system))
        found.warning("impact-law", contacts[:1], each)
    text = f"{in_short(choice.solver)}: {'; '.join(choice.reasons)}"
    return text, tuple(found.report(model.name, model.source_locations).findings)


def _remarks(report: Report) -> tuple[Finding, ...]:
    return tuple(f for f in report.findings if f.severity == "info")


def _assembled(model: Model) -> tuple[Topology | None, tuple[Finding, ...]]:
    """The tree of a simulation, and why it could not begin: loops and constraints that cannot be closed, rates that
    tear them apart.

    Loops that stay open a little, because numbers are rounded, are a warning, as in a simulation.
    """
    if len(model.joints) <= len(model.bodies) and not model.constraints:
        return None, ()  # a tree
    topo: Topology | None = None
    from duoti.analyses.states.assemble import NearlyClosedWarning
    from duoti.analyses.states.initial_state import closed_state
    from duoti.system.build.compiler import compile_model

    found = Findings()
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(record=True) as caught:  # numbers beyond all measure
            warnings.simplefilter("always", NearlyClosedWarning)
            system = compile_model(model)
            topo = system.topology
            if system.closures.rows:
                closed_state(system)
    except ModelError as error:
        return topo, error.report.errors
    for each in caught:
        if isinstance(each.message, NearlyClosedWarning):
            found.warning("nearly-closed", each.message.closures, str(each.message))
        else:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    return topo, tuple(found.report(model.name, model.source_locations).findings)
