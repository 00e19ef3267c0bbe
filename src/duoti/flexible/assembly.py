"""Stiffness, mass, geometric stiffness and stresses of a mesh of solid elements, as sparse matrices."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.flexible.elements.kinds import SOLIDS
from duoti.flexible.elements.solid_kernels import assemble_solid, geometric_stiffness, nodal_stresses

Array = NDArray[np.float64]
Matrix = Any
"""A sparse matrix of SciPy, or a dense array."""


class SolidAssembly:
    """The elements of a mesh with their materials; `lame` [cells, 3] has lam, mu [Pa] and the density [kg/m³] of
    each."""

    def __init__(self, kind: str, nodes: Array, cells: NDArray[np.int64], lame: Array):
        self.element = SOLIDS[kind]
        self.nodes = np.ascontiguousarray(nodes)
        self.cells = np.ascontiguousarray(cells)
        self.lame = np.ascontiguousarray(lame)

    @functools.cached_property
    def pattern(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Which nodes share an element: row starts, and the nodes of each row in ascending order."""
        from scipy.sparse import csr_array

        count, n = self.cells.shape
        ones = np.ones(count * n, dtype=np.int8)
        starts = np.arange(0, count * n + 1, n)
        incidence = csr_array((ones, self.cells.ravel(), starts), shape=(count, len(self.nodes)))
        shared = (incidence.T.astype(bool) @ incidence.astype(bool)).tocsr()
        shared.sort_indices()
        return shared.indptr.astype(np.int32), shared.indices.astype(np.int32)

    def matrices(self) -> tuple[Matrix, Matrix]:
        """Stiffness K (3 rows a node) and the mass m between nodes, so that M = m x 1_3 (kron)."""
        from scipy.sparse import bsr_array, csr_array

        indptr, indices = self.pattern
        K, m = np.zeros((len(indices), 3, 3)), np.zeros(len(indices))
        element = self.element
        status = assemble_solid(
            self.nodes, self.cells, self.lame, element.stiffness_tables, element.mass_tables, element.centre_tables,
            self.pattern, K, m, self._scratch(),
        )  # fmt: skip
        if status >= 0:
            raise ValueError(
                f"element {status} of the mesh (nodes {self.cells[status].tolist()}) has no volume or is turned "
                "inside out; "
                "mesh.faults() lists all such elements, and mesh.oriented() turns those that only have their nodes "
                "in the wrong order"
            )
        size = len(self.nodes)
        return (
            bsr_array((K, indices, indptr), shape=(3 * size, 3 * size)).tocsr(),
            csr_array((m, indices, indptr), shape=(size, size)),
        )

    def stresses(self, u: Array) -> Array:
        """Stresses [nodes, 6] (xx, yy, zz, xy, yz, zx) [Pa] of displacements u [nodes, 3].

        At a node that several elements share, their mean, weighted by volume.
        """
        stress, volume = self._nodal_sums(u, slice(None))
        return stress / np.where(volume > 0.0, volume, 1.0)[:, None]

    def strains(self, u: Array) -> Array:
        """Strains [nodes, 6] of displacements u [nodes, 3]: components of the tensor, xy is half of the shear angle.

        The mean of the elements at a node, as of the stresses; by Hooke's law, material by material.
        """
        total, volume = np.zeros((len(self.nodes), 6)), np.zeros(len(self.nodes))
        for lam, mu in np.unique(self.lame[:, :2], axis=0):
            stress, part = self._nodal_sums(u, np.all(self.lame[:, :2] == (lam, mu), axis=1))
            pressure = lam / (3.0 * lam + 2.0 * mu) * stress[:, :3].sum(axis=1, keepdims=True)
            total += np.hstack([stress[:, :3] - pressure, stress[:, 3:]]) / (2.0 * mu)
            volume += part
        return total / np.where(volume > 0.0, volume, 1.0)[:, None]

    def _nodal_sums(self, u: Array, of: Any) -> tuple[Array, Array]:
        """Stresses at the nodes of some cells times their volumes [nodes, 6], and these volumes [nodes]."""
        stress, volume = np.zeros((len(self.nodes), 6)), np.zeros(len(self.nodes))
        element, cells, lame = self.element, np.array(self.cells[of]), np.array(self.lame[of])
        nodal_stresses(
            self.nodes, cells, lame, element.stiffness_tables, element.nodal_tables, element.centre_tables,
            np.ascontiguousarray(u), stress, volume, self._scratch(), *self._vectors(),
        )  # fmt: skip
        return stress, volume

    def geometric(self, u: Array) -> Matrix:
        """Geometric stiffness S between nodes of the stress that displacements u [nodes, 3] cause: K_g = S x 1_3."""
        from scipy.sparse import csr_array

        indptr, indices = self.pattern
        S = np.zeros(len(indices))
        element = self.element
        geometric_stiffness(
            self.nodes, self.cells, self.lame, element.stiffness_tables, element.centre_tables,
            np.ascontiguousarray(u), self.pattern, S, self._scratch(), *self._vectors(),
        )  # fmt: skip
        return csr_array((S, indices, indptr), shape=(len(self.nodes), len(self.nodes)))

    def _scratch(self) -> tuple[Array, ...]:
        n = self.element.nodes + self.element.stiffness_tables[2].shape[1]
        small = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
        return (*small, np.empty((n, 3)), np.empty((n, n, 3, 3)), np.empty((3 * n, 3 * n)))

    def _vectors(self) -> tuple[Array, Array]:
        n = self.element.nodes + self.element.stiffness_tables[2].shape[1]
        return np.empty(3 * n), np.empty(6)
