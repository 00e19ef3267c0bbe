"""Equilibrium of many bodies joined by force elements (beams, nets, cables): Newton's method with sparse matrices.

Without closures and first-order states, the equations are r(q) = (forces that must act at rest) = 0, and their
derivative K has entries only between neighbours. Three ways down, all at a cost proportional to the number of bodies:

    K x = -r                        Newton, in full steps of at most half a radian                         (1)
    (K + M / h²) x = -r             pseudo-transient: h grows as r falls (Kelley & Keyes 1998)             (2)
    r(q) = (1 - part) r(start)      loads by steps: by (1) for each part from 0 to 1                       (3)

(1) does without a line search: in thin beams a good correction first raises the forces, because turning by finite
angles along a tangent stretches them. Where it does not come to an end, (3) takes the forces that
are not in balance at the start (the loads on a beam that is drawn without stress) away and gives them back little by
little, which finds the shape that is reached by loading: one of several, if a ring rolls up or a strip buckles. (2)
follows the motion of the bodies in honey
down to a stable equilibrium; h is limited so that K + M / h² stays positive definite, which the signs of the pivots
tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.analyses.instant.derivatives import displace
from duoti.analyses.states.linearised_equations import coordinate_sizes
from duoti.analyses.states.supported import refuse_reaction_feedback
from duoti.dynamics.workspace import new_linearisation, new_workspace
from duoti.integrate.implicit.newton_structure import structure_of
from duoti.kernel import run_entry
from duoti.system.arrays import Reals
from duoti.system.system import System

LONGEST = 0.5  # largest correction [rad, or parts of the size of the mechanism]
FULL_STEPS = 40  # corrections by (1) before (2) is tried
WORSE = 4  # corrections in a row that are larger than the smallest one by far: (1) leads nowhere
SLIDES = 400
FIRST_FRACTION, LEAST_FRACTION = 0.1, 1e-4  # of the loads, by which they grow
EASY = 12  # corrections in which (1) must converge for a step of the loads
LOADINGS = 1500  # corrections altogether
CORRECTION_CONVERGED = 1e-13  # correction [rad, parts of the size] that is round-off
NEARLY = 1e-6  # the same from which on (1) takes over again
STIFF = 1e-11  # part of a pivot's row below which it counts as zero


@dataclass(frozen=True)
class Matrices:
    """K, C and M at rest: their entries in the order of the lists `SparseBalance.column`."""

    K: Reals
    C: Reals
    M: Reals


class SparseBalance:
    """The equations of equilibrium of a tree of bodies whose forces couple neighbours only."""

    def __init__(self, system: System, t: float, length: float):
        refuse_reaction_feedback(system, "an equilibrium")
        self.system, self.t = system, t
        self.size = coordinate_sizes(system, length)
        known = structure_of(system, stabilised=False)
        self.start, self.column = known.start, known.column
        self.row = np.repeat(np.arange(system.nv), np.diff(self.start))
        self.work = new_workspace(system, ydot=True)
        self.made = new_linearisation(system, self.work, pattern=(self.start, self.column))

    def _put(self, q: Reals) -> None:
        work, nq, nv = self.work, self.system.nq, self.system.nv
        work.clock[0] = self.t
        work.y[:nq], work.y[nq : nq + nv], work.ydot[nq : nq + nv] = q, 0.0, 0.0

    def residual(self, q: Reals) -> Reals:
        """The forces that must act to hold the bodies there."""
        self._put(q)
        run_entry(self.work.calls[0].residual, self.work.at[0].system)
        return self.work.a_free.copy()

    def matrices(self, q: Reals) -> Matrices:
        """Derivatives there."""
        self._put(q)
        run_entry(self.work.calls[0].linearise, self.work.at[0].system)
        tangent = self.made.tangent
        point = self.row * tangent.K.shape[1] + self.column  # see `band_matrix`
        return Matrices(*(each.ravel()[point] for each in (tangent.K, tangent.C, tangent.M)))

    # ----------------------------------------------------------------------------------------------------- solutions

    def correction(self, A: Reals, r: Reals) -> Reals | None:
        """The solution of A x = -r, in units in which a radian counts as much as a shift by the mechanism's size."""
        try:
            x = -_factors(self.scaled(A)).solve(self.size * r)
        except RuntimeError:  # singular
            return None
        return self.size * x if np.all(np.isfinite(x)) else None

    def scaled(self, A: Reals) -> Any:
        """The sparse matrix with these entries, in those units."""
        from scipy.sparse import csr_array

        values, n = A * self.size[self.row] * self.size[self.column], self.system.nv
        return csr_array((values, self.column, self.start), shape=(n, n))

    def negative(self, A: Reals) -> int:
        """How many directions A pushes away from, of its symmetric part: negative pivots (Sylvester's law)."""
        scaled = self.scaled(A)
        pivots = _factors(0.5 * (scaled + scaled.T), symmetric=True)
        if pivots is None:
            return 1
        return int(np.sum(pivots < 0.0))

    def change(self, x: Reals) -> float:
        """Size of a correction, in radians or parts of the mechanism's size."""
        return float(np.max(np.abs(x) / self.size, initial=0.0))

    def limited(self, x: Reals) -> Reals:
        """A correction, no longer than is sensible."""
        return x * min(1.0, LONGEST / max(self.change(x), 1e-300))

    # ----------------------------------------------------------------------------------------------------- ways down

    def newton(self, q: Reals, steps: int = FULL_STEPS, held: Reals | float = 0.0) -> tuple[Reals, bool, int]:
        """(1), with the forces `held` taken away. Returns the point, whether corrections vanished there, and how many
        were made.
        """
        least, worse, before = np.inf, 0, np.inf
        for count in range(steps):
            x = self.correction(self.matrices(q).K, self.residual(q) - held)
            if x is None:
                return q, False, count
            small = self.change(x)
            if small <= CORRECTION_CONVERGED or (small <= NEARLY * 1e-4 and small >= 0.5 * before):  # round-off
                return q, True, count
            worse = worse + 1 if small > 10.0 * least and small < LONGEST else 0
            if worse >= WORSE:
                return q, False, count
            least, before = min(least, small), small
            q = displace(self.system, q, self.limited(x))
        return q, False, steps

    def load_by_steps(self, q: Reals) -> tuple[Reals, bool, int]:
        """(3), from part = 0 to 1, with steps that follow how easily (1) converges."""
        at_first = self.residual(q)
        fraction, step, count = 0.0, FIRST_FRACTION, 0
        while fraction < 1.0 and step > LEAST_FRACTION and count < LOADINGS:
            to = min(1.0, fraction + step)
            point, ok, made = self.newton(q, EASY, (1.0 - to) * at_first)
            count += made
            if ok:
                fraction, q = to, point
                step *= 2.0 if made <= EASY // 2 else 1.0
            else:
                step *= 0.4
        return q, fraction == 1.0, count

    def relax(self, q: Reals) -> tuple[Reals, int]:
        """(2), until corrections are small at a stable point."""
        here, r = self.matrices(q), self.residual(q)
        a = self.correction(here.M, r)
        fast = self.change(a) if a is not None else 1.0
        h, size = float(np.sqrt(2.0 * LONGEST / max(fast, 1e-12))), self._merit(here.M, r)
        for count in range(SLIDES):
            step, steady = h, self.negative(here.K) == 0
            while not steady and step > 1e-9 and self.negative(here.K + here.M / step**2):
                step *= 0.6
            x = self.correction(here.K + here.M / step**2 + here.C / step, r)
            if x is None:
                h *= 0.3
                continue
            x = self.limited(x)
            q = displace(self.system, q, x)
            if steady and self.change(x) <= NEARLY:
                return q, count + 1
            here, r = self.matrices(q), self.residual(q)
            new = self._merit(here.M, r)
            h = max(step * min(4.0, max(0.3, np.sqrt(size / max(new, 1e-300)))), 1e-9)
            size = new
        return q, SLIDES

    def _merit(self, M: Reals, r: Reals) -> float:
        a = self.correction(M, r)
        return -float(r @ a) if a is not None else float(r @ r)


def _factors(A: Any, symmetric: bool = False) -> Any:
    """Sparse factors, or, if only the signs count, the pivots in an order that keeps the matrix symmetric."""
    from scipy.sparse.linalg import splu

    if not symmetric:
        return splu(A.tocsc(), permc_spec="MMD_AT_PLUS_A")
    try:
        made = splu(
            A.tocsc(),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True, "Equil": False},
        )
    except RuntimeError:
        return None
    return made.U.diagonal() if np.array_equal(made.perm_r, made.perm_c) else None
