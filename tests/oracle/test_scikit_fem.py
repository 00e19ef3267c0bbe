"""Stiffness and mass of solid elements against scikit-fem."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.linalg import eigsh

import duoti as dt

skfem = pytest.importorskip("skfem")
pytestmark = pytest.mark.oracle

E, NU, RHO = 210e9, 0.3, 7850.0


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("kind", ["tet4", "tet10"])
def test_natural_frequencies(kind):
    """The same elements on the same distorted mesh have the same frequencies, to round-off."""
    from skfem.helpers import dot
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    rng = np.random.default_rng(2)
    mesh = dt.Mesh.box((1.0, 0.3, 0.2), (4, 2, 2), "tet4")
    nodes = mesh.nodes + rng.uniform(-0.02, 0.02, size=mesh.nodes.shape)
    element = skfem.ElementTetP1() if kind == "tet4" else skfem.ElementTetP2()
    grid = skfem.MeshTet(np.array(nodes.T), np.array(mesh.cells.T))
    basis = skfem.Basis(grid, skfem.ElementVector(element), intorder=4)
    K = linear_elasticity(*lame_parameters(E, NU)).assemble(basis)
    M = skfem.BilinearForm(lambda u, v, w: RHO * dot(u, v)).assemble(basis)
    squares = eigsh(K, k=12, M=M, sigma=-1e5, return_eigenvectors=False)
    cells = mesh.cells
    if kind == "tet10":
        pairs = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]
        ends = np.sort(np.concatenate([cells[:, list(pair)] for pair in pairs]), axis=1)
        edges, number = np.unique(ends, axis=0, return_inverse=True)
        middles = len(nodes) + number.reshape(6, -1).T
        nodes, cells = np.vstack([nodes, nodes[edges].mean(axis=1)]), np.hstack([cells, middles])
    s = dt.flexible.Structure.from_mesh(dt.Mesh(nodes, cells, kind), dt.Material(E, NU, RHO))
    found = (2 * np.pi * s.frequencies(6)) ** 2
    np.testing.assert_allclose(found, np.sort(squares)[6:], rtol=1e-8)  # round-off of K, 1e-16 times its condition
