"""A bond graph in a model, and what it becomes there: states, a force element, inertias and constraints of joints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from duoti.bond.compiled.force import BlockState, PlannedGraph
from duoti.bond.compiled.port_kernels import JOINT
from duoti.bond.domains import domains_of_bonds
from duoti.bond.equations.assembly import TIMES, VALUE, Combination
from duoti.bond.equations.flatten import port_sizes, renamed_element
from duoti.bond.equations.plan import Plan, Reflected
from duoti.bond.equations.reduce import planned
from duoti.bond.errors import BondGraphError
from duoti.bond.graph import FlatGraph, Graph, joined
from duoti.bond.items import graph_items, state_units
from duoti.bond.ports import JointPort, PortPlace, connection
from duoti.model.constraints.base import Constraint, ConstraintEquation
from duoti.model.constraints.coupler import Coupler
from duoti.model.constructor_schema import arguments_of, fields_of
from duoti.model.element_id import ElementId
from duoti.model.elements import JointElement
from duoti.model.errors import did_you_mean
from duoti.model.joints.revolute import Revolute
from duoti.model.laws.user_equations import rate_text
from duoti.model.model import Model
from duoti.spatial import Inertia
from duoti.strict import Strict

STANDALONE = ""
"""Name of the graph in the model of a graph by itself: its quantities have no prefix."""


class FlowConstraint(Constraint):
    """A sum of joint velocities, each with a coefficient, equals an expression of the time and the mechanism."""

    kind = "bond_graph_flow"

    def __init__(self, rates: Sequence[tuple[tuple[str, int], float]], value: str):
        self.rates, self.value = rates, value

    def rows(self) -> Sequence[ConstraintEquation]:
        rates = tuple((f"joint:{joint}.v[{k}]", coefficient) for (joint, k), coefficient in self.rates)
        return (ConstraintEquation("rate_equation", rates=rates, expression=f"-({self.value})"),)

    def joints(self) -> Sequence[JointElement | str]:
        return [joint for (joint, _), _ in self.rates]


class CoupledGraph(Strict):
    """A graph and what its ports are connected to."""

    def __init__(self, name: str, graph: Graph, ports: dict[str, Any]):
        self.name, self.graph, self.ports = name, graph, ports

    def __deepcopy__(self, memo: dict[int, Any]) -> CoupledGraph:
        return CoupledGraph(self.name, copied(self.graph), dict(self.ports))

    def expand(self, model: Model) -> None:
        """Put it into an expanded model; what is wrong is added to the findings of the expansion."""
        found, who = model.expansion.found, ElementId("bond_graph", str(self.name))
        if not isinstance(self.graph, Graph):  # pyright: ignore[reportUnnecessaryIsInstance]
            found.error(
                "bad-bond-graph", (who,), f"{who}: {self.graph!r} is no bond graph", remedy="give a dt.bond.Graph"
            )
            return
        try:
            try:
                flat = self._flat(model)
            except BondGraphError as error:  # say also what is wrong with the ports
                _, faults = self._places(model, port_sizes(self.graph))
                raise BondGraphError(self.graph.name, [*error.faults, *faults]) from None
            sizes = {name: len(ends) for name, element, ends in zip(flat.names, flat.elements, flat.ends, strict=True)
                     if element.role == "port"}  # fmt: skip
            places, faults = self._places(model, sizes)
            if faults:
                raise BondGraphError(self.graph.name, faults)
            for name in (name for name in sizes if name not in places and self.name != STANDALONE):
                found.info("bond-graph", (who,), f'{who}: port "{name}" is connected to nothing: it takes no part')
            plan = planned(flat, model.named_values, frozenset(places), lambda name: rate_text(model, name))
            domains, conflicts = domains_of_bonds(plan.assembly.graph, model, places)
            for conflict in conflicts:
                found.warning("bond-graph", (who,), f"{who}: domains differ: {conflict}",
                              "bonds that meet at junctions have one domain; their quantities are left without units",
                              "put a TF or GY between the domains, or correct the declared one")  # fmt: skip
            self._put(model, plan, places, domains)
        except BondGraphError as error:
            if self.name == STANDALONE:
                raise
            for text, _ in error.faults:
                found.error("bad-bond-graph", (who,), f"{who}: {text}")

    def _flat(self, model: Model) -> FlatGraph:
        """The graph with its parameters under names of the model: "motor.R"."""
        flat = self.graph.flat()
        own = flat.parameters
        if self.name and own:
            flat.elements = [
                renamed_element(e, lambda n: joined(self.name, n) if n in own else n) for e in flat.elements
            ]
        model.parameters.update({joined(self.name, name): value for name, value in own.items()})
        return flat

    def texts(self, model: Model) -> list[str]:
        """All expressions of its elements, with the names that they read in the model."""
        values: list[Any] = []
        for element in self._flat(model).elements:
            values += arguments_of(element, fields_of(type(element))).values()
        rows = [
            each for value in values if isinstance(value, list | tuple) for row in value if np.ndim(row) for each in row
        ]
        return [value for value in (*values, *rows) if isinstance(value, str)]

    def renamed(
        self, name: str, rename: Callable[[str], str], joint: Callable[[Any], str], marker: Callable[[Any], str]
    ) -> CoupledGraph:
        """The same in a model of which this one's is a part: other names in laws, joints and markers."""
        ports: dict[str, Any] = {}
        for port, given in self.ports.items():
            place = connection(given)
            if isinstance(place, JointPort):
                ports[port] = replace(place, joint=joint(place.joint))
            else:
                ports[port] = replace(place, marker_a=marker(place.marker_a), marker_b=marker(place.marker_b))
        return CoupledGraph(name, renamed_graph(self.graph, rename), ports)

    def _owner(self, name: str) -> tuple[Any, str] | None:
        """The graph that has a parameter, "motor.R" of a part, and its name there; None if there is none."""
        graph, (*parts, last) = self.graph, name.split(".")
        for part in parts:
            if part not in graph.subgraphs:
                return None
            graph = graph.subgraphs[part]
        return (graph, last) if last in graph.parameters else None

    def parameter(self, name: str) -> float | None:
        """The value of a parameter; None if there is none."""
        found = self._owner(name)
        return None if found is None else found[0].parameters[found[1]]

    def set_parameter(self, name: str, value: float) -> None:
        """Give a parameter another value."""
        found = self._owner(name)
        if found is None:
            raise KeyError(name)
        found[0].parameters[found[1]] = value

    def _places(
        self, model: Model, sizes: dict[str, int]
    ) -> tuple[dict[str, list[PortPlace]], list[tuple[str, tuple[str, ...]]]]:
        """Where the ports are, one place for each of their bonds (`sizes`), and what is wrong with that."""
        faults: list[tuple[str, tuple[str, ...]]] = []
        found: dict[str, list[PortPlace]] = {}
        for name, given in self.ports.items():
            if name not in sizes:
                faults.append((f'it has no port "{name}".{did_you_mean(str(name), list(sizes))}', (str(name),)))
                continue
            try:
                places = connection(given).places()
            except (ValueError, TypeError, OverflowError) as error:
                faults.append((f'port "{name}": {error}', (name,)))
                continue
            unknown = [place.joint for place in places if place.kind == JOINT and place.joint not in model.joints]
            if unknown:
                hint = did_you_mean(unknown[0], list(model.joints))
                faults.append((f'port "{name}": there is no joint "{unknown[0]}".{hint}', (name,)))
            wrong = [
                p
                for p in places
                if p.kind == JOINT and not unknown and not 0 <= p.coordinate < model.joints[p.joint].nv
            ]
            if wrong:
                faults.append(
                    (f'port "{name}": joint "{wrong[0].joint}" has no coordinate {wrong[0].coordinate}', (name,))
                )
            missing = [m for place in places for m in place.markers if model.marker(m) is None]
            if missing:
                faults.append((f'port "{name}": there is no marker or body "{missing[0]}"', (name,)))
            if len(places) != sizes[name]:
                faults.append(
                    (f'port "{name}" has {sizes[name]} bonds, but {len(places)} flows are connected', (name,))
                )
            found[name] = places
        return found, faults

    def _put(self, model: Model, plan: Plan, places: dict[str, list[PortPlace]], domains: list[str]) -> None:
        at = [places[port.owner][port.number] for port in plan.assembly.port_inputs]
        who = ElementId("bond_graph", str(self.name))
        found = model.expansion.found
        states: dict[int, str] = {}
        units = state_units(plan.assembly.graph, domains)
        for storage in plan.states:
            name = joined(self.name, storage.state)
            states[storage.column] = name
            if name in model.states:
                found.error("name-clash", (who, ElementId("state", name)), f'{who}: there is a state "{name}" already')
            model.states[name] = BlockState(name, 0.0, storage.initial, units.get(storage.state, ""))
        name = self.name or "graph"
        if name in model.forces:
            found.error("name-clash", (who, ElementId("force", name)), f"{who} has the name of a force element",
                        remedy="rename one of them")  # fmt: skip
        block = PlannedGraph(self.name, plan, at, states)
        model.forces[name] = block
        for reflected in plan.reflected:
            self._reflect(model, reflected, at)
        for k, port in enumerate(plan.assembly.port_inputs):
            if port.driven:
                self._drive(model, plan, at, k)
        for note in plan.notes:
            found.info("bond-graph", (who,), f"{who}: {note}")
        model.expansion.items.update(graph_items(self.name, name, block, domains))

    # --------------------------------------------------------------------------- what the mechanism takes over

    def _reflect(self, model: Model, reflected: Reflected, at: list[PortPlace]) -> None:
        """A storage that moves with the mechanism: rotor inertia of its joint, or a body of its own behind gears."""
        if not body_behind(reflected, at):
            ((port, ratio),) = reflected.ratios.items()
            joint = model.joints[at[port].joint]
            inertias = list(joint.rotor_inertias)
            inertias[at[port].coordinate] += reflected.constant * ratio * ratio  # pyright: ignore[reportOperatorIssue]
            model.joints[at[port].joint] = replace(joint, rotor_inertia=inertias)
            return
        name = body_name(self.name, reflected.owner)
        # about its own centre: gravity does nothing to it
        moments = reflected.constant * np.eye(3)
        model.add_body(name, Inertia(reflected.constant, matrix=moments), position=(0.0, 0.0, 0.0))
        model.add_joint(name, Revolute("z"), "ground", name, at=(0.0, 0.0, 0.0))
        terms = {port: ratio for port, ratio in reflected.ratios.items() if ratio}
        if not reflected.changing and all(at[port].kind == JOINT for port in terms):
            coefficients: dict[Any, float] = {name: -1.0}
            for port, ratio in terms.items():
                key = (at[port].joint, at[port].coordinate)
                coefficients[key] = coefficients.get(key, 0.0) + float(ratio)
            model.constraints[name] = Coupler(coefficients)
        else:
            flows = [f"({ratio})*({at[port].flow_text()})" for port, ratio in terms.items()]
            model.constraints[name] = FlowConstraint([((name, 0), 1.0)], " + ".join(flows))

    def _drive(self, model: Model, plan: Plan, at: list[PortPlace], number: int) -> None:
        """A flow that the graph decides is a constraint of the mechanism, its effort the reaction."""
        a = plan.assembly
        port = a.port_inputs[number]
        values, faults = self._driving(plan, at, plan.variables[port.flow], port.owner)
        if faults:
            raise BondGraphError(self.graph.name, faults)
        rates: list[tuple[tuple[str, int], float]] = []
        if at[number].kind == JOINT:
            rates.append(((at[number].joint, at[number].coordinate), 1.0))
        else:
            values.append(f"-({at[number].flow_text()})")
        model.constraints[joined(self.name, port.owner)] = FlowConstraint(rates, " + ".join(values) or "0")
        who = ElementId("bond_graph", str(self.name))
        text = f'{who}: it decides the flow of port "{port.owner}": a constraint, whose reaction is the effort'
        model.expansion.found.info("bond-graph", (who,), text)

    def _driving(
        self, plan: Plan, at: list[PortPlace], row: Combination, driven: str
    ) -> tuple[list[str], list[tuple[str, tuple[str, ...]]]]:
        """The terms of a flow as expressions of the time and the mechanism."""
        values: list[str] = []
        faults: list[tuple[str, tuple[str, ...]]] = []
        for column, x in row.items():
            place = column - 1 - plan.nx
            if column == 0:
                values.append(repr(x))
            elif place < 0:
                owner = next(s.owner for s in plan.states if s.column == column)
                text = f'the state of "{owner}" decides the flow of port "{driven}"; put a C between them'
                faults.append((text, (owner, driven)))
            elif place < plan.ports:
                values.append(f"{x!r}*({at[place].flow_text()})")
            else:
                law = plan.laws[place - plan.ports]
                if law.reads or not isinstance(law.law.value, str):
                    text = f'"{law.law.owner}" decides the flow of port "{driven}" by what it reads: put a C between'
                    faults.append((text, (law.law.owner, driven)))
                elif law.op == VALUE:
                    values.append(f"{x!r}*({law.law.value})")
                else:  # a ratio that changes with the time or the mechanism
                    factor: Combination = (
                        {law.factor: 1.0} if law.factor < plan.columns else plan.rows[law.factor - plan.columns]
                    )
                    terms, more = self._driving(plan, at, factor, driven)
                    faults += more
                    sign = "*" if law.op == TIMES else "/"
                    values.append(f"{x!r}*({' + '.join(terms) or '0'}){sign}({law.law.value})")
        return values, faults


