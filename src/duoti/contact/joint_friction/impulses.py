"""Impulses in joints: at rigid stops, and the share that friction takes of an impact.

An impact loads a joint for no time with no finite force, but with an impulse: of friction mu L(F) that follows from the
load, mu L(integral of F) is left, and it brakes like any other friction. What is finite (a constant part, a preload)
does nothing in an instant.

    M (v' - v) = B^T P + S^T p + G^T Lambda,   G v' = 0 on loops                                             (1)
    stops:     u' + e min(u, 0) >= 0,  P >= 0,  one of the two zero, with u = B v         (Newton, Moreau 1988)  (2)
    friction:  |p| <= mu L(impulses through the joint),  p = -mu L u'/|u'| where it slides                   (3)

The same laws as those of a step of Moreau and Jean's time stepping, without the forces.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from duoti.contact.joint_friction.friction_states import ImpactedStops, JammedError
from duoti.dynamics.joint_friction.impulse_loads import joint_loads, joint_wrenches
from duoti.dynamics.joint_friction.installation import joint_friction_of
from duoti.dynamics.loops.constraints import closure_state
from duoti.dynamics.mass_matrix import mass_matrix
from duoti.elements.joint_friction import ALWAYS
from duoti.elements.joint_friction_memory import COULOMB, JointFrictionData
from duoti.kernel import run_entry
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.joint_friction import slots_of
from duoti.system.arrays import Reals, Work
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System

SINGULAR = 1e-10  # part of the largest singular value that counts as zero
SLIGHT = 1e-12  # of the diagonal: makes impulses at stops that depend on each other the smallest
ROUNDS = 1000  # of impulses that load joints, and friction that follows from them
# change of a rate in a round, relative to the largest: to which impulses of contact are solved
IMPULSES_CONVERGED = 1e-11
LEAST_FRACTION = 0.02  # of the way to new loads that is gone in a round
LARGE = 1e6  # accelerations, in their units, that stand for changes of rates
STATIC_SPEED = 1e-7  # sliding speed up to which static friction counts


def stopping_impulses(system: System, work: Work, t: float, y: Reals, rates: list[int]) -> Reals:
    """Change of the rates by impulses that bring some of them to rest."""
    _, _, inverse = _on_loops(system, work, t, y)
    v = y[system.nq :][rates]
    return -inverse[:, rates] @ np.linalg.lstsq(inverse[np.ix_(rates, rates)], v, rcond=SINGULAR)[0]


def _on_loops(system: System, work: Work, t: float, y: Reals) -> tuple[Reals, Reals, Reals]:
    """Mass matrix, rows of the loops, and the inverse on what they allow."""
    nq, nv = system.nq, system.nv
    q, v = y[:nq].copy(), y[nq : nq + nv].copy()
    M = mass_matrix(system, q)
    G = np.zeros((0, nv))
    if system.closures.rows:
        work.y[:] = y
        closure_state(work, t, q, v)
        G = dense_jacobian(system.closures, nv, work.G)
    return M, G, inverse_on_loops(M, G)


def joint_impulses(system: System, work: Work, t: float, y: Reals, stops: ImpactedStops) -> tuple[Reals, Reals]:
    """Change of the rates by an impact at stops, and the impulses of these."""
    nq, nv = system.nq, system.nv
    v = y[nq : nq + nv].copy()
    M, G, inverse = _on_loops(system, work, t, y)
    B = np.zeros((len(stops.rates), nv))
    B[np.arange(len(stops.rates)), stops.rates] = stops.inward
    response = inverse @ B.T
    free: Reals = np.diag(np.linalg.pinv(M)).astype(float)[stops.rates]
    aim, P = stops.restitution * np.minimum(B @ v, 0.0), np.zeros(len(B))

    def solve_others(change: Reals) -> tuple[Reals, Reals]:
        nonlocal P
        P = _pushes(B @ response, free, B @ (v + change) + aim)
        return response @ P, B.T @ P

    shares = FrictionShares(system, work, t, y, M, inverse, G)
    change = shares.with_friction(solve_others) if shares.slots else solve_others(np.zeros(nv))[0]
    return change, P


def inverse_on_loops(M: Reals, G: Reals) -> Reals:
    """The inverse of M on the rates that loops with the rows G allow.

    s G^T G is zero on these rates, and makes up for inertia that M lacks in others (a thin rod about its axis).
    """
    if len(G):
        M = M + float(np.trace(M) / np.sum(G * G)) * G.T @ G
    inverse = np.linalg.inv(M).astype(float)
    if len(G):
        back = inverse @ G.T
        inverse -= back @ np.linalg.lstsq(G @ back, back.T, rcond=SINGULAR)[0]
    return inverse


def _pushes(D: Reals, free: Reals, w: Reals) -> Reals:
    """P >= 0 with w + D P >= 0, one of the two zero: least squares with P >= 0.

    free: the diagonal of D without loops. A joint that does not give way at all, since loops or prescribed motions hold
    it, has no impulse: none could stop it.
    """
    from scipy.optimize import nnls

    P, moves = np.zeros(len(w)), np.flatnonzero(np.diag(D) > SINGULAR * free)
    if len(moves):
        D = 0.5 * (D + D.T)[moves[:, None], moves]
        L = np.linalg.cholesky(D + SLIGHT * np.diag(np.diag(D)))
        P[moves] = nnls(L.T, -np.linalg.solve(L, w[moves]))[0]
    return P


class FrictionShares:
    """Friction of joints that follows from their loads, in an impact.

    M, inverse: the mass matrix, and its inverse on what loops with the rows G allow. show: puts impulses of contact to
    where the entry of wrenches finds them, so many times (0.0: takes them away).
    """

    def __init__(
        self, system: System, work: Work, t: float, y: Reals, M: Reals, inverse: Reals, G: Reals,
        show: Callable[[float], None] = lambda _: None,
    ):  # fmt: skip
        self.show = show
        self.system, self.work, self.M, self.inverse, self.G = system, work, M, inverse, G
        self.jf: JointFrictionData = joint_friction_of(work)
        self.t, self.y, self.v = t, y.copy(), y[system.nq : system.nq + system.nv].copy()
        jf = self.jf
        self.slots = [s for s in range(jf.count) if jf.loaded[s] and jf.kind[s] == COULOMB and not jf.driven[s]]
        self.coefficient = {s: self._coefficient(s) for s in self.slots}

    def _rates(self, s: int) -> slice:
        first = int(self.jf.first[s])
        return slice(first, first + int(self.jf.size[s]))

    def _coefficient(self, s: int) -> float:
        """Of static friction where the joint was at rest, else that of its speed."""
        law = list(self.system.model.forces.values())[int(self.jf.force[s])]
        assert isinstance(law, JointFriction)
        reals = law.reals()
        speed = float(np.linalg.norm(self.jf.scales[s, : self.jf.size[s]] * self.v[self._rates(s)]))
        low, high, width = reals["friction"], reals["static_friction"], reals["stribeck_velocity"]
        if speed <= STATIC_SPEED:
            return float(high)
        return float(low + (high - low) * np.exp(-((speed / width) ** 2)) if width else low)

    def loads(self, change: Reals, pushed: Reals) -> Reals:
        """[slots] of the impulses that go with a change of the rates; pushed: generalised ones, but for loops."""
        multipliers: Reals = np.zeros(len(self.G))
        if len(self.G):
            multipliers[:] = np.linalg.lstsq(self.G.T, self.M @ change - pushed, rcond=SINGULAR)[0]
        out = np.zeros(self.jf.count)
        largest = float(np.max(np.abs(change), initial=0.0))
        if largest == 0.0:
            return out
        many = LARGE / largest  # beside which the forces of the moment are small: these are taken off
        self.show(many)
        found = self.wrenches(many * change, many * multipliers)
        self.show(0.0)
        found -= self.wrenches(np.zeros_like(change), np.zeros_like(multipliers))
        joint_loads(self.work.at[0].system, found, out)
        return (out - self.jf.arms[:, ALWAYS]) / many

    def wrenches(self, change: Reals, multipliers: Reals) -> Reals:
        """[slots, 6] that joint friction laws see with accelerations and multipliers, in the state."""
        work, nq, nv = self.work, self.system.nq, self.system.nv
        work.clock[0], work.y[:] = self.t, self.y
        work.ydot[nq : nq + nv] = change
        work.multipliers[:] = multipliers
        run_entry(int(self.jf.calls[0].residual), int(work.at[0].system))
        out = np.zeros((self.jf.count, 6))
        joint_wrenches(work.at[0].system, out)
        return out

    def with_friction(self, solve_others: Callable[[Reals], tuple[Reals, Reals]]) -> Reals:
        """Change of the rates by an impact and the friction in it.

        strike: the change by all other impulses, if friction changes the rates by its argument, and these impulses.
        """
        nv = self.system.nv
        ours, impulses = np.zeros(nv), np.zeros(nv)
        largest = float(np.max(np.abs(self.v), initial=0.0))
        loads, fraction, last = np.zeros(self.jf.count), 1.0, np.inf
        for _ in range(ROUNDS):
            others, pushed = solve_others(ours)
            before = ours.copy()
            loads += fraction * (self.loads(others + ours, pushed + impulses) - loads)
            for s in self.slots:
                rates, scales = self._rates(s), self.jf.scales[s, : self.jf.size[s]]
                response = self.inverse[:, rates] * scales
                alone = ours - self.inverse[:, rates] @ impulses[rates]
                slip = scales * (self.v + others + alone)[rates]
                W = scales[:, None] * response[rates]
                p = scales * in_ball(W, slip, self.coefficient[s] * max(float(loads[s]), 0.0))
                ours = alone + self.inverse[:, rates] @ p
                impulses[rates] = p
            change = float(np.max(np.abs(ours - before)))
            if change <= IMPULSES_CONVERGED * fraction * largest:
                return others + ours
            if change > 0.9 * last:  # to and fro: slower
                fraction = max(0.7 * fraction, LEAST_FRACTION)
            last = change
        names = ", ".join(dict.fromkeys(f'"{slots_of(self.system.model)[s].joint}"' for s in self.slots))
        raise JammedError(
            f"t = {self.t:.9g} s: an impact loads joints {names} more with each bit of friction than that friction "
            "bears: they jam in it, and what they do next is not determined; lower friction=, or lengthen the guides "
            "(overlap=, bending_arm=)"
        )


def in_ball(W: Reals, u: Reals, radius: float) -> Reals:
    """p of one joint with |p| <= radius: W p + u = 0, or sliding with W p + u = -l p, l > 0 (Moré & Sorensen 1983)."""
    if radius <= 0.0:
        return np.zeros(len(u))
    values, axes = np.linalg.eigh(0.5 * (W + W.T))
    parts = axes.T @ u
    moves = values > 1e-12 * max(float(values[-1]), 1e-300)
    p = np.where(moves, -parts / np.where(moves, values, 1.0), 0.0)
    stiffness = 0.0
    for _ in range(100):
        size = float(np.linalg.norm(p))
        if size <= radius * (1.0 + 1e-14):
            break
        slope = float(np.sum(p * p / np.where(moves, values + stiffness, 1.0)))
        stiffness += (size / radius - 1.0) * size * size / slope
        p = np.where(moves, -parts / np.where(moves, values + stiffness, 1.0), 0.0)
    return axes @ p
