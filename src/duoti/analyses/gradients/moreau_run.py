"""A run by time stepping, and the derivatives of each of its steps.

A step (`integrate.moreau.step`) goes from displacements delta, rates v and first-order states z over the middle q_m of
the step to rates v' = v + h a. With the impulses p that solved it,

    r(q_m, v, a, z_m, lambda) = J(q_m)^T p / h,    G a = gamma,    the laws of all blocks                          (1)

where r are the equations of motion at the mean accelerations a (`analyses.states.linearised_equations`), J the rows
of contacts, and the laws those of the pieces that the blocks are in (`moreau_blocks`). (1) is differentiated by the
implicit function theorem: r and its parameters exactly, J by differences of high order (`contact.row_derivatives`).
What puts back positions of resting points, dq = M^-1 J_n^T s, is another linear system; a closed gap stays closed.

An impact with restitution happens in the middle of a step, whenever it was in it. What moves its time by dt moves the
motion by

    (v - v') dt,   (dv'/dq v + dv'/dv a_before - a_after) dt,   dt = -d(gap) / u_n                              (2)

(`jumps`, there (1) and (2)), which differences of runs do not see unless they are wider than a step. (2) is added:
derivatives are those of the motion that the run approximates.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.analyses.gradients.discrete_run import DiscreteRun, ImplicitTableau, without_expressions
from duoti.analyses.gradients.expressions import PREFIX, Watched
from duoti.analyses.gradients.jumps import NotDifferentiableError
from duoti.analyses.gradients.moreau_blocks import OPEN, SLIP, Block, BlockSystem, NoDerivativeError, block_of, rows_of
from duoti.analyses.gradients.moreau_parameters import ContactParameters, EquationParameters
from duoti.analyses.gradients.moreau_record import RecordingMoreau, StepContacts
from duoti.analyses.gradients.slopes import ParameterSlopes
from duoti.analyses.gradients.switches import laws_of, warn_of_jumps
from duoti.analyses.simulate.simulate import simulate
from duoti.analyses.states.linearised_equations import RANK, Equations
from duoti.contact.build import no_contacts, rigid_contacts
from duoti.contact.collide.arrays import creeps
from duoti.contact.row_derivatives import ContactRows, RowsAround
from duoti.contact.solve.problem import CONE
from duoti.integrate.base import algebraic_states
from duoti.integrate.moreau.contact_problem import CLOSED
from duoti.integrate.moreau.solver import Moreau
from duoti.integrate.moreau.step import FAST
from duoti.model.event import SampleEvent
from duoti.model.joint_friction import slots_of
from duoti.spatial.axes import skew
from duoti.system.arrays import Reals
from duoti.system.system import System

REPRODUCED = 1e-6  # part of the velocities of a step by which (1) may be off
UNSOLVED = 1e-6  # part of the velocities of a step: a larger error of its contact problem is no solution
NO_GAP = 1e-9  # m: a gap, or an overlap, that is none
EDGE = 1e-6  # part of the velocities in a step below which a point neither presses nor opens
SEEN = 1e-6  # part of a change that matters
JUMPING = 1e-3  # part by which derivatives of a gap may differ from the normal row


class Step(NamedTuple):
    """Derivatives of a step by what it begins with, x = (delta, v, z, rates of z in the step before), and parameters."""

    by_x: Reals
    by_p: Reals
    extra_by_x: Reals
    """Of the integrals of the expressions over the step."""
    extra_by_p: Reals
    extra: Reals
    """These integrals."""


class MoreauRun(DiscreteRun):
    """A run by time stepping; what `DiscreteRun` has for the rates, and derivatives of the steps."""

    def __init__(self, watched: Watched, duration: float, solver: Moreau, what: str, options: dict[str, Any]):  # pyright: ignore[reportMissingSuperCall]
        self.watched, self.family, self.what = watched, watched.family, what
        self.system = system = watched.system
        refuse(system, solver, what)
        warn_of_jumps(what, laws_of(system.model), system.model, self.family.names)
        self.solver: Any = RecordingMoreau(solver.step, tolerance=solver.tolerance, sweeps=solver.sweeps)
        self.method = ImplicitTableau(1, np.zeros((2, 2)), np.zeros(2), np.zeros((1, 1)))
        self.implicit = self.alpha = False
        self.extra, self.visible = watched.count, len(watched.expressions)
        self.nq, self.nv, self.nz = system.nq, system.nv, system.nz - self.extra
        self.n = self.nq + self.nv + self.nz
        watched_z = np.array([name.startswith(PREFIX) for name in system.state_names], bool)
        first = self.nq + self.nv
        self.own = np.concatenate([np.arange(first), first + np.flatnonzero(~watched_z)])
        self.extras = first + np.flatnonzero(watched_z)
        self.result = r = simulate(
            without_expressions(watched), duration, "steps", self.solver, progress=False, **options
        )
        if r.status == "interrupted":
            raise KeyboardInterrupt
        if not r.ok:
            raise ValueError(f"{what}: the run did not reach its end: {r.reason}")
        self.records: list[StepContacts] = self.solver.steps
        self.t, self.y = r.t, np.hstack([r.q, r.v, r.z]) if self.nz else np.hstack([r.q, r.v])
        self.equations = Equations.of(system)
        self._rates = None
        self.first_held = self._held(self.t[0], self.y[0])[0]
        self.slopes = ParameterSlopes(self.family, self.first_held)
        self.holonomic = system.closures.nonholonomic == 0
        self.of = rigid_contacts(system) or no_contacts(system)
        self.rows = ContactRows(system, self.of)
        self.by_parameters = EquationParameters(self)
        self.of_contacts = ContactParameters(self)
        self.slow = 2.0 * float(np.linalg.norm(system.tree.gravity))  # times the step: `moreau.step.slow_speed`
        self.nx = 2 * self.nv + 2 * self.nz
        if len(self.records) != len(self.t) - 1:
            raise ValueError(f"{what}: the steps of the run could not be recorded; remove its events")

    # -------------------------------------------------------------------------------------------------- begin and end

    def begin(self) -> tuple[Reals, Reals]:
        """Derivatives of the initial x by the parameters, and their errors."""
        start, errors = self.start_by_parameters()
        q, v = self.y[0, : self.nq], self.y[0, self.nq : self.nq + self.nv]
        first = self.nq + self.nv
        x = np.zeros((self.nx, start.shape[1]))
        x[: self.nv] = self.coordinates(q, v)[1] @ start[: self.nq]
        x[self.nv : 2 * self.nv + self.nz] = start[self.nq :]
        if self.nz:
            at = self.derivatives(float(self.t[0]), self.y[0])
            x[2 * self.nv + self.nz :] = at.by_y[first:] @ start + at.by_p[first:]
        return x, errors

    def values(self, t: float, y: Reals) -> tuple[Reals, Reals, Reals]:
        """Values of the expressions, and their derivatives by x and by the parameters."""
        at, nq, nv = self.derivatives(t, y), self.nq, self.nv
        by_x = np.zeros((self.extra, self.nx))
        by_x[:, :nv] = at.values_by_y[:, :nq] @ self.coordinates(y[:nq], y[nq : nq + nv])[0]
        by_x[:, nv : 2 * nv + self.nz] = at.values_by_y[:, nq:]
        return at.values, by_x, at.values_by_p

    # ---------------------------------------------------------------------------------------------------------- steps

    def step(self, n: int) -> Step:
        """Derivatives of a step."""
        try:
            return _StepDerivatives(self, n).made
        except NoDerivativeError as error:
            raise self.no_derivative(n, f"{self.block_name(n, error.block)} {error.why}") from None

    def no_derivative(self, n: int, why: str) -> NotDifferentiableError:
        return NotDifferentiableError(
            f"{self.what}: the step from t = {self.t[n]:.6g} s to {self.t[n + 1]:.6g} s has no derivative: {why}"
        )

    def block_name(self, n: int, block: int) -> str:
        """Whose block it is, in words."""
        c = self.records[n]
        if block < c.points or c.owner[block] >= 0:
            pair = self.of.contacts.slot_pair[c.slot[block]]
            return f'contact "{self.of.names[self.of.contacts.element[pair]]}"'
        return f'joint "{slots_of(self.system.model)[int(c.slot[block])].joint}"'

    def turned(self, x: Reals) -> tuple[Reals, Reals]:
        """Displacements behind a motion q o exp(x): by displacements before it, and by x."""
        tree = self.system.tree
        of_delta, of_x = np.eye(self.nv), np.eye(self.nv)
        for j in tree.quat_v.tolist():
            w = x[j : j + 3]
            t, S = float(np.linalg.norm(w)), skew(w)
            a = np.sin(t) / t if t > 1e-8 else 1.0
            b = (1.0 - np.cos(t)) / t**2 if t > 1e-4 else 0.5 - t * t / 24.0
            c = (t - np.sin(t)) / t**3 if t > 1e-2 else 1.0 / 6.0 - t * t / 120.0
            of_delta[j : j + 3, j : j + 3] = np.eye(3) - a * S + b * S @ S
            of_x[j : j + 3, j : j + 3] = np.eye(3) - b * S + c * S @ S
        return of_delta, of_x

    def moved(self, q: Reals, x: Reals) -> Reals:
        """q o exp(x)."""
        tree, made = self.system.tree, q.copy()
        made[tree.plain_q] += x[tree.plain_v]
        for k, j in zip(tree.quat_q.tolist(), tree.quat_v.tolist(), strict=True):
            turn = 0.5 * float(np.linalg.norm(x[j : j + 3]))
            e = np.concatenate([[np.cos(turn)], 0.5 * np.sinc(turn / np.pi) * x[j : j + 3]])
            a, b, c, d = q[k : k + 4]
            made[k : k + 4] = np.array([[a, -b, -c, -d], [b, a, -d, c], [c, d, a, -b], [d, -c, b, a]]) @ e
        return self.unit(made)


class _Columns(NamedTuple):
    """Places of what the equations of a step depend on: displacements at its middle, rates, states, parameters."""

    delta: slice
    v: slice
    z: slice
    p: slice
    count: int


class _StepDerivatives:
    """The derivatives of one step; made in the order of the step itself."""

    def __init__(self, run: MoreauRun, n: int):
        self.run, self.n, self.c = run, n, run.records[n]
        nq, nv, nz, count = run.nq, run.nv, run.nz, len(run.family.names)
        self.h, y = self.c.h, run.y[n]
        self.v, self.after = y[nq : nq + nv], self.c.v
        first = nq + nv
        sdot = (y[first:] - run.y[n - 1, first:]) / run.records[n - 1].h if n else run.rates(run.t[0], y)[0][first:]
        self.z = y[first:] + 0.5 * self.h * sdot
        self.q = run.moved(y[:nq], 0.5 * self.h * self.v)
        self.t = float(run.t[n]) + 0.5 * self.h
        self.k = _Columns(
            slice(0, nv), slice(nv, 2 * nv), slice(2 * nv, 2 * nv + nz), slice(2 * nv + nz, 2 * nv + nz + count),
            2 * nv + nz + count,
        )  # fmt: skip
        self._refuse_unsolved()
        self._geometry()
        self._equations()
        self._solve()
        self._positions()
        self.made = self._composed()

    def _refuse_unsolved(self) -> None:
        c = self.c
        if c.cut:
            raise self.run.no_derivative(self.n, "it was cut, since bodies would have passed through each other")
        if c.residual > UNSOLVED:
            raise self.run.no_derivative(
                self.n, f"its contact problem was solved to {c.residual:.2g} of the velocities only; allow more sweeps"
            )

    # ------------------------------------------------------------------------------------------------------- geometry

    def _geometry(self) -> None:
        """Rows of all blocks, their derivatives by displacements and by parameters."""
        run, c, nv = self.run, self.c, self.run.nv
        of_points = [k for k in range(len(c.slot)) if k < c.points or c.owner[k] >= 0]
        slots = np.unique(c.slot[of_points])
        self.at = {int(s): i for i, s in enumerate(slots)}
        self.slots = slots
        count = len(run.family.names)
        self.J, self.dJ, self.dJp = list[Reals](), list[Reals](), list[Reals]()
        self.gap, self.dgap_p = np.zeros(len(c.slot)), np.zeros((len(c.slot), count))
        around: RowsAround | None = run.rows(self.q, slots) if len(slots) else None
        by_p = run.of_contacts.geometry(self.q, slots) if len(slots) else None
        for k in range(len(c.slot)):
            rows = rows_of(c, k)
            if k in of_points and around is not None and by_p is not None:
                i = self.at[int(c.slot[k])]
                turning = 3 if c.owner[k] >= 0 else 0
                axes = [turning + r for r in rows]
                self.J.append(around.J[i, axes])
                self.dJ.append(around.dJ[i, axes])
                self.dJp.append(by_p[1][i, axes])
                self.gap[k], self.dgap_p[k] = around.gap[i], by_p[0][i]
                if k < c.points and c.p[k, 0] > 0.0 and around.jumps[i] > JUMPING:
                    raise NoDerivativeError(k, "touches in a point that jumps")
            else:
                J = np.zeros((len(rows), nv))
                for i, r in enumerate(rows):
                    J[i, c.rate[k] + r] = c.scale[k, r]
                self.J.append(J)
                self.dJ.append(np.zeros((len(rows), nv, nv)))
                self.dJp.append(np.zeros((len(rows), nv, count)))

    def _row_changes(self, k: int, v: Reals) -> Reals:
        """d(J) v of a block, for all columns."""
        made = np.zeros((len(self.J[k]), self.k.count))
        made[:, self.k.delta] = np.einsum("rvd,v->rd", self.dJ[k], v)
        made[:, self.k.p] = np.einsum("rvp,v->rp", self.dJp[k], v)
        return made

    def _impulse_changes(self, k: int, p: Reals) -> Reals:
        """d(J^T) p of a block, for all columns."""
        made = np.zeros((self.run.nv, self.k.count))
        made[:, self.k.delta] = np.einsum("rvd,r->vd", self.dJ[k], p)
        made[:, self.k.p] = np.einsum("rvp,r->vp", self.dJp[k], p)
        return made

    def _gap_changes(self, k: int) -> Reals:
        made = np.zeros(self.k.count)
        made[self.k.delta], made[self.k.p] = self.J[k][0], self.dgap_p[k]
        return made

    # ------------------------------------------------------------------------------------------------------ equations

    def _equations(self) -> None:
        """V of dv' = V + P J^T dp, where p are held in V."""
        run, h, c = self.run, self.h, self.c
        p = [c.p[k, rows_of(c, k)] for k in range(len(c.slot))]
        push = sum((J.T @ each for J, each in zip(self.J, p, strict=True)), np.zeros(run.nv))
        a = (self.after - self.v) / h
        at = run.by_parameters.at(self.t, self.q, self.v, self.z, a, push / h)
        self.at_middle = at
        self.P, self.B = at.P, at.B
        off = h * self.P @ at.r  # what the accelerations of the run lack
        size = max(float(np.max(np.abs(self.after - self.v))), SEEN * float(np.max(np.abs(self.v), initial=0.0)))
        if not np.max(np.abs(off), initial=0.0) <= REPRODUCED * size + 1e-14:
            raise run.no_derivative(
                self.n, f"its equations are off by {np.max(np.abs(off)):.2g} m/s of {size:.2g}, which is not known to be right"
            )
        F, C = np.zeros((run.nv, self.k.count)), np.zeros((at.c_p.shape[0], self.k.count))
        F[:, self.k.delta], F[:, self.k.v], F[:, self.k.z], F[:, self.k.p] = at.K, at.C, at.Z, at.r_p
        C[:, self.k.delta], C[:, self.k.v], C[:, self.k.p] = at.Aq, at.Av, at.c_p
        for k, each in enumerate(p):
            F -= self._impulse_changes(k, each) / h
        self.V = -h * (self.P @ F + self.B @ C)
        self.V[:, self.k.v] += np.eye(run.nv)

    # --------------------------------------------------------------------------------------------------------- blocks

    def _bias(self, k: int) -> tuple[Reals, Reals]:
        """b of a block, and its changes, by the law of the step (`contact_problem.fill_block`)."""
        run, c = self.run, self.c
        b, change = c.b[k, rows_of(c, k)], np.zeros((len(self.J[k]), self.k.count))
        if k >= c.points:
            return b, change
        before = float(self.J[k][0] @ self.v)
        e, e_p = run.of_contacts.restitution(int(c.slot[k]))
        wanted = 0.0
        if self.gap[k] > CLOSED:
            wanted = (self.gap[k] - CLOSED) / self.h
            if self.gap[k] > CLOSED + NO_GAP:
                change[0] = self._gap_changes(k) / self.h
        elif before < 0.0:
            wanted = e * before
            change[0] = e * self._row_changes(k, self.v)[0]
            change[0, self.k.v] += e * self.J[k][0]
            change[0, self.k.p] += before * e_p
        if abs(wanted - b[0]) > REPRODUCED * c.measure[k] or np.any(np.abs(b[1:]) > REPRODUCED * c.measure[k]):
            raise NoDerivativeError(k, "goes on along a rim or a round side, which is not differentiated")
        return b, change

    def _solve(self) -> None:
        """Changes of impulses and of the velocities after the step."""
        run, c = self.run, self.c
        biases = [self._bias(k) for k in range(len(c.slot))]
        self.blocks: list[Block] = [
            block_of(c, k, self.J[k], self.after, biases[k][0]) for k in range(len(c.slot))
        ]
        system = self.system = BlockSystem(self.blocks, self.P)
        rows, law = np.zeros((len(system.p), self.k.count)), np.zeros((len(system.p), self.k.count))
        held = list[Reals]()
        for k, block in enumerate(self.blocks):
            change = self.J[k] @ self.V + self._row_changes(k, self.after) + biases[k][1]
            held.append(change)
            if block.piece == OPEN:
                continue
            first = system.at[k]
            rows[first : first + len(block.p)] = change
            if block.piece == SLIP:
                radius = np.zeros(self.k.count)
                radius[self.k.p] = run.of_contacts.radius_change(c, block)
                where, more = system.law_change(block, radius)
                law[where] += more
        self.dp = system.impulses(rows, law)
        self.moved = self.V + self.P @ system.J.T @ self.dp
        self._refuse_edges(held)

    def _refuse_edges(self, held: list[Reals]) -> None:
        """Raise for points that neither press nor open, where a change would let them do one of both."""
        c, system = self.c, self.system
        response = self.P @ system.J.T @ self.dp
        for k, block in enumerate(self.blocks):
            if block.is_disc:
                continue
            W = float(block.J[0] @ self.P @ block.J[0])
            apart, pressed = float(block.u[0]) / c.measure[k], W * max(float(block.p[0]), 0.0) / c.measure[k]
            if max(apart, pressed) > EDGE:
                continue
            change = held[k][0] + block.J[0] @ response
            if block.piece != OPEN:
                change = change + W * self.dp[system.at[k]]
            size = np.max(np.abs(held[k][0]), initial=0.0)
            if np.max(np.abs(change), initial=0.0) > SEEN * size:
                raise NoDerivativeError(k, "is closed and bears no load: some changes open it, others press on it")

    # ------------------------------------------------------------------------------------------------------ positions

    def _positions(self) -> None:
        """Changes of dq, what positions of resting points are corrected by."""
        run, c, h = self.run, self.c, self.h
        self.dq, self.dq_changes = c.dq, np.zeros((run.nv, self.k.count))
        used, ends = list[int](), list[Reals]()
        passive = np.zeros((run.nv, self.k.count))
        for k in range(c.points):
            block = self.blocks[k]
            u = float(self.J[k][0] @ self.after)
            if block.piece == OPEN or u > self.run.slow * h:
                continue
            end = self.gap[k] + 0.5 * h * u
            holds = c.hold[k] > 0.0
            if c.shift[k] == 0.0 and abs(end) > NO_GAP:
                continue
            if holds and c.hold[k] * c.p[k, 0] + c.shift[k] <= 1e-9 * c.hold[k] * c.p[k, 0]:
                passive -= c.hold[k] * np.outer(self.P @ self.J[k][0], self.dp[self.system.at[k]])
                continue
            change = self._gap_changes(k) + 0.5 * h * (self.J[k][0] @ self.moved + self._row_changes(k, self.after)[0])
            if holds and end > NO_GAP:
                change = np.zeros(self.k.count)
            used.append(k)
            ends.append(change + self._row_changes(k, self.dq)[0])
        shift = [k for k in range(c.points) if c.shift[k] != 0.0]
        made = self.P @ sum((self.J[k][0] * c.shift[k] for k in shift), np.zeros(run.nv))
        if np.max(np.abs(made - self.dq), initial=0.0) > REPRODUCED * max(
            float(np.max(np.abs(self.dq), initial=0.0)), 0.5 * h * float(np.max(np.abs(self.v), initial=0.0)) + NO_GAP
        ):
            raise run.no_derivative(self.n, "bodies were moved by the time of their impact, which is not differentiated")
        if shift:
            passive += self.P @ sum(
                (self._impulse_changes(k, np.eye(len(self.J[k]))[0] * c.shift[k]) for k in shift),
                np.zeros((run.nv, self.k.count)),
            )
            passive -= self.P @ self.at_middle.mass_changes(self.dq, self.k)
        self.dq_changes = passive
        if used:
            N = np.array([self.J[k][0] for k in used])
            W = N @ self.P @ N.T
            right = -(np.array(ends) + N @ passive)
            self.dq_changes = passive + self.P @ N.T @ np.linalg.pinv(W, rcond=RANK, hermitian=True) @ right

    # ---------------------------------------------------------------------------------------------------------- whole

    def _composed(self) -> Step:
        """From the columns of the middle of the step to those of its beginning; loops are closed at its end."""
        run, h, k, nv, nz = self.run, self.h, self.k, self.run.nv, self.run.nz
        way = 0.5 * h * self.after + self.dq
        of_delta, of_way = run.turned(way)
        delta = of_way @ (0.5 * h * self.moved + self.dq_changes)
        delta[:, k.delta] += of_delta
        moved = self.moved.copy()
        at = self.at_middle
        rates = np.zeros((nz, k.count))
        rates[:, k.delta], rates[:, k.v], rates[:, k.z], rates[:, k.p] = at.z_q, at.z_v, at.z_z, at.z_p
        extra = np.zeros((run.extra, k.count))
        extra[:, k.delta], extra[:, k.v], extra[:, k.z], extra[:, k.p] = at.x_q, at.x_v, at.x_z, at.x_p
        extra *= h
        z = h * rates
        for later, dt in self._impacts():
            delta += np.outer(of_way @ later[0], dt)
            moved += np.outer(later[1], dt)
            z += np.outer(later[2], dt)
            extra += np.outer(later[3], dt)
        delta, moved = run.by_parameters.closed(self.n, delta, moved, k.p)
        # columns of the beginning: x = (delta, v, z, rates of z in the step before)
        first_delta, first_v = run.turned(0.5 * h * self.v)
        begin = np.zeros((k.count, run.nx + k.p.stop - k.p.start))
        begin[k.delta, :nv], begin[k.delta, nv : 2 * nv] = first_delta, 0.5 * h * first_v
        begin[k.v, nv : 2 * nv] = np.eye(nv)
        begin[k.z, 2 * nv : 2 * nv + nz], begin[k.z, 2 * nv + nz : run.nx] = np.eye(nz), 0.5 * h * np.eye(nz)
        begin[k.p, run.nx :] = np.eye(k.p.stop - k.p.start)
        whole = np.vstack([delta, moved, z, rates]) @ begin
        whole[2 * nv : 2 * nv + nz, 2 * nv : 2 * nv + nz] += np.eye(nz)
        extra = extra @ begin
        return Step(
            whole[:, : run.nx], whole[:, run.nx :], extra[:, : run.nx], extra[:, run.nx :], h * at.values,
        )  # fmt: skip

    def _impacts(self) -> list[tuple[tuple[Reals, Reals, Reals, Reals], Reals]]:
        """(2) of impacts with restitution in this step: what a later time adds, and how the time changes."""
        run, c, h = self.run, self.c, self.h
        found = list[int]()
        for k in range(c.points):
            before = float(self.J[k][0] @ self.v)
            smooth = abs(float(self.J[k][0] @ self.P @ self.at_middle.free) * h)
            if self.blocks[k].piece != OPEN and c.b[k, 0] < 0.0 and before < -FAST * smooth and self.gap[k] <= CLOSED:
                found.append(k)
        if not found:
            return []
        if len(found) > 1:
            names = ", ".join(dict.fromkeys(run.block_name(self.n, k) for k in found))
            raise run.no_derivative(self.n, f"several points bounce in it ({names}), whose order depends on the parameters")
        k = found[0]
        speed = float(self.J[k][0] @ self.v)
        first = run.nq + run.nv
        before = np.concatenate([self.q, self.v, self.z])
        behind = np.concatenate([self.q, self.after, self.z])
        f_before, l_before = run.rates(self.t, before)
        f_after, l_after = run.rates(self.t, behind)
        a_before, a_after = f_before[run.nq : first], f_after[run.nq : first]
        if any(each.piece != OPEN for i, each in enumerate(self.blocks) if i != k):
            a_before, a_after = self._mean(self.n - 1, a_before), self._mean(self.n + 1, a_after)
        later = (
            self.v - self.after,
            self.moved[:, self.k.delta] @ self.v + self.moved[:, self.k.v] @ a_before - a_after,
            f_before[first:] - f_after[first:],
            l_before - l_after,
        )
        return [(later, -self._gap_changes(k) / speed)]

    def _mean(self, n: int, otherwise: Reals) -> Reals:
        """Mean accelerations of a neighbouring step."""
        run = self.run
        if not 0 <= n < len(run.records):
            return otherwise
        v = run.y[n, run.nq : run.nq + run.nv]
        return (run.records[n].v - v) / run.records[n].h


def refuse(system: System, solver: Moreau, what: str) -> None:
    """Raise ValueError with everything in a model that a run by time stepping cannot be differentiated through yet."""
    model, faults = system.model, list[str]()
    if solver.implicit:
        faults.append("Moreau(implicit=True)")
    if slots_of(model):
        faults.append("joint friction or rigid stops")
    if names := algebraic_states(system):
        faults.append("algebraic states: " + ", ".join(names))
    if controllers := [name for name, event in model.events.items() if isinstance(event, SampleEvent)]:
        faults.append("controllers: " + ", ".join(controllers))
    acting = [n for n, e in model.events.items() if (e.jump is not None or e.sets or e.terminal) and n not in controllers]
    if acting:
        faults.append("events that change the state or end the run: " + ", ".join(acting))
    of = rigid_contacts(system)
    if of is not None and of.rules is not None:
        faults.append("more pairs of shapes than are looked at in each step")
    if of is not None and creeps(of.contacts):
        faults.append("creep forces of rolling contacts")
    if faults:
        raise ValueError(
            f"{what}: runs of dt.Moreau with {'; '.join(faults)} are not differentiated yet. Leave these out, or take "
            "differences of runs"
        )
