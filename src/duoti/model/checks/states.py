"""The part of the model check that looks at first-order states."""

from __future__ import annotations

import re
from typing import Any

from duoti.model.checks.findings import Findings
from duoti.model.checks.parameters import faults_of
from duoti.model.checks.registry import register_check
from duoti.model.element_id import ElementId, ElementKind
from duoti.model.elements import GROUND
from duoti.model.errors import did_you_mean
from duoti.model.laws.contact_readings import ContactReading
from duoti.model.laws.expressions.parser import RESERVED
from duoti.model.laws.reaction_feedback import FeedbackState
from duoti.model.model import Model
from duoti.model.quantities import law_fault, owner_of
from duoti.model.sensors import SensorState
from duoti.spelling import with_article

WORD = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*(\[\d+\])?")  # the number: a component of a vector
KEPT = {
    "t": "the time",
    "q": "the coordinate of a joint in its own forces",
    "v": "the rate of a joint in its own forces",
    "length": "the length of a line in its own force",
    "speed": "the speed of a line in its own force",
    "energy": "the energies in plots",
}


@register_check("structure", order=190)
def check_states(model: Model, found: Findings) -> None:
    """Add what is wrong with the states."""
    for name, state in model.states.items():
        if isinstance(state, FeedbackState | SensorState | ContactReading):  # of a model that was compiled before
            continue
        who = ElementId("state", str(name))
        with found.about(who):
            _check_name(model, name, found)
            for fault in faults_of(state):
                found.error("bad-state", (who,), f"{who}: {fault.text}", key=fault.key)
            if fault := law_fault(model, state.rate):
                found.error("bad-law", (who,), f"{who}: its rate: {fault.text}", key="rate", unknown=fault.unknown)
    _check_switches(model, found)


def _check_switches(model: Model, found: Findings) -> None:
    """Add switched elements that there are not, or that two states switch."""
    switched_by: dict[ElementId, str] = {}
    for name, state in model.states.items():
        who = ElementId("state", str(name))
        switches: Any = state.switches
        for given in switches if isinstance(switches, list | tuple | set) else ():
            element = model.switched(str(given))
            if element is None:
                hint = did_you_mean(str(given), [*model.forces, *model.constraints])
                found.error("unknown-name", (who,), f"{who}: it switches {given!r}, which is neither a force nor a "
                            f"constraint.{hint}", key="switches")  # fmt: skip
            elif switched_by.setdefault(element, name) != name:
                found.error("bad-state", (who, element), f'{who}: {element} is switched by state '
                            f'"{switched_by[element]}" already', "an element has one switch",
                            "let one state switch it, and set that state", "switches")  # fmt: skip


def _check_name(model: Model, name: Any, found: Findings) -> None:
    who = ElementId("state", str(name))
    if not isinstance(name, str) or not WORD.fullmatch(name):
        word = re.sub(r"\W+", "_", str(name)).strip("_")
        example = word if WORD.fullmatch(word) else f"z{word}"
        found.error("bad-name", (who,), f"a state has the name {name!r}",
                    "expressions read it by its name: one word of letters, digits and _, no digit first",
                    f'give it a name such as "{example}"')  # fmt: skip
        return
    if name in KEPT or name in RESERVED:
        found.error("reserved-name", (who,), f"{who}: this name is kept for {KEPT.get(name, 'expressions')}",
                    remedy="choose another name")  # fmt: skip
    taken: dict[ElementKind, Any] = {
        "parameter": model.parameters, "joint": model.joints, "body": [*model.bodies, GROUND], "marker": model.markers,
    }  # fmt: skip
    for kind, names in taken.items():
        if name in names:
            found.error("name-clash", (who, ElementId(kind, name)), f"{who} has the name of {with_article(kind)}",
                        "a name must mean one thing", "rename one of them")  # fmt: skip
    if "." in name and (owner := owner_of(model, name)):
        found.error("name-clash", (who, owner), f"{who} has the name of a quantity of {owner}",
                    "a name must mean one thing", "rename one of them")  # fmt: skip
