"""Semi-implicit (symplectic) Euler method: v first, then q with the new v. Order one, cheap, no drift of energy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from duoti.dynamics.tree.kinematics import calc_qdot, unit_quaternions
from duoti.integrate.base import FixedStep
from duoti.integrate.explicit.tableau import runge_kutta
from duoti.integrate.explicit_loop import EXPLICIT_CONTEXT, EXPLICIT_ENTRIES, SEMI_IMPLICIT, Tableau, is_finite
from duoti.integrate.state import project, state_rates
from duoti.kernel import entry, unpack
from duoti.system.context import REAL_CONTEXT


@entry
def semi_implicit_step(address):
    """Entry STEP: y_new from y and its rates K[0]; energy accumulators are summed with the rates at the beginning."""
    context, run, method = unpack(address, EXPLICIT_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    h, nq, nv = run.clock[0].h, tree.nq, tree.nv
    for i in range(nq, run.y.shape[0]):
        run.y_new[i] = run.y[i] + h * run.K[0, i]
    calc_qdot(tree, run.y[:nq], run.y_new[nq : nq + nv], run.y_at[:nq])
    for i in range(nq):
        run.y_new[i] = run.y[i] + h * run.y_at[i]
    unit_quaternions(tree, run.y_new[:nq])
    t_new = run.clock[0].t + h
    project(w, t_new, run.y_new)
    state_rates(w, t_new, run.y_new, run.K[method.stages])
    run.counts[0].evaluations += 1
    is_finite(run, run.K[method.stages])


@dataclass(frozen=True)
class SemiImplicitEuler(FixedStep):
    r"""Symplectic Euler method with a constant step: velocities first, then positions with the new velocities.

    $$v_{n+1} = v_n + h\, a(q_n, v_n), \qquad \dot q = N(q_n)\, v_{n+1}, \qquad q_{n+1} = q_n + h\, \dot q$$

    * Order 1, one evaluation a step.
    * Stability: $\omega h < 2$ for an undamped oscillation.
    * Symplectic for a constant mass matrix: the energy oscillates but does not drift.
    * For: comparison with game engines and particle codes; long runs of low accuracy.

    References
    ----------
    E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd edition, Springer 2006, section I.1.
    """

    first_order: ClassVar[bool] = True

    @staticmethod
    def entries() -> tuple[Any, ...]:
        start, _, polynomial, shift = EXPLICIT_ENTRIES
        return start, semi_implicit_step, polynomial, shift

    @staticmethod
    def coefficients() -> Tableau:
        return runge_kutta(((),), (1.0,), (0.0,))._replace(kind=SEMI_IMPLICIT)
