"""Energy domains of bonds, and the units of efforts, flows and states in them.

A domain is declared for an element (`g.add("U", Se(24.0), domain="electric")`) or given by what a port is connected
to. Junctions hand it on to all their bonds; transformers, gyrators and fields may have another one at each bond.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from duoti.bond.compiled.port_kernels import JOINT, TORQUE
from duoti.bond.ports import PortPlace
from duoti.model.model import Model

if TYPE_CHECKING:
    from duoti.bond.graph import FlatGraph


class Units(NamedTuple):
    """Units of a domain."""

    effort: str = ""
    flow: str = ""
    displacement: str = ""
    momentum: str = ""
    power: str = "W"
    energy: str = "J"


UNKNOWN = Units()
DOMAINS: Mapping[str, Units] = {
    "translation": Units("N", "m/s", "m", "N s"),
    "rotation": Units("N m", "rad/s", "rad", "N m s"),
    "electric": Units("V", "A", "C", "V s"),
    "hydraulic": Units("Pa", "m^3/s", "m^3", "Pa s"),
    "thermal": Units("K", "W", "J", "K s", "K W", "K J"),  # a pseudo bond graph: effort times flow is no power
}
RATE_UNITS = {u.displacement: u.flow for u in DOMAINS.values()} | {u.momentum: u.effort for u in DOMAINS.values()}
"""Units of the rates of states, by those of the states."""


def connected_bonds(graph: FlatGraph) -> list[list[int]]:
    """Bonds that have one domain: those that meet at junctions."""
    group = list(range(len(graph.bonds)))

    def find(i: int) -> int:
        while group[i] != i:
            group[i] = group[group[i]]
            i = group[i]
        return i

    for element, ends in zip(graph.elements, graph.ends, strict=True):
        if element.role == "junction":
            for end in ends[1:]:
                group[find(end.bond)] = find(ends[0].bond)
    found: dict[int, list[int]] = {}
    for bond in range(len(group)):
        found.setdefault(find(bond), []).append(bond)
    return list(found.values())


def domains_of_bonds(
    graph: FlatGraph, model: Model, places: Mapping[str, list[PortPlace]]
) -> tuple[list[str], list[str]]:
    """The domain of each bond, empty if it is not known; and in words, where several domains meet.

    places: what the ports of the graph are connected to.
    """
    known: list[dict[str, str]] = [dict.fromkeys(each, f'bond "{bond.name}"')
                                   for each, bond in zip(graph.domains, graph.bonds, strict=True)]  # fmt: skip
    for name, ends in zip(graph.names, graph.ends, strict=True):
        for end, place in zip(ends, places.get(name, ()), strict=False):
            if domain := _mechanical(model, place):
                known[end.bond].setdefault(domain, f'port "{name}"')
    found, conflicts = [""] * len(graph.bonds), list[str]()
    for bonds in connected_bonds(graph):
        together = {domain: where for bond in bonds for domain, where in known[bond].items()}
        if len(together) == 1:
            for bond in bonds:
                found[bond] = next(iter(together))
        elif together:
            conflicts.append(" and ".join(f"{domain} ({where})" for domain, where in together.items()))
    return found, conflicts


def _mechanical(model: Model, place: PortPlace) -> str:
    """The domain of a flow of the mechanism; empty if a joint's coordinate is neither an angle nor a length."""
    if place.kind != JOINT:
        return "rotation" if place.kind == TORQUE else "translation"
    rates = [c.rate_unit for c in model.joints[place.joint].joint.coordinates for _ in range(c.nv)]
    unit = rates[place.coordinate] if place.coordinate < len(rates) else ""
    return {"rad/s": "rotation", "m/s": "translation"}.get(unit, "")
