"""The Cholesky factor by fronts and the block Krylov space, against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, eye_array, random_array
from scipy.sparse.linalg import eigsh, splu

import duoti as dt
from duoti.flexible.sparse import factor
from duoti.flexible.sparse.factor import Factor, Multifrontal, SingularStructureError

STEEL = dt.Material(youngs_modulus=210e9, poisson_ratio=0.3, density=7850.0)


@pytest.mark.parametrize("seed", range(6))
def test_random_patterns(seed):
    """Any symmetric pattern, any first order, nodes of one to three rows, also in several pieces."""
    rng = np.random.default_rng(seed)
    n, block = 60, 1 + seed % 3
    A = random_array((n, n), density=0.03, rng=rng)
    pattern = csr_array(abs(A + A.T))
    pattern.setdiag(0.0)
    pattern.eliminate_zeros()
    blocks = np.kron((pattern.toarray() != 0) + np.eye(n), np.ones((block, block))) * rng.normal(size=(n * block,) * 2)
    K = csr_array(0.1 * (blocks + blocks.T) + 10.0 * eye_array(n * block))
    fronts = Multifrontal(K, pattern, rng.permutation(n), block)
    f = rng.normal(size=(n * block, 4))
    np.testing.assert_allclose(fronts.solve(f), np.linalg.solve(K.toarray(), f), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(fronts.solve(f[:, 0]), np.linalg.solve(K.toarray(), f[:, 0]), rtol=1e-11, atol=1e-12)


def test_a_mesh(monkeypatch):
    pytest.importorskip("pymetis")
    mesh = dt.Mesh.box((0.6, 0.2, 0.2), (8, 3, 3))
    s = dt.flexible.Structure.from_mesh(mesh, STEEL)
    held = s.held("x-")
    K, M = s.K[held.free][:, held.free], s.M[held.free][:, held.free]
    assert held.factor._fronts is not None
    f = np.random.default_rng(0).normal(size=K.shape[0])
    lu = splu(K.tocsc())
    x = lu.solve(f)
    np.testing.assert_allclose(held.factor.solve(f), x, rtol=0, atol=1e-10 * np.abs(x).max())  # condition about 1e5
    squares = eigsh(K, k=12, M=M, sigma=0.0, return_eigenvectors=False)
    np.testing.assert_allclose((2 * np.pi * s.frequencies(12, "x-")) ** 2, np.sort(squares), rtol=1e-9)
    floating = s.frequencies(10)
    monkeypatch.setattr(factor, "_dissection", lambda graph: None)  # as without pymetis
    np.testing.assert_allclose(s.frequencies(10), floating, rtol=1e-9)


def test_what_can_move_is_said():
    mesh = dt.Mesh.box((0.6, 0.2, 0.2), (8, 3, 3))
    s = dt.flexible.Structure.from_mesh(mesh, STEEL)
    with pytest.raises(SingularStructureError, match="can still move"):
        Factor(s.K, 3)
    with pytest.raises(SingularStructureError, match="can still move"):
        s.frequencies(3, {"x-": "x"})
