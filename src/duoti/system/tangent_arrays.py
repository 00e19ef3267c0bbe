"""`Tangent`: what the derivatives of the recursions are kept in.

Displacements of the position are tangent vectors: delta has nv entries with the meaning of a velocity, q + delta for
plain coordinates and q o exp(delta) for quaternions. Columns, twists and wrenches are in world axes about one fixed
point, where the origin of the first body is at the moment.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duoti.kernel import CHECK, JIT
from duoti.system.arrays import Closures, Tree

S_, PSI, PSI2, PHI = 0, 6, 9, 15  # places in a row of Tangent.columns


class Tangent(NamedTuple):
    """Derivatives and their scratch. Each field says which function writes it.

    With f(q, v, z) the forces that must act for given accelerations, f = M a + h - (what the force elements do):
    K = df/d delta, C = df/dv, M = df/da, Z = df/dz.
    """

    S: Any  # [6, nc] all columns, angular part first; dynamics.derivatives.displacements.tangent_kinematics
    Psi: Any  # [6, nc] dV_b/d delta_j = S_j x V_b + Psi_j, of bodies outboard of column j; tangent_kinematics
    V_W: Any  # [nb, 6] twists of the bodies; tangent_kinematics
    K: Any  # [nv, nv] dynamics.derivatives.rnea.inertial_derivatives, then what force elements add; or `band_matrix`
    C: Any  # [nv, nv] the same
    M: Any  # [nv, nv] inertial_derivatives
    by_column: Any  # [3, nc, nc] K, C and M of the columns, where rates share them (Tree.shared); inertial_derivatives
    Z: Any  # [nv, nz] what force elements add
    Fq: Any  # [nz, nv] d(dz/dt)/d delta; dynamics.derivatives.forces
    Fv: Any  # [nz, nv] d(dz/dt)/dv
    Fz: Any  # [nz, nz] d(dz/dt)/dz; or `band_matrix`
    Gq: Any  # [rows, nv] d(dg/dt)/d delta of the closures
    Aq: Any  # [rows, nv] d(G a - gamma)/d delta of the closures; derivatives.constraints.acceleration_derivatives
    Av: Any  # [rows, nv] d(G a - gamma)/dv; the same
    # [row_columns, 6] change of a row's wrench per column, in the order of the path; the kind of equation
    equation_change: Any
    # [row_columns, 3] parts of Aq and Av that the kind of a row knows, likewise; the kind of equation
    equation_bias: Any
    A_W: Any  # [nb, 6] accelerations minus gravity; inertial_derivatives
    F_W: Any  # [nb, 6] wrench through the inboard joint; inertial_derivatives
    I_W: Any  # [nb, 10] composite inertia; inertial_derivatives
    Q_W: Any  # [nb, 12] composite integral of (velocity) (position)^T, row by row, and momentum; inertial_derivatives
    columns: Any  # [nc, 24] S, Psi, Psi2 and Phi of each column, see dynamics.derivatives.rnea; its `outward`
    start: Any  # [nv + 1] where the list of the columns in which row i of K and C may be not zero begins, or ...
    column: Any  # ... these lists are empty: all must be cleared before a sum


LEAST_BANDED = 96  # rates: smaller matrices stand in the cache whole
BANDED = JIT and not CHECK  # who looks at single indices, as Python does, needs the whole matrix


def band_matrix(nv: int, below: int, above: int, dtype: type = float) -> NDArray[Any]:
    """Zeros for a matrix of which compiled kernels touch only (i, j) with i - below <= j <= i + above.

    In a kernel A[i, j] stands at the address of A plus `i A.shape[1] + j`, whatever shape that is. With rows as short
    as the band is wide less one, entries of neighbouring rows stand next to each other and never on the same place.
    Kernels, and only these, address it as if it had nv columns; a place outside the band is one of another entry, but
    always within this array, so that adding zero there does no harm.
    """
    stride = below + above
    return np.zeros((-(-(stride * (nv - 1) + nv) // stride), stride), dtype)


def _band_of(nv: int, start: Any, column: Any) -> tuple[int, int] | None:
    """How far entries are below and above the diagonal, or None where a full matrix is no larger than twice that."""
    if not BANDED or nv < LEAST_BANDED:
        return None
    away = column - np.repeat(np.arange(nv), np.diff(start))
    below, above = int(-away.min()), int(away.max())
    return (below, above) if below + above > 0 and 2 * (below + above) < nv else None


def allocate_tangent(
    tree: Tree, closures: Closures, dtype: type = float, fill: float = 0.0, pattern: tuple[Any, Any] | None = None,
    state_band: int = 0,
) -> Tangent:  # fmt: skip
    """Arrays for the derivatives of a system; `fill` is for tests that poison the scratch.

    K, C, M and Gq begin as zero: entries between rates of different branches are never written by the recursions.
    pattern: `start` and `column`, if kernels read only these entries of K, C and M and Python none. Where these make a
    narrow band in the order of the rates, nothing else is stored (`band_matrix`). state_band: how far the entries of Fz
    are from the diagonal, likewise; 0: anywhere.
    """

    def array(*shape: int) -> NDArray[Any]:
        return np.full(shape, fill, dtype=dtype) if fill else np.zeros(shape, dtype)

    nb, nv, nc = tree.nb, tree.nv, tree.nc
    apart = nc if tree.shared else 0
    start, column = pattern or (np.zeros(0, np.int64), np.zeros(0, np.int64))
    band = _band_of(nv, start, column) if pattern and not tree.shared else None

    banded = BANDED and state_band > 0 and tree.nz >= LEAST_BANDED and 4 * state_band < tree.nz

    def matrix() -> NDArray[Any]:
        return np.zeros((nv, nv), dtype) if band is None else band_matrix(nv, *band, dtype)

    return Tangent(
        S=array(6, nc), Psi=array(6, nc), V_W=array(nb, 6), by_column=np.zeros((3, apart, apart), dtype),
        K=matrix(), C=matrix(), M=matrix(), start=start, column=column,
        Z=np.zeros((nv, tree.nz), dtype), Fq=np.zeros((tree.nz, nv), dtype), Fv=np.zeros((tree.nz, nv), dtype),
        Fz=band_matrix(tree.nz, state_band, state_band, dtype) if banded else np.zeros((tree.nz, tree.nz), dtype),
        Gq=np.zeros((closures.rows, nv), dtype),
        Aq=np.zeros((closures.rows, nv), dtype), Av=np.zeros((closures.rows, nv), dtype),
        equation_change=array(int(closures.row_columns[-1]), 6), equation_bias=array(int(closures.row_columns[-1]), 3),
        A_W=array(nb, 6), F_W=array(nb, 6), I_W=array(nb, 10), Q_W=array(nb, 12), columns=array(nc, 24),
    )  # fmt: skip
