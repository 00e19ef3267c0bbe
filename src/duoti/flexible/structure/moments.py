"""How the mass of a flexible body is distributed: products of its fields, and the nine invariants made of them.

A point of the body is at s = r + sum_j phi_j eta_j in the body's frame. All inertial terms of its motion are integrals
over the mass of products of the scalar fields

    1,  x, y, z (the components of r),  phi_1x, phi_1y, phi_1z, phi_2x, ...

so that their Gram matrix says all. Another frame, or modes that are counted from another frame, are linear combinations
of the same fields: the Gram matrix changes by a congruence. The nine inertia invariants of the literature (Shabana,
Dynamics of Multibody Systems, 4th ed., section 5.2; Wallrapp 1994) are read off it by a~ b~ = b a^T - (a . b) 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.spatial.axes import Array, frozen

SKEW = np.zeros((3, 3, 3))  # SKEW[i] @ v = e_i x v; a~ = a[i] SKEW[i]
for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    SKEW[i, k, j], SKEW[i, j, k] = 1.0, -1.0


def cross_matrices(vectors: Any) -> Array:
    """v~ of vectors along the last axis: [..., 3] to [..., 3, 3]."""
    return np.einsum("...i,ixy->...xy", vectors, SKEW)


@dataclass(frozen=True, eq=False)
class Moments:
    """Gram matrix of the fields 1, x, y, z, phi_1x, phi_1y, phi_1z, phi_2x, ... over the mass, in SI units."""

    gram: Array  # [4 + 3 n, 4 + 3 n]

    def __post_init__(self) -> None:
        gram = np.asarray(self.gram, dtype=float)
        if gram.ndim != 2 or gram.shape[0] != gram.shape[1] or gram.shape[0] < 4 or (gram.shape[0] - 4) % 3:
            raise ValueError(f"moments: a matrix of 4 + 3 n rows and columns is needed, got {gram.shape}")
        if not np.isfinite(gram).all():
            raise ValueError("moments: the matrix holds NaN or infinity")
        object.__setattr__(self, "gram", frozen(0.5 * (gram + gram.T)))

    @classmethod
    def of(
        cls,
        mass: Any,
        positions: ArrayLike,
        modes: ArrayLike,
        second_moments: ArrayLike | None = None,
        rotations: ArrayLike | None = None,
    ) -> Moments:
        """Of nodes or integration points.

        mass: [N] masses, or the scalar mass matrix [N, N] of a consistent mass (m_ab of m_ab x 1_3), dense or
        sparse [kg]; positions: [N, 3]; modes: [N, 3, n] displacements of unit modal coordinates.
        For points with rotary inertia (cross-sections of a beam): second_moments [N, 3, 3], integrals of s s^T dm over
        the section [kg m^2], body axes (J = trace(E) 1 - E), and rotations [N, 3, n],
        rotation vectors of unit modal coordinates.
        """
        r, phi = np.asarray(positions, dtype=float), np.asarray(modes, dtype=float)
        count, n = r.shape[0], phi.shape[2]
        fields = np.concatenate([np.ones((count, 1)), r, phi.transpose(0, 2, 1).reshape(count, 3 * n)], axis=1)
        weighted = fields * np.asarray(mass)[:, None] if np.ndim(mass) == 1 else mass @ fields
        gram = fields.T @ np.asarray(weighted)
        if second_moments is not None and rotations is not None:
            # the offset s of a point of the section moves by psi_j x s: fields linear in s
            psi = cross_matrices(np.moveaxis(np.asarray(rotations, dtype=float), 2, 1))  # [N, n, 3, 3]
            eye = np.broadcast_to(np.eye(3), (count, 1, 3, 3))
            linear = np.concatenate([np.zeros((count, 1, 3)), np.concatenate([eye, psi], 1).reshape(count, -1, 3)], 1)
            gram = gram + np.einsum("afx,axy,agy->fg", linear, np.asarray(second_moments, dtype=float), linear)
        return cls(gram)

    @property
    def n(self) -> int:
        """Number of modes."""
        return (self.gram.shape[0] - 4) // 3

    def transformed(self, T: Array) -> Moments:
        """With other fields, new = old T."""
        return Moments(T.T @ self.gram @ T)

    def in_frame(self, R: Array, p: Array) -> Moments:
        """Of the same body, seen from a frame with axes R and origin p in the present one: r' = R^T (r - p)."""
        T = np.zeros_like(self.gram)
        T[0, 0] = 1.0
        T[0, 1:4], T[1:4, 1:4] = -p @ R, R
        for j in range(4, T.shape[0], 3):
            T[j : j + 3, j : j + 3] = R
        return self.transformed(T)

    def counted_from(self, p: Array, t: Array, theta: Array) -> Moments:
        """With modes counted from a frame at p that moves by t [3, n] and turns by theta [3, n] with the coordinates.

        phi_j' = phi_j - t_j - theta_j x (r - p): modes of the same span that leave this frame where it is.
        """
        T = np.eye(self.gram.shape[0])
        turn = cross_matrices(theta.T)  # [n, 3, 3]
        for j in range(self.n):
            columns = slice(4 + 3 * j, 7 + 3 * j)
            T[0, columns] -= t[:, j] - turn[j] @ p
            T[1:4, columns] -= turn[j].T
        return self.transformed(T)

    # ------------------------------------------------------------------------------------- blocks of the Gram matrix

    @cached_property
    def r_phi(self) -> Array:
        """[x, j, y]: integral of r_x phi_jy dm."""
        return frozen(self.gram[1:4, 4:].reshape(3, self.n, 3))

    @cached_property
    def phi_phi(self) -> Array:
        """[j, x, k, y]: integral of phi_jx phi_ky dm."""
        return frozen(self.gram[4:, 4:].reshape(self.n, 3, self.n, 3))

    # ------------------------------------------------------------------------------------------- the nine invariants

    @property
    def I1(self) -> float:
        """Mass."""
        return float(self.gram[0, 0])

    @property
    def I2(self) -> Array:
        """[3] first moment, sum of m r."""
        return self.gram[0, 1:4]

    @property
    def I3(self) -> Array:
        """[3, n] sum of m phi_j."""
        return self.gram[0, 4:].reshape(self.n, 3).T

    @property
    def I4(self) -> Array:
        """[3, n] sum of m r x phi_j."""
        return -np.einsum("ixy,xjy->ij", SKEW, self.r_phi)

    @property
    def I5(self) -> Array:
        """[j, 3, k] sum of m phi_j x phi_k."""
        return -np.einsum("ixy,jxky->jik", SKEW, self.phi_phi)

    @property
    def I6(self) -> Array:
        """[n, n] sum of m phi_j . phi_k: modal mass."""
        return np.einsum("jxkx->jk", self.phi_phi)

    @property
    def I7(self) -> Array:
        """[3, 3] inertia about the frame's origin, - sum of m r~ r~."""
        second = self.gram[1:4, 1:4]
        return np.trace(second) * np.eye(3) - second

    @property
    def I8(self) -> Array:
        """[j, 3, 3] sum of m r~ phi_j~."""
        return np.einsum("xjy->jyx", self.r_phi) - np.einsum("xjx,yz->jyz", self.r_phi, np.eye(3))

    @property
    def I9(self) -> Array:
        """[j, k, 3, 3] sum of m phi_j~ phi_k~."""
        return np.einsum("jxky->jkyx", self.phi_phi) - np.einsum("jk,yz->jkyz", self.I6, np.eye(3))

    def mass_matrix(self) -> Array:
        """[6 + n, 6 + n] mass matrix in the shape of reference, of (angular velocity, velocity, modal velocities)."""
        M = np.zeros((6 + self.n, 6 + self.n))
        M[:3, :3], M[3:6, 3:6], M[6:, 6:] = self.I7, self.I1 * np.eye(3), self.I6
        M[:3, 3:6], M[:3, 6:], M[3:6, 6:] = cross_matrices(self.I2), self.I4, self.I3
        return np.triu(M) + np.triu(M, 1).T

    def with_modal_mass(self, mass: ArrayLike) -> Moments:
        """With another I6 [n, n], for mass matrices that no distribution of points gives; the rest stays."""
        gram = self.gram.copy()
        excess = (np.asarray(mass, dtype=float) - self.I6) / 3.0
        gram[4:, 4:] += np.einsum("jk,xy->jxky", excess, np.eye(3)).reshape(3 * self.n, 3 * self.n)
        return Moments(gram)
