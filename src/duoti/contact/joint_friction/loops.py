"""Joints of closed loops that come to rest: what is held does not move at all, and neither does what depends on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.dynamics.close_loops import CLOSED, LoopEquations, close
from duoti.dynamics.loops.constraints import closure_state
from duoti.elements.joint_friction_memory import AT_REST, BACKWARD, COULOMB, FORWARD, LOWER, STOP, UPPER
from duoti.system.arrays import Reals
from duoti.system.constraint_arrays import dense_jacobian

if TYPE_CHECKING:
    from duoti.contact.joint_friction.friction_states import FrictionStates

DEPENDENT = 1e-11  # singular values of rows of loops and held joints that depend on each other, relative
STAYS = 1e-9  # acceleration, relative to the largest, or to that of friction alone: none


def rest_in_loops(states: FrictionStates, t: float, y: Reals, doubt: list[int]) -> None:
    """y is changed: joints rest that others hold through a loop, and rates fit the loops.

    doubt: slots that do not move. One that slides, by its friction state, and neither moves nor begins to, rests as
    well.
    """
    jf, nq = states.jf, states.system.nq
    a = states.rates(t, y)
    scale = float(np.max(np.abs(a), initial=0.0))
    locked = [
        s
        for s in doubt
        if jf.kind[s] == COULOMB
        and jf.size[s] == 1
        and y[jf.friction_state[s]] in (FORWARD, BACKWARD)
        and not jf.driven[s]
        and abs(a[int(jf.first[s])]) <= STAYS * max(scale, states.slowed(y, s))
    ]
    if locked:
        trial = y.copy()
        for s in locked:
            trial[jf.friction_state[s]], trial[nq + int(jf.first[s])] = AT_REST, 0.0
        if not states.misfits(t, trial, doubt):
            y[:] = trial
        else:
            states.rates(t, y)
    _velocities_of_rest(states, t, y)


def close_around(states: FrictionStates, t: float, y: Reals, q: Reals, stops: list[int]) -> Reals:
    """q with its loops closed by all joints but those at stops; y[:nq] where these cannot all be in their places."""
    system, v = states.system, y[states.system.nq :][: states.system.nv].copy()
    if np.array_equal(q, y[: system.nq]):
        return q
    held = np.zeros(system.nv, dtype=bool)
    held[[int(states.jf.first[s]) for s in stops]] = True
    states.work.y[:] = y
    closed, left = close(LoopEquations(system, t, states.work), q, v, held)
    return closed if left <= CLOSED else y[: system.nq].copy()


def _velocities_of_rest(states: FrictionStates, t: float, y: Reals) -> None:
    """Rates that fit loops and joints that are held: of what these had when they were held, nothing is left."""
    from duoti.dynamics.mass_matrix import mass_matrix

    system, work, jf = states.system, states.work, states.jf
    nq, nv = system.nq, system.nv
    held = [s for s in states.with_states if _holds(states, y, s)]
    rates = [int(jf.first[s]) + k for s in held for k in range(int(jf.size[s]))]
    if not rates:
        return
    v = y[nq : nq + nv]
    work.y[:] = y
    closure_state(work, t, y[:nq].copy(), v.copy())
    G = np.concatenate([dense_jacobian(system.closures, nv, work.G), np.eye(nv)[rates]])
    X = np.linalg.solve(mass_matrix(system, y[:nq].copy()), G.T)
    v -= X @ np.linalg.lstsq(G @ X, np.concatenate([work.gdot, v[rates]]), rcond=DEPENDENT)[0]
    v[rates] = 0.0


def _holds(states: FrictionStates, y: Reals, s: int) -> bool:
    """Whether friction or a stop holds the rates of a slot at zero."""
    state = float(y[states.jf.friction_state[s]])
    if states.jf.kind[s] == STOP:
        return state in (UPPER, LOWER)
    return state == AT_REST and not states.jf.driven[s]
