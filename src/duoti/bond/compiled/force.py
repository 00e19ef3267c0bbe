"""The graph as a part of a compiled model: a force element that has states of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from duoti.bond.compiled.kernels import (
    GAUSS,
    HEADER,
    LAW,
    LOOP,
    PLAN,
    ROW,
    ROWS,
    SHORT_ROWS,
    graph_forces,
    graph_powers,
    graph_values,
    graph_zdot,
)
from duoti.bond.compiled.port_kernels import JOINT
from duoti.bond.compiled.tangent_kernels import graph_tangent
from duoti.bond.domains import RATE_UNITS
from duoti.bond.equations.plan import Plan, Step
from duoti.bond.ports import PortPlace
from duoti.kernel import helper
from duoti.model.element_id import ElementId
from duoti.model.elements import JointElement, Reference
from duoti.model.forces.base import Compiler, Force
from duoti.model.laws.law import Value
from duoti.model.state import State

if TYPE_CHECKING:
    from duoti.system.system import System


def coupling(block: PlannedGraph, system: System) -> Iterable[Iterable[int]]:
    """For each row that is a rate or an effort, all places in (v, z) that it depends on or acts on."""
    from duoti.system.jacobian_pattern import carriers, dofs_to_ground, signals_of

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
            moved.append(set().union(*(dofs_to_ground(system, int(row)) for row in rows)))
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


STEP_KINDS = {"row": ROW, "law": LAW, "loop": LOOP, "rows": ROWS}
TERM_KINDS = ("energy", "supplied", "dissipated")


@helper
def _block(f, t, q, v, loads, w):
    p = loads.forces.integers[f, PLAN]
    graph_values(loads, w, p, t, q, v)
    graph_zdot(loads, w, p, q.shape[0] + v.shape[0])
    graph_forces(loads, w, p)
    return graph_powers(loads, w, p, t, q, v)


@helper
def _block_tangent(f, t, q, v, tree, loads, w, tan, path):
    graph_tangent(tree, loads, w, tan, path, loads.forces.integers[f, PLAN], t, q, v)


class BlockState(State):
    """A state whose rate a bond graph computes."""

    by_graph: ClassVar[bool] = True

    @property
    def rate_unit(self) -> str:
        """That of the effort or flow of its bond."""
        return RATE_UNITS.get(self.unit, "")


class PlannedGraph(Force):
    """A bond graph, planned, with its ports connected."""

    kind = "bond_graph"
    complex_numbers = False  # its numbers stand in the plan
    INTEGERS = ("plan",)
    law = staticmethod(_block)
    tangent = staticmethod(_block_tangent)

    def __init__(self, graph: str, plan: Plan, ports: list[PortPlace], states: Mapping[int, str]):
        """ports: where each port of the plan is; states: names of the model's states, by columns of the plan."""
        self.graph, self.plan, self.ports, self.states = graph, plan, ports, states

    def __deepcopy__(self, memo: dict[int, Any]) -> PlannedGraph:
        return self  # nothing in it changes

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """Those of the ports."""
        return tuple((f"port {k + 1}", marker) for k, port in enumerate(self.ports) for marker in port.markers)

    def joints(self) -> Iterable[tuple[str, JointElement | str]]:
        """Those of the ports."""
        return tuple((f"port {k + 1}", port.joint) for k, port in enumerate(self.ports) if port.joint)

    def driven_joints(self) -> Iterable[str]:
        """Those of the ports."""
        return tuple(port.joint for port in self.ports if port.joint)

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """All laws, with the quantities of the graph as their own."""
        return tuple(
            (
                f'law of "{each.law.owner}"',
                each.law.value,
                {name: ("graph", place) for name, place in each.reads.items()},
                1,
            )
            for each in self.plan.laws
        )

    def exchanged(self, states: Mapping[str, Any]) -> float:
        """The largest change of the energy in a storage with a constant [J], by the values of the states over time."""
        energies = {term.first: term.coefficient for term in self.plan.terms
                    if term.kind == "energy" and term.first == term.second}  # fmt: skip
        changes = [
            energies[column] * float(np.ptp(states[name] ** 2))
            for column, name in self.states.items()
            if column in energies
        ]
        return max(changes, default=0.0)

    def coupling(self, system: Any) -> Iterable[Iterable[int]]:
        return coupling(self, system)

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        laws = [compiler.law(value, own) for _, value, own, _ in self.values()]
        integers, numbers, scratch = packed(self, compiler, laws)
        return {"plan": compiler.block(integers, numbers, scratch)}


