"""Singular positions that a motion passed: closures that lose their independence for a moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from duoti.dynamics.loops.constraints import closure_state
from duoti.dynamics.workspace import new_workspace
from duoti.integrate.state import state_rates
from duoti.kernel import cold_kernel
from duoti.system.arrays import Reals, Work, size_of_state
from duoti.system.system import System

REDUNDANT = 1e-4  # pivots (squared) that never exceed this belong to redundant equations
SINGULAR = 1e-4  # and those that fall below this part of their usual size belong to a singular position,
SMALL, STEEP = 1e-2, 0.03  # or below this one, if it is a small part of the neighbours too: outputs far apart


@dataclass(frozen=True)
class Singularity:
    """A singular position: its time [s], the joints of the loop, and how small its pivot became, as part of the usual.

    Time and pivot are interpolated between outputs.
    """

    t: float
    joints: tuple[str, ...]
    pivot: float


@cold_kernel("closures work d1 d2 d1 d2")
def _pivots(closures, w, t, y, rates, out):
    for n in range(t.shape[0]):
        state_rates(w, t[n], y[n], rates)
        for r in range(closures.rows):
            out[n, r] = 1.0 / w.delassus[closures.D_row[r] + r] ** 2


def singularities(system: System, t: Reals, y: Reals) -> tuple[Singularity, ...]:
    """Singular positions between the outputs y at the times t, from the pivots of the closures' matrix G M^-1 G^T.

    A pivot measures how independent an equation is of those before it. Where it vanishes it does so as a square, so
    that a parabola through three outputs shows it even if none of them is near.
    """
    if not system.closures.rows or len(t) < 3:
        return ()
    pivots = np.zeros((len(t), system.closures.rows))
    work = new_workspace(system, ydot=True)
    _pivots(system.closures, work, np.array(t), np.array(y), np.zeros(size_of_state(system.tree)), pivots)
    found: dict[tuple[int, int], Singularity] = {}
    for r in np.flatnonzero(np.max(pivots, axis=0) > REDUNDANT):
        closure = int(np.searchsorted(system.closures.first, r, side="right")) - 1
        usual = float(np.median(pivots[:, r]))
        for k in _minima(pivots[:, r]):
            at, least = _vertex(t[k - 1 : k + 2], pivots[k - 1 : k + 2, r])
            pivot = max(least, 0.0) / usual
            near = pivot < SMALL and least < STEEP * max(pivots[k - 1, r], pivots[k + 1, r])
            if (pivot < SINGULAR or near) and ((closure, k) not in found or pivot < found[closure, k].pivot):
                found[closure, k] = Singularity(at, _joints(system, closure), pivot)
    return tuple(sorted(found.values(), key=lambda each: each.t))


def _minima(x: Reals) -> list[int]:
    """Places of local minima inside."""
    return [k for k in range(1, len(x) - 1) if x[k - 1] > x[k] <= x[k + 1]]


def _vertex(t: Reals, x: Reals) -> tuple[float, float]:
    """Place and value of the least point of the parabola through three points, within them."""
    a, b, c = np.polyfit(t - t[1], x, 2)
    if a <= 0:
        return float(t[1]), float(x[1])
    at = float(np.clip(-b / (2 * a), t[0] - t[1], t[2] - t[1]))
    return float(t[1]) + at, float(c + b * at + a * at**2)


def _joints(system: System, closure: int) -> tuple[str, ...]:
    """The joints of the loop that a cut joint closes, or the name of a constraint."""
    kind, name = system.closure_names[closure]
    if kind == "constraint" or system.topology is None:
        return (name,)
    return tuple(system.topology.loops[name].joints)


# How far the loops of a motion are open.


def drift(system: System, t: Reals, q: Reals, v: Reals, z: Reals, work: Work | None = None) -> tuple[Reals, Reals]:
    """Largest residual of the closures [m or rad] and of their rates [m/s or rad/s] at each time."""
    work = new_workspace(system) if work is None else work
    g, gdot = np.zeros(len(t)), np.zeros(len(t))
    for n in range(len(t)):
        work.y[system.nq + system.nv :][: system.nz] = z[n]  # states may switch constraints
        closure_state(work, float(t[n]), q[n].copy(), v[n].copy())
        g[n], gdot[n] = np.abs(work.g).max(initial=0.0), np.abs(work.gdot).max(initial=0.0)
    return g, gdot
