"""`inverse_kinematics`: joint coordinates that bring a marker to a pose, by least squares within the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.instant.derivatives import displace
from duoti.analyses.states.consistent import state_of
from duoti.analyses.states.supported import as_system
from duoti.dynamics.loops.constraints import closure_state
from duoti.dynamics.tree.kinematics import marker_jacobian
from duoti.dynamics.workspace import new_workspace
from duoti.model.elements import Body, Marker, name_of
from duoti.model.errors import ChannelError, ModelError, did_you_mean
from duoti.model.model import Model
from duoti.results.records import Stats
from duoti.results.result import Result
from duoti.spatial import Rotation
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System

ITERATIONS = 200
CLOSED = 1e-10  # residual of loops [m or rad]
LOOPS = 1e3  # weight of the loops beside the pose, while both are sought
LONGEST = 0.5  # step of a coordinate [rad or m]


@dataclass(frozen=True, eq=False)
class InverseKinematics:
    """A position of the mechanism, and how near its marker came to the pose.

    ik.q are all coordinates; ik["A.angle"], ik["tool.position"], ... channels as in a result.
    """

    system: System
    q: Reals
    position_error: float
    """Distance from the position that was asked for [m]; 0 if none was."""
    rotation_error: float
    """Angle from the rotation that was asked for [rad]; 0 if none was."""
    ok: bool
    """Whether the pose was met."""
    at_limits: tuple[str, ...]
    """Joints that stand at one of their limits."""
    tries: int
    """How many starts were needed."""

    @property
    def reason(self) -> str:
        """What was found, in a sentence."""
        if self.ok:
            return "the pose is met"
        stopped = f"; {', '.join(self.at_limits)} at their limits" if self.at_limits else ""
        return (
            f"{self.position_error:.4g} m and {self.rotation_error:.4g} rad are left after {self.tries} starts{stopped}"
        )

    def __getitem__(self, channel: str) -> Any:
        y = self.system.whole_state(self.q, np.zeros(self.system.nv))[None]
        return Result(self.system, np.zeros(1), y, True, "inverse kinematics", Stats("", 0, 0, 0, 0.0))[channel][0]

    @property
    def values(self) -> dict[str, Any]:
        """Coordinates by joint: a number, or an array for joints with several."""
        found = {n: self.q[at.q] for n, at in self.system.joints.items() if len(at.q)}
        return {name: float(q[0]) if len(q) == 1 else q for name, q in found.items()}

    def __str__(self) -> str:
        lines = [self.reason]
        lines += [f"  {name} = {np.round(value, 9)}" for name, value in self.values.items()]
        return "\n".join(lines)


@explained
def inverse_kinematics(
    model: Model | System,
    marker: Body | Marker | str,
    position: ArrayLike | None = None,
    rotation: Any = None,
    *,
    guess: Mapping[str, Any] | None = None,
    joints: Sequence[str] | None = None,
    rotation_length: float = 1.0,
    tolerance: float = 1e-8,
    starts: int = 20,
    seed: int = 0,
) -> InverseKinematics:
    r"""Joint coordinates that bring a marker or body to a pose, or as near as the joints and their limits allow.

    $$\min_q\; |r(q) - r_d|^2 + \ell^2\, |\theta(q)|^2 \ \ \text{with} \quad g(q) = 0, \ q_{\min} \le q \le q_{\max}$$

    The steps are damped least squares (Levenberg and Marquardt). If the search from the initial values misses the pose,
    it starts again from random positions.

    Parameters
    ----------
    model:
        A model or a compiled system.
    marker:
        Marker or body that is brought to the pose.
    position:
        (x, y, z) [m] in world axes; `None` for a component that is free, or for all.
    rotation:
        A `dt.Rotation`, a 3x3 matrix or a quaternion (scalar first); by default any.
    guess:
        Joint → coordinates: where to begin.
    joints:
        Joints that may move; by default all.
    rotation_length:
        Length $\ell$ [m] that weighs angles against distances.
    tolerance:
        Distance [m] and angle [rad] that count as met.
    starts, seed:
        Number of starts, and the seed of their random numbers.
    """
    system = as_system(model)
    if not isinstance(marker, Body | Marker | str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f'marker={marker!r}: give a marker or a body, then its position: "tip", (0.3, 0, 0.5)')
    search = _Search(system, name_of(marker), position, rotation, joints, rotation_length, tolerance)
    rng, best = np.random.default_rng(seed), None
    q0 = _start(system, guess)
    for n in range(max(1, starts)):
        q = q0 if n == 0 else search.random_start(rng, q0)
        found = search.run(q)
        if found is not None and (best is None or found[1] < best[1]):
            best = found
        if best is not None and search.met(best[0]):
            return search.result(best[0], n + 1)
    if best is None:
        raise ValueError("no position was found in which the loops close; give a guess that is nearer to one")
    return search.result(best[0], max(1, starts))


def _start(system: System, guess: Mapping[str, Any] | None) -> Reals:
    try:
        return state_of(system, guess=guess)[0] if guess else state_of(system)[0]
    except ModelError:
        return system.initial_state()[0]


class _Search:
    def __init__(
        self, system: System, marker: str, position: Any, rotation: Any, joints: Any, length: float, tolerance: float
    ):
        self.system, self.marker, self.length, self.tolerance = system, system.marker_index(marker), length, tolerance
        self.work = new_workspace(system)
        if position is None and rotation is None:
            raise ValueError("give a position, a rotation, or both")
        target = [None] * 3 if position is None else list(np.asarray(position, dtype=object).ravel())
        if len(target) != 3:
            raise ValueError(f"position={position!r}: give (x, y, z), None for a component that does not matter")
        self.axes = [i for i, x in enumerate(target) if x is not None]
        self.target = np.array([target[i] for i in self.axes], dtype=float)
        self.rotation = None if rotation is None else _matrix(rotation)
        self.low, self.high = _bounds(system)
        self.movable = np.ones(system.nv, dtype=bool)
        if joints is not None:
            unknown = [name for name in joints if name not in system.joints]
            if unknown:
                raise ChannelError(f'there is no joint "{unknown[0]}".{did_you_mean(unknown[0], system.joints)}')
            self.movable[:] = False
            for name in joints:
                self.movable[system.joints[name].v] = True

    # ---------------------------------------------------------------------------------------------------- evaluation

    def look(self, q: Reals) -> tuple[Reals, Reals, Reals, Reals]:
        """Error of the pose and its Jacobian, residuals of the loops and theirs."""
        system, w = self.system, self.work
        J = np.zeros((6, system.nv))
        marker_jacobian(system.tree, system.loads, w, q, np.zeros(system.nv), self.marker, J)
        row, X = system.loads.markers.body[self.marker], system.loads.markers.X_BM[self.marker]
        R_WB = w.X_WB[row, :9].reshape(3, 3)
        p = w.X_WB[row, 9:] + R_WB @ X[9:]
        errors, rows = [self.target - p[self.axes]], [J[3:][self.axes]]
        if self.rotation is not None:
            turn = Rotation.from_matrix(self.rotation @ (R_WB @ X[:9].reshape(3, 3)).T).vector
            errors.append(self.length * np.asarray(turn))
            rows.append(self.length * J[:3])
        g, G = np.zeros(0), np.zeros((0, system.nv))
        if system.closures.rows:
            closure_state(w, 0.0, q, np.zeros(system.nv))
            g, G = w.g.copy(), dense_jacobian(system.closures, system.nv, w.G)
        return np.concatenate(errors), np.vstack(rows), g, G

    def met(self, q: Reals) -> bool:
        """Whether position and rotation are within the tolerance."""
        return max(self.errors(q)) <= self.tolerance

    def errors(self, q: Reals) -> tuple[float, float]:
        """Distance and angle that are left."""
        e = self.look(q)[0]
        n = len(self.axes)
        return float(np.linalg.norm(e[:n])), float(np.linalg.norm(e[n:])) / self.length

    # -------------------------------------------------------------------------------------------------------- search

    def random_start(self, rng: np.random.Generator, q0: Reals) -> Reals:
        """Coordinates within the limits, by chance; half a turn, or a metre, about the start where there are none."""
        tree, step = self.system.tree, np.zeros(self.system.nv)
        for i in np.flatnonzero(self.movable):
            k = tree.q_of_v[i]
            about = 0.0 if k < 0 else q0[k]
            reach = np.pi if tree.angular[i] else 1.0
            low, high = max(self.low[i], about - reach), min(self.high[i], about + reach)
            step[i] = rng.uniform(low, high) - about
        return displace(self.system, q0, step)

    def run(self, q: Reals) -> tuple[Reals, float] | None:
        """The best position from a start, and the square of what is left of the pose; None if loops do not close."""
        damping = 1e-4
        e, J, g, G = self.look(q)
        cost = float(e @ e + LOOPS**2 * (g @ g))
        for _ in range(ITERATIONS):
            step = self._step(q, e, J, g, G, damping)
            size = float(np.max(np.abs(step), initial=0.0))
            if size < 1e-13:
                break
            trial = displace(self.system, q, min(1.0, LONGEST / size) * step)
            values = self.look(trial)
            new = float(values[0] @ values[0] + LOOPS**2 * (values[2] @ values[2]))
            if new < cost:
                done = cost - new <= 1e-14 * cost or new < (1e-2 * self.tolerance) ** 2
                q, (e, J, g, G), cost = trial, values, new
                damping = max(0.2 * damping, 1e-15)
                if done:
                    break
            else:
                damping *= 8.0
                if damping > 1e8:
                    break
        return self._closed(q)

    def _step(self, q: Reals, e: Reals, J: Reals, g: Reals, G: Reals, damping: float) -> Reals:
        """Bounded least squares: pose, loops, and a short step."""
        from scipy.optimize import lsq_linear

        tree, nv = self.system.tree, self.system.nv
        here = np.where(tree.q_of_v >= 0, q[np.maximum(tree.q_of_v, 0)], 0.0)
        low, high = np.minimum(self.low - here, 0.0), np.maximum(self.high - here, 0.0)
        use = self.movable & (high - low > 1e-14)
        A = np.vstack([J, LOOPS * G, np.sqrt(damping) * np.eye(nv)])[:, use]
        b = np.concatenate([e, -LOOPS * g, np.zeros(nv)])
        step = np.zeros(nv)
        if not np.any(use):
            return step
        if np.all(np.isinf(low[use])) and np.all(np.isinf(high[use])):
            step[use] = np.linalg.lstsq(A, b, rcond=None)[0]
        else:
            step[use] = lsq_linear(A, b, bounds=(low[use], high[use]), method="bvls").x
        return step

    def _closed(self, q: Reals) -> tuple[Reals, float] | None:
        """The same with loops closed exactly."""
        for _ in range(20):
            e, _, g, G = self.look(q)
            if np.max(np.abs(g), initial=0.0) <= CLOSED:
                return q, float(e @ e)
            step = np.zeros(self.system.nv)
            step[self.movable] = np.linalg.lstsq(G[:, self.movable], -g, rcond=1e-9)[0]
            q = displace(self.system, q, step)
        return None

    def result(self, q: Reals, tries: int) -> InverseKinematics:
        """What the user gets."""
        tree = self.system.tree
        here = np.where(tree.q_of_v >= 0, q[np.maximum(tree.q_of_v, 0)], 0.0)
        stopped = (here - self.low < 1e-9) | (self.high - here < 1e-9)
        names = tuple(n for n, at in self.system.joints.items() if len(at.v) and np.any(stopped[at.v]))
        position, turn = self.errors(q)
        return InverseKinematics(self.system, q, position, turn, self.met(q), names, tries)


def _matrix(rotation: Any) -> Reals:
    if isinstance(rotation, Rotation):
        return np.asarray(rotation.matrix)
    given = np.asarray(rotation, dtype=float)
    made = Rotation.from_quaternion(given) if given.shape == (4,) else Rotation.from_matrix(given)
    return np.asarray(made.matrix)


def _bounds(system: System) -> tuple[Reals, Reals]:
    """Limits of the joints for each rate; none for quaternions."""
    low, high = np.full(system.nv, -np.inf), np.full(system.nv, np.inf)
    for name, at in system.joints.items():
        limits = system.model.joints[name].limits
        if limits is None or at.closure >= 0:
            continue
        pairs = dict(zip(at.q.tolist(), np.asarray(limits, dtype=float).reshape(-1, 2).tolist(), strict=True))
        for i in at.v:
            if (k := int(system.tree.q_of_v[i])) >= 0:
                low[i], high[i] = pairs[k]
    return low, high
