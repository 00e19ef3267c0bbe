"""Velocity form of Verlet's method (Störmer, leapfrog): one evaluation a step, order two.

With the accelerations a_n and the rates of states of the step before,

    q_(n+1) = q_n + h (v_n + h a_n/2),   a_(n+1) = a(q_(n+1), v_n + h a_n), v_(n+1) = v_n + h (a_n + a_(n+1))/2.   (1)

Forces see predicted velocities, which are wrong by h²: that spoils the order as little as positions that move with the
velocity in the middle of the step (Swope, Andersen, Berens & Wilson 1982, J. Chem. Phys. 76, eq. 4). Where forces
depend on positions alone and the mass matrix is constant, it is symplectic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from duoti.dynamics.tree.kinematics import calc_qdot, unit_quaternions
from duoti.integrate.base import FixedStep
from duoti.integrate.explicit.tableau import runge_kutta
from duoti.integrate.explicit_loop import EXPLICIT_CONTEXT, EXPLICIT_ENTRIES, Tableau, is_finite
from duoti.integrate.state import hermite, project, state_rates
from duoti.kernel import entry, unpack
from duoti.system.context import REAL_CONTEXT


@entry
def verlet_step(address):
    """Entry STEP: y_new from y and its rates K[0]; states and energy accumulators by the trapezoidal rule, as
    velocities in (1).
    """
    context, run, _ = unpack(address, EXPLICIT_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    h, nq, ny = run.clock[0].h, tree.nq, run.y.shape[0]
    last = nq + tree.nv
    for i in range(nq, last):
        run.y_at[i] = run.y[i] + 0.5 * h * run.K[0, i]
    calc_qdot(tree, run.y[:nq], run.y_at[nq:last], run.y_at[:nq])
    for i in range(nq):
        run.y_new[i] = run.y[i] + h * run.y_at[i]
    unit_quaternions(tree, run.y_new[:nq])
    for i in range(nq, ny):
        run.y_new[i] = run.y[i] + h * run.K[0, i]
    t_new = run.clock[0].t + h
    project(w, t_new, run.y_new)
    state_rates(w, t_new, run.y_new, run.K[1])
    run.counts[0].evaluations += 1
    for i in range(nq, ny):
        run.y_new[i] = run.y[i] + 0.5 * h * (run.K[0, i] + run.K[1, i])
    if closures.rows > 0:
        project(w, t_new, run.y_new)
    calc_qdot(tree, run.y_new[:nq], run.y_new[nq:last], run.K[1, :nq])
    is_finite(run, run.K[1])


@entry
def verlet_polynomial(address):
    """Entry POLYNOMIAL: through states and rates at both ends."""
    _, run, _ = unpack(address, EXPLICIT_CONTEXT)
    hermite(run)


@dataclass(frozen=True)
class Verlet(FixedStep):
    r"""Velocity form of Verlet's method (Störmer, leapfrog) with a constant step.

    $$q_{n+1} = q_n + h\, v_n + \tfrac{h^2}{2} a_n, \qquad a_{n+1} = a(q_{n+1}, v_n + h\, a_n), \qquad
    v_{n+1} = v_n + \tfrac{h}{2}\, (a_n + a_{n+1})$$

    * Order 2, one evaluation a step.
    * Stability: $\omega h < 2$ with the largest angular frequency $\omega$; `dt.linearise(m).frequencies[-1]` is
      $\omega / 2\pi$.
    * The energy does not drift for a constant mass matrix and forces that depend on positions.
    * For: many bodies on springs, nets, cables and compliant contacts, at low accuracy.

    Forces that depend on velocities use predicted ones. Light damping is harmless; strong damping needs smaller steps.

    References
    ----------
    W. C. Swope, H. C. Andersen, P. H. Berens, K. R. Wilson, A computer simulation method for the calculation of
    equilibrium constants for the formation of physical clusters of molecules, Journal of Chemical Physics 76 (1982)
    637-649.
    """

    @staticmethod
    def entries() -> tuple[Any, ...]:
        start, _, _, shift = EXPLICIT_ENTRIES
        return start, verlet_step, verlet_polynomial, shift

    @staticmethod
    def coefficients() -> Tableau:
        """See `FixedStep.coefficients`: one stage, the rates at the end of which are those of the next step."""
        return runge_kutta(((),), (1.0,), (0.0,))
