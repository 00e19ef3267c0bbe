"""The backward sweep of a run, in compiled code: `dynamics.derivatives.step_adjoint` and what parameters make of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.analyses.gradients.discrete_run import DiscreteRun
from duoti.analyses.gradients.jumps import Jump, end_by_event
from duoti.analyses.sensitivity.equation_sensitivities import Held
from duoti.analyses.states.linearised_equations import Equations
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
from duoti.dynamics.derivatives.step_adjoint import SWEEP_CONTEXT, Sweep, sweep_entry
from duoti.elements.force_types import perturbed_force_entry
from duoti.kernel import address_of, entry_address, pack, run_entry
from duoti.system.arrays import GROUP_WORDS, Group, Reals
from duoti.system.context import GROUP_CONTEXT

RECORDED = 4_000_000  # numbers: steps are swept in groups whose records take no more than this
BLOCK = 1024  # numbers for a packed context
INERTIA, REALS = ("tree", "inertia"), ("loads", "forces", "reals")


class AdjointSweep:
    """Values of expressions and gradients of weighted sums of them, of one run.

    Parameters
    ----------
    run:
        The run.
    integrals, finals:
        [sums, expressions] weights of the integrals of the expressions over the run, and of their values at its end.
    """

    def __init__(self, run: DiscreteRun, integrals: Reals, finals: Reals):
        self.run, self.sums, self.extra = run, len(integrals), run.extra
        family = run.family
        laws = family.law_states() if run.slopes.has_law_states else None
        self.system, self.law_names = (family.base, list[str]()) if laws is None else (laws[0], laws[1])
        self.law_values = np.zeros(0) if laws is None else laws[2]
        self.equations = Equations.of(self.system)
        self.p_bar = np.zeros((self.sums, len(family.names)))
        self.first_watched = run.nq + run.nv + run.nz
        self._sweep = self._allocate()
        s, self._finals = self._sweep, finals
        quadratures = slice(self.first_watched, self.first_watched + self.extra)
        s.bar[:, quadratures], s.final[:, quadratures] = integrals, finals
        self._block = np.zeros(BLOCK)
        pack(self._block, (s,), SWEEP_CONTEXT)
        self._parameters = _Parameters(self)
        self._pass()
        self.integrals, self.ends = s.integral[quadratures].copy(), self.end[quadratures].copy()

    def _allocate(self) -> Sweep:
        run, system, sums = self.run, self.system, self.sums
        m, nv, nz, rows = run.method, system.nv, system.nz, system.closures.rows
        n, stages = system.nq + nv + nz, m.stages
        steps, tape = len(run.t) - 1, m.stages + 1
        held = np.broadcast_to(np.append(np.zeros(self.extra), self.law_values), (steps + 1, n - run.n))
        per_step = stages * (n + nv + rows + sums * (nv + nz + 3 * rows) + 1)
        self.group = int(max(1, min(steps, RECORDED // per_step)))
        records = self.group * stages + 1
        zeros = np.zeros
        return Sweep(
            system=int(self.equations.work.at[0].system), stages=stages, sums=sums,
            implicit=int(run.implicit), span=zeros(4, np.int64),
            A=np.ascontiguousarray(m.A[:tape, :tape]), c=np.ascontiguousarray(m.c[:tape], dtype=float),
            t=np.ascontiguousarray(run.t, dtype=float), y=np.ascontiguousarray(np.hstack([run.y, held])),
            final=zeros((sums, n)), bar=zeros((sums, n)), integral=zeros(n), end=zeros(n),
            slot=np.arange(tape), Y=zeros((tape, n)), k=zeros((tape, n)), multipliers=zeros((tape, rows)),
            L=zeros((tape, factor_size(system.tree))), K=zeros((tape, nv, nv)), C=zeros((tape, nv, nv)),
            Z=zeros((tape, nv, nz)), Fq=zeros((tape, nz, nv)), Fv=zeros((tape, nz, nv)), Fz=zeros((tape, nz, nz)),
            G=zeros((tape, rows, nv)), Gq=zeros((tape, rows, nv)), Aq=zeros((tape, rows, nv)),
            Av=zeros((tape, rows, nv)), B=zeros((tape, rows, nv)), D=zeros((tape, rows, rows)),
            Dh=zeros((tape, rows, rows)), scale=zeros((tape, rows)), out=zeros((stages * max(sums, 1), n)),
            kbar=zeros(n),
            J=zeros((stages, *[n * run.implicit] * 2)), LU=zeros([stages * n * run.implicit] * 2),
            pivots=zeros(stages * n, np.int64), stack=zeros(stages * n), delta=zeros(nv), mu=zeros(nv), nu=zeros(rows),
            x=zeros(nv), right=zeros(rows),
            trial=zeros(rows + len(system.tree.quat_q)), at_t=zeros(records), at_y=zeros((records, n)),
            at_a=zeros((records, nv)), at_l=zeros((records, rows)), w_r=zeros((records, sums, nv)),
            w_c=zeros((records, sums, rows)), w_z=zeros((records, sums, nz)), w_g=zeros((records, sums, rows)),
            w_d=zeros((records, sums, rows)),
        )  # fmt: skip

    def _pass(self) -> None:
        run, s = self.run, self._sweep
        first = len(run.t) - 1
        self._steps(first, first, end=True)
        self.end = s.end.copy()
        s.final[:] = 0.0
        if (end := end_by_event(run)) is not None:
            self._move_end(*end)
        at_jumps = sorted(run.jumps.found, reverse=True)
        for k, row in enumerate([*at_jumps, -1]):
            self._steps(first, row + 1, end=k > 0)
            if row >= 0:
                self._jump(run.jumps.found[row])
            first = row
        for k, name in enumerate(self.law_names):
            self.p_bar[:, run.family.names.index(name)] += s.bar[:, self.first_watched + self.extra + k]

    def _steps(self, first: int, last: int, end: bool) -> None:
        """Sweep from an output to an earlier one; end: the derivatives at the first are not on the tape."""
        s, run = self._sweep, self.run
        address, at = entry_address(sweep_entry), address_of(self._block)
        s.span[2] = int(end)
        while first > last or s.span[2]:
            stop = max(last, first - self.group)
            s.span[:2] = first, stop
            for weights in (s.w_r, s.w_c, s.w_z, s.w_g, s.w_d):
                weights[:] = 0.0
            run_entry(address, at)
            if s.span[3]:
                raise RuntimeError(
                    f"dt.gradient: the stages of the step at t = {run.t[s.span[3] - 1]:.6g} s could not be solved "
                    "again by Newton's method; choose a smaller step or tolerance"
                )
            self._parameters.add((first - stop) * s.stages + 1)
            first, s.span[2] = stop, 0

    def _jump(self, jump: Jump) -> None:
        """Bars before a jump from those behind it."""
        bar, n = self._sweep.bar, self.run.n
        extra = bar[:, self.first_watched : self.first_watched + self.extra]
        self.p_bar += bar[:, :n] @ jump.by_p + extra @ jump.extra_by_p
        bar[:, :n] = bar[:, :n] @ jump.by_y + extra @ jump.extra_by_y

    def _move_end(self, t_y: Reals, t_p: Reals, values_t: Reals) -> None:
        """What the time of the event that ended the run makes of the objectives."""
        s = self._sweep
        rate = s.bar @ s.end + self._finals @ values_t
        s.bar[:, : self.run.n] += np.outer(rate, t_y)
        self.p_bar += np.outer(rate, t_p)

    @property
    def at_start(self) -> Reals:
        """[sums, n] derivatives by the initial state."""
        return self._sweep.bar[:, : self.run.n]

    def records(self, count: int, nz: int) -> Records:
        """Records of the steps that were swept last."""
        s = self._sweep
        return Records(
            count, s.sums, nz, s.at_t, s.at_y, s.at_a, s.at_l, s.w_r, s.w_c, s.w_z, s.w_g, s.w_d
        )  # fmt: skip


class _Parameters:
    """What the weights of an adjoint sweep make of each parameter."""

    def __init__(self, sweep: AdjointSweep):
        self.sweep, run = sweep, sweep.run
        self._any: PerturbedEquations | None = None
        slopes, family = run.slopes, run.family
        self.inertial, self.listed, self.differenced = list[tuple[int, Reals]](), list[tuple[int, Any]](), list[int]()
        self.elements = list[tuple[int, Any, int]]()
        self.nz = family.base.nz
        for k, name in enumerate(family.names):
            if name in sweep.law_names:
                continue
            changes = slopes.array_changes[k]
            if changes is None:
                self.differenced.append(k)
                continue
            touched = {path for path, each in changes.items() if np.any(each)}
            if touched == {INERTIA}:
                self.inertial.append((k, changes[INERTIA]))
            elif (force := self._single_force(changes, touched)) is not None:
                self.elements.append((k, changes, force))
            elif touched:
                self.listed.append((k, changes))
        if self.inertial:
            nb = family.base.tree.nb
            self._sums = InertiaSums(
                int(sweep.equations.work.at[0].system), np.zeros((nb, 6)), np.zeros((sweep.sums * nb, 10))
            )
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
        base = self.sweep.run.family.base
        if len(rows) != 1 or base.tree.shared:
            return None
        if self._any is None:
            self._any = PerturbedEquations(base)
            self._any.put(*_any_state(self.sweep.run.first_held))
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
        lists, bar = self._lists([each for _, each in self.listed]), np.zeros((self.sweep.sums, len(self.listed)))
        self._directions = Directions(int(x.work.at[0].system), x.address, x.pool, *lists, bar)

    def _prepare_elements(self) -> None:
        x, base, count = self.perturbed, self.sweep.run.family.base, len(self.elements)
        here = int(x.work.at[0].system)
        self._groups = np.zeros((count, GROUP_WORDS))
        for memory, (_, _, force) in zip(self._groups, self.elements, strict=True):
            pack(memory, (Group(here, force, force + 1),), GROUP_CONTEXT)
        types = [base.force_types[int(base.loads.forces.kind[force])] for _, _, force in self.elements]
        self._elements = Elements(
            here, x.pool, np.array([entry_address(perturbed_force_entry(each)) for each in types], np.int64),
            np.array([address_of(each) for each in self._groups], np.int64),
            *self._lists([each for _, each, _ in self.elements]), np.zeros((base.tree.nb, 6)),
            np.zeros((self.sweep.sums, count)),
        )  # fmt: skip

    def add(self, count: int) -> None:
        """Add the records of the steps that were swept last."""
        p_bar = self.sweep.p_bar
        records, block = self.sweep.records(count, self.nz), np.zeros(BLOCK)
        if self.inertial:
            self._sums.bar[:] = 0.0
            pack(block, (records, self._sums), INERTIA_CONTEXT)
            run_entry(entry_address(inertia_entry), address_of(block))
            by_inertia = self._sums.bar.reshape(self.sweep.sums, -1)
            for k, change in self.inertial:
                p_bar[:, k] -= by_inertia @ change.ravel()
        if self.elements:
            self._elements.bar[:] = 0.0
            pack(block, (records, self._elements), ELEMENTS_CONTEXT)
            run_entry(entry_address(elements_entry), address_of(block))
            p_bar[:, [k for k, _, _ in self.elements]] += self._elements.bar
        if self.listed:
            self._directions.bar[:] = 0.0
            pack(block, (records, self._directions), DIRECTIONS_CONTEXT)
            run_entry(entry_address(directions_entry), address_of(block))
            p_bar[:, [k for k, _ in self.listed]] += self._directions.bar
        if self.differenced:
            self._by_differences(records)

    def _by_differences(self, r: Records) -> None:
        run, p_bar = self.sweep.run, self.sweep.p_bar
        nq, nv, nz = run.nq, run.nv, self.nz
        for i in range(r.count):
            weights = (r.w_r[i], r.w_c[i], r.w_d[i], r.w_g[i], -r.w_z[i, :, :nz])
            if not any(np.any(each) for each in weights):
                continue
            y = r.at_y[i]
            held = Held(y[:nq], y[nq : nq + nv], y[nq + nv : nq + nv + nz], float(r.at_t[i]), r.at_a[i], r.at_l[i])
            for k in self.differenced:
                for weight, part in zip(weights, run.slopes.of(k, held), strict=True):
                    p_bar[:, k] -= weight @ part


def _any_state(held: Held) -> Held:
    """Another state, in which nothing is zero by chance."""
    random = np.random.default_rng(0)

    def moved(x: Reals) -> Reals:
        return x + random.uniform(0.1, 0.9, x.shape)

    return Held(moved(held.q), moved(held.v), moved(held.z), held.t, moved(held.a), moved(held.multipliers))
