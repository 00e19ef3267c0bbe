"""dx/dt = A x + B u of a tree in a state, x = (delta, dv, dz), in one call.

    d(delta)/dt = dv - w x delta,   dv/dt = da/d delta delta + da/dv dv - M^-1 Z dz,   d(dz)/dt = Fq delta + Fv dv + Fz
    dz

The last states of z may be inputs: columns of B in place of A.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.derivatives.forward import solve_derivatives
from duoti.kernel import ContextType, call_entry, entry, unpack
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT


class StateSpace(NamedTuple):
    """What the entry reads and writes. nx: the states of z that are none of the inputs."""

    system: int  # address of the context (tree, loads, closures, w)
    nx: int
    L: Any  # scratch for the factor of M
    X: Any  # [nv, 3 nv] da/d delta, da/dv, M^-1
    A: Any  # [2 nv + nx, 2 nv + nx]
    B: Any  # [2 nv + nx, nz - nx]


STATE_SPACE_CONTEXT = ContextType(
    lambda: (StateSpace(0, 0, np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1)), np.zeros((1, 1))),)
)


@entry
def state_space_entry(context):
    """Entry: A and B in the state w.y at the time w.clock."""
    (s,) = unpack(context, STATE_SPACE_CONTEXT)
    tree, _, _, w = unpack(s.system, REAL_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    call_entry(w.calls[0].ydot, s.system)
    call_entry(w.calls[0].linearise, s.system)
    solve_derivatives(tree, tan, s.L, s.X)
    nq, nv, nx, A, B, X = tree.nq, tree.nv, s.nx, s.A, s.B, s.X
    for i in range(nv):
        for j in range(nv):
            A[nv + i, j], A[nv + i, nv + j] = X[i, j], X[i, nv + j]
        for k in range(tree.nz):
            x = 0.0
            for j in range(nv):
                x -= X[i, 2 * nv + j] * tan.Z[j, k]
            if k < nx:
                A[nv + i, 2 * nv + k] = x
            else:
                B[nv + i, k - nx] = x
    for k in range(tree.quat_v.shape[0]):
        j = tree.quat_v[k]
        a, b, c = w.y[nq + j], w.y[nq + j + 1], w.y[nq + j + 2]
        A[j, j + 1], A[j, j + 2], A[j + 1, j + 2] = c, -b, a
        A[j + 1, j], A[j + 2, j], A[j + 2, j + 1] = -c, b, -a
    for i in range(nx):
        for j in range(nv):
            A[2 * nv + i, j], A[2 * nv + i, nv + j] = tan.Fq[i, j], tan.Fv[i, j]
        for k in range(tree.nz):
            if k < nx:
                A[2 * nv + i, 2 * nv + k] = tan.Fz[i, k]
            else:
                B[2 * nv + i, k - nx] = tan.Fz[i, k]
