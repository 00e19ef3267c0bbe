"""Complementarity problems with known solutions."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from near import assert_near

import duoti as dt


def matrix(name: str, n: int) -> np.ndarray:
    """Murty's matrix, or Fathi's, of size n."""
    murty = np.eye(n) + 2.0 * np.triu(np.ones((n, n)), 1)
    return murty if name.startswith("Murty") else murty.T @ murty


def test_c09_linear_complementarity():
    """Worst cases of pivoting (Murty, Fathi), a cycle (Kostreva), no solution, and a table on four legs."""
    for problem in case("C09").reference["problems"]:
        name = problem["name"]
        if name.startswith(("Murty", "Fathi")):
            n = len(problem["z"])
            M, q = matrix(name, n), -np.ones(n)
            if "M_first_row" in problem:
                assert M[0] == pytest.approx(problem["M_first_row"])
        elif name.startswith("Kostreva"):
            M, q = np.array([[1.0, 2, 0], [0, 1, 2], [2, 0, 1]]), -np.ones(3)
        elif name.startswith("M=[["):
            M, q = np.array([[2.0, 1], [1, 2]]), np.array([-5.0, -6])
        elif name.startswith("infeasible"):
            assert not dt.solve_lcp([[-1.0]], [-1.0]).ok
            two = dt.solve_lcp([[-1.0]], [1.0])
            assert two.ok
            assert (two.z[0], two.w[0]) in [(0.0, 1.0), (1.0, 0.0)]
            continue
        else:
            M, q = np.array(problem["W"]), np.array(problem["q"])
            problem["z"] = problem["z_min_norm"]
        s = dt.solve_lcp(M, q)
        assert s.ok, s.reason
        assert_near(s.z, problem["z"], 1e-12)
        assert_near(s.w, problem["w"], 1e-12)
