"""Check of the tasks of a model: unknown solvers, keys and channels, missing durations."""

from __future__ import annotations

from duoti.analyses.study.tasks import check_tasks
from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import register_check
from duoti.model.model import Model


@register_check("tasks", order=350)
def check_asked_tasks(model: Model, found: Findings) -> None:
    """Add what is wrong with the tasks."""
    if isinstance(model.tasks, dict) and model.tasks:  # pyright: ignore[reportUnnecessaryIsInstance]
        found.found += check_tasks(model)
