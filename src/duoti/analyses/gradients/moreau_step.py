"""Changes of one step of time stepping, for many columns at once.

A step (`integrate.moreau.step`) goes from displacements delta, rates v and first-order states z over the middle q_m of
the step to rates v' = v + h a. With the impulses p that solved it,

    r(q_m, v, a, z_m, lambda) = J(q_m)^T p / h,    G a = gamma,    the laws of all blocks                          (1)

where r are the equations of motion at the mean accelerations a (`analyses.states.linearised_equations`), J the rows
of contacts, and the laws those of the pieces that the blocks are in (`moreau_blocks`). (1) is differentiated by the
implicit function theorem: r and its parameters exactly, J by differences of high order
(`integrate.moreau.row_derivatives`).
What puts back positions of resting points, dq = M^-1 J_n^T s, is another linear system; a closed gap stays closed.

An impact with restitution happens in the middle of a step, whenever it was in it. What moves its time by dt moves the
motion by

    (v - v') dt,   (dv'/dq v + dv'/dv a_before - a_after) dt,   dt = -d(gap) / u_n                              (2)

(`jumps`, there (1) and (2)), which differences of runs do not see unless they are wider than a step. (2) is added:
derivatives are those of the motion that the run approximates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from duoti.analyses.gradients.moreau_blocks import (
    EDGE,
    OPEN,
    SLIP,
    BlockSystem,
    NoDerivativeError,
    SolvedBlock,
    block_of,
    evened,
    rows_of,
)
from duoti.analyses.gradients.moreau_impact_times import moved_by_impacts
from duoti.analyses.states.linearised_equations import RANK
from duoti.contact.solve.problem import CONE
from duoti.dynamics.joint_friction.time_stepping import AT_LIMIT
from duoti.integrate.moreau.contact_problem import CLOSED
from duoti.integrate.moreau.row_derivatives import RowsAround
from duoti.integrate.moreau.step import FAST
from duoti.system.arrays import Ints, Reals

if TYPE_CHECKING:
    from duoti.analyses.gradients.moreau_run import MoreauRun

REPRODUCED = 1e-6  # part of the velocities of a step by which (1) may be off
UNSOLVED = 1e-6  # part of the velocities of a step: a larger error of its contact problem is no solution
NO_GAP = 1e-9  # m: a distance that is none
BEYOND = 1e-13  # m or rad: a coordinate this far beyond its limit is put back
LEFT = CLOSED * (1.0 + 1e-3)  # m: gaps and overlaps that a step leaves as they are
SEEN = 1e-6  # part of a change that matters
JUMPING = 1e-3  # part by which derivatives of a gap may differ from the normal row


class Columns(NamedTuple):
    """Changes of the state between steps."""

    delta: Reals
    """[nv, columns] displacements"""
    v: Reals
    z: Reals
    zdot: Reals
    """[nz, columns] rates of z in the step before"""
    extra: Reals
    """[expressions, columns] integrals so far"""

    def of(self, which: slice) -> Columns:
        """Some of the columns."""
        return Columns(*(each[:, which] for each in self))

    def beside(self, other: Columns) -> Columns:
        """These columns, and others behind them."""
        return Columns(*(np.hstack(pair) for pair in zip(self, other, strict=True)))


class StepChanges:
    """What a step makes of columns: `made`, and `integrals` of the expressions over the step.

    Parameters
    ----------
    run:
        The run.
    n:
        Number of the step.
    x:
        Columns at its beginning: of the parameters, then directions in which the state is not unique.

    Attributes
    ----------
    unknown:
        Further such directions behind the step, as columns.
    named:
        A block whose impulses they are, -1: none.
    """

    def __init__(self, run: MoreauRun, n: int, x: Columns):
        nq, nv, count = run.nq, run.nv, len(run.whole.names)
        first = nq + nv
        self.run, self.n, self.c, self.x, self.count = run, n, run.records[n], x, count
        self.h, y = self.c.h, run.y[n]
        self.v, self.after = y[nq:first], self.c.v
        self.z = y[first:] + 0.5 * self.h * run.rates_before(n)
        self.q, self.t = run.moved(y[:nq], 0.5 * self.h * self.v), float(run.t[n]) + 0.5 * self.h
        of_delta, of_way = run.turned(0.5 * self.h * self.v)
        # of the middle of the step; the last column is the motion itself, for the time of an impact
        self.dv = np.hstack([x.v, np.zeros((nv, 1))])
        self.dq = np.hstack([of_delta @ x.delta + 0.5 * self.h * of_way @ x.v, self.v[:, None]])
        self.dz = np.hstack([x.z + 0.5 * self.h * x.zdot, np.zeros((run.nz, 1))])
        self.m = self.dv.shape[1]
        self._refuse_unsolved()
        self._geometry()
        self._equations()
        self._solve()
        self._positions()
        self._end()
        run.moving.keep(self)
        run.breakaway.keep(self)

    def _refuse_unsolved(self) -> None:
        c = self.c
        if c.cut:
            raise self.run.no_derivative(self.n, "it was cut, since bodies would have passed through each other")
        if c.residual > UNSOLVED:
            raise self.run.no_derivative(
                self.n, f"its contact problem was solved to {c.residual:.2g} of the velocities only; allow more sweeps"
            )

    def _of_parameters(self, by_p: Reals) -> Reals:
        """[..., columns] from derivatives by the parameters."""
        made = np.zeros((*by_p.shape[:-1], self.m))
        made[..., : self.count] = by_p
        return made

    # ------------------------------------------------------------------------------------------------------- geometry

    def _geometry(self) -> None:
        """Rows of all blocks, and their changes."""
        run, c, nv = self.run, self.c, self.run.nv
        of_points = [k for k in range(len(c.slot)) if k < c.points or c.owner[k] >= 0]
        slots = np.unique(c.slot[of_points])
        self.places = {int(s): i for i, s in enumerate(slots)}
        self.J, self.dJ = list[Reals](), list[Reals]()
        self.gap, self.dgap = np.zeros(len(c.slot)), np.zeros((len(c.slot), self.m))
        self.around: RowsAround | None = run.rows(self.q, slots, self.h) if len(slots) else None
        dJ, dgap = self._of_points(slots)
        for k in range(len(c.slot)):
            rows = rows_of(c, k)
            if k in of_points and self.around is not None:
                i, turning = self.places[int(c.slot[k])], 3 if c.owner[k] >= 0 else 0
                axes = [turning + r for r in rows]
                self.J.append(self.around.J[i, axes])
                self.dJ.append(dJ[i, axes])
                self.gap[k], self.dgap[k] = self.around.gap[i], dgap[i]
                if k < c.points and c.p[k, 0] > 0.0 and self.around.jumps[i] > JUMPING:
                    raise NoDerivativeError(k, "touches in a point that jumps")
            else:
                J = np.zeros((len(rows), nv))
                for i, r in enumerate(rows):
                    J[i, c.rate[k] + r] = c.scale[k, r]
                self.J.append(J)
                self.dJ.append(np.zeros((len(rows), nv, self.m)))

    def _of_points(self, slots: Ints) -> tuple[Reals, Reals]:
        """Changes of rows [slots, 6, nv, columns] and gaps [slots, columns]."""
        if self.around is None:
            return np.zeros((0, 6, self.run.nv, self.m)), np.zeros((0, self.m))
        gaps_p, rows_p = self.run.of_contacts.geometry(self.q, slots, self.h)
        dJ = np.einsum("srvd,dm->srvm", self.around.slope, self.dq)
        dJ[..., : self.count] += rows_p
        dgap = self.around.J[:, 0] @ self.dq
        dgap[:, : self.count] += gaps_p
        return dJ, dgap

    def row_changes(self, k: int, v: Reals) -> Reals:
        """d(J) v of a block."""
        return np.einsum("rvm,v->rm", self.dJ[k], v)

    def _impulse_changes(self, k: int, p: Reals) -> Reals:
        """d(J^T) p of a block."""
        return np.einsum("rvm,r->vm", self.dJ[k], p)

    # ------------------------------------------------------------------------------------------------------ equations

    def _equations(self) -> None:
        """V of dv' = V + P J^T dp, where p are held in V."""
        run, h, c = self.run, self.h, self.c
        p = [c.p[k, rows_of(c, k)] for k in range(len(c.slot))]
        push = sum((J.T @ each for J, each in zip(self.J, p, strict=True)), np.zeros(run.nv))
        a = (self.after - self.v) / h
        at = self.middle = run.by_parameters.at(self.t, self.q, self.v, self.z, a, push / h)
        self.P = at.P
        off = float(np.max(np.abs(h * at.P @ at.r), initial=0.0))  # what the accelerations of the run lack
        # the impulses alone: at rest they balance the other forces, and the change of velocities is round-off
        of_impulses = float(np.max(np.abs(at.P @ push), initial=0.0))
        size = max(float(np.max(np.abs(self.after - self.v))), SEEN * max(float(np.max(np.abs(self.v))), of_impulses))
        if not off <= REPRODUCED * size + 1e-14:
            raise run.no_derivative(
                self.n, f"velocities at its end differ by {off:.2g} of {size:.2g} from what its impulses lead to"
            )
        self.dv[:, -1] = at.free
        F = at.K @ self.dq + at.C @ self.dv + at.Z @ self.dz + self._of_parameters(at.r_p)
        C = at.Aq @ self.dq + at.Av @ self.dv + self._of_parameters(at.c_p)
        for k, each in enumerate(p):
            F -= self._impulse_changes(k, each) / h
        self.V = self.dv - h * (at.P @ F + at.B @ C)

    # --------------------------------------------------------------------------------------------------------- blocks

    def _bias(self, k: int) -> tuple[Reals, Reals]:
        """b of a block, and its changes, by the law of the step (`contact_problem.fill_block`)."""
        run, c = self.run, self.c
        b, change = c.b[k, rows_of(c, k)], np.zeros((len(self.J[k]), self.m))
        if c.owner[k] >= 0 or (k >= c.points and c.law[k] != CONE):
            return b, change
        if k >= c.points:
            return b, self._stop_bias(k, float(b[0]))
        wanted, before = np.zeros(len(b)), float(self.J[k][0] @ self.v)
        of_before = self.row_changes(k, self.v)[0] + self.J[k][0] @ self.dv
        assert self.around is not None
        more = run.moving.going_on(self, k, self.around, self.places[int(c.slot[k])])
        if more is not None:
            wanted, change = more[0].copy(), more[1].copy()
            before, of_before = before - wanted[0], of_before - change[0]
            self.gap_end[k], self.dgap_end[k] = 0.5 * self.h * wanted[0], 0.5 * self.h * change[0]
        e, e_p = run.of_contacts.restitution(int(c.slot[k]))
        if self.gap[k] > CLOSED:
            wanted[0] += (self.gap[k] - CLOSED) / self.h
            if self.gap[k] > LEFT:
                change[0] += self.dgap[k] / self.h
        elif before < 0.0:
            self.rebounds[k] = e > 0.0
            wanted[0] += e * before
            change[0] += e * of_before
            change[0, : self.count] += before * e_p
        if np.any(np.abs(wanted - b) > REPRODUCED * c.measure[k]):
            raise NoDerivativeError(k, "goes on along a rim or a round side in a way that is not known")
        return b, change

    def _stop(self, k: int) -> tuple[float, Reals]:
        """Distance of a joint from its stop in the middle of the step, and its changes."""
        run, c = self.run, self.c
        inward, j = float(c.scale[k, 0]), int(c.rate[k])
        limit, limit_p = run.of_contacts.laws.limit(int(c.slot[k]), inward)
        change = inward * self.dq[j]
        change[: self.count] -= inward * limit_p
        return inward * (float(self.q[run.system.tree.q_of_v[j]]) - limit), change

    def _stop_bias(self, k: int, b: float) -> Reals:
        """Changes of b of a stop (`joint_friction.least_rate` and `_more_stops`)."""
        run, c = self.run, self.c
        change, before = np.zeros((1, self.m)), float(self.J[k][0] @ self.v)
        if b < 0.0:  # an impact with restitution
            self.rebounds[k] = True
            e, e_p = run.of_contacts.laws.restitution(int(c.slot[k]))
            wanted = e * before
            change[0] = e * (self.J[k][0] @ self.dv)
            change[0, : self.count] += before * e_p
        else:
            distance, of_distance = self._stop(k)
            far = distance - 0.5 * self.h * before > AT_LIMIT and distance > 0.0
            wanted = 2.0 * distance / self.h if far else 0.0
            if far:
                change[0] = 2.0 * of_distance / self.h
        if abs(wanted - b) > REPRODUCED * c.measure[k]:
            raise NoDerivativeError(k, "is stopped in a way that is not known")
        return change

    def _radius_change(self, block: SolvedBlock) -> Reals:
        """Change of the radius of a block that slides, with its normal impulse held."""
        run, c, k = self.run, self.c, block.number
        if k < c.points or block.owner >= 0:
            return self._of_parameters(run.of_contacts.radius_change(c, block))
        bound, of_v, of_p = run.of_contacts.laws.bound(int(c.slot[k]), self.v)
        if abs(self.h * bound - block.radius) > REPRODUCED * max(self.h * bound, block.radius):
            raise NoDerivativeError(k, "has a bound of friction that is not known")
        return self.h * (of_v @ self.dv + self._of_parameters(of_p))

    def _solve(self) -> None:
        """Changes of impulses and of the velocities after the step."""
        self.rebounds = np.zeros(len(self.c.slot), bool)
        # what gaps gain where points go on along a rim
        self.gap_end, self.dgap_end = np.zeros(len(self.c.slot)), np.zeros((len(self.c.slot), self.m))
        biases = [self._bias(k) for k in range(len(self.c.slot))]
        c = self.c = evened(self.c, self.J, self.after, [b for b, _ in biases], self.P)
        self.blocks: list[SolvedBlock] = [
            block_of(c, k, self.J[k], self.after, biases[k][0]) for k in range(len(c.slot))
        ]
        system = self.system = BlockSystem(self.blocks, self.P)
        rows, law, held = np.zeros((len(system.p), self.m)), np.zeros((len(system.p), self.m)), list[Reals]()
        for k, block in enumerate(self.blocks):
            change = self.J[k] @ self.V + self.row_changes(k, self.after) + biases[k][1]
            held.append(change)
            if block.piece == OPEN:
                continue
            first = system.at[k]
            rows[first : first + len(block.p)] = change
            if block.piece == SLIP:
                where, more = system.law_change(block, self._radius_change(block))
                law[where] += more
        self.dp = system.impulses(rows, law, slice(0, self.count))
        self.moved = self.V + self.P @ system.J.T @ self.dp
        self._refuse_edges(held)

    def _refuse_edges(self, held: list[Reals]) -> None:
        """Raise for points that neither press nor open, where a change would let them do one of both."""
        c, system = self.c, self.system
        response, of_p = self.P @ system.J.T @ self.dp, slice(0, self.count)
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
            size = np.abs(block.J[0]) @ (np.abs(self.V) + np.abs(response)) + np.abs(held[k][0])
            if np.any(np.abs(change[of_p]) > SEEN * size[of_p]):
                raise NoDerivativeError(k, "is closed and bears no load: some changes open it, others press on it")

    # ------------------------------------------------------------------------------------------------------ positions

    def _positions(self) -> None:
        """Changes of dq, what positions of resting points are corrected by."""
        run, c, h, m = self.run, self.c, self.h, self.m
        used, ends = list[int](), list[Reals]()
        made, passive = np.zeros(run.nv), np.zeros((run.nv, m))
        for k in range(c.points):
            block, J = self.blocks[k], self.J[k][0]
            u = float(J @ self.after)
            if c.shift[k] != 0.0:
                made += self.P @ J * c.shift[k]
                passive += self.P @ (self.dJ[k][0] * c.shift[k])
            if block.piece == OPEN or u > run.slow * h:
                continue
            end = self.gap[k] + self.gap_end[k] + 0.5 * h * u
            holds = c.hold[k] > 0.0
            if c.shift[k] == 0.0 and abs(end) > LEFT:
                continue
            if holds and c.hold[k] * c.p[k, 0] + c.shift[k] <= SEEN * c.hold[k] * c.p[k, 0]:
                passive -= c.hold[k] * np.outer(self.P @ J, self.dp[self.system.at[k]])
                continue
            change = self.dgap[k] + self.dgap_end[k]
            change = change + 0.5 * h * (J @ self.moved + self.row_changes(k, self.after)[0])
            if holds and end > LEFT:
                change = np.zeros(m)
            used.append(k)
            ends.append(change + self.row_changes(k, c.dq)[0])
        allowed = REPRODUCED * max(float(np.max(np.abs(c.dq))), 0.5 * h * float(np.max(np.abs(self.v))) + NO_GAP)
        if np.max(np.abs(c.dq - made)) > allowed:
            by_impacts = moved_by_impacts(self, c.dq - made)
            if by_impacts is None or np.max(np.abs(c.dq - made - by_impacts[0])) > allowed:
                raise run.no_derivative(
                    self.n, "bodies were moved by the times of several impacts, which is not differentiated"
                )
            passive += by_impacts[1]
        self.ddq = self._held_at(used, np.array(ends).reshape(-1, m), passive, made)
        self.corrected = c.dq
        self._limits()

    def _held_at(self, used: list[int], ends: Reals, passive: Reals, dq: Reals) -> Reals:
        """Changes of corrections of positions, dq, that let points of blocks end where they are, whatever changes.

        ends: changes of where these points end but for the corrections; passive: changes of dq without this.
        """
        if np.any(dq):
            by_q, by_p = self.middle.mass_changes(dq)
            passive = passive - self.P @ (by_q @ self.dq + self._of_parameters(by_p))
        if not used:
            return passive
        N = np.array([self.J[k][0] for k in used])
        inverse = np.linalg.pinv(N @ self.P @ N.T, rcond=RANK, hermitian=True)
        return passive - self.P @ N.T @ inverse @ (ends + N @ passive)

    def _limits(self) -> None:
        """Joints that are stopped end at their limits: what puts them back there (`joint_friction.end_at_limits`)."""
        c, h = self.c, self.h
        used, ends, beyond = list[int](), list[Reals](), list[float]()
        for k in range(c.points, len(c.slot)):
            if c.law[k] != CONE:
                continue
            distance, of_distance = self._stop(k)
            J = self.J[k][0]
            end = distance + float(J @ (0.5 * h * self.after + c.dq))
            rests = self.blocks[k].piece != OPEN and not self.rebounds[k]
            if end <= (NO_GAP if rests else -BEYOND):
                used.append(k)
                beyond.append(end)
                ends.append(of_distance + J @ (0.5 * h * self.moved + self.ddq))
                self.rebounds[k] = False  # it comes to rest there
        if not used:
            return
        N = np.array([self.J[k][0] for k in used])
        back = -self.P @ N.T @ np.linalg.pinv(N @ self.P @ N.T, rcond=RANK, hermitian=True) @ np.array(beyond)
        none = np.zeros((self.run.nv, self.m))
        self.ddq = self.ddq + self._held_at(used, np.array(ends), none, back)
        self.corrected = self.corrected + back

    # ------------------------------------------------------------------------------------------------------------ end

    def _end(self) -> None:
        """The columns behind the step; loops are closed there."""
        run, h, at, x = self.run, self.h, self.middle, self.x
        way = 0.5 * h * self.after + self.corrected
        if not run.system.closures.rows:
            off = float(np.max(np.abs(run.moved(self.q, way) - run.y[self.n + 1, : run.nq])))
            if off > REPRODUCED * (float(np.max(np.abs(way))) + 0.5 * h * float(np.max(np.abs(self.v)))) + NO_GAP:
                raise run.no_derivative(self.n, f"positions at its end differ by {off:.2g} from what is known of them")
        of_delta, of_way = run.turned(way)
        delta = of_delta @ self.dq + of_way @ (0.5 * h * self.moved + self.ddq)
        moved = self.moved
        rates = at.z_q @ self.dq + at.z_v @ self.dv + at.z_z @ self.dz + self._of_parameters(at.z_p)
        values = at.x_q @ self.dq + at.x_v @ self.dv + at.x_z @ self.dz + self._of_parameters(at.x_p)
        end = Columns(delta, moved, h * rates, rates, h * values)
        impact = self._impact()
        last = slice(-1, None)
        if impact is not None:
            (v, a, z, extra), dt = impact
            delta = end.delta + np.outer(of_way @ v, dt)
            moved = end.v + (end.v[:, last] - a[:, None]) * dt
            end = Columns(delta, moved, end.z + np.outer(z, dt), rates, end.extra + np.outer(extra, dt))
        end = end.of(slice(0, -1))
        end.v[:, : self.count] += run.breakaway.moved(self)
        turned, by = self._by_projection(way)
        delta, moved = run.by_parameters.closed(self.n, turned @ end.delta, end.v, self.count, at, by)
        self.made = Columns(delta, moved, x.z + end.z, end.zdot, x.extra + end.extra)
        self.integrals = h * at.values
        u = self.system.unknown
        delta, moved = run.by_parameters.closed(self.n, of_way @ (0.5 * h * u), u, 0)
        none, extra = np.zeros((run.nz, u.shape[1])), np.zeros((run.extra, u.shape[1]))
        self.unknown, self.named = Columns(delta, moved, none, none, extra), self.system.named

    def _by_projection(self, way: Reals) -> tuple[Reals, tuple[Reals, Reals] | None]:
        """Displacements behind the projection onto closed loops by those before it; and changes of what it adds to
        positions and rates, with its multipliers held, None if these are not known.
        """
        run, nq, dq = self.run, self.run.nq, self.dq[:, :-1]
        if not run.system.closures.rows:
            return np.eye(run.nv), None
        end = run.y[self.n + 1, :nq]
        x_q = run.coordinates(end, self.after)[1] @ (end - run.moved(self.q, way))
        x_v = run.y[self.n + 1, nq : nq + run.nv] - self.after
        of_delta, of_way = run.turned(x_q)
        by_q, by_v = (self.middle.correction_changes(x, dq) for x in (x_q, x_v))
        return of_delta, None if by_q is None or by_v is None else (of_way @ by_q, by_v)

    def _impact(self) -> tuple[tuple[Reals, Reals, Reals, Reals], Reals] | None:
        """(2) of an impact with restitution in this step: what a later time adds, and how the time changes."""
        run, c, free = self.run, self.c, self.middle.free
        found = [k for k in range(len(c.slot)) if self._bounces(k, free)]
        if not found:
            return None
        if len(found) > 1:
            names = ", ".join(dict.fromkeys(run.block_name(self.n, k) for k in found))
            raise run.no_derivative(
                self.n, f"several points bounce in it ({names}), whose order depends on the parameters"
            )
        k, first = found[0], run.nq + run.nv
        before, behind = np.concatenate([self.q, self.v, self.z]), np.concatenate([self.q, self.after, self.z])
        f_before, l_before = run.rates(self.t, before)
        f_after, l_after = run.rates(self.t, behind)
        a_after = f_after[run.nq : first]
        if any(each.piece != OPEN for i, each in enumerate(self.blocks) if i != k):
            a_after = run.mean_acceleration(self.n + 1, a_after)
        later = (self.v - self.after, a_after, f_before[first:] - f_after[first:], l_before - l_after)
        change = self.dgap[k] if k < c.points else self._stop(k)[1]
        return later, -change / float(self.J[k][0] @ self.v)

    def _bounces(self, k: int, free: Reals) -> bool:
        """Whether a block has an impact with restitution in this step; slower ones are those of bodies at rest."""
        block = self.blocks[k]
        if block.piece == OPEN or not self.rebounds[k]:
            return False
        return float(block.J[0] @ self.v) < -FAST * self.h * abs(float(block.J[0] @ free))