def packed(block: PlannedGraph, compiler: Any, laws: list[int]) -> tuple[Any, Any, Callable[[int, int], int]]:
    """The plan as integers and numbers, and how much scratch it needs for nv velocities and nz states."""
    plan = block.plan
    terms = sorted(plan.terms, key=lambda term: TERM_KINDS.index(term.kind))
    loop_of = {step.number: k for k, loop in enumerate(plan.loops) for step in loop if step.kind == "law"}
    start, column, number = [0], list[int](), list[float]()
    for row in plan.rows:
        column += row.keys()
        number += row.values()
        start.append(len(column))
    gauss_x, gauss_w = np.polynomial.legendre.leggauss(GAUSS)
    loops: list[int] = []
    for loop in plan.loops:
        loops += [len(loop), sum(step.kind == "law" for step in loop), *_steps(loop)]
    positions = [compiler.law_inputs(laws[k]).index(name) for k, name, _ in plan.quadratures]
    lists: dict[str, list[int]] = {
        "states": [compiler.state(block.states[s.column]) for s in plan.states],
        "ports": [
            n for port, (place, sign) in zip(block.ports, plan.efforts, strict=True)
            for n in (*port.integers(compiler), place, sign)
        ],
        "row_start": start, "row_column": column,
        "laws": [n for k, each in enumerate(plan.laws) for n in (laws[k], each.op, each.factor, loop_of.get(k, -1))],
        "steps": _steps(plan.steps),
        "rates": plan.rates,
        "terms": [n for term in terms for n in (term.first, term.second)],
        "quadratures": [
            n for (k, _, place), own in zip(plan.quadratures, positions, strict=True) for n in (laws[k], own, place)
        ],
        "loops": loops,
        "row_groups": [sum(len(row) <= n for row in plan.rows) for n in range(SHORT_ROWS + 1)],
    }  # fmt: skip
    first_state = lists["states"][0] if plan.nx else 0
    assert lists["states"] == list(range(first_state, first_state + plan.nx))  # the kernels count on it
    counts = {
        "nx": plan.nx, "np": plan.ports, "nl": len(plan.laws), "nr": len(plan.rows), "n_steps": len(plan.steps),
        "n_terms": len(plan.terms), "n_quadratures": len(plan.quadratures), "row_number": 0, "term_number": len(number),
        "n_energy": sum(t.kind == "energy" for t in terms), "n_supplied": sum(t.kind == "supplied" for t in terms),
        "first_state": first_state,
    }  # fmt: skip
    at = len(HEADER)
    for name, items in lists.items():
        counts[name] = at
        at += len(items)
    header = [counts.get(name, 0) for name in HEADER]
    integers = np.array([*header, *(n for items in lists.values() for n in items)], np.int64)
    numbers = np.array([*number, *(term.coefficient for term in terms), *(0.5 + 0.5 * gauss_x), *(0.5 * gauss_w)])
    largest = max((sum(step.kind == "law" for step in loop) for loop in plan.loops), default=0)

    def scratch(nv: int, nz: int) -> int:
        width = 2 * nv + nz
        values = plan.columns + len(plan.rows) + largest * (largest + 2)
        return max(values, (plan.ports + len(plan.laws) + largest) * width + largest * largest)

    return integers, numbers, scratch


def _steps(steps: list[Step]) -> list[int]:
    return [n for step in steps for n in (STEP_KINDS[step.kind], step.number)]
