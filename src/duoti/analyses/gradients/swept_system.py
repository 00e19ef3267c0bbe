"""The system of a run as the backward sweep evaluates it, and the memory of the sweep."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.states.linearised_equations import Equations
from duoti.analyses.states.supported import refuse_reaction_feedback
from duoti.dynamics.derivatives.forward import factor_size
from duoti.dynamics.derivatives.stage_adjoint import SINGULAR
from duoti.dynamics.derivatives.sweep_arrays import Sweep
from duoti.dynamics.derivatives.tree_adjoint import BODY, COLUMN
from duoti.dynamics.tree.forward import ydot_entry
from duoti.dynamics.workspace import new_linearisation, new_workspace
from duoti.kernel import CHECK, entry_address
from duoti.model.laws.law import COORDINATE_INPUT, LOCAL, RATE_INPUT, STATE, TIME
from duoti.system.arrays import Reals, by_mass_matrix
from duoti.system.jacobian_pattern import coupled_by_elements

if TYPE_CHECKING:
    from duoti.analyses.gradients.discrete_run import DiscreteRun

INERTIA = ("tree", "inertia")


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

    @cached_property
    def equations(self) -> Equations:
        """The equations of motion with all matrices, in a workspace of their own."""
        return Equations.of(self.system)

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
            if self.recursive and name not in self.names and changes is not None and set(changes) == {INERTIA}:
                found.append((k, changes[INERTIA]))
        return found

    def new_sweep(self, run: DiscreteRun, sums: int, records: int, square: bool, t: Reals, y: Reals) -> Sweep:
        """Zeros, for steps of the run's method; square: with room for matrices of all rates."""
        system, m, tree = self.system, run.method, self.system.tree
        nv, nz, rows = system.nv, system.nz, system.closures.rows
        n, stages, quaternions = system.nq + nv + nz, m.stages, len(system.tree.quat_q)
        tape, wide, zeros = stages + 1, n * square, np.zeros
        places, pairs = len(self.column), n if run.implicit else 0
        T, eigenvalues = _split(m.A[:3, :3]) if run.implicit else (np.eye(3), zeros(3))
        bodies, columns = (tree.nb, tree.nc) if self.recursive else (0, 0)
        factors = factor_size(tree) if rows or not self.recursive else 0
        asked = sums if self.inertial(run) else 0
        return Sweep(
            system=int(self.work.at[0].system), recursive=int(self.recursive), world=int(self._needs_columns()),
            stages=stages, sums=sums, implicit=2 if run.alpha else int(run.implicit), span=zeros(4, np.int64),
            A=np.ascontiguousarray(m.A[:tape, :tape]), c=np.ascontiguousarray(m.c[:tape], dtype=float), t=t, y=y,
            final=zeros((sums, n)), bar=zeros((sums, n)), integral=zeros(n), end=zeros(n), slot=np.arange(tape),
            Y=zeros((tape, n)), k=zeros((tape, n)), multipliers=zeros((tape, rows)), at=zeros(tape),
            start=self.start, column=self.column, by_q=zeros((tape, places)), by_v=zeros((tape, places)),
            L=zeros((tape, factors)), columns=zeros((tape, columns, COLUMN)), bodies=zeros((tape, bodies, BODY)),
            G=zeros((tape, rows, nv)), Gq=zeros((tape, rows, nv)), Aq=zeros((tape, rows, nv)),
            Av=zeros((tape, rows, nv)), B=zeros((tape, rows, nv)), D=zeros((tape, rows, rows)),
            Dh=zeros((tape, rows, rows)), scale=zeros((tape, rows)), W=zeros((tree.nb, 6)), P=zeros((tree.nb, 9)),
            u=zeros(columns), by_inertia=zeros((asked, tree.nb, 10)), left=zeros(2),
            out=zeros((stages * max(sums, 1), n)), kbar=zeros(n), delta=zeros(nv), mu=zeros(nv), nu=zeros(rows),
            x=zeros(nv), right=zeros(rows), trial=zeros(rows + quaternions), change=zeros(rows),
            J=zeros((1, wide, wide)), LU=zeros((wide, wide)), pivots=zeros(n, np.int64), stack=zeros(stages * n),
            pair_factors=zeros((pairs, pairs), complex), pair_pivots=zeros(pairs, np.int64), real=zeros(n),
            pair=zeros(n, complex), stages_bar=zeros(stages * n), T=T, T_inverse=np.linalg.inv(T),
            eigenvalues=eigenvalues, kept=np.array([1.0, 0.0]),
            alpha=run.start.coefficients if run.alpha else zeros(7), own=np.array([run.nz]),
            E=zeros((4 * quaternions, 3)), R=zeros((4 * quaternions, 4)), a_bar=zeros((sums, nv)),
            s_bar=zeros((sums, nz)), k_bar=zeros((sums, n)), at_t=zeros(records), at_y=zeros((records, n)),
            at_a=zeros((records, nv)), at_l=zeros((records, rows)), w_r=zeros((records, sums, nv)),
            w_c=zeros((records, sums, rows)), w_z=zeros((records, sums, nz)), w_g=zeros((records, sums, rows)),
            w_d=zeros((records, sums, rows)),
        )  # fmt: skip


def _split(A: Reals) -> tuple[Reals, Reals]:
    """T of A T = T [[c, 0, 0], [0, a, b], [0, -b, a]], and c, a, b."""
    found: Any = np.linalg.eig(A)
    values, vectors = found
    real, pair = int(np.argmin(np.abs(values.imag))), int(np.argmax(values.imag))
    T = np.column_stack([vectors[:, real].real, vectors[:, pair].real, vectors[:, pair].imag])
    return np.ascontiguousarray(T), np.array([values[real].real, values[pair].real, values[pair].imag])


def refuse_unsolved(s: Sweep, t: Reals) -> None:
    """Raise RuntimeError if an iteration of a sweep over steps from the times t did not come to its end."""
    if s.span[3]:
        raise RuntimeError(
            f"gradient of a run: the stages of the step at t = {t[s.span[3] - 1]:.6g} s could not be solved again by "
            "Newton's method; choose a smaller step or tolerance"
        )
    if s.left[0] >= SINGULAR:
        raise RuntimeError(
            f"gradient of a run: the closed loops come to a singular position at t = {s.left[1]:.6g} s, where motions "
            "meet and derivatives do not exist. End the run before, choose other steps, or change the lengths"
        )
    if s.left[0] > 0.0:
        raise RuntimeError(
            f"gradient of a run: the closed loops are nearly singular at t = {s.left[1]:.6g} s; relative errors of "
            f"{s.left[0]:.1g} would be left in derivatives of the accelerations. End the run before, or change the "
            "lengths"
        )
