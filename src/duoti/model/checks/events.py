"""Check of events: what they watch, and what they set."""

from __future__ import annotations

from typing import Any

from duoti.model.checks.findings import Findings
from duoti.model.checks.parameters import faults_of, shown
from duoti.model.checks.registry import register_check
from duoti.model.element_id import ElementId
from duoti.model.errors import did_you_mean
from duoti.model.event import MOST_OUTPUTS, Event
from duoti.model.model import Model
from duoti.model.quantities import law_fault


@register_check("structure", order=180)
def check_events(model: Model, found: Findings) -> None:
    """Add what is wrong with the events."""
    for name, event in model.events.items():
        who = ElementId("controller" if name in model.controllers else "event", str(name))
        with found.about(who):
            _check_event(model, who, event, found)


def _check_event(model: Model, who: ElementId, event: Any, found: Findings) -> None:
    sets = "function" if who.kind == "controller" else "sets"
    if not isinstance(event, Event):
        found.error("bad-event", (who,), f"{who}: {shown(event)} is not an event",
                    remedy='give dt.Event("expression", terminal=True)')  # fmt: skip
        return
    for fault in faults_of(event):
        found.error("bad-event", (who,), f"{who}: {fault.text}", key=fault.key)
    if fault := law_fault(model, event.value, forces=True):
        found.error("bad-law", (who,), f"{who}: {fault.text}", key="value", unknown=fault.unknown)
    for names, value in event.assignments():
        for name in names:
            if name not in model.states:
                hint = did_you_mean(str(name), model.states)
                found.error("unknown-name", (who,), f"{who}: it sets {name!r}, which is no state.{hint}", key=sets)
            elif model.states[name].algebraic:
                found.error("bad-event", (who, ElementId("state", name)), f"{who}: it sets an algebraic state",
                            "its equation determines it", "leave it out", sets)  # fmt: skip
        if len(names) > MOST_OUTPUTS:
            found.error("bad-event", (who,), f"{who}: a function sets {len(names)} states, {MOST_OUTPUTS} at most",
                        remedy="write several functions", key=sets)  # fmt: skip
        elif fault := law_fault(model, value, outputs=len(names), forces=True, contacts=True):
            found.error("bad-law", (who,), f"{who}: it sets {', '.join(map(str, names))}: {fault.text}", key=sets,
                        unknown=fault.unknown)  # fmt: skip
