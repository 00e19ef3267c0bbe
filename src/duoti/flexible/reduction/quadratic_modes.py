"""Displacements of second order: what geometric stiffness says about them.

To second order in the coordinates a point of an elastic body is at

    s = r + phi_j eta_j + u_jk eta_j eta_k / 2                                                                   (1)

(a beam that bends is shorter). A load f then does the work f . u_jk eta_j eta_k / 2, so that it changes the
stiffness by

    K_g(f) [j, k] = - integral of f . u_jk                                                                       (2)

Read backwards: geometric stiffness matrices of unit loads are the moments of u (Wallrapp & Schwertassek 1991). A body
force along e_i gives integral of u_i dm, those that are linear in r give integral of r_x u_y dm, and a wrench at an
interface gives its displacement and turn of second order. With (1) in place of stiffness terms all of stiffening comes
out of the kinematics: mass matrix symmetric, energy and momentum kept, wrenches through joints included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.flexible.reduction.reduced import INERTIAL_LOADS, WRENCH_LOADS, Interface, Reduced
from duoti.flexible.structure.moments import SKEW
from duoti.spatial.axes import Array

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # of the products of angular velocities


@dataclass(frozen=True, eq=False)
class SecondOrder:
    """Moments of u, and u and the turn of second order at the interfaces."""

    u: Array  # [3, n, n] integral of u dm
    r_u: Array  # [3, 3, n, n] integral of r_x u_y dm
    displacement: dict[str, Array]  # [3, n, n] of each interface
    turn: dict[str, Array]  # [3, n, n]

    def counted_from(self, body: Reduced, at: Interface) -> SecondOrder:
        """With modes counted from an interface (of `body`, before the change).

        With s' = exp(-Theta) (s - p_in), where p_in and Theta = theta + Q / 2 move with the interface, to second order:

            u'_jk = u_jk - U_jk - Q_jk x d - (theta_j x phi'_k + theta_k x phi'_j)
                    - (theta_j x (theta_k x d) + theta_k x (theta_j x d)) / 2,    d = r - p
        """
        name = next(key for key, each in body.interfaces.items() if each is at)
        p, theta = at.position, at.turn
        U, Q = self.displacement[name], self.turn[name]
        after = body.moments.counted_from(p, at.displacement, theta)
        ones = after.gram[:4, 0]  # integral of (1, r) dm
        arm = after.gram[:4, 1:4] - np.outer(ones, p)  # integral of (1, r) d dm
        phi = after.gram[:4, 4:].reshape(4, body.n, 3)  # integral of (1, r) phi'
        u = np.concatenate([self.u[None], self.r_u])  # integral of (1, r) u
        u = (
            u
            - np.einsum("f,xjk->fxjk", ones, U)
            - _cross("ajk,fb->fxjk", Q, arm)
            - _twice(_cross("aj,fkb->fxjk", theta, phi))
            - 0.5 * _twice(_double(theta, arm))
        )
        moved, turned = dict[str, Array](), dict[str, Array]()
        for key, each in body.interfaces.items():
            d = (each.position - p)[None]
            phi_k = (each.displacement - at.displacement - np.cross(theta.T, d).T).T[None]
            moved[key] = (
                self.displacement[key]
                - U
                - _cross("ajk,fb->fxjk", Q, d)[0]
                - _twice(_cross("aj,fkb->fxjk", theta, phi_k))[0]
                - 0.5 * _twice(_double(theta, d))[0]
            )
            # log(exp(-a) exp(b)) = b - a - a x b / 2 to second order
            turned[key] = self.turn[key] - Q - 0.5 * _twice(_cross("aj,fkb->fxjk", theta, each.turn.T[None]))[0]
        return SecondOrder(u[0], u[1:], moved, turned)

    def in_frame(self, R: Array, p: Array) -> SecondOrder:
        """Seen from a frame with axes R and origin p in the present one."""

        def turned(vectors: dict[str, Array]) -> dict[str, Array]:
            return {key: np.einsum("yx,yjk->xjk", R, each) for key, each in vectors.items()}

        r_u = self.r_u - np.einsum("x,yjk->xyjk", p, self.u)
        r_u = np.einsum("xa,yb,xyjk->abjk", R, R, r_u)
        return SecondOrder(np.einsum("yx,yjk->xjk", R, self.u), r_u, turned(self.displacement), turned(self.turn))


def _cross(subscripts: str, a: Array, b: Array) -> Array:
    """a x b with the components a and b in the subscripts, x in the result."""
    left, right = subscripts.split("->")
    return np.einsum(f"axb,{left}->{right}", SKEW, a, b, optimize=True)


def _double(theta: Array, d: Array) -> Array:
    """theta_j x (theta_k x d)."""
    inner = _cross("ak,fb->fxk", theta, d)
    return _cross("aj,fbk->fxjk", theta, inner)


def _twice(A: Array) -> Array:
    """A_jk + A_kj."""
    return A + np.swapaxes(A, -1, -2)


def of_loads(body: Reduced) -> SecondOrder | None:
    """The moments that belong to the geometric stiffness of a body; None if it has none."""
    if not body.geometric:
        return None
    zero = np.zeros((body.n, body.n))

    def K(label: str) -> Any:
        return body.geometric.get(label, zero)

    u = np.array([K(f"a.{i}") for i in "xyz"])
    C = np.zeros((3, 3, body.n, body.n))
    squares = np.array([K(f"w.{i}{i}") for i in "xyz"])  # K_xx = -(C_yy + C_zz)
    for i in range(3):
        C[i, i] = squares[i] - 0.5 * squares.sum(0)
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        both, difference = K("w." + "".join(sorted("xyz"[i] + "xyz"[j]))), K(f"alpha.{'xyz'[k]}")
        # K_w.ij = C_ij + C_ji; the load -e_k x r makes K_alpha.k = C_ij - C_ji
        C[i, j], C[j, i] = 0.5 * (both + difference), 0.5 * (both - difference)
    moved = {name: -np.array([K(f"{name}.{w}") for w in WRENCH_LOADS[:3]]) for name in body.interfaces}
    turned = {name: -np.array([K(f"{name}.{w}") for w in WRENCH_LOADS[3:]]) for name in body.interfaces}
    return SecondOrder(u, C, moved, turned)


def to_loads(second: SecondOrder) -> dict[str, Array]:
    """Geometric stiffness by labels: the way back."""
    C = second.r_u
    trace = np.einsum("iijk->jk", C)
    values = [*second.u, *(C[i, j] - C[j, i] for i, j in ((1, 2), (2, 0), (0, 1)))]
    values += [C[i, i] - trace if i == j else C[i, j] + C[j, i] for i, j in PAIRS]
    loads = dict(zip(INERTIAL_LOADS, values, strict=True))
    for name in second.displacement:
        both = np.concatenate([second.displacement[name], second.turn[name]])
        loads |= {f"{name}.{w}": -each for w, each in zip(WRENCH_LOADS, both, strict=True)}
    return loads
