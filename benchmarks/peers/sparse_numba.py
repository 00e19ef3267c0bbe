"""Runge-Kutta steps on a sparse linear equation, written by hand."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(fastmath={"contract", "nsz"})
def rates(start, column, value, b, x, out):
    for r in range(len(b)):
        s = b[r]
        for k in range(start[r], start[r + 1]):
            s += value[k] * x[column[k]]
        out[r] = s


@numba.njit(fastmath={"contract", "nsz"})
def rk4(start, column, value, b, x, h, steps):
    n = len(x)
    k1, k2, k3, k4, y = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(steps):
        rates(start, column, value, b, x, k1)
        for i in range(n):
            y[i] = x[i] + 0.5 * h * k1[i]
        rates(start, column, value, b, y, k2)
        for i in range(n):
            y[i] = x[i] + 0.5 * h * k2[i]
        rates(start, column, value, b, y, k3)
        for i in range(n):
            y[i] = x[i] + h * k3[i]
        rates(start, column, value, b, y, k4)
        for i in range(n):
            x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
