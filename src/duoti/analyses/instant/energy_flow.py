"""`energy_flow`: power through every joint and force element of a motion, and the energy of every body."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.power_flow import (
    BODY_NUMBERS,
    CLOSURE_NUMBERS,
    DRIFT,
    DRIVEN,
    FROM_INBOARD,
    GRAVITY,
    GRAVITY_RATE,
    INTO_BODY,
    KINETIC,
    KINETIC_RATE,
    ON_A,
    ON_B,
    power_flow,
)
from duoti.dynamics.workspace import add_residual, element_entries, new_workspace
from duoti.integrate.record import CONTACT
from duoti.model.element_id import ElementId, ElementKind
from duoti.model.elements import GROUND
from duoti.results.energy_flow import SUMS, EnergyFlow, Flow, Part
from duoti.results.evaluate.observe import POWERS, REACTIONS, observe
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import JointLayout, System

NUMBERS_AT_ONCE = 4_000_000  # powers of force elements on all rows that are held at a time


def _equations_of_velocities(system: System) -> list[str]:
    """Constraints whose equations read velocities of markers."""
    closures = system.closures
    return [
        who.name
        for k, who in enumerate(system.closure_names)
        if np.any(closures.term_q[closures.terms[closures.first[k]] : closures.terms[closures.first[k + 1]]] < 0)
    ]


class _Powers(NamedTuple):
    """What `power_flow` wrote, over time; of the force elements only what is not zero at all times."""

    rows: Reals
    closed: Reals
    terms: Reals
    on_body: dict[tuple[int, int], Reals]
    on_dof: dict[tuple[int, int], Reals]


@explained
def energy_flow(result: Result, graph_elements: bool = False) -> EnergyFlow:
    r"""Power through every joint and force element, and the energy of every body, at each output of a result.

    $$\frac{d E_i}{dt} = \sum_j P_{ji} + P_i^{\mathrm{supplied}} - P_i^{\mathrm{dissipated}}$$

    The rate of the energy follows from the accelerations, so the residual shows round-off only. The gain or loss of the
    integration is a row of its own in `flow.works`.

    Parameters
    ----------
    result:
        A result of `simulate`.
    graph_elements:
        Show each source, resistor and storage of a bond graph as a part of its own.
    """
    if not isinstance(result, Result):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{result!r} is not a result; give what dt.simulate or dt.open_result returned")
    system = result.system.unfused
    recorded = [] if result.contact_run is not None else result.record_layout.columns_of(CONTACT)  # by time stepping
    if rigid := [name for _, name in recorded]:
        raise NotImplementedError(
            f'rigid contacts ("{rigid[0]}"): the flow of energy needs accelerations, which their impulses are no part '
            f'of; result["{rigid[0]}.energy_lost"] and result.energy have the balance'
        )
    if of_velocities := _equations_of_velocities(system):
        raise NotImplementedError(
            f'constraint "{of_velocities[0]}" is an equation of velocities of markers: the flow of energy does not '
            f'tell what it does to each body; result["{of_velocities[0]}.power"] and result.energy have the balance'
        )
    t, y = np.array(result.t), np.array(result.states[:])
    given: Any = result._multipliers  # pyright: ignore[reportPrivateUsage]
    forces = list(range(system.loads.forces.count))
    if result.contact_run is not None:  # accelerations with the forces of its contacts
        seen = result.contact_run.observe(t, y, REACTIONS)
    else:
        seen = observe(system, t, y, REACTIONS, constraints=result.constraints, multipliers=given)
    powers = _powers(system, t, y, seen.a, seen.multipliers)
    of_forces = observe(system, t, y, POWERS, forces=forces).powers
    accounts = _Accounts(system, y, seen.a, powers)
    impacts = accounts.add_contacts(result) if result.contact_run is not None else {}
    accounts.add_bodies()
    accounts.add_joints()
    accounts.add_closures()
    accounts.add_forces(of_forces)
    if graph_elements:
        accounts.add_graphs(result)
    return EnergyFlow(
        result.layout.model,
        t,
        accounts.parts(),
        tuple(accounts.flows),
        result.energy.residual,
        y[:, -2:].copy(),
        impacts,
    )


def _powers(system: System, t: Reals, y: Reals, a: Reals, multipliers: Reals) -> _Powers:
    tree, closures, count = system.tree, system.closures, system.loads.forces.count
    work = new_workspace(system, ydot=True)
    add_residual(work)
    laws, groups, _memory = element_entries(system, work)
    n, at_once = len(t), max(1, NUMBERS_AT_ONCE // max(1, count * (tree.nb + tree.nv)))
    rows, closed = np.zeros((n, tree.nb, BODY_NUMBERS)), np.zeros((n, closures.count, CLOSURE_NUMBERS))
    terms = np.zeros((n, len(closures.term_q)))
    found: tuple[dict[tuple[int, int], Reals], ...] = ({}, {})
    for first in range(0, n, at_once):
        part = slice(first, min(first + at_once, n))
        size = part.stop - first
        on_bodies, on_dofs = np.zeros((size, count, tree.nb)), np.zeros((size, count, tree.nv))
        power_flow(
            int(work.at[0].system), t[part].copy(), y[part].copy(), a[part].copy(), multipliers[part].copy(), laws,
            groups, rows[part], closed[part], terms[part], on_bodies, on_dofs,
        )  # fmt: skip
        for kept, new in zip(found, (on_bodies, on_dofs), strict=True):
            for f, k in np.argwhere(np.any(new != 0.0, axis=0)).tolist():
                kept.setdefault((f, k), np.zeros(n))[part] = new[:, f, k]
    return _Powers(rows, closed, terms, *found)


class _Accounts:
    """Collects parts and flows under the names of the model."""

    def __init__(self, system: System, y: Reals, a: Reals, powers: _Powers):
        self.system, self.powers, self.n = system, powers, len(y)
        self.q, self.v, self.a = y[:, : system.nq], y[:, system.nq : system.nq + system.nv], a
        model = system.model
        kinds: dict[ElementKind, Any] = {
            "body": model.bodies,
            "joint": model.joints,
            "force": model.forces,
            "constraint": model.constraints,
            "contact": model.contacts,
        }
        count = Counter(name for names in kinds.values() for name in names)
        self.labels = {
            ElementId(kind, name): name if count[name] == 1 else f"{kind}:{name}"
            for kind, names in kinds.items()
            for name in names
        }
        self.flows: list[Flow] = []
        self.motion: dict[str, tuple[Reals, ...]] = {}
        """Position, velocity and angular velocity of bodies, once somebody asks."""
        self.numbers: dict[ElementId, dict[str, Reals]] = {}
        self.body_of_index = {row: name for name, row in system.bodies.items() if row > 0}
        for name, at in system.joints.items():
            if at.shadow_weld >= 0:  # the row is a half of a body (`system.compile.tree_bodies`)
                self.body_of_index[at.body] = model.joints[name].parent if at.reversed else model.joints[name].child
        for name, at in system.flexible.items():
            self.body_of_index |= dict.fromkeys(at.interfaces.values(), name)
        self.joint_of_dof = {int(i): name for name, at in system.joints.items() for i in at.v}

    def parts(self) -> dict[str, Part]:
        """The accounts, with what flows into each."""
        inflow = {self.labels[who]: np.zeros(self.n) for who in self.numbers}
        for flow in self.flows:
            inflow[flow.source] -= flow.power
            inflow[flow.target] += flow.power
        empty = {key: np.zeros(self.n) for key in SUMS}
        return {
            label: Part(label, who.kind, inflow=inflow[label], **{**empty, **numbers})
            for who, numbers in self.numbers.items()
            for label in (self.labels[who],)
        }

    def flow(self, source: ElementId, target: ElementId, power: Reals) -> None:
        """Add a flow; ground does not move, and takes or gives nothing."""
        if GROUND not in (source.name, target.name):
            self.flows.append(Flow(self.labels[source], self.labels[target], power))

    def add_contacts(self, result: Result) -> dict[str, Reals]:
        """What forces of rigid contacts do to bodies; returns what their impacts have taken, by name.

        Powers through joints were found without these forces: a force on a body counts in all joints inboard of it.
        """
        run = result.contact_run
        assert run is not None
        self._refuse_flexible(tuple(run.engine.of.bodies))
        contacts, of = run.engine.contacts, run.engine.of
        lost = run.lost_in_impacts(result.t)
        for element, name in enumerate(of.names):
            who, dissipated = ElementId("contact", name), np.zeros(self.n)
            for slot in np.flatnonzero(contacts.element[contacts.slot_pair] == element):
                for sign, body in zip((-1.0, 1.0), of.bodies[contacts.slot_pair[slot]], strict=True):
                    if body == GROUND:
                        continue
                    wrench = sign * run.force[:, slot], run.point[:, slot], sign * run.moment[:, slot]
                    power = self._power(result, body, *wrench)
                    self.flow(who, ElementId("body", body), power)
                    dissipated = dissipated - power
                    self._through_joints(result, body, wrench)
            self.numbers[who] = {"dissipated": dissipated}
        return {self.labels[ElementId("contact", name)]: each for name, each in lost.items()}

    def _refuse_flexible(self, pairs: tuple[tuple[str, str], ...]) -> None:
        if bent := [name for pair in pairs for name in pair if name in self.system.flexible]:
            raise NotImplementedError(
                f'contacts of the flexible body "{bent[0]}": the flow of energy does not know them; result.energy and '
                "the channels energy_lost of the contacts have the balance"
            )

    def _through_joints(self, result: Result, body: str, wrench: tuple[Reals, Reals, Reals]) -> None:
        rows, row = self.powers.rows, self.system.bodies[body]
        while row > 0:
            inboard = int(self.system.tree.parent[row])
            for place, end in ((INTO_BODY, row), (FROM_INBOARD, inboard)):
                if end in self.body_of_index:  # not ground, nor a row between the axes of a joint
                    rows[:, row, place] -= self._power(result, self.body_of_index[end], *wrench)
            row = inboard

    def _power(self, result: Result, body: str, force: Reals, point: Reals, moment: Reals) -> Reals:
        """Power of a force at a point of the world, as one of a body, and of a moment."""
        if body not in self.motion:
            parts = ("position", "velocity", "angular_velocity")
            self.motion[body] = tuple(result[f"{body}.{part}"] for part in parts)
        position, velocity, turning = self.motion[body]
        return np.sum(force * (velocity + np.cross(turning, point - position)) + moment * turning, axis=1)

    def add_bodies(self) -> None:
        """Kinetic energy and that of gravity; of flexible bodies also what their modes store and dissipate."""
        for name in self.system.model.bodies:
            x = self.powers.rows[:, [row for row, body in self.body_of_index.items() if body == name]].sum(axis=1)
            self.numbers[ElementId("body", name)] = {
                "kinetic": x[:, KINETIC], "kinetic_rate": x[:, KINETIC_RATE],
                "potential": x[:, GRAVITY], "potential_rate": x[:, GRAVITY_RATE],
            }  # fmt: skip
        for name, at in self.system.flexible.items():
            numbers, eta, rates = self.numbers[ElementId("body", name)], self.q[:, at.q], self.v[:, at.v]
            elastic = eta @ at.reduced.stiffness
            numbers["potential"] = numbers["potential"] + 0.5 * np.sum(elastic * eta, axis=1)
            numbers["potential_rate"] = numbers["potential_rate"] + np.sum(elastic * rates, axis=1)
            numbers["dissipated"] = np.sum(rates @ at.reduced.damping * rates, axis=1)

    def add_joints(self) -> None:
        """What passes through the joints of the tree, from the user's parent to the user's child."""
        tree = self.system.tree
        for name, at in self.system.joints.items():
            if at.closure >= 0:
                continue
            who, element = ElementId("joint", name), self.system.model.joints[name]
            rotor, v, a = tree.rotor[at.v], self.v[:, at.v], self.a[:, at.v]
            self.numbers[who] = {"kinetic": 0.5 * v**2 @ rotor, "kinetic_rate": v * a @ rotor}
            inboard, outboard = self._through(at, len(element.joint.parts))
            parent, child = ElementId("body", element.parent), ElementId("body", element.child)
            if at.reversed:
                parent, child = child, parent
            self.flow(parent, who, inboard)
            self.flow(who, child, outboard)

    def _through(self, at: JointLayout, parts: int) -> tuple[Reals, Reals]:
        """Powers from the inboard body and into the outboard one, through the rows of a joint."""
        first = at.body
        for _ in range(parts - 1):
            first = int(self.system.tree.parent[first])
        return self.powers.rows[:, first, FROM_INBOARD], self.powers.rows[:, at.body, INTO_BODY]

    def add_closures(self) -> None:
        """What cut joints and constraints pass on, and what prescribed motions supply."""
        closures, bodies = self.system.closures, self.system.loads.markers.body
        for k, who in enumerate(self.system.closure_names):
            x = self.powers.closed[:, k]
            if who.kind == "joint" and self.system.joints[who.name].shadow_weld == k:
                # what passes through a shadow weld stays in it
                body = self.body_of_index[self.system.joints[who.name].body]
                numbers = self.numbers[ElementId("body", body)]
                numbers["drift"] = numbers.get("drift", 0.0) + x[:, DRIFT]
                continue
            self.numbers[who] = {"supplied": x[:, DRIVEN], "drift": x[:, DRIFT]}
            for end in (ON_A, ON_B):
                self._to_body(who, int(bodies[closures.markers[k, end]]), x[:, end])
            for term in range(closures.terms[closures.first[k]], closures.terms[closures.first[k + 1]]):
                self._to_dof(who, int(closures.term_v[term]), self.powers.terms[:, term])

    def add_forces(self, powers: Reals) -> None:
        """What force elements supply, dissipate and store: the rate of their energy is what they do not pass on."""
        sums = [np.zeros(self.n) for _ in self.system.model.forces]
        ids = [ElementId("force", name) for name in self.system.model.forces]
        for to, found in ((self._to_body, self.powers.on_body), (self._to_dof, self.powers.on_dof)):
            for (f, k), power in found.items():
                to(ids[f], k, power)
                sums[f] = sums[f] + power
        for f, who in enumerate(ids):
            stored, supplied, dissipated = powers[:, f].T
            rate = supplied - dissipated - sums[f]
            self.numbers[who] = {
                "potential": stored, "potential_rate": rate, "supplied": supplied, "dissipated": dissipated,
            }  # fmt: skip

    def add_graphs(self, result: Result) -> None:
        """What sources supply, resistors dissipate and storages store; the account of their graph keeps the rest.

        Elements whose efforts are reactions of the mechanism (an inertia that moves with it) are accounted for there.
        """
        for name, item in result.model.expansion.items.items():
            block: Any = result.model.forces[item.block]
            role = block.plan.roles.get(item.name)
            hidden = any(block.plan.inertial[b] or block.plan.inertial[block.plan.assembly.n + b] for b in item.bonds)
            if role not in ("source", "resistor", "storage") or hidden:
                continue
            who, graph = ElementId("bond_graph", name), ElementId("force", item.block)
            self.labels[who] = name if name not in self.labels.values() else f"bond_graph:{name}"
            power: Reals = result[f"graph:{name}.power"].reshape(self.n, -1).sum(axis=1)
            if role == "source":
                supplied = -block.plan.arrow(item.name) * power
                found, power = {"supplied": supplied}, -supplied
            elif role == "resistor":
                found = {"dissipated": power}
            else:
                found = {"potential": result[f"graph:{name}.energy"].ravel(), "potential_rate": power}
            self.numbers[who] = found
            for key, value in found.items():
                self.numbers[graph][key] = self.numbers[graph][key] - value
            self.flow(graph, who, power)

    def _to_body(self, who: ElementId, row: int, power: Reals) -> None:
        if row in self.body_of_index:
            self.flow(who, ElementId("body", self.body_of_index[row]), power)

    def _to_dof(self, who: ElementId, rate: int, power: Reals) -> None:
        """To the joint of a rate, or to the body that has it as a free one."""
        if rate in self.joint_of_dof:
            self.flow(who, ElementId("joint", self.joint_of_dof[rate]), power)
            return
        owners: dict[str, Any] = {**self.system.virtual, **self.system.flexible}
        body = next(name for name, at in owners.items() if rate in at.v)
        self.flow(who, ElementId("body", body), power)
