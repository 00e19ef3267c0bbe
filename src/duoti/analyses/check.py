"""`check`: everything that is worth knowing about a model before a simulation."""

from __future__ import annotations

from duoti.analyses.checks.context import CheckContext
from duoti.model.beams.add_beam import with_needed_joints
from duoti.model.checks.findings import Report
from duoti.model.checks.registry import CheckRun, Stage, find_checks
from duoti.model.checks.structure import run_structure
from duoti.model.model import Model
from duoti.strict import explained

COMPILED: tuple[Stage, ...] = ("assembly", "state", "forces", "solver")
"""Stages of the table of checks that need a compiled model."""


@explained
def check(model: Model) -> Report:
    """Check a model and report all findings, each with names, reason and remedy. The model stays as it is.

    Parameters
    ----------
    model:
        The model.
    """
    find_checks("duoti.analyses.checks")
    checks = CheckRun()
    run_structure(model, checks)
    if not checks.run("tasks", model):
        return checks.report()
    context = CheckContext(with_needed_joints(model))
    for stage in COMPILED:
        if not checks.run(stage, context):
            break
    return checks.report(_solver(context))


def _solver(context: CheckContext) -> str:
    """The solver that a simulation takes by default, and why."""
    if context.choice is None:
        return ""
    from duoti.analyses.simulate.choose_solver import in_short

    return f"{in_short(context.choice.solver)}: {'; '.join(context.choice.reasons)}"
