"""What is beside a position where forces balance: the other side of an unstable state, and what comes later."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.analyses.equilibrium.equations import Balance, BalancePoint
from duoti.analyses.instant.derivatives import displace
from duoti.analyses.states.consistent import velocity_labels
from duoti.system.arrays import Reals

LATER = 1e-3  # the way [rad, parts of the size] over which it is seen whether a motion is steady ...
STAYS = 1e-5  # ... and how far the balance may shift, per radian of it: LATER² are errors of the differences
LEANS = 1e-10  # displacement along a direction without stability that is more than round-off [rad, parts of the size]
PUSHED = 0.1  # the way to the other side of such an equilibrium [the same]


def back(K: Reals, M: Reals, way: Reals) -> Reals | None:
    """A displacement to the other side of an equilibrium that is not stable, if it was reached along a direction that
    it pushes away from; all in parts of the sizes of coordinates.

    From a column above its Euler load Newton's method comes to a shape that is bent against the side load, because the
    stiffness is negative; the load pushes to the other side. A perfect column stays straight.
    """
    from scipy.linalg import eigh

    solved: Any = eigh(K, M)
    return back_along(solved[0], solved[1], M @ way)


def back_along(values: Reals, shapes: Reals, momentum: Reals) -> Reals | None:
    """The same, by stiffnesses per mass and their shapes."""
    away = shapes[:, values < 0.0]
    largest = np.max(np.abs(away), axis=0, initial=1e-300)
    moved = (away.T @ momentum) * largest
    signs = np.where(np.abs(moved) > LEANS, np.sign(moved), 0.0)
    return -PUSHED * (away / largest) @ signs if np.any(signs) else None


def other_side(balance: Balance, begin: BalancePoint, point: BalancePoint) -> Reals | None:
    """Position on the other side of an equilibrium, see `back`."""
    here, matrix = balance.derivatives(point)
    n = point.free.N.shape[1]
    size = balance.size[point.free.independent]
    K, M = (size[:, None] * each * size for each in (matrix[:n, :n], point.free.both(here.M)))
    found = back(0.5 * (K + K.T), M, balance.gap(begin, point)[point.free.independent])
    if found is None:
        return None
    return displace(balance.system, point.q, point.free.N @ (size * found))


def shifts(balance: Balance, point: BalancePoint, speed: float) -> str:
    """What is out of balance a little later and earlier along the rates, in words: nothing in a steady motion.

    By the corrections that balance would need there: their difference has no part of second order, by which a straight
    way leaves a circle.
    """
    if speed == 0.0:
        return ""
    needed: list[Reals] = []
    for side in (LATER, -LATER):
        then = balance.at(balance.t + side / speed)
        q = then.closed(displace(balance.system, point.q, point.v * (side / speed)))
        if q is None:
            return "loops cannot be closed"
        there = then.look(q, point.z, point.v[balance.searched])
        _, matrix = then.derivatives(there)
        x = then.correction(there, matrix)
        n = there.free.N.shape[1]
        needed.append(np.concatenate([there.free.N @ x[:n] / balance.size, x[n:] / (1.0 + np.abs(point.z))]))
    change = np.abs(needed[0] - needed[1]) / (2.0 * LATER)
    if np.max(change, initial=0.0) <= STAYS:
        return ""
    names = [*velocity_labels(balance.system), *balance.system.state_names]
    most = [names[k] for k in np.argsort(-change)[:3] if change[k] > 0.1 * change.max()]
    return f"other positions of {', '.join(most)} would be in balance"
