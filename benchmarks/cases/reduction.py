"""A solid of 50 000 unknowns to 20 Craig-Bampton modes: duoti against scikit-fem and SciPy.

Both begin with nodes and cells and end with the reduced mass and stiffness matrix of two rigid interfaces and 20
fixed-interface modes. The peer is written as a user of scikit-fem would who knows what to do: one factor of the
interior stiffness for constraint modes and shift-invert, with SuperLU's ordering for symmetric matrices (SciPy's
defaults take three times as long). Each side runs in a process of its own, with BLAS on one thread; what counts is
processor time after the imports. The first fixed-interface and the first held frequency must agree.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.harness import Pair, Side, case

DIVISIONS, SIZE, MODES = (36, 10, 5), (1.8, 0.5, 0.25), 20
E, NU, RHO = 210e9, 0.3, 7850.0


def ours() -> dict[str, float]:
    import duoti as dt
    from duoti.flexible.reduction.reduction import Reduction

    small = dt.flexible.Structure.from_mesh(
        dt.Mesh.box(SIZE, (1, 1, 1)), dt.Material(E, NU, RHO)
    )  # compiled or loaded: not timed
    small.frequencies(1)
    start = time.process_time()
    mesh = dt.Mesh.box(SIZE, DIVISIONS)
    structure = dt.flexible.Structure.from_mesh(mesh, dt.Material(E, NU, RHO))
    assembled = time.process_time()
    reduction = Reduction(structure, {"a": "x-", "b": "x+"}, MODES)
    return report(start, assembled, 3 * len(mesh.nodes), reduction.fixed_modes[0], reduction.omega)


def peer() -> dict[str, float]:
    import numpy as np
    import scipy.sparse as sp
    from scipy.sparse.linalg import LinearOperator, eigsh, splu
    from skfem import Basis, BilinearForm, ElementTetP2, ElementVector, MeshTet
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    import duoti as dt  # only for the grid

    grid = dt.Mesh.box(SIZE, DIVISIONS, "tet4")
    start = time.process_time()
    mesh = MeshTet(np.array(grid.nodes.T), np.array(grid.cells.T))
    basis = Basis(mesh, ElementVector(ElementTetP2()), intorder=4)
    stiff = Basis(mesh, ElementVector(ElementTetP2()), intorder=2)

    @BilinearForm
    def mass(u, v, w):
        from skfem.helpers import dot

        return RHO * dot(u, v)

    K = linear_elasticity(*lame_parameters(E, NU)).assemble(stiff).tocsc()
    M = mass.assemble(basis).tocsc()
    assembled = time.process_time()
    x = basis.doflocs
    ends = [np.flatnonzero(np.abs(x[0] - s * SIZE[0] / 2) < 1e-9) for s in (-1, 1)]
    T = sp.lil_array((K.shape[0], 12))
    for k, rows in enumerate(ends):
        at = x[:, rows]
        component = np.argmax(np.stack([np.isin(rows, np.concatenate([basis.nodal_dofs[i], basis.edge_dofs[i]]))
                                        for i in range(3)]), axis=0)  # fmt: skip
        centre = np.array([(-1, 1)[k] * SIZE[0] / 2, 0.0, 0.0])
        for row, place, i in zip(rows, at.T, component, strict=True):
            d = place - centre
            turn = np.cross(np.eye(3), d)[:, i]
            T[row, 6 * k + i] = 1.0
            for j in range(3):
                T[row, 6 * k + 3 + j] = turn[j]
    boundary = np.concatenate(ends)
    inner = np.setdiff1d(np.arange(K.shape[0]), boundary)
    Kii, Mii = K[inner][:, inner], M[inner][:, inner]
    coupling = (K[inner][:, boundary] @ T.tocsc()[boundary]).toarray()
    lu = splu(Kii, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    inverse = LinearOperator(Kii.shape, matvec=lu.solve, dtype=float)
    squares, modes = eigsh(Kii, k=MODES, M=Mii, sigma=0.0, OPinv=inverse)
    B = np.zeros((K.shape[0], 12 + MODES))
    B[inner, :12], B[boundary, :12], B[inner, 12:] = -lu.solve(coupling), T.toarray()[boundary], modes
    Kr, Mr = B.T @ (K @ B), B.T @ (M @ B)
    from scipy.linalg import eigh

    held = eigh(Kr[6:, 6:], Mr[6:, 6:], eigvals_only=True)
    return report(start, assembled, K.shape[0], np.sqrt(squares), np.sqrt(held))


def report(start: float, assembled: float, rows: int, fixed, held) -> dict[str, float]:
    return {
        "assembly": assembled - start,
        "reduction": time.process_time() - assembled,
        "total": time.process_time() - start,
        "rows": rows,
        "first": float(fixed[0]),
        "last": float(fixed[-1]),
        "held": float(held[0]),
    }


def side(name: str) -> dict[str, Any]:
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "benchmarks.cases.reduction", name]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=Path(__file__).parents[2], check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


@case("50 000 unknowns to 20 Craig-Bampton modes", "scikit-fem, SciPy", 3.0)
def craig_bampton() -> Pair:
    mine, other = side("ours"), side("peer")
    differ = max(abs(mine[key] / other[key] - 1) for key in ("first", "held"))
    return Pair(Side(taken=lambda: side("ours")["total"]), Side(taken=lambda: side("peer")["total"]), differ, 1e-8)


if __name__ == "__main__":
    print(json.dumps({"ours": ours, "peer": peer}[sys.argv[1]]()))
