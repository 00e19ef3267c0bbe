"""`workspace`: the points that a marker can reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.instant.dynamics import jacobian
from duoti.analyses.states.consistent import constraint_jacobian, state_of
from duoti.analyses.states.supported import as_system
from duoti.model.elements import Body, Marker, name_of
from duoti.model.errors import ChannelError, ModelError, did_you_mean
from duoti.model.model import Model
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Workspace:
    """Points [m] that a marker reached, with the coordinates q and the manipulability of each.

    Manipulability is the smallest singular value of the Jacobian along the directions in which the point moves at all.
    Near zero, the mechanism is near a singular position.
    """

    marker: str
    points: Reals
    q: Reals
    manipulability: Reals
    tried: int
    """How many positions were tried; those whose loops do not close are not in it."""

    @property
    def box(self) -> tuple[Reals, Reals]:
        """Least and largest coordinates of the points."""
        return self.points.min(axis=0), self.points.max(axis=0)

    def plot(self) -> Figure:
        """The points in the plane in which they spread most, coloured by manipulability."""
        from duoti.results.plot.analyses import plot_cloud

        title = f"points that {self.marker} reaches: {len(self.points)} of {self.tried} positions"
        return plot_cloud(title, self.points, self.manipulability, "manipulability in m/rad or 1")

    def __str__(self) -> str:
        low, high = self.box
        spans = ", ".join(f"{axis} {a:.4g} ... {b:.4g} m" for axis, a, b in zip("xyz", low, high, strict=True))
        return f"{self.marker} reaches {spans} ({len(self.points)} of {self.tried} positions)"


@explained
def workspace(
    model: Model | System,
    marker: Body | Marker | str,
    joints: Mapping[str, Any] | None = None,
    points: int = 2000,
    seed: int = 0,
) -> Workspace:
    r"""Points that a marker or body can reach, from evenly spread positions of the joints.

    $$\{\, r(q) : q_{\min} \le q \le q_{\max},\; g(q) = 0 \,\}$$

    Parameters
    ----------
    marker:
        Marker or body.
    joints:
        Joint → (least, largest) coordinate, or a list of such pairs. By default the limits of the joints, and a whole
        turn for hinges without limits.
    points:
        Number of positions.
    seed:
        Seed of the positions.
    """
    system = as_system(model)
    where = name_of(marker)
    index = system.marker_index(where)
    if points < 1:
        raise ValueError(f"points={points!r}: give a positive number")
    ranges = _ranges(system, joints)
    q = _positions(system, ranges, points, seed)
    if not len(q):
        raise ValueError(f"none of {points} positions closes the loops; give narrower ranges of the joints")
    y = np.array([system.whole_state(each, np.zeros(system.nv)) for each in q])
    frames = observe(system, np.zeros(len(q)), y, FRAMES, [index]).frames[:, 0]
    quality = np.array([_manipulability(system, where, each) for each in q])
    return Workspace(where, frames[:, 9:12], q, quality, points)


def _ranges(system: System, given: Mapping[str, Any] | None) -> dict[int, tuple[str, int, float, float]]:
    """Coordinate -> (joint, its number there, least, largest)."""
    found: dict[int, tuple[str, int, float, float]] = {}
    missing: list[str] = []
    for name, pairs in (given or {}).items():
        if name not in system.joints:
            raise ChannelError(f'there is no joint "{name}".{did_you_mean(name, system.joints)}')
        at = system.joints[name]
        for n, (k, (low, high)) in enumerate(zip(at.q.tolist(), np.asarray(pairs, float).reshape(-1, 2), strict=True)):
            found[k] = (name, n, float(low), float(high))
    if given is not None:
        return found
    for name in _drivers(system):
        at, limits = system.joints[name], system.model.joints[name].limits
        pairs = (
            np.full((len(at.q), 2), (-np.inf, np.inf)) if limits is None else np.asarray(limits, float).reshape(-1, 2)
        )
        turns = {int(system.tree.q_of_v[i]): bool(system.tree.angular[i]) for i in at.v}
        for n, (k, (low, high)) in enumerate(zip(at.q.tolist(), pairs, strict=True)):
            if turns.get(k, False):
                low, high = max(low, -np.pi), min(high, np.pi)
            if not (np.isfinite(low) and np.isfinite(high)):
                missing.append(name)
            found[k] = (name, n, float(low), float(high))
    if missing:
        raise ValueError(
            f"{', '.join(dict.fromkeys(missing))}: no limits; give joints={{{missing[0]!r}: (least, largest)}}"
        )
    return found


def _drivers(system: System) -> list[str]:
    """Joints that are moved if the user names none."""
    joints = [name for name, at in system.joints.items() if len(at.v) and at.closure < 0]
    if not system.closures.rows:
        return joints
    names = constraint_jacobian(system, state_of(system)[0]).free_names
    rates = {system.rate_names.index(name) for name in names if name in system.rate_names}
    return [name for name in joints if rates & set(system.joints[name].v.tolist())]


def _positions(system: System, ranges: Mapping[int, tuple[str, int, float, float]], points: int, seed: int) -> Reals:
    from scipy.stats import qmc

    low, high = (np.array([r[k] for r in ranges.values()]) for k in (2, 3))
    even = qmc.Halton(len(ranges), scramble=False).random(points) + np.random.default_rng(seed).random(len(ranges))
    samples = low + (high - low) * (even % 1.0)
    base = system.initial_state()[0]
    if not system.closures.rows:
        q = np.tile(base, (points, 1))
        q[:, list(ranges)] = samples
        return q
    found: list[Reals] = []
    for sample in samples:
        values: dict[str, Any] = {}
        for (name, _, _, _), x in zip(ranges.values(), sample, strict=True):
            values.setdefault(name, []).append(float(x))
        try:
            found.append(state_of(system, values)[0])
        except ModelError:
            continue
    return np.array(found)


def _manipulability(system: System, marker: str, q: Reals) -> float:
    J = jacobian(system, marker, q)[3:]
    if system.closures.rows:
        J = J @ constraint_jacobian(system, q, must_close=False).basis
    sigma = np.linalg.svd(J, compute_uv=False)
    directions = min(J.shape[1], 3 - int(np.sum(np.max(np.abs(J), axis=1) < 1e-12)))
    return float(sigma[directions - 1]) if directions > 0 else 0.0
