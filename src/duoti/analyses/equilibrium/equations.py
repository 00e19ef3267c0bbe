"""The equations of equilibrium, and Newton's method for them.

At rest, or in a steady motion in which prescribed motions run on, r(q, v(q), a(q), lambda, z) = 0, g(q, t) = 0 and
dz/dt = 0. With the directions N that the closures leave free, the multipliers drop out:

    rho(q, z) = N^T (M a + h - forces) = 0,      f(q, v, z) = dz/dt = 0                                      (1)

Positions always close the loops. A correction is y with delta = N y from the derivatives of (1), in which the
multipliers count by d(G^T lambda)/dq; it is solved by least squares where something is indifferent, limited to half a
radian, and shortened until the size of (1) falls. The size is that of the accelerations that would follow,
|rho|_{M^-1}.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.analyses.instant.derivatives import displace
from duoti.analyses.linear.modes import length_of
from duoti.analyses.states.linearised_equations import Chart, Equations, Variation, chart, coordinate_sizes
from duoti.dynamics.close_loops import Flags, LoopEquations, close
from duoti.dynamics.loops.constraints import closure_state
from duoti.model.elements import given_numbers, initial_values
from duoti.system.arrays import Reals
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System

LONGEST = 0.5  # largest correction [rad, or parts of the size of the mechanism]
STEEP = 0.8  # part of the time step at which M / h² + K is singular
SHORTEST = 1e-4  # part of a correction below which it is given up
INDIFFERENT = 1e-10  # singular values below this part of the largest one belong to directions without stiffness
ROUND_OFF = 1e-13  # likewise, of stiffnesses: sums of many terms, of which each has errors of 1e-16
CYCLIC = 1e-9  # change of the equations by half a radian of a coordinate that is round-off
FIRST_FRACTION, LEAST_FRACTION = 0.1, 1e-3  # of the loads, by which they grow by steps
EASY, LOADINGS = 12, 400  # corrections of one step, and of all
OPEN = 1e-9  # residual of loops [m, rad] that counts as closed


@dataclass(frozen=True)
class BalancePoint:
    """A position, and what (1) says there."""

    q: Reals
    z: Reals
    v: Reals
    a: Reals
    free: Chart
    r: Reals
    """M a + h - forces, without multipliers."""
    zdot: Reals

    @property
    def rho(self) -> Reals:
        """The forces that are left in the free directions."""
        return self.free.left(self.r)


class Balance:
    """The equations of equilibrium of a system at a time."""

    def __init__(self, system: System, t: float, rates: Mapping[str, Any] | None = None):
        self.system, self.t = system, t
        self.equations = Equations.of(system)
        self.loops = LoopEquations(system, t, None) if system.closures.rows else None
        self.nothing = np.zeros(system.nv, dtype=bool)
        self.no_multipliers = np.zeros(system.closures.rows)
        self.length = 1.0
        self.size = np.ones(system.nv)
        self.searched: list[int] = []
        """Numbers of the rates that are to be found, in place of their coordinates."""
        self.given = self._given(rates or {})
        self.runs = bool(system.closures.timed) or bool(len(self.given[0])) or bool(self.searched)
        self.found = system.initial_state()[1][self.searched]
        """Values of these rates, now."""
        self._refuse_searched()
        self.cyclic: Flags | None = None
        self.held: Reals | float = 0.0
        """Forces that are taken away, while loads grow by steps."""
        self.parameters: list[int] = []
        """First-order states that nothing changes, but that are unknowns all the same."""

    def _given(self, rates: Mapping[str, Any]) -> tuple[list[int], list[float]]:
        """Numbers and values of the rates that the user gives."""
        numbers, values = list[int](), list[float]()
        for name, value in rates.items():
            joint, layout = self.system.model.joints[name].joint, self.system.joints[name]
            if value is None:
                self.searched += layout.v.tolist()
                continue
            named = given_numbers(joint, value, rates=True)
            numbers += layout.v[named].tolist()
            values += initial_values(joint, value, rates=True)[named].tolist()
        return numbers, values

    def _refuse_searched(self) -> None:
        """A rate to be found has a coordinate of its own, which no loop or constraint moves."""
        tree, closures = self.system.tree, self.system.closures
        if not self.searched:
            return
        plain = set(tree.plain_v.tolist())
        tied = np.zeros(self.system.nv, dtype=bool)
        if closures.rows:
            q, v = self.system.initial_state()
            closure_state(self.equations.work, self.t, q, v)
            tied = np.any(dense_jacobian(closures, self.system.nv, self.equations.work.G) != 0.0, axis=0)
        for name, layout in self.system.joints.items():
            mine = [j for j in layout.v.tolist() if j in self.searched]
            if mine and (any(j not in plain for j in mine) or np.any(tied[mine])):
                raise ValueError(
                    f'rates: that of joint "{name}" cannot be found: it has a quaternion, or a loop or constraint '
                    "moves it; give its value"
                )

    def at(self, t: float) -> Balance:
        """The same at another time."""
        made = copy.copy(self)
        made.t = t
        made.loops = None if self.loops is None else LoopEquations(self.system, t, None)
        return made

    def measure(self, q: Reals) -> None:
        """Take the size of the mechanism from a position."""
        self.length = length_of(self.system, q)
        self.size = coordinate_sizes(self.system, self.length)

    # ------------------------------------------------------------------------------------------------------- states

    def closed(self, q: Reals) -> Reals | None:
        """The nearest position that closes the loops, or None."""
        if self.loops is None:
            return q
        q, left = close(self.loops, q, np.zeros(self.system.nv), self.nothing)
        return q if left <= OPEN else None

    def steady_velocities(self, q: Reals) -> tuple[Reals, Reals]:
        """Rates and accelerations that prescribed motions ask for, all others zero where that is possible."""
        system = self.system
        v, a = np.zeros(system.nv), np.zeros(system.nv)
        if not self.runs:
            return v, a
        numbers, values = [*self.given[0], *self.searched], [*self.given[1], *self.found]
        work, closures = self.equations.work, system.closures
        G, drift = np.zeros((0, system.nv)), np.zeros(0)
        if closures.rows:
            closure_state(work, self.t, q, v)
            G, drift = dense_jacobian(closures, system.nv, work.G), work.gdot.copy()
        rows = np.vstack([G, np.eye(system.nv)[numbers]])
        wanted = np.concatenate([-drift, values])
        v = self._solved(rows, wanted)
        self.equations.put(q, v, self.equations.z, self.t)
        if closures.rows:
            natural = self.equations.accelerations()  # obeys G a = gamma: take from it what the loops ask for
            a = self._solved(rows, np.concatenate([G @ natural, np.zeros(len(numbers))]))
        return v, a

    def _solved(self, rows: Reals, right: Reals) -> Reals:
        """The solution of rows x = right in which only coordinates move that change nothing; else of least norm."""
        found = np.zeros(self.system.nv)
        if not np.any(np.abs(right) > 0.0):
            return found
        scaled = rows * self.size
        if self.cyclic is not None and self.cyclic.any():
            fraction = np.linalg.lstsq(scaled[:, self.cyclic], right, rcond=INDIFFERENT)[0]
            if np.max(np.abs(scaled[:, self.cyclic] @ fraction - right)) <= CYCLIC * np.max(np.abs(right)):
                found[self.cyclic] = fraction
                return found * self.size
        return self.size * np.linalg.lstsq(scaled, right, rcond=INDIFFERENT)[0]

    def find_cyclic(self, q: Reals, z: Reals) -> None:
        """Find the coordinates that can run on without changing anything: of wheels, rotors, turntables."""
        zero = np.zeros(self.system.nv)

        def seen(at: Reals) -> tuple[Reals, Reals, Reals]:
            self.equations.put(at, zero, z, self.t)
            here = self.equations.linearise(zero, self.no_multipliers)
            r, _ = self.equations.residual(zero, self.no_multipliers)
            return r, here.M, np.linalg.pinv(here.G * self.size, rcond=INDIFFERENT) @ (here.G * self.size)

        start, found = seen(q), self.nothing.copy()
        for i in range(self.system.nv):
            moved = seen(displace(self.system, q, np.eye(self.system.nv)[i] * LONGEST * self.size[i]))
            found[i] = all(
                np.max(np.abs(x - y), initial=0.0) <= CYCLIC * max(float(np.max(np.abs(x), initial=0.0)), 1e-300)
                for x, y in zip(start, moved, strict=True)
            )
        self.cyclic = found

    def look(self, q: Reals, z: Reals, rates: Reals | None = None) -> BalancePoint:
        """Evaluate (1); rates: values of those that are to be found."""
        if rates is not None:
            self.found = rates
        v, a = self.steady_velocities(q)
        self.equations.put(q, v, z, self.t)
        r, zdot = self.equations.residual(a, self.no_multipliers)
        return BalancePoint(q, z, v, a, chart(self.equations.jacobian, size=self.size), r - self.held, zdot)

    def multipliers(self, point: BalancePoint) -> Reals:
        """Those of least norm that come nearest to balance."""
        G = self.equations.jacobian
        if not G.size:
            return self.no_multipliers
        found: Any = np.linalg.lstsq((G * self.size).T, self.size * point.r, rcond=INDIFFERENT)[0]
        return found

    def derivatives(self, point: BalancePoint) -> tuple[Variation, Reals]:
        """All derivatives there, and the matrix of (1) by (y, z)."""
        self.equations.put(point.q, point.v, point.z, self.t)
        self.equations.residual(point.a, self.no_multipliers)
        here = self.equations.linearise(point.a, self.multipliers(point))
        free, K, Fq = point.free, here.K, here.Fq
        if self.runs and here.G.size:
            W = -point.free.particular(here.Gq)  # rates follow the position
            K, Fq = K + here.C @ W, Fq + here.Fv @ W
        if self.searched:  # its coordinate makes way for the rate
            K, Fq = K.copy(), Fq.copy()
            K[:, self.searched], Fq[:, self.searched] = here.C[:, self.searched], here.Fv[:, self.searched]
        if not self.system.nz:
            return here, free.both(K)
        held = ~(np.any(Fq, axis=1) | np.any(here.Fv, axis=1) | np.any(here.Fz, axis=1))
        held[self.parameters] = False
        by_z = np.where(held, 0.0, np.vstack([free.left(here.Z), here.Fz]))
        n = len(by_z) - self.system.nz
        by_z[n:][held, held] = 1.0  # a state that nothing changes (a switch, a sampled output) stays as it is
        return here, np.hstack([np.vstack([free.both(K), free.right(Fq)]), by_z])

    def merit(self, point: BalancePoint, M: Reals) -> float:
        """The size of (1): of the accelerations that would follow, and of the rates of first-order states."""
        rho = point.rho
        size = float(rho @ np.linalg.solve(point.free.both(M), rho)) if len(rho) else 0.0
        return size + float(point.zdot @ point.zdot)

    # ------------------------------------------------------------------------------------------------------- Newton

    def correction(self, point: BalancePoint, matrix: Reals) -> Reals:
        """The correction of (1) by a matrix, of least norm where it is singular.

        Stiffnesses are compared as energies of a radian, or of a shift by the size of the mechanism: what is less than
        round-off of the largest one pulls nothing back.
        """
        right = -np.concatenate([point.rho, point.zdot])
        if not len(right):
            return right
        n = len(point.rho)
        d = 1.0 / np.sqrt(np.maximum(np.max(np.abs(matrix), axis=1), 1e-300))
        size = self.size[point.free.independent]
        d[:n] = size / np.sqrt(max(float(np.max(np.abs(size[:, None] * matrix[:n, :n] * size), initial=0.0)), 1e-300))
        scaled = d[:, None] * matrix * d
        from scipy.linalg import lapack as compiled

        lapack: Any = compiled
        factors, pivots, singular = lapack.dgetrf(scaled)
        if not singular:
            norm = float(np.max(np.sum(np.abs(scaled), axis=0)))
            condition: float = lapack.dgecon(factors, norm)[0]
            if condition > 10.0 * ROUND_OFF:
                return d * lapack.dgetrs(factors, pivots, d * right)[0]
        return d * np.linalg.lstsq(scaled, d * right, rcond=ROUND_OFF)[0]

    def shifted(self, point: BalancePoint, x: Reals, fraction: float) -> BalancePoint | None:
        """The point after a fraction of the correction x = (y, dz), closed; None if the loops cannot follow."""
        n = point.free.N.shape[1]
        step = fraction * (point.free.N @ x[:n])
        rates = point.v[self.searched] + step[self.searched]
        step[self.searched] = 0.0
        q = self.closed(displace(self.system, point.q, step))
        return None if q is None else self.look(q, point.z + fraction * x[n:], rates)

    def limited(self, point: BalancePoint, x: Reals) -> Reals:
        """The correction, no longer than is sensible."""
        n = point.free.N.shape[1]
        longest = float(np.max(np.abs(point.free.N @ x[:n]) / self.size, initial=0.0))
        return x * min(1.0, LONGEST / max(longest, 1e-300))

    def newton(
        self, point: BalancePoint, iterations: int, known: tuple[BalancePoint, ...] = ()
    ) -> tuple[BalancePoint, bool, int]:
        """Newton's method with a line search; whether it came to an end where corrections vanish, and its iterations.

        known: equilibria that are not to be found again (deflation, Farrell, Birkisson & Funke 2015): with
        eta = product of (1 / |q - q_k|^2 + 1), a correction of eta rho is that of rho divided by 1 - grad(ln eta) . x.
        It may then have to climb, so that there is no line search.
        """
        for count in range(iterations):
            here, matrix = self.derivatives(point)
            x = self.limited(point, self.correction(point, matrix))
            small = self._change(point, x)
            if small <= (1e-9 if known else 1e-13):
                return point, True, count
            if known:
                slope = self._deflation(point, x, known)
                x = self.limited(point, x / (1.0 - slope) if abs(1.0 - slope) > 1e-3 else x)
            before, fraction = self.merit(point, here.M), 1.0
            while True:
                trial = self.shifted(point, x, fraction)
                if trial is not None and (known or self.merit(trial, here.M) < before * (1.0 - 1e-4 * fraction)):
                    break
                fraction *= 0.5
                if fraction < SHORTEST:
                    return point, small <= 1e-9, count  # what is left is round-off, or it is stuck
            point = trial
        return point, False, iterations

    def load_by_steps(self, point: BalancePoint) -> tuple[BalancePoint, bool, int]:
        """The forces that are out of balance at a point, taken away, and given back by steps (`sparse_equations`)."""
        at_first = point.r.copy()
        fraction, step, count = 0.0, FIRST_FRACTION, 0
        while fraction < 1.0 and step > LEAST_FRACTION and count < LOADINGS:
            to = min(1.0, fraction + step)
            self.held = (1.0 - to) * at_first
            there, ok, made = self.newton(self.look(point.q, point.z, point.v[self.searched]), 2 * EASY)
            count += made
            if ok:
                fraction, point = to, there
                step *= 2.0 if made <= EASY else 1.0
            else:
                step *= 0.4
        self.held = 0.0
        return self.look(point.q, point.z, point.v[self.searched]), fraction == 1.0, count

    def _change(self, point: BalancePoint, x: Reals) -> float:
        """Size of a correction, in radians or parts of the mechanism's size, or of the states."""
        n = point.free.N.shape[1]
        moved = np.max(np.abs(point.free.N @ x[:n]) / self.size, initial=0.0)
        return float(max(moved, np.max(np.abs(x[n:]) / (1.0 + np.abs(point.z)), initial=0.0)))

    def _deflation(self, point: BalancePoint, x: Reals, known: tuple[BalancePoint, ...]) -> float:
        """The slope of ln(eta) along x."""
        slope = 0.0
        direction = point.free.N @ x[: point.free.N.shape[1]] / self.size
        for other in known:
            gap = self.gap(other, point)
            square = max(float(gap @ gap), 1e-24)
            slope += -2.0 * float(gap @ direction) / (square * (1.0 + square))
        return slope

    def gap(self, first: BalancePoint, second: BalancePoint) -> Reals:
        """The displacement from one point to another, angles modulo a turn, in parts of `size`."""
        return gap(self.system, first.q, second.q) / self.size

    def relax(self, point: BalancePoint, iterations: int) -> tuple[BalancePoint, int]:
        """Pseudo-transient continuation: corrections by (M / h² + C / h + K), h growing as the forces fall.

        Like a body in honey it slides down, as long as M / h² + K is positive definite, which limits h where K is not;
        so it ends near a stable equilibrium.
        """
        here, matrix = self.derivatives(point)
        h, size = self._time(point, here), self.merit(point, here.M)
        for count in range(iterations):
            n = point.free.N.shape[1]
            M = point.free.both(here.M)
            lowest = self._lowest(matrix[:n, :n], M)
            longest = STEEP / np.sqrt(-lowest) if lowest < 0.0 else np.inf
            step = min(h, longest)
            shifted = matrix.copy()
            shifted[:n, :n] += M / step**2 + point.free.both(here.C) / step
            shifted[n:, n:] -= np.eye(self.system.nz) / step
            x = self.limited(point, self.correction(point, shifted))
            trial = self.shifted(point, x, 1.0)
            if trial is None:
                h *= 0.3
                continue
            if lowest > 0.0 and self._change(point, x) <= 1e-6:
                return trial, count + 1
            new = self.merit(trial, here.M)
            h = max(step * min(4.0, max(0.3, np.sqrt(size / max(new, 1e-300)))), 1e-9)
            point, size = trial, new
            here, matrix = self.derivatives(point)
        return point, iterations

    @staticmethod
    def _lowest(K: Reals, M: Reals) -> float:
        """Least stiffness per inertia of the free directions."""
        if not len(K):
            return 1.0
        from scipy.linalg import eigh

        return float(eigh(0.5 * (K + K.T), M, eigvals_only=True, subset_by_index=(0, 0))[0])

    def _time(self, point: BalancePoint, here: Variation) -> float:
        """About how long the accelerations need for half a radian."""
        N = point.free.N
        if not N.shape[1]:
            return 1.0
        a = N @ np.linalg.solve(N.T @ here.M @ N, point.rho)
        return float(np.sqrt(2.0 * LONGEST / max(float(np.max(np.abs(a) / self.size)), 1e-12)))


def gap(system: System, first: Reals, second: Reals) -> Reals:
    """The displacement from one position to another; angles modulo a turn, quaternions by their rotation vector."""
    tree, found = system.tree, np.zeros(system.nv)
    found[tree.plain_v] = second[tree.plain_q] - first[tree.plain_q]
    turns = (tree.angular == 1) & (tree.q_of_v >= 0)
    found[turns] = (found[turns] + np.pi) % (2.0 * np.pi) - np.pi
    for k, j in zip(tree.quat_q, tree.quat_v, strict=True):
        (a, *x), (b, *y) = first[k : k + 4], second[k : k + 4]
        x, y = np.array(x), np.array(y)
        w, vector = a * b + x @ y, a * y - b * x - np.cross(x, y)  # conjugate of the first times the second
        sine = float(np.linalg.norm(vector))
        angle = 2.0 * np.arctan2(sine, abs(w)) * (1.0 if w >= 0.0 else -1.0)
        found[j : j + 3] = vector * (angle / sine if sine > 0.0 else 2.0)
    return found
