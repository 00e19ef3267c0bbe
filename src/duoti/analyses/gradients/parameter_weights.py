"""What the weights of an adjoint sweep (`dynamics.derivatives.step_adjoint`) make of each parameter of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.sensitivity.equation_sensitivities import Held
from duoti.analyses.states.supported import refuse_reaction_feedback
from duoti.dynamics.derivatives.by_parameters import PerturbedEquations
from duoti.dynamics.derivatives.forward import factor_size
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
from duoti.dynamics.derivatives.tree_adjoint import BODY, COLUMN
from duoti.dynamics.tree.forward import ydot_entry
from duoti.dynamics.workspace import new_linearisation, new_workspace
from duoti.elements.force_types import perturbed_force_entry
from duoti.kernel import CHECK, address_of, entry_address, pack, run_entry
from duoti.model.laws.law import COORDINATE_INPUT, LOCAL, RATE_INPUT, STATE, TIME
from duoti.system.arrays import GROUP_WORDS, Group, Reals, by_mass_matrix
from duoti.system.context import GROUP_CONTEXT
from duoti.system.jacobian_pattern import coupled_by_elements

if TYPE_CHECKING:
    from duoti.analyses.gradients.discrete_run import DiscreteRun

BLOCK = 1024  # numbers for a packed context
INERTIA, REALS = ("tree", "inertia"), ("loads", "forces", "reals")


class SweptSystem:
    """The system of a run with parameters of laws as further first-order states: their bars are the gradient."""

    def __init__(self, run: DiscreteRun):
        family = run.family
        laws = family.law_states() if run.slopes.has_law_states else None
        self.system, self.names = (family.base, list[str]()) if laws is None else (laws[0], laws[1])
        self.values = np.zeros(0) if laws is None else laws[2]
        end = self.system.nq + self.system.nv + self.system.nz
        self.laws = np.arange(end - len(self.names), end)  # where these states stand
        self.columns = [family.names.index(name) for name in self.names]
        self.recursive = not by_mass_matrix(self.system.tree)
        self._evaluated()

    def _evaluated(self) -> None:
        """A workspace, and the places that `Sweep.column` lists."""
        system = self.system
        refuse_reaction_feedback(system, "a gradient")
        n = system.nv + system.nz
        if self.recursive:
            self.start, self.column = coupled_by_elements(system).lists()
            row = np.repeat(np.arange(n), np.diff(self.start))
            of_rates = (row < system.nv) & (self.column < system.nv)
            pattern = np.searchsorted(row[of_rates], np.arange(system.nv + 1)), self.column[of_rates]
        else:
            self.start, self.column = np.arange(n + 1) * n, np.tile(np.arange(n), n)
            pattern = None
        self.work = new_workspace(system, ydot=True)
        self.made = new_linearisation(system, self.work, bool(system.closures.rows), pattern)
        if self.recursive and not system.closures.rows:
            self.work.calls[0].ydot = entry_address(ydot_entry)  # no short cut: what it eliminates is on the tape

    def _needs_columns(self) -> bool:
        """Whether derivatives of a force element, a law or a loop read the columns of joints in world axes."""
        system, model = self.system, self.system.model
        if CHECK or system.closures.rows:
            return True
        kinds = {int(kind) for kind, _, _ in system.loads.laws.signals}
        return bool(kinds - {TIME, COORDINATE_INPUT, RATE_INPUT, LOCAL, STATE}) or not all(
            tuple(force.joints()) and not tuple(force.markers()) and force.coupling(system) is None
            for force in model.forces.values()
        )

    def inertial(self, run: DiscreteRun) -> list[tuple[int, Reals]]:
        """The parameters that change nothing but inertias, and these changes, if the sweep has their gradient."""
        found = list[tuple[int, Reals]]()
        for k, name in enumerate(run.family.names):
            changes = run.slopes.array_changes[k]
            if self.recursive and name not in self.names and changes is not None and _touched(changes) == {INERTIA}:
                found.append((k, changes[INERTIA]))
        return found

    def new_sweep(self, run: DiscreteRun, sums: int, records: int, square: bool, t: Reals, y: Reals) -> Sweep:
        """Zeros, for steps of the run's method; square: with room for matrices of all rates."""
        system, m, tree = self.system, run.method, self.system.tree
        nv, nz, rows = system.nv, system.nz, system.closures.rows
        n, stages, quaternions = system.nq + nv + nz, m.stages, len(system.tree.quat_q)
        tape, wide, zeros = stages + 1, n * square, np.zeros
        bodies, columns = (tree.nb, tree.nc) if self.recursive else (0, 0)
        factors = factor_size(tree) if rows or not self.recursive else 0
        return Sweep(
            system=int(self.work.at[0].system), recursive=int(self.recursive), world=int(self._needs_columns()), stages=stages, sums=sums,
            implicit=2 if run.alpha else int(run.implicit), span=zeros(4, np.int64),
            A=np.ascontiguousarray(m.A[:tape, :tape]), c=np.ascontiguousarray(m.c[:tape], dtype=float), t=t, y=y,
            final=zeros((sums, n)), bar=zeros((sums, n)), integral=zeros(n), end=zeros(n), slot=np.arange(tape),
            Y=zeros((tape, n)), k=zeros((tape, n)), multipliers=zeros((tape, rows)),
            at=zeros(tape), start=self.start, column=self.column, by_q=zeros((tape, len(self.column))),
            by_v=zeros((tape, len(self.column))), L=zeros((tape, factors)), columns=zeros((tape, columns, COLUMN)),
            bodies=zeros((tape, bodies, BODY)), by_inertia=zeros((sums if self.inertial(run) else 0, tree.nb, 10)), W=zeros((tree.nb, 6)), P=zeros((tree.nb, 9)), u=zeros(columns),
            left=zeros(2), change=zeros(rows),
            G=zeros((tape, rows, nv)), Gq=zeros((tape, rows, nv)), Aq=zeros((tape, rows, nv)),
            Av=zeros((tape, rows, nv)), B=zeros((tape, rows, nv)), D=zeros((tape, rows, rows)),
            Dh=zeros((tape, rows, rows)), scale=zeros((tape, rows)), out=zeros((stages * max(sums, 1), n)),
            kbar=zeros(n), delta=zeros(nv), mu=zeros(nv), nu=zeros(rows), x=zeros(nv), right=zeros(rows),
            trial=zeros(rows + quaternions), J=zeros((stages, wide, wide)), LU=zeros((stages * wide, stages * wide)),
            pivots=zeros(stages * n, np.int64), stack=zeros(stages * n),
            alpha=run.start.coefficients if run.alpha else zeros(7), own=np.array([run.nz]),
            E=zeros((4 * quaternions, 3)), R=zeros((4 * quaternions, 4)), a_bar=zeros((sums, nv)),
            s_bar=zeros((sums, nz)), k_bar=zeros((sums, n)), at_t=zeros(records), at_y=zeros((records, n)),
            at_a=zeros((records, nv)), at_l=zeros((records, rows)), w_r=zeros((records, sums, nv)),
            w_c=zeros((records, sums, rows)), w_z=zeros((records, sums, nz)), w_g=zeros((records, sums, rows)),
            w_d=zeros((records, sums, rows)),
        )  # fmt: skip


