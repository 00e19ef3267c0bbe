"""The sparse matrix of blocks behind time stepping: order, fill and factors against dense equations."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from duoti.contact.collide.arrays import example_contacts
from duoti.contact.solve.block_matrix import Matrix, arrange, block_at, factorise, new_matrix, solve
from duoti.contact.solve.problem import Problem, new_problem
from duoti.kernel import cold_kernel, kernel


@cold_kernel
def _arrange(contacts, problem, matrix):
    return arrange(contacts, problem, matrix)


@kernel
def _solve(contacts, matrix, x):
    if not factorise(contacts, matrix):
        return 1
    solve(contacts, matrix, x)
    return 0


@cold_kernel
def _block(contacts, matrix, i, j, found):
    found[0], found[1], found[2], found[3] = block_at(contacts, matrix, i, j)


def graph(sizes: list[int], pairs: list[tuple[int, int]]) -> tuple[Any, Problem, Matrix]:
    """Trees 1, 2, ... of these sizes, ground 0, and a block for each pair."""
    first = np.array([0, 0, *np.cumsum(sizes)], np.int64)
    nv = int(first[-1])
    contacts = example_contacts()._replace(
        slots=len(pairs), tree_first=first, tree_dofs=np.arange(nv), width=2 * max(sizes)
    )
    tree: Any = SimpleNamespace(nv=nv, depth=np.zeros(nv, int))
    problem = new_problem(contacts, nv)
    problem.counts[0].blocks = len(pairs)
    lengths = np.diff(first)
    for c, (i, j) in enumerate(pairs):
        problem.place[c] = first[i], lengths[i], first[j], lengths[j], i, j, first[i], lengths[i]
    return contacts, problem, new_matrix(contacts, tree, len(pairs))


def put(contacts: Any, matrix: Matrix, i: int, j: int, block: np.ndarray) -> None:
    """A block of the matrix into its panel; transposed into the lower one if tree i is eliminated after j."""
    found, later = np.zeros(4, np.int64), matrix.position[i] > matrix.position[j]
    _block(contacts, matrix, *((j, i) if later else (i, j)), found)
    at, length = found[2:] if later else found[:2]
    for r, row in enumerate(block.T if later else block):
        matrix.data[at + r * length : at + r * length + len(row)] = row


def filled(contacts: Any, pairs: list[tuple[int, int]], matrix: Matrix, seed: int) -> np.ndarray:
    """Random numbers in the blocks of the pairs, unsymmetric, with a heavy diagonal; the same matrix in full."""
    random, first = np.random.default_rng(seed), contacts.tree_first
    A = np.zeros((first[-1], first[-1]))
    matrix.data[:] = 0.0
    trees = range(1, len(first) - 1)
    for i, j in [*((t, t) for t in trees), *pairs, *((j, i) for i, j in pairs)]:
        if i == 0 or j == 0:
            continue
        rows, columns = slice(first[i], first[i + 1]), slice(first[j], first[j + 1])
        shape = (first[i + 1] - first[i], first[j + 1] - first[j])
        A[rows, columns] = random.normal(size=shape) + (30.0 * np.eye(shape[0]) if i == j else 0.0)
        put(contacts, matrix, i, j, A[rows, columns])
    return A


def test_a_stack_has_no_fill() -> None:
    pairs = [(i, i + 1) for i in range(40)]
    contacts, problem, matrix = graph([6] * 40, pairs)
    products = _arrange(contacts, problem, matrix)
    assert matrix.counts[0].edges == 39
    assert products == 39 * 6 * (36 + 2 * 36 + 36) + 6 * 36  # an end is eliminated after another


@pytest.mark.parametrize("sizes", [[6] * 12, [6, 1, 3, 9, 6, 2, 6, 6, 4, 1, 1, 6]])
def test_random_graphs_against_dense_equations(sizes: list[int]) -> None:
    random = np.random.default_rng(len(set(sizes)))
    for seed in range(5):
        pairs = [(0, t) for t in range(1, 13)]
        pairs += [tuple(sorted(random.choice(np.arange(1, 13), 2, replace=False).tolist())) for _ in range(4 * seed)]
        pairs = list(dict.fromkeys(pairs))
        contacts, problem, matrix = graph(sizes, pairs)
        assert _arrange(contacts, problem, matrix) >= 0
        assert sorted(matrix.order[:12]) == list(range(1, 13))
        A = filled(contacts, pairs, matrix, seed)
        b = random.normal(size=len(A))
        x = b.copy()
        assert _solve(contacts, matrix, x) == 0
        np.testing.assert_allclose(x, np.linalg.solve(A, b), atol=1e-13)  # round-off times a condition below 10


def test_pairs_that_come_and_go() -> None:
    """Places depend on the pairs of the moment and on nothing before: runs that are resumed go on alike."""
    sizes, pairs = [6] * 6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]
    contacts, problem, matrix = graph(sizes, pairs)
    _arrange(contacts, problem, matrix)
    problem.place[5, 4:] = 1, 6, 0, 6
    problem.place[5, :4] = 0, 6, 30, 6
    _arrange(contacts, problem, matrix)
    pairs[5] = (1, 6)
    fresh_contacts, fresh_problem, fresh = graph(sizes, pairs)
    _arrange(fresh_contacts, fresh_problem, fresh)
    for name in ("order", "position", "panel", "length", "later_first", "later", "column", "runs"):
        assert np.array_equal(getattr(matrix, name), getattr(fresh, name)), name
    A = filled(contacts, pairs, matrix, 3)
    x = np.ones(36)
    _solve(contacts, matrix, x)
    np.testing.assert_allclose(A @ x, np.ones(36), atol=1e-13)
