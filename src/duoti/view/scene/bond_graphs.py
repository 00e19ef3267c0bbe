"""Bond graphs for the page: their drawings, and efforts, flows and powers of their elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.model.errors import ChannelError
from duoti.model.model import Model
from duoti.results.result import Result
from duoti.view.scene.channels import Channel

MOST_COLUMNS = 300  # of all graphs together; of larger ones a served page asks for single channels
MOST_ELEMENTS = 300  # up to which a graph is drawn


def graph_document(model: Model) -> list[dict[str, str]]:
    """Name and drawing (SVG) of each graph."""
    if not model.bond_graphs:
        return []
    from duoti.bond.show.drawing import draw

    return [
        {"name": name, "svg": draw(coupled.graph) if len(coupled.graph.flat().elements) <= MOST_ELEMENTS else ""}
        for name, coupled in model.bond_graphs.items()
    ]


def _items(model: Model) -> dict[str, tuple[str, ...]]:
    """Quantities by element or bond; none if they are too many."""
    if not model.bond_graphs or model.expansion is None:
        return {}
    found: dict[str, tuple[str, ...]] = {}
    columns = 0
    for name, item in model.expansion.items.items():
        is_bond = any(item.name == bond.name for bond in _bonds(model, item.block))
        found[name] = ("power",) if is_bond else ("effort", "flow", "power")
        columns += len(found[name]) * len(item.bonds)
    return found if columns <= MOST_COLUMNS else {}


def _bonds(model: Model, block: str) -> Any:
    plan: Any = getattr(model.forces[block], "plan")  # noqa: B009 (a block of a graph)
    return plan.assembly.graph.bonds


def graph_columns(model: Model) -> int:
    """How many columns `graph_channels` will have."""
    return sum(len(labels) * len(model.expansion.items[name].bonds) for name, labels in _items(model).items())


def graph_channels(result: Result) -> list[Channel]:
    """Efforts, flows and powers of elements, powers of bonds."""
    found: list[Channel] = []
    for name, labels in _items(result.model).items():
        for what in labels:
            try:
                values = np.asarray(result[f"{name}.{what}"], dtype=float).reshape(len(result.t), -1)
            except ChannelError:  # it needs accelerations, which time stepping does not have
                continue
            values = np.where(np.isfinite(values), values, 0.0)
            found.append(Channel(f"{name}.{what}", "W" if what == "power" else "", "graph", name, what, values))
    return found