class ParameterWeights:
    """What the weights of an adjoint sweep make of each parameter."""

    def __init__(self, run: DiscreteRun, swept: SweptSystem, sweep: Sweep):
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
            touched = _touched(changes)
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
            self._inertias = np.array([change.ravel() for _, change in self.inertial])
            if not swept.recursive:
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
            flat = np.concatenate([changes[path].ravel() for path in self.perturbed.numbers])
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
        self._passes.append((entry_address(entry), block, data.bar))

    def of_records(self, count: int) -> Reals:
        """[sums, parameters] what so many records make of the parameters; the array is used again."""
        found, sums = self.found, self.sums
        found[:] = 0.0
        self.records.count[0] = count
        for address, block, bar in self._passes:
            bar[:] = 0.0
            run_entry(address, address_of(block))
        if self.inertial:
            found[:, [k for k, _ in self.inertial]] = -self._by_inertia.reshape(sums, -1) @ self._inertias.T
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


def _touched(changes: Any) -> set[tuple[str, ...]]:
    """The arrays that a parameter changes."""
    return {path for path, each in changes.items() if np.any(each)}


def _any_state(held: Held) -> Held:
    """Another state, in which nothing is zero by chance."""
    random = np.random.default_rng(0)

    def moved(x: Reals) -> Reals:
        return x + random.uniform(0.1, 0.9, x.shape)

    return Held(moved(held.q), moved(held.v), moved(held.z), held.t, moved(held.a), moved(held.multipliers))
