"""Two stiff problems for IDA (scikit-sundae), each in the form that suits it best; residuals compiled by Numba.

* car axis: the equations of the IVP test set in the stabilised form (Gear, Gupta & Leimkuhler 1985), unknowns q, v,
  lambda, mu: q' = v - G^T mu, k v' = f + G^T lambda, g = 0, G v + g_t = 0;
* flyball governor: its four joint coordinates (turn of the shaft, slider, both rods), an ordinary differential
  equation, written as q' = v, M v' = f. No closed loop, so nothing to be stabilised.

Jacobians are exact, by complex steps, and compiled too. Multipliers are algebraic and out of the error test.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from sksundae.ida import IDA


@njit
def _car_axis(p, t, y, yp, res):
    k, length, rest, r, w, g = p
    yb, dyb = r * np.sin(w * t), r * w * np.cos(w * t)
    xb = np.sqrt(length * length - yb * yb)
    dxb = -yb * dyb / xb
    xl, yl, xr, yr = y[0], y[1], y[2], y[3]
    u, v, a, b, lam1, lam2, mu1, mu2 = y[4], y[5], y[6], y[7], y[8], y[9], y[10], y[11]
    dx, dy = xl - xr, yl - yr
    ll, lr = np.sqrt(xl * xl + yl * yl), np.sqrt((xr - xb) ** 2 + (yr - yb) ** 2)
    fl, fr = (rest - ll) / ll, (rest - lr) / lr
    res[0] = yp[0] - u + xb * mu1 + 2 * dx * mu2
    res[1] = yp[1] - v + yb * mu1 + 2 * dy * mu2
    res[2] = yp[2] - a - 2 * dx * mu2
    res[3] = yp[3] - b - 2 * dy * mu2
    res[4] = k * yp[4] - fl * xl - lam1 * xb - 2 * lam2 * dx
    res[5] = k * yp[5] - fl * yl - lam1 * yb - 2 * lam2 * dy + k * g
    res[6] = k * yp[6] - fr * (xr - xb) + 2 * lam2 * dx
    res[7] = k * yp[7] - fr * (yr - yb) + 2 * lam2 * dy + k * g
    res[8] = xb * xl + yb * yl
    res[9] = dx * dx + dy * dy - length * length
    res[10] = xb * u + yb * v + dxb * xl + dyb * yl
    res[11] = 2 * (dx * (u - a) + dy * (v - b))


@njit
def _governor(p, t, y, yp, res):
    m_s, j_0, m_r, j_x, j_y, com, half, e, top, K, C, rest, g = p
    spin, s = y[4], y[1]
    turning, torque, pull = j_0, 0.0 * s, 0.0 * s
    for i in range(2):
        beta, rate = y[2 + i], y[6 + i]
        c, d = np.cos(beta), np.sin(beta)
        # about the shaft: the rod's mass centre at e + com cos(beta), and its own inertia (j_z = j_y)
        turning = turning + m_r * (e + com * c) ** 2 + j_x * d * d + j_y * c * c
        slope = -2 * m_r * (e + com * c) * com * d + 2 * (j_x - j_y) * d * c
        torque = torque + slope * rate * spin
        x, z = half * c, top - half * d - s  # of the spring, from the slider's eye to the middle of the rod
        length = np.sqrt(x * x + z * z)
        dx, dz = -half * d, -half * c
        speed = (x * dx * rate + z * (dz * rate - y[5])) / length
        tension = K * (length - rest) + C * speed
        pull = pull + tension * z / length
        moment = 0.5 * slope * spin * spin + m_r * g * com * c - tension * (x * dx + z * dz) / length
        res[6 + i] = (j_y + m_r * com * com) * yp[6 + i] - moment
    for i in range(4):
        res[i] = yp[i] - y[4 + i]
    res[4] = turning * yp[4] + torque
    res[5] = m_s * yp[5] - pull + m_s * g


@njit
def _complex_jacobian(residual, p, t, y, yp, cj, J, yc, ypc, rc):
    n = y.shape[0]
    for i in range(n):
        yc[i], ypc[i] = y[i], yp[i]
    for j in range(n):
        yc[j], ypc[j] = y[j] + 1e-30j, yp[j] + cj * 1e-30j
        residual(p, t, yc, ypc, rc)
        for i in range(n):
            J[i, j] = rc[i].imag * 1e30
        yc[j], ypc[j] = y[j], yp[j]


class Problem:
    """An initial value problem with q and v first and algebraic unknowns last, ready to be solved again and again."""

    def __init__(self, residual: Any, p: Any, y0: Any, n: int, end: float) -> None:
        self.end, self.n, self.y0 = end, n, np.array(y0, dtype=float)
        size = len(self.y0)
        p = np.array(p, dtype=float)
        yc, ypc, rc = (np.zeros(size, complex) for _ in range(3))

        def function(t: float, y: Any, yp: Any, res: Any) -> None:
            residual(p, t, y, yp, res)

        def jacobian(t: float, y: Any, yp: Any, res: Any, cj: float, J: Any) -> None:
            _complex_jacobian(residual, p, t, y, yp, cj, J, yc, ypc, rc)

        self.function, self.jacobian = function, jacobian
        self.yp0 = self._rates()

    def _rates(self) -> np.ndarray:
        """Rates at the start; multipliers, in which the residual is linear too, are put into y0.

        They follow from the equations of motion and the second derivatives of g, for which the last block, G v + g_t,
        is differentiated along the motion by central differences.
        """
        n, size = self.n, len(self.y0)
        y, yp, res = self.y0.copy(), np.zeros(size), np.zeros(size)
        yp[:n] = y[n : 2 * n]
        m = (size - 2 * n) // 2

        def equations(x: np.ndarray) -> np.ndarray:
            yp[n : 2 * n], y[2 * n : 2 * n + m] = x[:n], x[n:]
            self.function(0.0, y, yp, res)
            motion, rates = res[n : 2 * n].copy(), []
            for d in (-1e-5, 1e-5):  # d/dt of G v + g_t along the motion
                z = y.copy()
                z[:n] += d * y[n : 2 * n] + 0.5 * d * d * x[:n]
                z[n : 2 * n] += d * x[:n]
                self.function(d, z, yp, res)
                rates.append(res[2 * n + m :].copy())
            return np.concatenate([motion, (rates[1] - rates[0]) / 2e-5])

        start = np.zeros(n + m)
        base = equations(start)
        columns = np.column_stack([equations(unit) - base for unit in np.eye(n + m)])
        x = np.linalg.solve(columns, -base)
        yp[n : 2 * n], self.y0[2 * n : 2 * n + m] = x[:n], x[n:]
        return yp

    def solver(self, rtol: float, speed: float) -> IDA:
        """Absolute tolerances: rtol / 100 for positions, speed times that for rates, none for multipliers."""
        n, size = self.n, len(self.y0)
        atol = np.full(size, 0.01 * rtol)
        atol[n : 2 * n] *= speed
        atol[2 * n :] = 1e12 * rtol
        return IDA(
            self.function, jacfn=self.jacobian, rtol=rtol, atol=atol, first_step=1e-8, max_num_steps=1_000_000,
            algebraic_idx=np.arange(2 * n, size) if size > 2 * n else None,
        )  # fmt: skip

    def solve(self, solver: IDA) -> np.ndarray:
        """q at the end."""
        found = solver.solve(np.array([0.0, self.end]), self.y0, self.yp0)
        assert found.success, found.message
        return found.y[-1, : self.n]


def car_axis_problem(p: dict[str, Any], end: float) -> Problem:
    numbers = [p["M"] * p["eps"] ** 2 / 2, p["L"], p["L0"], p["r"], p["w"], p["g"]]
    back = -p["L0"] / p["L"] * p["r"] * p["w"]
    y0 = [0.0, p["L0"], p["L"], p["L0"], back, 0.0, back, 0.0, 0.0, 0.0, 0.0, 0.0]
    return Problem(_car_axis, numbers, y0, 4, end)


def governor_problem(p: dict[str, Any], end: float) -> Problem:
    length, b, h = p["rod"]
    mass, tip, cube = p["rho"] * length * b * h, p["point_mass"], p["rho"] * p["slider"] ** 3
    whole = mass + tip
    com = (mass * length / 2 + tip * length) / whole
    j_x = mass * (b * b + h * h) / 12
    j_y = mass * (length**2 + h * h) / 12 + mass * (com - length / 2) ** 2 + tip * (length - com) ** 2
    j_0 = mass * (b * b + h * h) / 12 + cube * p["slider"] ** 2 / 6
    numbers = [
        cube, j_0, whole, j_x, j_y, com, length / 2, p["hinge_offset"], length, p["K"], p["C"], p["l0"], p["g"],
    ]  # fmt: skip
    alpha = np.radians(p["alpha_deg"])
    return Problem(_governor, numbers, [0.0, p["s0"], alpha, alpha, p["omega0"], 0.0, 0.0, 0.0], 4, end)
