"""Check of the solver that a simulation takes by default: what it does otherwise than the model says."""

from __future__ import annotations

from typing import Any

from duoti.analyses.checks.context import CheckContext
from duoti.analyses.states.supported import rigid_elements
from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import register_check
from duoti.model.element_id import ElementId
from duoti.model.errors import ModelError

DURATION = 1.0  # s, of a simulation that the model does not ask for: whether forces are stiff depends on it


@register_check("solver", order=700, cost="compiles")
def check_solver(context: CheckContext, found: Findings) -> None:
    """Choose the solver, and add what it does otherwise."""
    from duoti.analyses.simulate.choose_solver import choose_solver

    task: Any = context.model.tasks.get("simulate", {})
    duration = task.get("duration", DURATION) if isinstance(task, dict) else DURATION
    try:
        choice = choose_solver(context.system, duration if isinstance(duration, int | float) else DURATION)
    except ModelError:  # others report what a simulation would say
        return
    context.choice = choice
    for each in choice.remarks:
        contacts = tuple(ElementId("contact", name) for name in rigid_elements(context.system))
        found.warning("impact-law", contacts[:1], each)
