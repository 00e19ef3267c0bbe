"""Which rates and states of a model depend on each other by a bond graph: the structure of the Jacobian."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from duoti.bond.port_kernels import JOINT
from duoti.model.element_id import ElementId

if TYPE_CHECKING:
    from duoti.bond.block import Block
    from duoti.system.system import System


def coupling(block: Block, system: System) -> Iterable[Iterable[int]]:
    """For each row that is a rate or an effort, all places in (v, z) that it depends on or acts on."""
    from duoti.system.pattern import carriers, rates_to_ground, signals_of

    plan, nv = block.plan, system.nv
    name = next(key for key, force in system.model.forces.items() if force is block)
    laws = [k for k, owner in enumerate(system.law_owners) if owner == ElementId("force", name)]
    places = {state: k for k, state in enumerate(system.model.states)}
    moved: list[set[int]] = []
    for port in block.ports:
        if port.kind == JOINT:
            moved.append(set(carriers(system, int(system.joints[port.joint].v[port.coordinate]))))
        else:
            rows = [system.loads.markers.body[system.marker_index(system.model.marker(m).name)] for m in port.markers]  # pyright: ignore
            moved.append(set().union(*(rates_to_ground(system, int(row)) for row in rows)))
    by_column: list[set[int]] = [set()]
    by_column += [{nv + places[block.states[s.column]]} for s in plan.states]
    by_column += moved
    first, count = len(by_column), plan.columns
    own = [signals_of(system, law) for law in laws]
    by_column += [set(each) for each in own]

    def of(place: int) -> set[int]:
        return by_column[place] if place < count else set().union(*(by_column[c] for c in plan.rows[place - count]))

    for _ in range(len(plan.laws)):  # laws that read what depends on other laws
        before = [len(each) for each in by_column[first:]]
        for k, law in enumerate(plan.laws):
            for place in (*law.reads.values(), *([law.factor] if law.factor >= 0 else ())):
                by_column[first + k] |= of(place)
        if before == [len(each) for each in by_column[first:]]:
            break
    groups = [of(rate) | by_column[1 + k] for k, rate in enumerate(plan.rates)]
    return [*groups, *(of(effort) | moved[k] for k, (effort, _) in enumerate(plan.efforts))]
