"""Channels of bond graphs: efforts, flows and powers of elements and bonds, from the values of their plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from duoti.bond.compiled.coupled import body_behind, body_name
from duoti.bond.compiled.kernels import PLAN, stored_by_law
from duoti.dynamics.tree.forward import call_forces
from duoti.dynamics.tree.kinematics import poses_and_velocities
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import cold_kernel, unpack
from duoti.model.force_blocks import SCRATCH
from duoti.model.quantities import Quantity
from duoti.results.evaluate.observe import ROWS_AT_ONCE
from duoti.system.arrays import Reals
from duoti.system.context import REAL_CONTEXT

if TYPE_CHECKING:
    from duoti.bond.compiled.force import PlannedGraph
    from duoti.bond.equations.plan import Plan
    from duoti.bond.items import GraphItem
    from duoti.results.result import Result

_KNOWN: WeakKeyDictionary[Any, dict[str, tuple[Reals, Reals]]] = WeakKeyDictionary()


@cold_kernel("i d1 d2 i i d2 d2")
def _observe_graph(context, t, y, first, plan, out, energies):
    """The first values of a plan in all states, and the energies in its storages with laws."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    for n in range(t.shape[0]):
        q, v = y[n][:nq], y[n][nq : nq + nv]
        for i in range(y.shape[1]):
            w.y[i] = y[n, i]
        poses_and_velocities(tree, w, q, v)
        call_forces(tree, loads, w, t[n], q, v)
        for i in range(out.shape[1]):
            out[n, i] = w.block_scratch[first + i]
        for k in range(energies.shape[1]):
            energies[n, k] = stored_by_law(loads, w, plan, k, t[n], q, v)


def block_values(result: Result, name: str) -> Reals:
    """The columns of a plan (1, states, port flows, laws), one row per time."""
    return _observed(result, name)[0]


def _observed(result: Result, name: str) -> tuple[Reals, Reals]:
    """The same, and the energies in storages with laws."""
    known = _KNOWN.setdefault(result, {})
    if name not in known:
        system = result.system
        block: Any = result.model.forces[name]
        f = list(result.model.forces).index(name)
        forces, y = system.loads.forces, result.states
        plan_at = int(forces.integers[f, PLAN])
        known[name] = values, energies = (
            np.zeros((len(y), block.plan.columns)), np.zeros((len(y), len(block.plan.quadratures))),
        )  # fmt: skip
        work = new_workspace(system)
        for first in range(0, len(y), ROWS_AT_ONCE):
            rows = slice(first, first + ROWS_AT_ONCE)
            scratch = int(forces.block_integers[plan_at + SCRATCH])
            at = np.array(result.t[rows])
            _observe_graph(work.at[0].system, at, np.array(y[rows]), scratch, plan_at, values[rows], energies[rows])
    return known[name]


def variable_values(result: Result, item: GraphItem, what: str) -> Reals:
    """Efforts or flows of the bonds of an element or bond, [time, bonds]."""
    block: PlannedGraph = result.model.forces[item.block]  # pyright: ignore[reportAssignmentType]
    plan = block.plan
    n = plan.assembly.n
    numbers = [b if what == "effort" else n + b for b in item.bonds]
    V = block_values(result, item.block)
    found = np.zeros((len(V), len(numbers)))
    for k, number in enumerate(numbers):
        row = plan.variables[number]
        if row:
            found[:, k] = V[:, list(row)] @ np.array(list(row.values()))
        for column, x in plan.inertial[number].items():
            factor = V[:, plan.factors[x]] if isinstance(x, str) else x
            found[:, k] += factor * _hidden(result, block, column)
    return found * np.array(item.signs) if what == "flow" else found


def _hidden(result: Result, block: PlannedGraph, column: int) -> Reals:
    """What the mechanism decides: the rate of a storage that moves with it, or the reaction at a driven port."""
    plan = block.plan
    for reflected in plan.reflected:
        if reflected.rate_column == column:
            if body_behind(reflected, block.ports):
                return reflected.constant * result[f"joint:{body_name(block.graph, reflected.owner)}.a"].ravel()
            ((port, ratio),) = reflected.ratios.items()
            return reflected.constant * ratio * _acceleration(result, block, port)  # pyright: ignore[reportOperatorIssue]
    port = next(p for p in plan.assembly.port_inputs if p.column == column)
    name = f"{block.graph}.{port.owner}" if block.graph else port.owner
    return port.sign * result.multipliers(f"constraint:{name}")[:, 0]


def _acceleration(result: Result, block: PlannedGraph, port: int) -> Reals:
    place = block.ports[port]
    return result[f"joint:{place.joint}.a"].reshape(len(result.t), -1)[:, place.coordinate]


def graph_values(result: Result, quantity: Quantity) -> Reals:
    """A channel of an element or bond of a graph."""
    item: GraphItem = result.model.expansion.items[quantity.item]
    if quantity.what in ("effort", "flow"):
        return variable_values(result, item, quantity.what)
    if quantity.what == "power":
        return variable_values(result, item, "effort") * variable_values(result, item, "flow")
    states = np.column_stack([_state(result, item, k) for k in item.storage])
    if quantity.what != "energy":
        return states
    block: Any = result.model.forces[item.block]
    matrix = block.plan.constant_of(item.storage[0])
    if matrix is None:
        return _energy_by_law(result, item, block.plan)[:, None]
    return np.sum(0.5 * states * np.linalg.solve(matrix, states.T).T, axis=1, keepdims=True)


def _energy_by_law(result: Result, item: GraphItem, plan: Plan) -> Reals:
    values, energies = _observed(result, item.block)
    for law in plan.laws:
        if law.law.key == "energy" and law.law.owner == item.name:
            return values[:, law.column]
    numbers = [plan.laws[number].law.owner for number, _, _ in plan.quadratures]
    return energies[:, numbers.index(item.name)]


def _state(result: Result, item: GraphItem, k: int) -> Reals:
    """A state of a storage, independent or not."""
    block: Any = result.model.forces[item.block]
    plan, V = block.plan, block_values(result, item.block)
    if plan.storages[k].column >= 0:
        return V[:, plan.storages[k].column]
    if k in plan.dependent:
        row = plan.dependent[k]
        return V[:, list(row)] @ np.array(list(row.values()))
    storage = plan.assembly.storages[k]
    reflected = next(r for r in plan.reflected if r.state == storage.state)
    if body_behind(reflected, block.ports):
        return reflected.constant * result[f"joint:{body_name(block.graph, reflected.owner)}.v"].ravel()
    ((port, ratio),) = reflected.ratios.items()
    return reflected.constant * ratio * V[:, 1 + plan.nx + port]  # pyright: ignore[reportOperatorIssue]
