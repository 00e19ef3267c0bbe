"""Lemke's method: `dt.solve_lcp` against the same pivots in plain NumPy; processor time, best of some rounds."""

from __future__ import annotations

import sys
import time

import numpy as np

import duoti as dt


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


def main(rounds: int = 5) -> int:
    """Ratios for several sizes; status 1 if one of the larger ones is below 50."""
    random, worst = np.random.default_rng(0), np.inf
    for n in (12, 24, 48, 96):
        problems = []
        for _ in range(2000 // n):  # so many that the time of a round can be measured
            G = random.normal(size=(n, n + 2))
            problems.append((G @ G.T, random.normal(size=n)))
        took = {numpy_lemke: np.inf, dt.solve_lcp: np.inf}
        for _ in range(rounds):
            for solve in took:
                began = time.process_time()
                found = [solve(M, q) for M, q in problems]
                took[solve] = min(took[solve], (time.process_time() - began) / len(problems))
        for (M, q), s in zip(problems, found, strict=True):
            assert np.allclose(s.z, numpy_lemke(M, q), atol=1e-8)
        ratio = took[numpy_lemke] / took[dt.solve_lcp]
        worst = min(worst, ratio)
        print(
            f"n = {n:3d}: NumPy {1e6 * took[numpy_lemke]:8.0f} us, "
            f"solve_lcp {1e6 * took[dt.solve_lcp]:7.0f} us: {ratio:5.1f}"
        )
    print("PASS" if worst >= 50 else "FAIL", "target: 50")
    return 0 if worst >= 50 else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
