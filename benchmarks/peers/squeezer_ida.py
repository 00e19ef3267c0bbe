"""Andrews' squeezing mechanism as a DAE for IDA (scikit-sundae), in the seven angles of the IVP test set.

Stabilised form of index 2 (Gear, Gupta & Leimkuhler 1985): unknowns (q, v, lambda, mu), equations

    q' = v - G^T mu,   M v' = f - G^T lambda,   g(q) = 0,   G v = 0.                                         (1)

Equations of motion as in Hairer & Wanner 1996, section VII.7. Residual and Jacobian are compiled by Numba; the Jacobian
is exact, by complex steps (with IDA's own differences it takes half as long again). Multipliers are algebraic and out
of the error test.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from sksundae.ida import IDA

NQ, NG = 7, 6
NY = 2 * NQ + 2 * NG
NAMES = [
    *("m1", "m2", "m3", "m4", "m5", "m6", "m7", "i1", "i2", "i3", "i4", "i5", "i6", "i7", "xa", "ya", "xb", "yb", "xc"),
    *("yc", "c0", "l0", "d", "da", "e", "ea", "rr", "ra", "ss", "sa", "sb", "sc", "sd", "ta", "tb", "u", "ua", "ub"),
    *("zf", "zt", "fa", "mom"),
]


@njit
def _mass(p, q, M):
    m1, m2, m3, m4, m5, m6, m7, i1, i2, i3, i4, i5, i6, i7 = p[:14]
    da, e, ea, rr, ra, sa, sb = p[23], p[24], p[25], p[26], p[27], p[29], p[30]
    ta, tb, u, ua, ub, zf, zt, fa = p[33], p[34], p[35], p[36], p[37], p[38], p[39], p[40]
    c, s, w = np.cos(q[1]), np.sin(q[3]), np.sin(q[5])
    x, y = e - ea, zf - fa
    M[:] = 0.0
    M[0, 0] = m1 * ra**2 + m2 * (rr**2 - 2 * da * rr * c + da**2) + i1 + i2
    M[0, 1] = M[1, 0] = m2 * (da**2 - da * rr * c) + i2
    M[1, 1] = m2 * da**2 + i2
    M[2, 2] = m3 * (sa**2 + sb**2) + i3
    M[3, 3] = m4 * x**2 + i4
    M[3, 4] = M[4, 3] = m4 * (x**2 + zt * x * s) + i4
    M[4, 4] = m4 * (zt**2 + 2 * zt * x * s + x**2) + m5 * (ta**2 + tb**2) + i4 + i5
    M[5, 5] = m6 * y**2 + i6
    M[5, 6] = M[6, 5] = m6 * (y**2 - u * y * w) + i6
    M[6, 6] = m6 * (y**2 - 2 * u * y * w + u**2) + m7 * (ua**2 + ub**2) + i6 + i7


@njit
def _force(p, q, v, f):
    m2, m4, m6 = p[1], p[3], p[5]
    xb, yb, xc, yc, c0, l0 = p[16], p[17], p[18], p[19], p[20], p[21]
    da, e, ea, rr, sc, sd = p[23], p[24], p[25], p[26], p[31], p[32]
    u, zf, zt, fa, mom = p[35], p[38], p[39], p[40], p[41]
    c, s = np.cos(q[2]), np.sin(q[2])
    dx, dy = sd * c + sc * s + xb - xc, sd * s - sc * c + yb - yc
    length = np.sqrt(dx * dx + dy * dy)
    pull = -c0 * (length - l0) / length
    x, y = e - ea, zf - fa
    f[0] = mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * np.sin(q[1])
    f[1] = m2 * da * rr * v[0] ** 2 * np.sin(q[1])
    f[2] = pull * (dx * (sc * c - sd * s) + dy * (sd * c + sc * s))
    f[3] = m4 * zt * x * v[4] ** 2 * np.cos(q[3])
    f[4] = -m4 * zt * x * v[3] * (v[3] + 2 * v[4]) * np.cos(q[3])
    f[5] = -m6 * u * y * v[6] ** 2 * np.cos(q[5])
    f[6] = m6 * u * y * v[5] * (v[5] + 2 * v[6]) * np.cos(q[5])


@njit
def _closures(p, q, g, G):
    xa, ya, xb, yb, d, e = p[14], p[15], p[16], p[17], p[22], p[24]
    rr, ss, u, zf, zt = p[26], p[28], p[35], p[38], p[39]
    be, bt, ga, pd, de, oe, ep = q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]
    x, y = rr * np.cos(be) - d * np.cos(bt), rr * np.sin(be) - d * np.sin(bt)
    g[0], g[1] = x - ss * np.sin(ga) - xb, y + ss * np.cos(ga) - yb
    g[2], g[3] = x - e * np.sin(pd) - zt * np.cos(de) - xa, y + e * np.cos(pd) - zt * np.sin(de) - ya
    g[4], g[5] = x - zf * np.cos(oe) - u * np.sin(ep) - xa, y - zf * np.sin(oe) + u * np.cos(ep) - ya
    G[:] = 0.0
    for k in range(3):
        G[2 * k, 0], G[2 * k, 1] = -y, d * np.sin(bt)
        G[2 * k + 1, 0], G[2 * k + 1, 1] = x, -d * np.cos(bt)
    G[0, 2], G[1, 2] = -ss * np.cos(ga), -ss * np.sin(ga)
    G[2, 3], G[3, 3] = -e * np.cos(pd), -e * np.sin(pd)
    G[2, 4], G[3, 4] = G[2, 3] + zt * np.sin(de), G[3, 3] - zt * np.cos(de)
    G[4, 5], G[5, 5] = zf * np.sin(oe), -zf * np.cos(oe)
    G[4, 6], G[5, 6] = G[4, 5] - u * np.cos(ep), G[5, 5] - u * np.sin(ep)


@njit
def _residual(p, y, yp, res, M, G, f):
    q, v, lam, mu = y[:7], y[7:14], y[14:20], y[20:]
    _mass(p, q, M)
    _force(p, q, v, f)
    _closures(p, q, res[14:20], G)
    for i in range(7):
        a, b = yp[i] - v[i], -f[i]
        for k in range(6):
            a += G[k, i] * mu[k]
            b += G[k, i] * lam[k]
        for j in range(7):
            b += M[i, j] * yp[7 + j]
        res[i], res[7 + i] = a, b
    for k in range(6):
        s = 0.0 * v[0]
        for i in range(7):
            s += G[k, i] * v[i]
        res[20 + k] = s


@njit
def _jacobian(p, y, yp, cj, J, yc, ypc, rc, M, G, f):
    for i in range(26):
        yc[i], ypc[i] = y[i], yp[i]
    for j in range(26):
        yc[j] = y[j] + 1e-30j
        ypc[j] = yp[j] + cj * 1e-30j
        _residual(p, yc, ypc, rc, M, G, f)
        for i in range(26):
            J[i, j] = rc[i].imag * 1e30
        yc[j], ypc[j] = y[j], yp[j]


class Squeezer:
    """The initial value problem, ready to be solved again and again."""

    def __init__(self, parameters: dict[str, Any], end: float) -> None:
        p = np.array([parameters[name] for name in NAMES])
        self.end = end
        M, G, f = np.zeros((7, 7)), np.zeros((6, 7)), np.zeros(7)
        Mc, Gc, fc, yc, ypc, rc = (np.zeros(s, complex) for s in ((7, 7), (6, 7), 7, NY, NY, NY))

        def residual(t: float, y: Any, yp: Any, res: Any) -> None:
            _residual(p, y, yp, res, M, G, f)

        def jacobian(t: float, y: Any, yp: Any, res: Any, cj: float, J: Any) -> None:
            _jacobian(p, y, yp, cj, J, yc, ypc, rc, Mc, Gc, fc)

        self.residual, self.jacobian = residual, jacobian
        q, g = np.array(parameters["q0"]), np.zeros(6)
        _mass(p, q, M)
        _force(p, q, np.zeros(7), f)
        _closures(p, q, g, G)
        matrix = np.block([[M, G.T], [G, np.zeros((6, 6))]])  # at rest: no further terms
        solution = np.linalg.solve(matrix, np.concatenate([f, np.zeros(6)]))
        self.y0, self.yp0 = np.zeros(NY), np.zeros(NY)
        self.y0[:7], self.y0[14:20] = q, solution[7:]
        self.yp0[7:14] = solution[:7]

    def solver(self, rtol: float, speed: float) -> IDA:
        """Absolute tolerances: rtol for angles, rtol * speed for rates, none for multipliers."""
        atol = np.full(NY, rtol)
        atol[7:14], atol[14:] = speed * rtol, 1e12 * rtol
        return IDA(
            self.residual, jacfn=self.jacobian, rtol=rtol, atol=atol, algebraic_idx=np.arange(14, NY), first_step=1e-8,
            max_num_steps=100_000,
        )  # fmt: skip

    def solve(self, solver: IDA) -> np.ndarray:
        """q at the end."""
        found = solver.solve(np.array([0.0, self.end]), self.y0, self.yp0)
        assert found.success, found.message
        return found.y[-1, :7]
