"""Impulses at rigid stops of joints, through the joints and loops of a mechanism."""

from __future__ import annotations

import numpy as np

from duoti.analyses.dynamics import mass_matrix
from duoti.dynamics.closures import closure_state
from duoti.system.arrays import Reals, Work
from duoti.system.closures import dense_jacobian
from duoti.system.system import System

SINGULAR = 1e-10  # part of the largest singular value that counts as zero
SLIGHT = 1e-12  # of the diagonal: makes impulses at stops that depend on each other the smallest


def stop_impulses(
    system: System, work: Work, t: float, y: Reals, rates: list[int], inward: Reals, restitution: Reals
) -> Reals:
    """Rates v after an impact at the stops of some rates, which may move `inward` (1 or -1) only.

    Newton's law, in the form of Moreau: with the relative speed u = inward v before and u' after the impact,

        u' + e min(u, 0) >= 0,   impulse P >= 0,   (u' + e min(u, 0)) P = 0

    and M (v' - v) = B^T P + G^T Lambda, G v' = 0 on loops.
    """
    from scipy.optimize import nnls

    nq, nv = system.nq, system.nv
    q, v = y[:nq].copy(), y[nq : nq + nv].copy()
    M = mass_matrix(system, q)
    B = np.zeros((len(rates), nv))
    B[np.arange(len(rates)), rates] = inward
    response = np.linalg.solve(M, B.T)
    if system.closures.rows:
        work.y[:] = y
        closure_state(work, t, q, v)
        G = dense_jacobian(system.closures, nv, work.G)
        back = np.linalg.solve(M, G.T)
        response -= back @ np.linalg.lstsq(G @ back, G @ response, rcond=SINGULAR)[0]
    D = B @ response
    D = 0.5 * (D + D.T) + SLIGHT * np.diag(np.maximum(np.diag(D), 1e-300))
    u = B @ v
    aim = u + restitution * np.minimum(u, 0.0)  # w = D P + aim >= 0, P >= 0, w P = 0: least squares with P >= 0
    L = np.linalg.cholesky(D)
    P = nnls(L.T, -np.linalg.solve(L, aim))[0]
    return v + response @ P
