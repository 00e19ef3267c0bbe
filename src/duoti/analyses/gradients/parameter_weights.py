"""What the weights of an adjoint sweep (`dynamics.derivatives.step_adjoint`) make of each parameter of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.gradients.swept_system import INERTIA, SweptSystem
from duoti.analyses.sensitivity.equation_sensitivities import Held
from duoti.dynamics.derivatives.by_parameters import PerturbedEquations
from duoti.dynamics.derivatives.parameter_adjoint import (
    DIRECTIONS_CONTEXT,
    ELEMENTS_CONTEXT,
    INERTIA_CONTEXT,
    Directions,
    Elements,
    InertiaSums,
    Records,
    directions_entry,
    elements_entry,
    inertia_entry,
)
from duoti.dynamics.derivatives.sweep_arrays import Sweep
from duoti.elements.force_types import perturbed_force_entry
from duoti.kernel import address_of, entry_address, pack, run_entry
from duoti.system.arrays import GROUP_WORDS, Group, Reals
from duoti.system.context import GROUP_CONTEXT

if TYPE_CHECKING:
    from duoti.analyses.gradients.discrete_run import DiscreteRun

BLOCK = 1024  # numbers for a packed context
REALS = ("loads", "forces", "reals")


class ParameterWeights:
    """What the weights of an adjoint sweep make of each parameter.

    by_sweep: whether a compiled sweep wrote the weights; its gradient by inertias is then known where it passes the
    tree by recursions (`Sweep.by_inertia`), and else made of the records.
    """

    def __init__(self, run: DiscreteRun, swept: SweptSystem, sweep: Sweep, by_sweep: bool = False):
        self.run, self.sums = run, sweep.sums
        self._any: PerturbedEquations | None = None
        slopes, family = run.slopes, run.family
        self.inertial, self.listed, self.differenced = list[tuple[int, Reals]](), list[tuple[int, Any]](), list[int]()
        self.elements = list[tuple[int, Any, int]]()
        self.found = np.zeros((sweep.sums, len(family.names)))
        for k, name in enumerate(family.names):
            if name in swept.names:
                continue
            changes = slopes.array_changes[k]
            if changes is None:
                self.differenced.append(k)
                continue
            touched = set(changes)
            if touched == {INERTIA}:
                self.inertial.append((k, changes[INERTIA]))
            elif (force := self._single_force(changes, touched)) is not None:
                self.elements.append((k, changes, force))
            elif touched:
                self.listed.append((k, changes))
        s = sweep
        self.records = Records(
            np.zeros(1, np.int64), s.sums, family.base.nz, s.at_t, s.at_y, s.at_a, s.at_l, s.w_r, s.w_c, s.w_z, s.w_g,
            s.w_d,
        )  # fmt: skip
        self._passes = list[tuple[Any, Any, Any]]()
        if self.inertial:
            nb = family.base.tree.nb
            self._by_inertia = s.by_inertia
            flat = [change.ravel() for _, change in self.inertial]
            where = [np.flatnonzero(each) for each in flat]
            self._starts = np.cumsum([0, *map(len, where)])[:-1]
            self._numbers = np.concatenate(where)
            self._by_numbers = np.concatenate([each[i] for each, i in zip(flat, where, strict=True)])
            if not (by_sweep and swept.recursive):
                sums = InertiaSums(sweep.system, np.zeros((nb, 6)), np.zeros((s.sums * nb, 10)))
                self._by_inertia = sums.bar
                self._add_pass(inertia_entry, sums, INERTIA_CONTEXT)
        if self.elements or self.listed:
            self.perturbed = PerturbedEquations(family.base)
            self.perturbed.put(*run.first_held)
            self.perturbed.step({})
        if self.elements:
            self._prepare_elements()
        if self.listed:
            self._prepare_directions()

    def _single_force(self, changes: Any, touched: set[tuple[str, ...]]) -> int | None:
        """The only force element whose numbers change, if nothing but its wrenches does; else None."""
        if touched != {REALS}:
            return None
        rows = np.flatnonzero(np.any(changes[REALS] != 0.0, axis=1))
        base = self.run.family.base
        if len(rows) != 1 or base.tree.shared:
            return None
        if self._any is None:
            self._any = PerturbedEquations(base)
            self._any.put(*_any_state(self.run.first_held))
        slopes = self._any.slopes(changes)
        return None if any(np.any(each) for each in slopes[1:]) else int(rows[0])

    def _lists(self, changed: list[Any]) -> tuple[Any, Any, Any]:
        """Changes of the numbers in the pool, one parameter behind the other."""
        start, index, slope = [0], list[Any](), list[Reals]()
        for changes in changed:
            numbers = self.perturbed.numbers.items()
            flat = np.concatenate(
                [changes[path].ravel() if path in changes else np.zeros(x.size) for path, x in numbers]
            )
            where = np.flatnonzero(flat)
            index.append(where)
            slope.append(flat[where])
            start.append(start[-1] + len(where))
        return np.array(start, np.int64), np.concatenate(index), np.concatenate(slope)

    def _prepare_directions(self) -> None:
        x = self.perturbed
        lists, bar = self._lists([each for _, each in self.listed]), np.zeros((self.sums, len(self.listed)))
        self._directions = Directions(int(x.work.at[0].system), x.address, x.pool, *lists, bar)
        self._add_pass(directions_entry, self._directions, DIRECTIONS_CONTEXT)

    def _prepare_elements(self) -> None:
        x, base, count = self.perturbed, self.run.family.base, len(self.elements)
        here = int(x.work.at[0].system)
        self._groups = np.zeros((count, GROUP_WORDS))
        for memory, (_, _, force) in zip(self._groups, self.elements, strict=True):
            pack(memory, (Group(here, force, force + 1),), GROUP_CONTEXT)
        types = [base.force_types[int(base.loads.forces.kind[force])] for _, _, force in self.elements]
        self._elements = Elements(
            here, x.pool, np.array([entry_address(perturbed_force_entry(each)) for each in types], np.int64),
            np.array([address_of(each) for each in self._groups], np.int64),
            *self._lists([each for _, each, _ in self.elements]), np.zeros((base.tree.nb, 6)),
            np.zeros((self.sums, count)),
        )  # fmt: skip
        self._add_pass(elements_entry, self._elements, ELEMENTS_CONTEXT)

    def _add_pass(self, entry: Any, data: Any, context: Any) -> None:
        block = np.zeros(BLOCK)
        pack(block, (self.records, data), context)
        self._passes.append((entry_address(entry), block, data))  # the entry reads all arrays of data

    def of_records(self, count: int) -> Reals:
        """[sums, parameters] what so many records make of the parameters; the array is used again."""
        found, sums = self.found, self.sums
        found[:] = 0.0
        self.records.count[0] = count
        for address, block, data in self._passes:
            data.bar[:] = 0.0
            run_entry(address, address_of(block))
        if self.inertial:
            of_numbers = self._by_inertia.reshape(sums, -1)[:, self._numbers] * self._by_numbers
            found[:, [k for k, _ in self.inertial]] = -np.add.reduceat(of_numbers, self._starts, axis=1)
            self._by_inertia[:] = 0.0
        if self.elements:
            found[:, [k for k, _, _ in self.elements]] = self._elements.bar
        if self.listed:
            found[:, [k for k, _ in self.listed]] = self._directions.bar
        if self.differenced:
            self._by_differences(count)
        return found

    def _by_differences(self, count: int) -> None:
        run, r = self.run, self.records
        nq, nv, nz = run.nq, run.nv, r.nz
        for i in range(count):
            weights = (r.w_r[i], r.w_c[i], r.w_d[i], r.w_g[i], -r.w_z[i, :, :nz])
            if not any(np.any(each) for each in weights):
                continue
            y = r.at_y[i]
            held = Held(y[:nq], y[nq : nq + nv], y[nq + nv : nq + nv + nz], float(r.at_t[i]), r.at_a[i], r.at_l[i])
            for k in self.differenced:
                for weight, part in zip(weights, run.slopes.of(k, held), strict=True):
                    self.found[:, k] -= weight @ part


def _any_state(held: Held) -> Held:
    """Another state, in which nothing is zero by chance."""
    random = np.random.default_rng(0)

    def moved(x: Reals) -> Reals:
        return x + random.uniform(0.1, 0.9, x.shape)

    return Held(moved(held.q), moved(held.v), moved(held.z), held.t, moved(held.a), moved(held.multipliers))