def body_name(graph: str, owner: str) -> str:
    """Name of the body, its joint and its constraint that a storage becomes."""
    return joined(graph, f"{owner}.body")


def body_behind(reflected: Reflected, at: list[PortPlace]) -> bool:
    """Whether a storage that moves with the mechanism is a body of its own, not a part of a joint's inertia."""
    return len(reflected.ratios) > 1 or reflected.changing or at[next(iter(reflected.ratios))].kind != JOINT


def copied(graph: Graph) -> Graph:
    """A copy of a graph that shares its elements."""
    made = copy(graph)
    made.parameters, made.elements = dict(graph.parameters), dict(graph.elements)
    made.bonds, made.duplicates, made.domains = list(graph.bonds), list(graph.duplicates), dict(graph.domains)
    made.subgraphs = {name: copied(part) for name, part in graph.subgraphs.items()}
    return made


def renamed_graph(graph: Graph, rename: Callable[[str], str]) -> Graph:
    """A graph whose laws read other names of the model; its own names stay."""
    made = copied(graph)
    own = {*graph.parameters, *graph.elements, *graph.subgraphs}

    def other(name: str) -> str:
        return name if name in graph.parameters or ("." in name and name.split(".")[0] in own) else rename(name)

    made.elements = {name: renamed_element(element, other) for name, element in graph.elements.items()}
    made.subgraphs = {name: renamed_graph(part, other) for name, part in graph.subgraphs.items()}
    return made


def model_of(graph: Graph) -> Model:
    """A model that has nothing but a graph: a body that stands still, as a model has one."""
    from duoti.model.joints.fixed import Fixed

    model = Model(graph.name, gravity=(0.0, 0.0, 0.0))
    model.add_body("frame", Inertia.point(1.0))
    model.add_joint("frame.joint", Fixed(), model.ground, "frame")
    model.add_bond_graph(STANDALONE, graph)
    return model
