"""Impacts of contacts and stops in which joints with friction from their loads take a share.

Newton's law, or Poisson's as two problems without rebound (Glocker & Pfeiffer 1995): compression, and expansion in
which each contact and stop gives back at least the part e of what it has borne. In both, friction of joints is bounded
by the load of the impulses of that phase, and acts against the rate at its end, as friction of contacts does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.contact.event_driven.contact_states import OPEN, STICK
from duoti.contact.event_driven.rolling_friction import friction_discs
from duoti.contact.impact.friction_discs import plastic_impulses
from duoti.contact.impact.impact import ImpactSolution, coulomb_impulses
from duoti.contact.impact.impact_problem import ImpactProblem
from duoti.contact.joint_friction.impulses import FrictionShares
from duoti.system.arrays import Reals
from duoti.system.constraint_arrays import dense_jacobian

if TYPE_CHECKING:
    from duoti.contact.joint_friction.engine import JointFrictionEngine


class LoadedImpact:
    """An impact `of` contacts, and behind them of stops, with `size` rows each; W of its rows J."""

    def __init__(self, engine: JointFrictionEngine, of: ImpactProblem, W: Reals, size: int):
        self.engine, self.of, self.W, self.size = engine, of, W, size
        self.v = of.y[engine.system.nq :][: engine.system.nv].copy()
        self.normals = list(range(0, len(of.J), size))
        self.J, self.discs, self.exact = of.J, friction_discs(of.mu, size), False
        rolling_friction = engine.rolling_friction
        if rolling_friction and rolling_friction.resisting(of.points):
            self.J, self.discs = rolling_friction.rows(of, size)
            self.W, self.exact = of.response(self.J), True
        self.p, self.change, self.wrong = np.zeros(len(self.J)), np.zeros(len(self.v)), ""

    def solve(self, rows: int) -> tuple[ImpactSolution, Reals]:
        """Impulses of the first `rows` rows, and the change of the rates."""
        of, before = self.of, self.J @ self.v
        aim, m = np.zeros(len(self.J)), self.engine.states
        kept = [each.copy() for each in (m.state, m.force, m.moment)]
        if of.law == "newton":
            aim[self.normals] = of.e * before[self.normals]
            self._phase(aim, None)
        else:
            self._phase(aim, None)
            if not self.wrong:
                self._phase(aim, of.e * self.p[self.normals])
        m.state[:], m.force[:], m.moment[:] = kept
        after = self.J @ (self.v + self.change)
        if self.engine.rolling_friction:
            self.engine.rolling_friction.book(of, self.p, before, after)
        lost = -0.5 * float(self.change @ of.M @ (2.0 * self.v + self.change))
        scale = 0.5 * float(np.abs(self.p) @ (np.abs(before) + np.abs(after)))
        reason = self.wrong or "solved"
        return ImpactSolution(self.p[:rows], after[:rows], lost, not self.wrong, reason, scale, of.law), self.change

    def _phase(self, aim: Reals, least: Any) -> None:
        """Impulses from the present rates on, without rebound from velocities that are greater by aim."""
        engine, of, J = self.engine, self.of, self.J
        system, y = engine.system, of.y.copy()
        y[system.nq : system.nq + system.nv] = self.v + self.change
        begin, p, small, rest = J @ (self.v + self.change) + aim, np.zeros(len(J)), *engine.small_speeds()

        def solve_others(change: Reals) -> tuple[Reals, Reals]:
            nonlocal p
            q = begin + J @ change
            if self.exact or least is not None:
                p, self.wrong = plastic_impulses(self.W, q, self.normals, self.discs, small, rest, least)
            else:
                p, self.wrong = coulomb_impulses(self.W, q, of.mu, self.size, small)
            return of.inverse @ J.T @ p, J.T @ p

        closures, nv = system.closures, system.nv
        G = dense_jacobian(closures, nv, engine.work.G.copy()) if closures.rows else np.zeros((0, nv))
        shares = FrictionShares(
            system, engine.work, of.t, y, of.M, of.inverse, G, lambda many: self._show(many * p)
        )  # fmt: skip
        self.change = self.change + shares.with_friction(solve_others)
        self.p = self.p + p

    def _show(self, p: Reals) -> None:
        """Let the entry of wrenches see impulses p."""
        m, of, size, engine = self.engine.states, self.of, self.size, self.engine
        m.state[:], m.force[:], m.moment[:] = OPEN, 0.0, 0.0
        for i, (point, axes) in enumerate(zip(of.points, of.axes, strict=True)):
            m.state[point.slot] = STICK
            m.force[point.slot] = point.frame @ (p[size * i : size * (i + 1)] @ axes)
        for k, i in enumerate(engine.rolling_friction.resisting(of.points) if engine.rolling_friction else ()):
            m.moment[of.points[i].slot] = p[len(of.J) + 3 * k :][:3]
