"""In which axes the deviations of bodies that turn freely are measured, so that the linear system of a steady motion
does not change with time.

Rates of a spherical or free joint are in axes that turn with the body. The small deviations of a rolling wheel or a
top in these axes have coefficients that go round with it, although the motion is steady. With deviations in axes that
turn by sigma relative to the body, x' = T x, dT/dt = S(sigma) T,

    A' = T A T^-1 + S,        dA'/dt = dA/dt + S A - A S        (where T = 1)                              (1)

A steady motion is one for which some sigma makes (1) vanish: axes of the parent (sigma = -omega), of the body (0), or
any other, such as those of a coin that rolls around a circle, by least squares. Eigenvalues are those of A'.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from duoti.analyses.instant.derivatives import displace, forward_dynamics_derivatives
from duoti.analyses.states.linearised_equations import Equations, Variation, spin
from duoti.spatial import Rotation
from duoti.spatial.axes import skew
from duoti.system.arrays import Reals
from duoti.system.system import System

STEADY = 1e-5  # change of the coefficients, as part of themselves, while the fastest rate turns by a radian
STEP = 1e-4  # the way along the motion over which it is measured [rad or m]


@dataclass(frozen=True)
class Frame:
    """generator: S of the module's text; axes: what they are; drift: by how much the coefficients change there."""

    generator: Reals
    axes: str = "joint"
    drift: float | None = None


def generators(system: System, q: Reals, v: Reals) -> tuple[Reals, Reals]:
    """S for sigma = 0, and its derivatives by sigma: three for each joint with a quaternion."""
    tree = system.tree
    at_rest, by_sigma = np.zeros((system.nv, system.nv)), list[Reals]()
    for k, j in zip(tree.quat_q, tree.quat_v, strict=True):
        body = int(np.flatnonzero((tree.iv <= j) & (j < tree.iv + tree.dof))[-1])
        shifts = [i for i in range(tree.iv[body], tree.iv[body] + tree.dof[body]) if not tree.angular[i]]
        R = Rotation.from_quaternion(q[k : k + 4]).matrix  # shifts are in the axes of the joint's frame on the parent
        if len(shifts) == 3:
            at_rest[np.ix_(shifts, shifts)] = -skew(R @ v[j : j + 3])
        for axis in np.eye(3):
            S = np.zeros_like(at_rest)
            S[j : j + 3, j : j + 3] = -skew(axis)
            if len(shifts) == 3:
                S[np.ix_(shifts, shifts)] = -skew(R @ axis)
            by_sigma.append(S)
    return at_rest, np.array(by_sigma).reshape(-1, system.nv, system.nv)


def choose_frame(equations: Equations, q: Reals, v: Reals, z: Reals, t: float, here: Variation) -> Frame:
    """Axes in which the coefficients do not change, if there are any; those of the joints' parents otherwise."""
    system = equations.system
    turning = [j for j in system.tree.quat_v if np.any(v[j : j + 3])]
    if not turning:
        return Frame(np.zeros((system.nv, system.nv)))
    body, by_sigma = generators(system, q, v)
    A, change = _coefficients(system, q, v, z, t), _change(system, q, v, z, t, here)
    size = max(float(np.max(np.abs(A))), 1e-300) * float(np.max(np.abs(v)))
    omega = np.concatenate([v[j : j + 3] for j in system.tree.quat_v])
    rows = np.array([_commutator(S, A).ravel() for S in by_sigma])
    start = change + _commutator(body, A)
    best = np.linalg.lstsq(rows.T, -start.ravel(), rcond=1e-8)[0]
    choices = {"parent": -omega, "body": 0.0 * omega, "in between": best}
    frames = {
        axes: Frame(
            body + np.tensordot(sigma, by_sigma, 1), axes,
            float(np.max(np.abs(start + np.tensordot(sigma, rows, 1).reshape(start.shape)))) / size,
        )
        for axes, sigma in choices.items()
    }  # fmt: skip
    return next((frame for frame in frames.values() if (frame.drift or 0.0) < STEADY), frames["parent"])


def drift(system: System, q: Reals, v: Reals, z: Reals, t: float, here: Variation) -> float:
    """By what part of themselves the coefficients change while the fastest rate turns by a radian; no axes turn."""
    fastest = float(np.max(np.abs(v), initial=0.0))
    if fastest == 0.0:
        return 0.0
    A = _coefficients(system, q, v, z, t)
    return float(np.max(np.abs(_change(system, q, v, z, t, here)))) / (max(float(np.max(np.abs(A))), 1e-300) * fastest)


def _coefficients(system: System, q: Reals, v: Reals, z: Reals, t: float) -> Reals:
    """The matrix of all deviations (delta, dv), those that loops forbid included."""
    d = forward_dynamics_derivatives(system, q, v, t, z, must_close=False)
    return np.block([[-spin(system, v), np.eye(system.nv)], [d.dq, d.dv]])


def _change(system: System, q: Reals, v: Reals, z: Reals, t: float, here: Variation) -> Reals:
    """Its rate of change along the motion."""
    h = STEP / max(float(np.max(np.abs(v))), 1e-300)
    later, earlier = (
        _coefficients(system, displace(system, q, side * v), v + side * here.a, z, t + side) for side in (h, -h)
    )
    return (later - earlier) / (2.0 * h)


def _commutator(S: Reals, A: Reals) -> Reals:
    n = S.shape[0]
    twice = np.zeros((2 * n, 2 * n))
    twice[:n, :n] = twice[n:, n:] = S
    return twice @ A - A @ twice
