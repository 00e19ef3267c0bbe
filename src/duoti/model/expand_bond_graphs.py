"""A model with its bond graphs put in: states, a force element each, and what they do to joints and constraints.

What analyses compile is the expanded model; files hold the model as the user described it, `expansion.source`.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import Any

from duoti.model.checks.findings import Findings
from duoti.model.model import Model, require_model


@dataclass
class Expansion:
    """What was expanded, and what was found on the way."""

    source: Model
    """The model as it was described."""
    found: Findings = field(default_factory=Findings)
    items: dict[str, Any] = field(default_factory=dict[str, Any])
    """Elements and bonds of all graphs, by their names in channels."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Expansion:
        return self


def expanded(model: Model) -> Model:
    """The model itself if it has no bond graphs, or is expanded already; else a copy with them put in."""
    require_model(model)
    if not model.bond_graphs or model.expansion is not None:
        return model
    made = copy(model)
    for section in ("parameters", "bodies", "joints", "forces", "constraints", "states", "events", "bond_graphs"):
        setattr(made, section, dict(getattr(model, section)))
    for name, element in made.joints.items():
        changed = copy(element)
        changed.body_name = made.body_name
        made.joints[name] = changed
    made.expansion = Expansion(model)
    for graph in made.bond_graphs.values():
        graph.expand(made)
    return made


def described(model: Model) -> Model:
    """The model as the user described it."""
    return model if model.expansion is None else model.expansion.source
