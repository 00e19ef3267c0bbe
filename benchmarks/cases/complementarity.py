"""Lemke's method: `dt.solve_lcp` against the same pivots in plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Pair, Side, case


def numpy_lemke(M, q):
    """Complementary pivots on the whole tableau, with NumPy's row operations and a lexicographic ratio test."""
    n = len(q)
    T = np.hstack([np.eye(n), -M, -np.ones((n, 1)), q[:, None]])
    basis = list(range(n))
    if q.min() >= 0:
        return np.zeros(n)
    row, column = int(np.argmin(q)), 2 * n
    for _ in range(50 * n):
        T[row] /= T[row, column]
        others = np.arange(n) != row
        T[others] -= np.outer(T[others, column], T[row])
        left, basis[row] = basis[row], column
        if left == 2 * n:
            z = np.zeros(2 * n + 1)
            z[basis] = T[:, -1]
            return z[n : 2 * n]
        column = left + n if left < n else left - n
        rows = np.flatnonzero(T[:, column] > 1e-11)
        if not len(rows):
            return None
        keys = np.column_stack([T[rows, -1], T[rows, :n]]) / T[rows, column][:, None]
        row = int(rows[np.lexsort(keys.T[::-1])[0]])
    return None


def pair(n: int) -> Pair:
    random = np.random.default_rng(0)
    problems: list[Any] = []
    for _ in range(20):
        G = random.normal(size=(n, n + 2))
        problems.append((G @ G.T, random.normal(size=n)))

    def over(solve: Any) -> Any:
        def run(count: int) -> None:
            for k in range(count):
                solve(*problems[k % len(problems)])

        return run

    differ = max(float(np.abs(dt.solve_lcp(M, q).z - numpy_lemke(M, q)).max()) for M, q in problems)
    return Pair(Side(over(dt.solve_lcp)), Side(over(numpy_lemke)), differ, 1e-8)


for n in (12, 48):
    case(f"Lemke's method, {n} rows", "NumPy", 50.0, shown=False)(lambda n=n: pair(n))
